"""For whoever runs the server: what devices send, and how well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.tracking import store


@dataclass(frozen=True, slots=True)
class Capture:
    """What came of one device in the last 30 days, and why some of it was refused, most first."""

    last_batch_at: datetime | None
    recording: int
    events: int
    rejected: int
    incomplete: int
    waiting: int  # known by what came after them, or by the number that a stop told of
    reasons: list[store.operating.Refusal]


async def captures(tx: ReadTx, devices: Iterable[tuple[UUID, UUID]]) -> dict[UUID, Capture]:
    """By device; each is named by its person and itself."""
    pairs = list(devices)
    people, ids = [person for person, _ in pairs], [device for _, device in pairs]
    reasons = defaultdict[UUID, list[store.operating.Refusal]](list)
    for refusal in await tx.all(store.operating.REFUSALS):
        reasons[refusal.device_id].append(refusal)
    return {
        each.device_id: Capture(
            each.last_batch_at,
            each.recording,
            each.events,
            each.rejected,
            each.incomplete,
            each.waiting,
            reasons[each.device_id],
        )
        for each in await tx.all(store.operating.CAPTURED, people, ids)
    }


async def count_sessions(tx: ReadTx) -> int:
    """Of everybody."""
    return await tx.one(store.operating.COUNT)
