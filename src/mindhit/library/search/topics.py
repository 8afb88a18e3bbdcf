"""Topics of sessions' maps, as whoever owns maps hands them down."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from mindhit.db import Tx
from mindhit.library import store
from mindhit.library.job_types import Index, Indexed
from mindhit.work import enqueue


async def put_topics(
    tx: Tx, user_id: UUID, session_id: UUID, labels: Sequence[str], timeline_version: int
) -> None:
    """Have a session found by these words too, while its timeline is the one they were found in."""
    await tx.run(
        store.indexing.PUT_TOPICS,
        user_id,
        session_id,
        list(dict.fromkeys(labels)),
        timeline_version,
    )
    await enqueue(tx, Index(Indexed.DESCRIPTION, session_id, user_id))
