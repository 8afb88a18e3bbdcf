"""What was there before search is given to it: once, in the low lane, the newest first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from mindhit.db import Database
from mindhit.library import store
from mindhit.library.job_types import BACKFILL_DOMAIN, Index, Indexed
from mindhit.library.search.pace import Pace
from mindhit.work import Lane, enqueue_many

EVERY_S: Final = 600
PACE: Final = Pace(rest=4.0)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_LAST, _FIRST = UUID(int=2**128 - 1), UUID(int=0)


async def fill(db: Database) -> int:
    """How many jobs were given to it now."""
    async with db.read() as tx:
        if await tx.one(store.indexing.IS_BACKFILLED):
            return 0
    count = await _sessions(db) + await _bookmarks(db)
    async with db.transaction() as tx:
        await tx.run(store.indexing.BACKFILLED)
    return count


async def _sessions(db: Database) -> int:
    count, key = 0, (_NEVER, _LAST)
    while found := await db.alone(store.indexing.CLOSED, *key):
        jobs = [Index(Indexed.SESSION, each.id, each.user_id, BACKFILL_DOMAIN) for each in found]
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs, lane=Lane.LOW)
        count, key = count + len(found), (found[-1].started_at, found[-1].id)
    return count


async def _bookmarks(db: Database) -> int:
    count, after = 0, _FIRST
    while found := await db.alone(store.indexing.WITH_BOOKMARKS, after):
        jobs = [Index(Indexed.BOOKMARKS, user_id, user_id, BACKFILL_DOMAIN) for user_id in found]
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs, lane=Lane.LOW)
        count, after = count + len(found), found[-1]
    return count
