"""Kinds of jobs of delivery."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.billing import UsageReached
from mindhit.delivery.limits import RETRY_S
from mindhit.work import Lane, job


@job("delivery:send", key="delivery_id", attempts=len(RETRY_S) + 1, backoff_s=RETRY_S, timeout_s=60)
@dataclass(frozen=True, slots=True)
class Send:
    """One notice over one channel. `keeps_quiet`: not during quiet hours."""

    user_id: UUID
    delivery_id: UUID
    keeps_quiet: bool = True


@job("delivery:digest", key="digest_id", attempts=len(RETRY_S) + 1, backoff_s=RETRY_S, timeout_s=60)
@dataclass(frozen=True, slots=True)
class SendDigest:
    """Several notices as one message over one channel, after the first try failed."""

    user_id: UUID
    digest_id: UUID


@job("delivery:test", key="delivery_id", lane=Lane.CRITICAL, attempts=1, timeout_s=60)
@dataclass(frozen=True, slots=True)
class SendTest:
    """The same, for somebody who waits for it: whatever the hour, and once."""

    user_id: UUID
    delivery_id: UUID


@job("delivery:usage", key=("user_id", "percent"), attempts=5)
@dataclass(frozen=True, slots=True)
class TellUsage:
    """Somebody has used a share of their tokens."""

    user_id: UUID
    percent: int
    period_start: datetime


def usage_reached(event: UsageReached) -> TellUsage:
    return TellUsage(event.user_id, event.percent, event.period_start)


@job("delivery:sweep", lane=Lane.LOW, key="name", attempts=3)
@dataclass(frozen=True, slots=True)
class Sweep:
    name: str = "all"
