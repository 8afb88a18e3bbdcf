"""Recordings from which nothing arrives: first their open visit is closed, later they are stopped."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from mindhit.db import Database, Tx
from mindhit.tracking import sessions, store
from mindhit.tracking.model import SessionId
from mindhit.tracking.timeline import fold
from mindhit.tracking.timeline.holes import Log
from mindhit.tracking.timeline.refolding import fold_on, lock

REST_AFTER: Final = timedelta(minutes=30)  # the open visit is closed, the recording continues
STOP_AFTER: Final = timedelta(days=1)  # the session is stopped


async def rest(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Close what is open in a silent recording. Does nothing where a batch arrived just before the
    lock was granted."""
    session = await lock(tx, user_id, session_id)
    is_silent = session.now - session.heard_at >= REST_AFTER
    if not is_silent or session.stopped_at is not None or session.is_stale:
        return
    await fold_on(tx, user_id, session, Log.of(session), None, fold.rest)
    await tx.run(store.refolding.COUNT, session_id, user_id)


async def stop_silent(db: Database) -> int:
    """Stop sessions whose browser has not reported for a day: it will not send a stop."""
    silent_s = STOP_AFTER.total_seconds()
    found = await db.alone(store.sweeping.LONG_SILENT, silent_s)
    for each in found:
        async with db.transaction() as tx:
            if await tx.maybe(store.sweeping.LOCK_IF_SILENT, each.id, each.user_id, silent_s):
                await sessions.stop(
                    tx, each.user_id, SessionId(each.id), each.ended_at, None, is_end_known=False
                )
    return len(found)
