"""What was recorded before there was insight is given to it: once, in the low lane, newest first.

The jobs share a domain of their own, so that a few of them run at once and recordings of today find
workers and language processes free.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from mindhit.db import Database
from mindhit.insight import store
from mindhit.insight.job_types import BACKFILL_DOMAIN, CrawlPage, ProcessSession
from mindhit.work import Lane, enqueue_many

EVERY_S: Final = 600
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_LAST, _FIRST = UUID(int=2**128 - 1), UUID(int=0)


async def fill(db: Database) -> int:
    """How many sessions and pages were given to it now."""
    async with db.read() as tx:
        if await tx.one(store.processing.IS_BACKFILLED):
            return 0
    count = await _sessions(db) + await _pages(db)
    async with db.transaction() as tx:
        await tx.run(store.processing.BACKFILLED)
    return count


async def _sessions(db: Database) -> int:
    count, key = 0, (_NEVER, _LAST)
    while found := await db.alone(store.processing.UNMAPPED, *key):
        jobs = [ProcessSession(each.id, each.user_id, BACKFILL_DOMAIN) for each in found]
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs, lane=Lane.LOW)
        count, key = count + len(found), (found[-1].started_at, found[-1].id)
    return count


async def _pages(db: Database) -> int:
    count, key = 0, (_FIRST, _FIRST)
    while found := await db.alone(store.processing.WAITING, *key):
        jobs = [CrawlPage(each.user_id, each.url_id, each.domain) for each in found]
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs, lane=Lane.LOW)
        count, key = count + len(found), (found[-1].user_id, found[-1].url_id)
    return count
