"""Rules of search that are seen only where two things meet: a filter and a word, an index that is behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from random import Random
from uuid import UUID, uuid4

import pytest

from mindhit import tracking
from mindhit.db import Database, migrate
from mindhit.library import put_topics, store
from mindhit.library.search import candidates, indexing, saved
from mindhit.library.search.ranking import WEIGHTS, Field
from tests.accounts.kit import add, rows
from tests.conftest import drop, with_database
from tests.conftest import execute as create
from tests.insight.kit import START, Seen
from tests.library.search_kit import Reader, reader
from tests.tracking.kit import execute


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db)) as one:
        yield one


@pytest.fixture
async def bob(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db, "bob@example.org")) as one:
        yield one


def at(seconds: int = 0) -> str:
    return datetime.fromtimestamp(START / 1000 + seconds, UTC).isoformat()


async def test_a_site_and_the_facet_of_a_site_both_have_to_fit(ada: Reader) -> None:
    for site in ("a.example", "b.example", "c.a.example"):
        await ada.save(f"https://{site}/", title=f"Heliotrope of {site}")
    assert await ada.titles("heliotrope site:a.example", domain="b.example") == []
    assert await ada.titles("heliotrope site:a.example", domain="c.a.example") == [
        "Heliotrope of c.a.example"
    ]
    assert await ada.titles("heliotrope -site:a.example") == ["Heliotrope of b.example"]
    assert await ada.titles("heliotrope site:https://www.b.example:443/x") == [
        "Heliotrope of b.example"
    ]


async def test_times_of_the_question_and_of_the_filter_both_have_to_fit(ada: Reader) -> None:
    pages = [Seen(f"https://a.example/{n}", f"Heliotrope {n}", None, 60) for n in range(4)]
    await ada.record(*pages)
    begins, ends = at(60), at(180)
    assert set(await ada.titles("heliotrope", **{"from": begins, "to": ends})) == {
        "Heliotrope 1",
        "Heliotrope 2",
    }, "the moment at which it begins is in it, the moment at which it ends is not"
    day = at()[:10]
    assert await ada.titles(f"heliotrope after:{day}", to=at(60)) == ["Heliotrope 0"]
    assert await ada.titles("heliotrope after:2099", **{"from": at()}) == []
    assert await ada.titles("heliotrope before:2001", to=at(9_999)) == []


async def test_days_begin_in_the_zone_of_the_person(ada: Reader) -> None:
    await ada.record(Seen("https://a.example/", "Heliotrope"))  # 15 June 2025, 15:06:40 in UTC
    for zone, found in (("UTC", []), ("Asia/Seoul", ["Heliotrope"])):
        await execute(ada.db, "update user_settings set timezone = $1", zone)
        assert await ada.titles("heliotrope after:2025-06-16") == found


async def test_no_letter_is_forgiven_where_ten_have_the_word(ada: Reader) -> None:
    await ada.save("https://a.example/", title="Mountain")
    for n in range(9):
        await ada.save(f"https://b.example/{n}", title=f"Fountain {n}")
    assert "Mountain" in await ada.titles("fountain")
    await ada.save("https://b.example/9", title="Fountain 9")
    assert "Mountain" not in await ada.titles("fountain")


async def test_beginnings_of_two_letters_are_found_outside_of_texts_and_of_five_in_them(
    ada: Reader,
) -> None:
    await ada.record(Seen("https://a.example/", "Heliotrope", "A marigold is a flower."))
    assert await ada.titles("he") == ["Heliotrope"]
    assert await ada.titles("h") == []
    assert await ada.titles("marig") == ["Heliotrope"]


async def test_what_lacks_one_of_three_words_is_found_however_old_it_is(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "MOST", 10)
    words = ("heliotrope", "marigold", "saxifrage")
    await ada.record(
        Seen("https://a.example/", "Two of them", "Heliotrope and marigold."),
        *(Seen(f"https://b.example/{n}", words[n % 3], "x", 4) for n in range(60)),
    )
    assert (await ada.titles("saxifrage heliotrope marigold"))[0] == "Two of them"


def test_where_a_word_stands_says_how_much_it_counts() -> None:
    order = [
        {Field.TITLE},
        {Field.HIGHLIGHT, Field.NOTE, Field.TAGS},
        {Field.KEYWORDS, Field.TOPICS},
        {Field.SUMMARY, Field.DESCRIPTION},
        {Field.ADDRESS},
        {Field.TEXT},
    ]
    weights = [{WEIGHTS[field] for field in some} for some in order]
    assert all(len(some) == 1 for some in weights)
    assert sorted(weights, key=max, reverse=True) == weights
    assert set(WEIGHTS) == set().union(*order)


async def test_how_a_word_is_written_says_how_much_it_counts(ada: Reader) -> None:
    for title in ("Breading", "Breadth", "Breed", "Bread"):
        await ada.save(f"https://a.example/{title}", title=title)
    await ada.save("https://a.example/x", title="Elsewhere")  # the newest
    assert await ada.titles("bread") == ["Bread", "Breading", "Breadth", "Breed"]


async def test_a_text_that_was_forgotten_is_not_found_through_another_visit_of_its_page(
    ada: Reader,
) -> None:
    """The visit that had it is gone, and the index has not heard of it."""
    url = "https://a.example/"
    await ada.record(
        Seen(url, "Page", "A marigold."), Seen("https://b.example/", "B"), Seen(url, "Page")
    )
    assert await ada.titles("marigold") == ["Page"]
    await execute(ada.db, "update page_visits set content_id = null")
    assert await ada.titles("marigold") == []
    assert await ada.titles("page") == ["Page"]


async def test_topics_are_not_found_once_their_timeline_is_another(ada: Reader) -> None:
    session = UUID(await ada.record(Seen("https://a.example/", "Page")))
    version = (await ada.recording.session(session))["timeline_version"]
    async with ada.db.transaction() as tx:
        await put_topics(tx, ada.user_id, session, ["Secret gardens"], version)
    await ada.work()
    for change in ("timeline_version = timeline_version + 1", "main_url_id = null"):
        assert len((await ada.search("gardens"))["hits"]) == 1
        await execute(ada.db, "create table kept as select * from sessions")
        await execute(ada.db, f"update sessions set {change}")
        assert (await ada.search("gardens"))["hits"] == [], change
        await execute(
            ada.db,
            "update sessions s set timeline_version = k.timeline_version, main_url_id = k.main_url_id from kept k",
        )
        await execute(ada.db, "drop table kept")


async def test_a_public_text_is_found_by_those_for_whom_it_was_fetched(
    ada: Reader, bob: Reader
) -> None:
    page = Seen("https://a.example/", "Page", failed=True, no_fetch=False)
    for one in (ada, bob):
        await one.record(page)
        [url] = await rows(one.db, "select id from urls where url = $1", page.url)
        async with one.db.transaction() as tx:
            crawled = tracking.CrawledPage("Page", "A marigold.")
            await tracking.put_crawled(tx, one.user_id, url["id"], crawled)
        await one.work()
    assert await ada.titles("marigold") == await bob.titles("marigold") == ["Page"]
    await execute(ada.db, "delete from reader_urls where user_id = $1", ada.user_id)
    assert (await ada.titles("marigold"), await bob.titles("marigold")) == ([], ["Page"])


async def test_nobodys_index_gets_a_text_of_somebody_else(ada: Reader, bob: Reader) -> None:
    await ada.record(Seen("https://a.example/", "Page", "A marigold."))
    await bob.record(Seen("https://a.example/", "Page", "A heliotrope."))
    [text] = await rows(ada.db, "select id from page_contents where user_id = $1", ada.user_id)
    await execute(
        ada.db, "update search_docs set content_id = $1 where user_id = $2", text["id"], bob.user_id
    )
    await indexing.index_texts(bob.db, bob.user_id, [text["id"]])
    sql = "select count(*) as n from search_docs where text_id = $1 and user_id = $2"
    [found] = await rows(ada.db, sql, text["id"], bob.user_id)
    assert found["n"] == 0


async def test_what_is_no_longer_in_a_session_leaves_the_index(ada: Reader) -> None:
    session = UUID(
        await ada.record(Seen("https://a.example/", "A"), Seen("https://b.example/", "B"))
    )
    await execute(
        ada.db,
        "delete from page_visits v using urls u where u.id = v.url_id and u.domain = 'b.example'",
    )
    await indexing.index_session(ada.db, ada.user_id, session)
    left = await rows(ada.db, "select domain from search_docs where kind = 'page'")
    assert [each["domain"] for each in left] == ["a.example"]


async def test_bookmarks_of_one_import_are_all_indexed_however_many_there_are(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have one number of the counter, and the index goes by numbers."""
    monkeypatch.setattr(indexing, "BOOKMARKS_AT_ONCE", 4)
    await _import(
        ada, "".join(f'<DT><A HREF="https://a.example/{n}">Heliotrope {n}</A>' for n in range(11))
    )
    assert (await ada.search("heliotrope"))["count"] == 11


