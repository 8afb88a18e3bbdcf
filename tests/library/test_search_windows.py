"""The newest documents are found first, in whichever months they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from mindhit.db import Database
from mindhit.library.search import candidates
from mindhit.library.search.candidates import Asked
from mindhit.library.search.lexemes import Document, lexemes, month
from tests.accounts.kit import add
from tests.library.search_kit import Reader, reader

NOW = datetime(2026, 11, 17, tzinfo=UTC)
MOST = 40
# Days ago, so that each window of months has enough, or seems to and has not.
AGES = {
    "in two months": list(range(50)),
    "in three": [*range(0, 50, 2), *range(51, 80), *range(400, 3_000, 50)],
    "in four": [*range(0, 50, 2), *range(51, 110, 2), *range(400, 3_000, 50)],
    "in six": [*range(0, 50, 3), *range(51, 170, 3), *range(400, 3_000, 50)],
    "in eight": [*range(0, 50, 4), *range(51, 240, 4), *range(400, 3_000, 50)],
    "more in the newest months than before": [*range(6, 45), *range(60, 3_000, 90)],
    "in nine": [*range(0, 60, 4), *range(61, 270, 5), *range(400, 3_000, 50)],
    "in two years": [*range(0, 60, 9), *range(61, 700, 12), *range(1_000, 3_000, 50)],
    "in four years": [*range(0, 60, 20), *range(61, 1_400, 25), *range(1_500, 3_600, 40)],
    "in ten years": [1, *range(70, 3_600, 80)],
    "all of long ago": list(range(3_000, 3_600, 10)),
    "only a few of each": [*range(0, 60, 5), *range(2_000, 3_600, 40)],
    "fewer than wanted": [3, 80, 300, 900, 3_000],
    "a clock that is ahead": [-10, *range(0, 3_600, 60)],
}


@pytest.mark.parametrize("ages", AGES.values(), ids=AGES)
@pytest.mark.parametrize("month_of_year", [1, 6, 12])
async def test_the_newest_documents_are_found_wherever_they_are(
    db: Database, monkeypatch: pytest.MonkeyPatch, ages: list[int], month_of_year: int
) -> None:
    monkeypatch.setattr(candidates, "MOST", MOST)
    monkeypatch.setattr(candidates, "SMALL", 0)
    now = NOW.replace(month=month_of_year)
    async with reader(db, await add(db)) as ada:
        times = [now - timedelta(days=age) for age in ages]
        ids = await _index(ada, times)
        newest = [id_ for _, id_ in sorted(zip(times, ids, strict=True), reverse=True)]
        async with db.read() as tx:
            one = candidates.prepare(tx, ada.user_id, Asked("heliotrope"), now, UTC)
            found = await candidates.find(one, len(ages))
    assert found.found.ids == newest[: MOST + 1]


async def _index(one: Reader, times: list[datetime]) -> list[UUID]:
    """A document for each time."""
    page = await one.save("https://flower.example/")
    ids = [uuid4() for _ in times]
    said = [
        lexemes(one.user_id, Document("bookmark", None, [month(at)], title=["Heliotrope"]))
        for at in times
    ]
    async with one.db.transaction() as tx:
        await tx._connection.execute("delete from search_docs")
        await tx._connection.execute(
            """
insert into search_docs (id, user_id, kind, page_id, at, lexemes)
select n.id, $1, 'bookmark', $2, n.at, n.said::tsvector
  from unnest($3::uuid[], $4::timestamptz[], $5::text[]) as n (id, at, said)""",
            one.user_id,
            UUID(page["id"]),
            ids,
            times,
            said,
        )
    return ids
