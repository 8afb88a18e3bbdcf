"""Kinds of jobs of reminders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.work import Lane, job

RETRY_S: Final = (60.0, 300.0, 1800.0, 7200.0)
BATCH: Final = 100


@job("reminders:tick", lane=Lane.CRITICAL, key="name", attempts=1, timeout_s=120)
@dataclass(frozen=True, slots=True)
class Tick:
    name: str = "all"


@job(
    "reminders:send",
    # By person first: jobs are claimed in the order of their keys, so that a batch locks few people.
    key=("user_id", "page_id", "sent_count"),
    attempts=len(RETRY_S) + 1,
    backoff_s=RETRY_S,
    timeout_s=120,
    batch=BATCH,
)
@dataclass(frozen=True, slots=True)
class Remind:
    """The n-th sending of one page. `concurrency`: most of a batch at once."""

    user_id: UUID
    page_id: UUID
    sent_count: int
    concurrency: int


@job(
    "reminders:digest",
    key=("user_id", "at"),
    attempts=len(RETRY_S) + 1,
    backoff_s=RETRY_S,
    timeout_s=120,
)
@dataclass(frozen=True, slots=True)
class RemindTogether:
    """What quiet hours of one person held back until `at`, as one message."""

    user_id: UUID
    at: datetime
