"""Erase a person's notes."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.notes import store


async def erase(tx: Tx, user_id: UUID, _email: str, /) -> None:
    await tx.run(store.ERASE, user_id)
