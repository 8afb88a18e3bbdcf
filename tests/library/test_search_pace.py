"""A back-fill rests after every portion; what people just recorded is indexed without rest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from uuid import UUID

import pytest

from mindhit.db import Database
from mindhit.library.job_types import Index, Indexed
from mindhit.library.search import backfill, indexing
from mindhit.library.search.pace import AT_FULL_PACE, Pace
from mindhit.work import enqueue
from tests.accounts.kit import add
from tests.insight.kit import Seen
from tests.library.search_kit import Reader, reader

PAGES = [Seen(f"https://a.example/{n}", f"Page {n}", f"Text {n}", 4) for n in range(5)]


@dataclass(frozen=True, slots=True)
class Noted(Pace):
    """Notes its rests, and takes none."""

    rests: list[float] = field(default_factory=list)

    def rest_s(self, taken_s: float) -> float:
        # Of the class, not super(): a dataclass with slots is another class than the one that was written.
        self.rests.append(Pace.rest_s(self, taken_s) / taken_s)
        return 0.0


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Reader]:
    async with reader(db, await add(db)) as one:
        yield one


@pytest.fixture
def pace(monkeypatch: pytest.MonkeyPatch) -> Noted:
    noted = Noted(backfill.PACE.rest)
    monkeypatch.setattr(backfill, "PACE", noted)
    monkeypatch.setattr(indexing, "TEXTS_AT_ONCE", 2)
    return noted


async def test_a_back_fill_rests_after_every_portion(ada: Reader, pace: Noted) -> None:
    await ada.record(*PAGES)
    await ada.save("https://b.example/", title="Older")
    assert await backfill.fill(ada.db) == 2
    await ada.work()
    # The session with its pages, five texts by twos, and the bookmarks.
    assert pace.rests == pytest.approx([backfill.PACE.rest] * 5)
    assert backfill.PACE.rest >= 1


async def test_what_was_just_recorded_is_indexed_without_rest(ada: Reader, pace: Noted) -> None:
    session = await ada.record(*PAGES)
    async with ada.db.transaction() as tx:
        await enqueue(tx, Index(Indexed.SESSION, UUID(session), ada.user_id))
    await ada.work()
    assert pace.rests == []
    assert AT_FULL_PACE.rest_s(1.0) == 0
