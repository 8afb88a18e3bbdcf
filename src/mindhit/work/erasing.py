"""Forgetting a person: no job is left that mentions them, whatever became of it."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.work.store.erasing import ERASE, HOLD_THEIRS


async def erase(tx: Tx, user_id: UUID, email: str) -> None:
    words = [str(user_id), email.lower(), email.casefold()]
    await tx.run(HOLD_THEIRS, words)
    await tx.run(ERASE, words)
