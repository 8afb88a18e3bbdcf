"""Erase a person: what was made of their sessions."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.insight.store import exporting


async def erase(tx: Tx, user_id: UUID, _email: str, /) -> None:
    await tx.run(exporting.DELETE_EDITS, user_id)
    await tx.run(exporting.DELETE_TOPICS, user_id)
    await tx.run(exporting.DELETE_MAPS, user_id)
    await tx.run(exporting.DELETE_REPORTS, user_id)
    await tx.run(exporting.DELETE_REQUESTS, user_id)
