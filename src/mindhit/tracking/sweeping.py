"""Sweeps: silence and holes by the minute; partitions, retention and what nobody refers to by day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from mindhit import log
from mindhit.db import Contended, Database
from mindhit.errors import NotFound, Upstream
from mindhit.tracking import closing, sessions, store
from mindhit.tracking.ingest import LATE, PATIENCE_S
from mindhit.tracking.kinds import Refold
from mindhit.tracking.model import SessionId
from mindhit.work import enqueue_many

STOP_S: Final = 86_400.0  # without a word: the session is stopped
STALE_S: Final = 3600.0  # without a change: whatever was to fold it again has given up
AHEAD_MONTHS: Final = 3
AT_ONCE: Final = 500  # pages
_log = log.get(__name__)
_FIRST = UUID(int=0)


async def give_up_old_holes(db: Database) -> int:
    found = await db.alone(store.sweeping.OLD_HOLES, PATIENCE_S)
    for each in found:
        await _with(db, closing.give_up_holes, each.user_id, each.id)
    return len(found)


async def rest_silent(db: Database) -> int:
    found = await db.alone(store.sweeping.FELL_SILENT, closing.REST.total_seconds())
    for each in found:
        await _with(db, closing.rest, each.user_id, each.id)
    return len(found)


async def stop_silent(db: Database) -> int:
    """A browser that was not heard of for a day will not say stop."""
    found = await db.alone(store.sweeping.LONG_SILENT, STOP_S)
    for each in found:
        async with db.transaction() as tx:
            if await tx.maybe(store.sweeping.IS_SILENT, each.id, each.user_id, STOP_S) is not None:
                await sessions.stop(
                    tx, each.user_id, SessionId(each.id), each.ended_at, None, is_end_known=False
                )
    return len(found)


async def fold_stale(db: Database) -> int:
    """A session that is still to be folded again, though its job is long over or gave up."""
    found = await db.alone(store.sweeping.STALE, STALE_S)
    async with db.transaction() as tx:
        await enqueue_many(tx, [Refold(each.id, each.user_id) for each in found])
    return len(found)


async def _with(db: Database, act: closing.Act, user_id: UUID, session_id: UUID) -> None:
    """Each in a transaction of its own; one that was deleted meanwhile is none, and one that is
    broken does not keep the sweep from the others."""
    try:
        async with db.transaction() as tx:
            await act(tx, user_id, SessionId(session_id))
    except NotFound:
        return
    except Upstream:
        raise
    except Exception:  # noqa: BLE001  whatever it is, the next one is not at fault
        _log.exception("a session cannot be swept", session_id=str(session_id))


async def forget(db: Database, user_id: UUID) -> None:
    """Drop what this reader's sessions no longer refer to, and of the pages that are shared those
    that were dropped here and that nobody else has met."""
    async with db.transaction() as tx:
        await tx.run(store.sweeping.ALONE_WITH_READER, user_id)
        gone = await tx.all(store.sweeping.FORGET_PAGES, user_id)
        await tx.run(store.sweeping.RECALL_TEXTS, user_id)
        await tx.run(store.sweeping.FORGET_TEXTS, user_id)
    for at in range(0, len(gone), AT_ONCE):
        await _drop_unmet(db, gone[at : at + AT_ONCE])


async def forget_everywhere(db: Database) -> None:
    for user_id in await db.alone(store.sweeping.READERS):
        await forget(db, user_id)
    await drop_unmet(db)
    await db.alone(store.sweeping.DROP_PUBLIC_TEXTS)
    await db.alone(store.sweeping.PRUNE_DELETED)


async def drop_unmet(db: Database) -> None:
    """Look at all pages for those that nobody has met any more: what a sweep that broke off left."""
    after = _FIRST
    while found := await db.alone(store.sweeping.UNMET, after):
        await _drop_unmet(db, found)
        after = found[-1]


async def _drop_unmet(db: Database, pages: Sequence[UUID]) -> None:
    """Some hundreds at a time: batches wait meanwhile."""
    async with db.transaction() as tx:
        await tx.run(store.sweeping.ALONE_WITH_URLS)
        await tx.run(store.sweeping.DROP_UNMET, pages)


async def make_partitions(db: Database, today: date) -> None:
    month = today.replace(day=1)
    for _ in range(AHEAD_MONTHS):
        await db.alone(store.partitions.MAKE, month)
        month = next_month(month)


async def drop_logs(db: Database, now: datetime, keep: timedelta | None) -> list[date]:
    """Drop months that are empty, or lie wholly beyond what this server keeps; of the others the
    logs of sessions that do. Timelines stay. Answers the months that are gone."""
    dropped = []
    present = now.date().replace(day=1)
    for month in await db.alone(store.partitions.MONTHS):
        if next_month(month) < present and await _drop(db, month, now, keep):
            dropped.append(month)
        elif keep is not None:
            await _drop_old(db, month, now - keep)
    return dropped


async def _drop(db: Database, month: date, now: datetime, keep: timedelta | None) -> bool:
    """Whether the month is gone. One that somebody reads (an export, a dump) is tried another day."""
    try:
        [is_gone] = await db.alone(store.partitions.DROP, month, now - (keep or LATE), keep is None)
    except Contended:
        _log.info("a month of raw events is in use and stays for now", month=str(month))
        return False
    return is_gone


async def _drop_old(db: Database, month: date, before: datetime) -> None:
    while found := await db.alone(store.sweeping.OLD_LOGS, month, before):
        for each in found:
            await db.alone(store.sessions.DELETE_EVENTS, month, each.id, each.user_id)


def next_month(month: date) -> date:
    return (month + timedelta(days=32)).replace(day=1)
