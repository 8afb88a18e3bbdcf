"""A reader asks for a session to be processed again."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from mindhit import tracking
from mindhit.db import Tx
from mindhit.insight import store
from mindhit.insight.processing.flow import AGAIN
from mindhit.tracking import Session, SessionId


async def reprocess(
    tx: Tx, user_id: UUID, session_id: SessionId, again: Collection[str] = ()
) -> Session:
    """From the first step that is missing; what `again` names is made again. Raises
    `SessionNotFound`, `StillRecording`."""
    session = await tracking.reprocess(tx, user_id, session_id)
    wanted = sorted(AGAIN.intersection(again))
    if wanted:
        await tx.run(store.processing.REQUEST, session_id, user_id, wanted)
    return session
