"""Erase a person's notes."""

from __future__ import annotations

from uuid import UUID

from mindhit.notes import store

from mindhit.db import Tx


async def erase(tx: Tx, user_id: UUID, _email: str, /) -> None:
    await tx.run(store.ERASE, user_id)
