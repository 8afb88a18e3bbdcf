"""A page that was read more than once is found by whatever it said, while that is there."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from mindhit.db import Database
from mindhit.library.search import candidates
from tests.accounts.kit import add, rows
from tests.insight.kit import Seen
from tests.library.search_kit import Reader, reader

URL = "https://news.example/front"
HOUR = Seen("https://other.example/", "Elsewhere", seconds=3_600)


def front(text: str, title: str = "The front page") -> Seen:
    return Seen(URL, title, f"{text} The harbour opened again after the storm.")


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db)) as one:
        yield one


async def test_an_older_text_of_a_page_is_found_by_its_phrase(ada: Reader) -> None:
    first = await ada.record(front("A comet over the old lighthouse was seen."))
    await ada.record(HOUR, front("A lighthouse keeper and the old comet: two stories."))
    [hit] = (await ada.search('"the old lighthouse"'))["hits"]
    assert hit["session_id"] == first
    [hit] = (await ada.search('"lighthouse keeper"'))["hits"]
    assert hit["session_id"] != first


async def test_an_older_text_of_a_page_is_found_without_a_word_that_the_newer_one_has(
    ada: Reader,
) -> None:
    first = await ada.record(front("Nothing else."))
    await ada.record(HOUR, front("And a comet."))
    [hit] = (await ada.search('storm -"a comet"'))["hits"]
    assert hit["session_id"] == first


async def test_an_older_text_is_found_at_once_when_the_session_of_the_newer_one_is_deleted(
    ada: Reader,
) -> None:
    first = await ada.record(front("Nothing else."))
    second = await ada.record(HOUR, front("And a comet."))
    [hit] = (await ada.search("harbour storm"))["hits"]
    assert hit["session_id"] == second
    await ada.client.delete(f"/v1/sessions/{second}")
    found = await ada.search("harbour storm")
    assert ([hit["session_id"] for hit in found["hits"]], found["count"]) == ([first], 1)


async def test_every_version_of_a_page_that_is_read_all_day_may_be_the_one(ada: Reader) -> None:
    for n in range(12):
        await ada.record(*[HOUR] * n, front(f"Story number{n}: the comet number{n}."))
    for n in (0, 5, 11):
        found = await ada.search(f'"number{n} the comet"')
        assert found["count"] == 1, n
        [hit] = found["hits"]
        assert any(f"number{n}" in piece for piece, _ in hit["snippet"]), n


async def test_a_page_is_one_hit_whatever_is_found_of_it(ada: Reader) -> None:
    for n in range(3):
        await ada.record(*[HOUR] * n, front(f"Version {n}.", title=f"Front page {n}"))
    found = await ada.search("harbour storm", limit=1)
    assert (len(found["hits"]), found["next"], found["count"]) == (1, None, 1)


async def test_what_was_read_before_a_moment_is_found_however_much_was_read_after_it(
    ada: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same month: the index knows no days."""
    monkeypatch.setattr(candidates, "MOST", 20)
    once = Seen("https://once.example/", "Once", "A heliotrope.")
    first = await ada.record(once, front("The heliotrope."))
    many = [Seen(f"https://b.example/{n}", f"Day {n}", f"A heliotrope {n}.", 4) for n in range(60)]
    await ada.record(HOUR, *many)
    await ada.record(*[HOUR] * 2, front("The heliotrope."))
    [row] = await rows(ada.db, "select min(at) as at from search_docs where kind = 'page'")
    moment = row["at"].replace(minute=row["at"].minute + 1).isoformat()
    found = await ada.search("heliotrope", to=moment)
    assert [(hit["session_id"], hit["title"]) for hit in found["hits"]] == [
        (first, "The front page"),
        (first, "Once"),
    ]
    assert found["count"] == 2


@pytest.mark.parametrize("year", [1970, 1985, 2096, 9999])
async def test_no_date_is_too_long_ago_or_too_far_ahead(ada: Reader, year: int) -> None:
    await ada.save("https://a.example/", title="Heliotrope")
    async with ada.db.transaction() as tx:
        await tx._connection.execute(
            "update pages set created_at = make_timestamptz($1, 6, 15, 0, 0, 0, 'UTC')", year
        )
        await tx._connection.execute("delete from search_progress")
    await ada.save("https://b.example/", title="Marigold")
    for typed in (
        f"heliotrope after:{year}-06",
        f"after:{year}-06 before:{year}-07",
        f"heliotrope after:{year - 1} before:{year}-06-16",
    ):
        assert await ada.titles(typed) == ["Heliotrope"], typed
    assert await ada.titles(f"heliotrope before:{year}-06-15") == []
    assert await ada.titles(f"heliotrope after:{year}-06-16") == []
