"""What processing again would cost: from sizes and beginnings, the same as from all that was read."""

from __future__ import annotations

from mindhit.db import Database
from mindhit.insight import store
from mindhit.insight.processing import mapping
from mindhit.insight.processing.pages import read_pages
from mindhit.language import Document, costs
from mindhit.language.limits import PAGE_CHARACTERS
from mindhit.tracking import SessionId
from tests.accounts.kit import add
from tests.insight.kit import BREAD, KOREAN, Seen, many, recorder

LONG = f"{BREAD} {KOREAN} " * 10
OUTPUT = 100


async def test_beginnings_cost_what_the_whole_texts_would(db: Database) -> None:
    pages = [*many(8, LONG), Seen("https://a.example/", "No text"), *many(3, KOREAN, "k.example")]
    async with recorder(db, await add(db)) as it:
        id_ = await it.processed(pages)  # with summaries, which are a part of the question
        async with db.read() as tx:
            whole = mapping.documents_of(await read_pages(tx, it.user_id, SessionId(id_)))
            found = await tx.all(
                store.processing.BEGINNINGS, id_, it.user_id, PAGE_CHARACTERS, mapping.MOST_PAGES
            )
    assert all(len(each.text or "") <= PAGE_CHARACTERS for each in found)
    begun = [mapping.document(p.title or "", p.domain, p.summary, p.text or "") for p in found]
    assert [each.text[:PAGE_CHARACTERS] for each in begun] == [
        each.text[:PAGE_CHARACTERS] for each in whole
    ]
    assert _bounds(begun) == _bounds(whole)
    assert sum(len(each.text) for each in begun) < sum(len(each.text) for each in whole) / 2


async def test_of_many_pages_those_are_read_that_topics_would_be_found_for(db: Database) -> None:
    seconds = {"brief": 5, "long": 20, "also-brief": 5, "longest": 30}
    pages = [Seen(f"https://{n}.example/", n, BREAD, s) for n, s in seconds.items()]
    async with recorder(db, await add(db)) as it:
        id_ = await it.processed(pages)
        async with db.read() as tx:
            found = await tx.all(store.processing.BEGINNINGS, id_, it.user_id, 20, 2)
    assert [(each.title, each.text) for each in found] == [
        ("long", BREAD[:20]),
        ("longest", BREAD[:20]),
    ]


def _bounds(documents: list[Document]) -> tuple[int, int]:
    return costs.bound_of_topics(documents, OUTPUT), costs.bound_of_title(documents, OUTPUT)
