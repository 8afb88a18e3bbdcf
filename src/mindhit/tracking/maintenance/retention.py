"""How long raw events are kept, and the monthly partitions they are in. Timelines always stay."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from mindhit import log
from mindhit.db import Contended, Database
from mindhit.tracking import store
from mindhit.tracking.ingest.batch import LATE_EVENTS

# The shortest time that the operator may set: late events are folded together with those before them.
MIN_RETENTION: Final = LATE_EVENTS + timedelta(days=1)
# Ids of deleted sessions: while they are known, late events of such a session do not bring it back.
DELETED_SESSIONS: Final = timedelta(days=60)
# The last event of a recording whose browser is gone: it is stopped after a day, takes late events for
# 30 more, and one more is for clocks. Until then a forgotten range recognises them.
FORGOTTEN_RANGES: Final = LATE_EVENTS + timedelta(days=2)
TIDY_EVERY_S: Final = 86_400
PARTITIONS_AHEAD: Final = 3  # months
_log = log.get(__name__)


async def forget_deleted_sessions(db: Database, now: datetime) -> None:
    await db.alone(store.partitions.PRUNE_DELETED_SESSIONS, now - DELETED_SESSIONS)


async def drop_forgotten_ranges(db: Database, now: datetime) -> None:
    await db.alone(store.forgetting.PRUNE, now - FORGOTTEN_RANGES)


async def create_partitions(db: Database, today: date) -> None:
    month = today.replace(day=1)
    for _ in range(PARTITIONS_AHEAD):
        await db.alone(store.partitions.CREATE, month)
        month = next_month(month)


async def drop_logs(db: Database, now: datetime, keep: timedelta | None) -> list[date]:
    """Drop months that are empty or entirely older than `keep`; in the others delete the events of
    sessions that are older. Returns the months that were dropped."""
    dropped = []
    present = now.date().replace(day=1)
    for month in await db.alone(store.partitions.MONTHS):
        if next_month(month) < present and await _drop_month(db, month, now, keep):
            dropped.append(month)
        elif keep is not None:
            await _delete_old_logs(db, month, now - keep)
    return dropped


async def _drop_month(db: Database, month: date, now: datetime, keep: timedelta | None) -> bool:
    """Whether the month was dropped. One that is being read (an export, a dump) is left until the
    next run."""
    try:
        [is_dropped] = await db.alone(
            store.partitions.DROP, month, now - (keep or LATE_EVENTS), keep is None
        )
    except Contended:
        _log.info("a month of raw events is in use and stays for now", month=str(month))
        return False
    return is_dropped


async def _delete_old_logs(db: Database, month: date, before: datetime) -> None:
    while found := await db.alone(store.partitions.OLD_LOGS, month, before):
        for each in found:
            await db.alone(store.raw_events.DELETE, month, each.id, each.user_id)


def next_month(month: date) -> date:
    return (month + timedelta(days=32)).replace(day=1)
