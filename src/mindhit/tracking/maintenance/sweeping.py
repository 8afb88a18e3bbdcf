"""The sweep: holes that are too old, silent sessions, and timelines that were left behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final
from uuid import UUID

from mindhit import log
from mindhit.db import Database, Tx
from mindhit.errors import NotFound, Upstream
from mindhit.tracking import store
from mindhit.tracking.job_types import Refold
from mindhit.tracking.maintenance import silence
from mindhit.tracking.model import SessionId
from mindhit.tracking.timeline.holes import PATIENCE_S
from mindhit.tracking.timeline.refolding import give_up_holes
from mindhit.work import enqueue_many

SWEEP_EVERY_S: Final = 60
# A session that waits for its refold and has not changed for so long: its job is over or has failed.
STALE_AFTER_S: Final = 3600.0
# A session whose processing has not got on for so long has failed; `reprocess` tries again.
STUCK_AFTER: Final = timedelta(days=1)
STUCK_REASON: Final = "Processing didn't finish within a day."
_log = log.get(__name__)

Act = Callable[[Tx, UUID, SessionId], Awaitable[None]]


async def sweep(db: Database) -> None:
    await give_up_old_holes(db)
    await rest_silent(db)
    await silence.stop_silent(db)
    await refold_stale(db)
    await fail_stuck(db)


async def give_up_old_holes(db: Database) -> int:
    found = await db.alone(store.sweeping.OLD_HOLES, PATIENCE_S)
    for each in found:
        await _apply(db, give_up_holes, each.user_id, each.id)
    return len(found)


async def rest_silent(db: Database) -> int:
    found = await db.alone(store.sweeping.FELL_SILENT, silence.REST_AFTER.total_seconds())
    for each in found:
        await _apply(db, silence.rest, each.user_id, each.id)
    return len(found)


async def refold_stale(db: Database) -> int:
    found = await db.alone(store.sweeping.STALE, STALE_AFTER_S)
    async with db.transaction() as tx:
        await enqueue_many(tx, [Refold(each.id, each.user_id) for each in found])
    return len(found)


async def fail_stuck(db: Database) -> int:
    return len(await db.alone(store.sweeping.FAIL_STUCK, STUCK_AFTER.total_seconds(), STUCK_REASON))


async def _apply(db: Database, act: Act, user_id: UUID, session_id: UUID) -> None:
    """Each session in its own transaction: one that was deleted in the meantime is skipped, and one
    that is broken does not stop the sweep."""
    try:
        async with db.transaction() as tx:
            await act(tx, user_id, SessionId(session_id))
    except NotFound:
        return
    except Upstream:
        raise
    except Exception:  # noqa: BLE001  whatever it is, the other sessions are not affected
        _log.exception("a session cannot be swept", session_id=str(session_id))