async def test_separators_are_not_found(ada: Reader) -> None:
    await _import(
        ada,
        '<DT><A HREF="https://a.example/">Heliotrope</A><HR><DT><A HREF="https://b.example/">B</A>',
    )
    [kinds] = await rows(ada.db, "select count(*) as n from pages where kind = 'separator'")
    assert kinds["n"] == 1
    assert (await ada.search(kind="bookmark"))["count"] == 2


async def test_progress_of_the_index_never_goes_back(ada: Reader) -> None:
    async with ada.db.transaction() as tx:
        await tx.run(store.indexing.ADVANCE, ada.user_id, 7)
        await tx.run(store.indexing.ADVANCE, ada.user_id, 5)
        assert await tx.maybe(store.indexing.PROGRESS, ada.user_id) == 7


async def test_the_largest_bookmark_is_indexed_and_so_are_those_after_it(ada: Reader) -> None:
    draw = Random(7)

    def syllables(count: int) -> str:
        return "".join(chr(draw.randrange(0xAC00, 0xD7A3)) for _ in range(count))

    tags = [syllables(40) for _ in range(200)]
    title = f"Heliotrope {syllables(9_900)}"
    await ada.save(
        "https://a.example/", title=title, note=f"Marigold {syllables(19_900)}", tags=tags
    )
    await ada.save("https://b.example/", title="Saxifrage")
    assert await ada.titles("heliotrope marigold") == [title]
    assert await ada.titles("saxifrage") == ["Saxifrage"]


