"""Close the timeline of a stopped session: when its last event has arrived, or after a wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from mindhit.db import Tx
from mindhit.tracking import store
from mindhit.tracking.model import SessionId
from mindhit.tracking.timeline.holes import Log
from mindhit.tracking.timeline.refolding import (
    at_end_of,
    fold_again,
    fold_on,
    lock,
    publish_closed,
)

WAIT: Final = timedelta(minutes=2)  # for the last events of a stopped session
CHECK_EVERY_S: Final = 2.0  # whether they have arrived
MAX_ERROR: Final = 500  # characters


async def close(tx: Tx, user_id: UUID, session_id: SessionId) -> timedelta | None:
    """Close the timeline of a stopped session, or say how long to wait for its last events."""
    session = await lock(tx, user_id, session_id)
    if session.stopped_at is None:
        return None
    if session.closed_at is not None:  # `reprocess` set its status back
        await publish_closed(tx, user_id, session_id, is_first=True)
        return None
    log = Log.of(session)
    if session.last_seq is not None and log.acked < session.last_seq:
        waited = session.now - session.stopped_at
        if waited < WAIT:
            return WAIT - waited
    run = log.give_up()
    if session.is_stale:
        await fold_again(tx, user_id, session, log, at_end_of(session), is_last=True)
    else:
        await fold_on(tx, user_id, session, log, run, at_end_of(session), is_last=True)
    await tx.run(store.refolding.COUNT, session_id, user_id)
    await publish_closed(tx, user_id, session_id, is_first=True)
    return None


async def fail(tx: Tx, user_id: UUID, session_id: SessionId, error: Exception) -> None:
    """Record that the timeline could not be closed; `reprocess` tries again."""
    reason = f"{type(error).__name__}: {error}"[:MAX_ERROR]
    await tx.run(store.refolding.FAIL, session_id, user_id, reason)
