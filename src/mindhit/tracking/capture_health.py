"""For the operator: what each device sends, and how well it arrives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.tracking import store

DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class Capture:
    """What one device sent in the last `DAYS`, and why some of it was rejected, most frequent first."""

    last_batch_at: datetime | None
    recording: int
    events: int
    rejected: int
    incomplete: int
    waiting: int  # not arrived yet: holes, and events that a stop announced
    reasons: list[store.capture_health.Rejection]


async def captures(tx: ReadTx, devices: Iterable[tuple[UUID, UUID]]) -> dict[UUID, Capture]:
    """By device; `devices` are pairs of a person and a device."""
    pairs = list(devices)
    people, ids = [person for person, _ in pairs], [device for _, device in pairs]
    reasons = defaultdict[UUID, list[store.capture_health.Rejection]](list)
    for rejection in await tx.all(store.capture_health.REJECTIONS, DAYS):
        reasons[rejection.device_id].append(rejection)
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
        for each in await tx.all(store.capture_health.CAPTURED, people, ids, DAYS)
    }


async def count_sessions(tx: ReadTx) -> int:
    """The number of all sessions on this server."""
    return await tx.one(store.capture_health.COUNT)