async def test_so_many_searches_can_be_saved(ada: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MOST", 2)

    async def save(query: str) -> int:
        answer = await ada.client.post("/v1/saved-searches", json={"name": "x", "query": query})
        return int(answer.status_code)

    assert [await save(query) for query in ("a", "b", "c", "a")] == [201, 201, 409, 201]
    assert len((await ada.client.get("/v1/saved-searches")).json()["searches"]) == 2


async def test_words_are_the_same_where_the_database_knows_no_letters_but_those_of_ascii(
    server_url: str,
) -> None:
    name = f"locale_{uuid4().hex[:12]}"
    await create(
        server_url, f"create database {name} template template0 locale 'C' locale_provider libc"
    )
    url = with_database(server_url, name)
    await migrate.migrate(url)
    db = await Database.open(url, size=2)
    try:
        async with reader(db, await add(db)) as ada:
            await ada.save("https://a.example/", title="INDIGO Café 전세보증금 돌려받기")
            for typed in (
                "indigo",
                "CAFÉ",
                "cafe",
                "전세보증금은",
                "보증금",
                "indgio",
                "전새보증금",
            ):
                assert len(await ada.titles(typed)) == 1, typed
    finally:
        await db.close()
        await drop(server_url, name)


async def _import(one: Reader, items: str) -> None:
    file = f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>{items}</DL>"
    answer = await one.client.post(
        "/v1/imports", content=file.encode(), headers={"Content-Type": "text/html"}
    )
    assert answer.status_code == 202, answer.text
    await one.work()
