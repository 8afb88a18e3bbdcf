"""Telling people how much of their tokens they have used: at 80 % and at 100 %, once a period each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.billing.model import NEARLY, is_used_up
from mindhit.billing.store import ledger
from mindhit.billing.store import plans as store
from mindhit.db import Tx
from mindhit.work import publish

ALL: Final = 100


@dataclass(frozen=True, slots=True)
class UsageReached:
    """A person has used this share of their plan's tokens, in the period that began then."""

    user_id: UUID
    percent: int
    period_start: datetime


async def tell(tx: Tx, user_id: UUID, period_start: datetime, limit: int | None) -> None:
    """Tell what has been reached and was not told yet."""
    if not limit:
        return
    totals = await tx.maybe(ledger.TOTALS, user_id, period_start)
    used = totals.used if totals else 0
    if used * 100 >= limit * NEARLY:
        await _tell_once(tx, user_id, period_start, NEARLY)
    if is_used_up(used, limit):
        await _tell_once(tx, user_id, period_start, ALL)


async def _tell_once(tx: Tx, user_id: UUID, period_start: datetime, percent: int) -> None:
    if await tx.maybe(store.TELL, user_id, period_start, percent) is not None:
        await publish(tx, UsageReached(user_id, percent, period_start))
