"""Erasing a person: deletes every job that mentions them, in whatever state."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.work.store.erasing import ERASE, LOCK_JOBS_OF_PERSON


async def erase(tx: Tx, user_id: UUID, email: str) -> None:
    words = [str(user_id), email.lower(), email.casefold()]
    await tx.run(LOCK_JOBS_OF_PERSON, words)
    await tx.run(ERASE, words)
