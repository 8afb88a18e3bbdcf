"""How many sessions a person may record at once: as many as their plan says.

A session counts while it is being recorded and was heard of in the last half hour. Only a start that
happens now is refused; a recording that began while the server was out of reach is kept, and marked.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from mindhit import billing
from mindhit.db import Tx
from mindhit.tracking import store
from mindhit.tracking.model import Session, SessionId, SessionLimit

HEARD_WITHIN: Final = timedelta(minutes=30)
# How far from the server's clock a start may be and still happen now.
NOW_WITHIN: Final = timedelta(seconds=60)


async def find_or_count(
    tx: Tx, user_id: UUID, session_id: SessionId, started_at: datetime, now: datetime
) -> Session | bool:
    """Whether a new session is over the limit; or the session, where another start was faster. Raises
    `SessionLimit`. Starts of one person wait for each other, so that two can't both be the last."""
    limit = (await billing.allowance(tx, user_id)).sessions_at_once
    if limit is None:
        return False
    await tx.run(store.sessions.LOCK_STARTS, user_id)
    known = await tx.maybe(store.sessions.BY_ID, session_id, user_id)
    if known is not None:
        return known
    running = await tx.all(store.sessions.RUNNING, user_id, HEARD_WITHIN.total_seconds())
    if len(running) < limit:
        return False
    if abs(now - started_at) <= NOW_WITHIN:
        raise SessionLimit(running=running)
    return True
