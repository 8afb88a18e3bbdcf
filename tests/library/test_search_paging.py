"""Pages of a search's results: each hit once, whatever comes or goes between two of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count

import pytest

from mindhit.db import Database
from mindhit.library.search import candidates
from tests.accounts.kit import add
from tests.insight.kit import Seen
from tests.library.search_kit import Reader, reader


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db)) as one:
        yield one


async def test_pages_of_results_follow_each_other_without_gap_or_repetition(ada: Reader) -> None:
    pages = [Seen(f"https://a.example/{n}", f"Heliotrope {n}", "x", 4) for n in range(130)]
    await ada.record(*pages)
    met, cursor = list[str](), None
    while True:
        found = await ada.search("heliotrope", limit=20, **({"cursor": cursor} if cursor else {}))
        met += [hit["id"] for hit in found["hits"]]
        cursor = found["next"]
        if cursor is None:
            break
    assert len(met) == len(set(met)) == 130 == found["count"]


async def saved_now(ada: Reader, count: int) -> list[str]:
    """Bookmarks that are newer than all that was read, and count less than it."""
    answers = [
        await ada.client.post(
            "/v1/pages",
            json={"address": f"https://b.example/{n}", "title": f"Heliotrope saved {n}"},
        )
        for n in range(count)
    ]
    await ada.work()
    return [answer.json()["id"] for answer in answers]


@pytest.mark.parametrize("many", [120, 230])  # fewer are all checked at once, of more only some
@pytest.mark.parametrize("page", [1, 3])  # in the first block of candidates, in the second
@pytest.mark.parametrize("change", ["come", "go", "last hit goes", "read again"])
async def test_what_comes_or_goes_between_two_pages_neither_repeats_a_hit_nor_hides_one(
    ada: Reader, many: int, page: int, change: str
) -> None:
    """Their order inside a block is not that in which they are candidates."""
    addresses = [f"https://a.example/{n}" for n in range(many)]
    texts = ["heliotrope " * (n * 7 % 16 + 1) for n in range(many)]
    pages = [Seen(address, f"Heliotrope {n}", texts[n], 4) for n, address in enumerate(addresses)]
    await ada.record(*pages)
    old = await saved_now(ada, 12) if change == "go" else []
    met, cursor = list[str](), ""
    for number in count(1):
        more = {"cursor": cursor} if cursor else {}
        found = await ada.search("heliotrope", limit=20, **more)
        met += [hit["url"] for hit in found["hits"] if hit["kind"] == "page"]
        cursor = found["next"]
        if cursor is None:
            break
        if number == page and change == "come":
            await saved_now(ada, 12)
        elif number == page and change == "last hit goes":
            forgotten = {"url": found["hits"][-1]["url"]}
            assert (await ada.client.post("/v1/forget", json=forgotten)).status_code == 200
            await ada.work()
        elif (
            number == page and change == "read again"
        ):  # the last of a block, which is the newest now
            again = pages[many - candidates.IN_ORDER]
            await ada.record(Seen("https://c.example/", "Later", "x", many * 4 + 60), again)
        elif number == page:
            for id_ in old:
                assert (await ada.client.delete(f"/v1/pages/{id_}")).status_code == 204
    assert len(met) == len(set(met))
    assert set(addresses) == set(met)


async def test_a_cursor_of_another_list_is_refused(ada: Reader) -> None:
    answer = await ada.client.get("/v1/search", params={"q": "x", "cursor": "gaRoZXk"})
    assert answer.status_code == 422
