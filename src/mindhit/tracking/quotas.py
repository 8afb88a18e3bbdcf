"""How much one person may record: so much that nobody who browses reaches it, and nobody fills the server.

What is refused is refused as a whole and for a while; browsers keep their events and send them later. The
counts are exact, except that of bytes: what is deleted is subtracted by `tracking:measure`, which
looks at those who are near their limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.db import Database, Tx
from mindhit.errors import NoSpace, TooMany
from mindhit.tracking import store

MEASURE_EVERY_S: Final = 600.0
MEASURED_FROM: Final = 0.8  # of the limit
EVENT_BYTES: Final = 100  # what an event takes beside its payload


class DailyLimit(TooMany):
    """You recorded more today than this server accepts from one user. Your events will be sent tomorrow."""


class HourlyLimit(TooMany):
    """You started more sessions in this hour than this server accepts from one person."""


class StorageLimit(NoSpace):
    """Your recordings have used up the storage this server allows per user. Delete some to continue."""


@dataclass(frozen=True, slots=True)
class Quotas:
    """0 is no limit."""

    sessions_per_hour: int = 0
    events_per_day: int = 0
    icons_per_day: int = 0
    stored_bytes: int = 0


NO_QUOTAS: Final = Quotas()


async def count_session(tx: Tx, user_id: UUID, quotas: Quotas) -> None:
    """Raises `HourlyLimit`; then nothing is counted, since the transaction ends."""
    counted = await tx.one(store.use.COUNT_SESSION, user_id)
    if 0 < quotas.sessions_per_hour < counted.sessions:
        raise HourlyLimit(counted.seconds_left)


async def count_batch(
    tx: Tx, user_id: UUID, quotas: Quotas, *, events: int, icons: int, size: int
) -> None:
    """Raises `DailyLimit` and `StorageLimit`. Last in a batch: batches of one person wait here for each other."""
    today = await tx.one(store.use.COUNT_BATCH, user_id, events, icons, size + EVENT_BYTES * events)
    if 0 < quotas.events_per_day < today.events or 0 < quotas.icons_per_day < today.icons:
        raise DailyLimit(today.seconds_left)
    if 0 < quotas.stored_bytes < today.bytes:
        raise StorageLimit


async def measure(db: Database, quotas: Quotas) -> None:
    """Put in what is really stored, for all who are near their limit."""
    if not quotas.stored_bytes:
        return
    near = int(MEASURED_FROM * quotas.stored_bytes)
    for user_id in await db.alone(store.use.NEARLY_FULL, near, MEASURE_EVERY_S / 2):
        await db.alone(store.use.MEASURE, user_id)
