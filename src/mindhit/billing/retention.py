"""How long plans keep sessions. Whoever keeps them asks, and deletes."""

from __future__ import annotations

from uuid import UUID

from mindhit.billing.store.plans import KEPT_FOR, Kept
from mindhit.db import ReadTx

__all__ = ["Kept", "people_with_retention"]


async def people_with_retention(tx: ReadTx, after: UUID) -> list[Kept]:
    """The next 500 people whose plan keeps sessions for a number of days, by their ids."""
    return await tx.all(KEPT_FOR, after)
