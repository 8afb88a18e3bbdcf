"""What a search reads: by indexes, and only of the one who asks."""

from __future__ import annotations

import json
import random
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from mindhit.clock import utc_now
from mindhit.db import Database, Query, ReadTx
from mindhit.library import store
from mindhit.library.search import answering, candidates
from mindhit.library.search.lexemes import reader as mark_of
from tests.accounts.kit import add, rows
from tests.contract.plans import nodes
from tests.insight.kit import BREAD, KOREAN, SPACE, Seen
from tests.library.search_kit import Noting, Reader, reader

LOAF = Seen("https://bread.example/loaf", "How to bake a loaf", BREAD)
PLANET = Seen("https://space.example/planets", "A planet with an ocean", SPACE)
LEASE = Seen("https://house.example/jeonse", "전세 계약 전에 볼 것", KOREAN)
REMOVED = "Rows Removed by"


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db)) as one:
        yield one


@pytest.mark.parametrize(
    "statement",
    [
        "FOUND",
        "TIERS",
        "LOOSE",
        "COUNTS",
        "ALIVE",
        "PAGES",
        "SESSIONS",
        "HIGHLIGHTS",
        "BOOKMARKS",
    ],
)
async def test_no_plan_of_a_search_scans_a_table_or_makes_a_hash_of_one(
    ada: Reader, statement: str
) -> None:
    """Of `exists` inside of `or` the planner makes a hash of a whole table, everybody's."""
    query = getattr(store.candidates, statement, None) or getattr(store.search, statement)
    nulls = ", ".join("null" for _ in set(re.findall(r"\$\d+", query.sql)))
    async with ada.db.transaction() as tx:
        await tx.one(store.candidates.BY_INDEX)
        await tx._connection.execute(f"prepare one as {query.sql}")
        try:
            rows = await tx._connection.fetch(f"explain execute one ({nulls})")
        finally:
            await tx._connection.execute("deallocate one")
    plan = "\n".join(row[0] for row in rows)
    assert "Seq Scan" not in plan, plan
    assert "hashed SubPlan" not in plan, plan


TYPED = [
    "planet",
    "planet -ocean",
    "-ocean",
    "-ocean -loaf",
    '-"an ocean"',
    "-ocean site:space.example",
    "-바다",
    "-the after:2020",
    "plnaet",
    "loaf planet ocean",
    "보증금은",
    '"wild yeast"',
]


@pytest.mark.parametrize("typed", TYPED)
async def test_no_search_reads_the_documents_of_others(
    db: Database, ada: Reader, typed: str
) -> None:
    await ada.record(LOAF, PLANET, LEASE)
    async with reader(db, await add(db, "eve@example.org")) as eve:
        await eve.record(*(Seen(f"https://b.example/{n}", f"Planet {n}", "x") for n in range(40)))
    [others] = await rows(db, "select count(*) from search_docs where user_id <> $1", ada.user_id)
    async with db.read() as tx:
        noting = Noting(tx)
        asked = candidates.Asked(typed)
        await answering.search(noting, ada.user_id, asked, utc_now(), limit=20)
        read = [each for one in noting.asked for each in await documents_read(tx, *one)]
    assert max(read, default=0) < others["count"]


async def documents_read(tx: ReadTx, query: Query[Any], values: tuple[object, ...]) -> list[int]:
    """By each step of the plan, with those that were dropped afterwards."""
    sql = f"explain (analyze, format json) {query.sql}"
    plan = json.loads(await tx._connection.fetchval(sql, *query.arguments(values)))[0]["Plan"]
    return [
        sum(v for name, v in node.items() if name == "Actual Rows" or name.startswith(REMOVED))
        for node in nodes(plan)
        if "search_docs" in str(node.get("Index Name", node.get("Relation Name")))
    ]


@pytest.mark.parametrize(("typed", "counts"), [("planet", 0), ("ocean planet", 0), ("loaf", 1)])
async def test_what_many_have_as_it_is_written_is_neither_counted_nor_asked_for_again(
    ada: Reader, monkeypatch: pytest.MonkeyPatch, typed: str, counts: int
) -> None:
    monkeypatch.setattr(candidates, "COMMON", 5)
    monkeypatch.setattr(candidates, "FEW", 3)
    many = [Seen(f"https://b.example/{n}", f"Planet {n} with an ocean", "x", 4) for n in range(6)]
    await ada.record(LOAF, *many)
    async with ada.db.read() as tx:
        noting = Noting(tx)
        await answering.search(noting, ada.user_id, candidates.Asked(typed), utc_now(), limit=5)
    asked = [query for query, _ in noting.asked]
    assert asked.count(store.candidates.COUNTS) == counts
    assert asked.count(store.candidates.FOUND) == 1 + counts


async def test_a_word_that_some_have_is_counted_once_and_found_by_its_beginning(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "SMALL", 2)
    await ada.record(LOAF, *(Seen(f"https://b.example/{n}", "A planet", "x", 4) for n in range(3)))
    await ada.record(Seen("https://b.example/all", "The planetarium", "x", 4))
    async with ada.db.read() as tx:
        noting, asked = Noting(tx), candidates.Asked("planet")
        found = await answering.search(noting, ada.user_id, asked, utc_now(), limit=5)
    assert store.candidates.COUNTS not in [query for query, _ in noting.asked]
    assert "The planetarium" in {hit.title for hit in found.hits}


async def test_whatever_is_typed_every_condition_asks_the_index_for_entries_of_the_reader(
    ada: Reader,
) -> None:
    """`querytree` is what of a condition the index can answer."""
    parts = ["planet", "-ocean", "-바다", '"an ocean"', '-"an ocean"', "-site:a.example", "the"]
    parts += ["site:a.example", "after:2020", "before:2020", "보증금은", "plnaet", "-", '"', "-the"]
    chance, mark, met = random.Random(17), mark_of(ada.user_id), set[str]()
    async with ada.db.read() as tx:
        noting = Noting(tx)
        for _ in range(150):
            typed = " ".join(chance.choices(parts, k=chance.randint(1, 4)))
            kinds = chance.choice([(), (), ("page",)])
            asked = candidates.Asked(typed, kinds)
            await answering.search(noting, ada.user_id, asked, utc_now(), limit=5)
        met = noting.conditions - {candidates._NEVER}
        sql = "select c from unnest($1::text[]) c where querytree(c::tsquery) in ('', 'T')"
        assert await tx._connection.fetch(sql, list(met)) == []
    assert any("!" in each for each in met)
    entries = {entry for each in met for entry in re.findall(r"'([^']*)'", each)}
    assert all(entry.startswith(mark) for entry in entries)


async def test_what_must_not_be_there_is_no_question(ada: Reader) -> None:
    await ada.record(LOAF, PLANET)
    assert (await ada.search("-ocean"))["count"] == 0
    answer = await ada.client.get("/v1/search/suggestions", params={"q": "-ocean"})
    assert answer.json() == {"suggestions": []}
    assert await ada.titles("-ocean", kind="page") == [LOAF.title]


async def test_nobody_finds_anybody_elses(db: Database, ada: Reader) -> None:
    await ada.record(LOAF, PLANET)
    await ada.save("https://bread.example/", title="Sourdough")
    async with reader(db, await add(db, "eve@example.org")) as eve:
        await eve.record(PLANET)
        for typed in ("sourdough", "site:bread.example", "loaf", "sourdoughh"):
            assert (await eve.search(typed))["count"] == 0, typed
        [hit] = (await eve.search("planet"))["hits"]
        assert hit["session_id"] not in {
            each["session_id"] for each in (await ada.search("planet"))["hits"]
        }


async def test_two_readers_share_no_entry_of_the_index(db: Database, ada: Reader) -> None:
    await ada.record(PLANET)
    async with reader(db, await add(db, "eve@example.org")) as eve:
        await eve.record(PLANET)
    found = await rows(
        db,
        "select lexeme from (select distinct d.user_id, l.lexeme from search_docs d,"
        " unnest(d.lexemes) l) x group by lexeme having count(*) > 1",
    )
    assert found == []
