"""Reminders: a saved page with the time at which it comes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from mindhit.errors import Broken, Forbidden, Invalid, NotFound
from mindhit.library import PageId

TITLE = 2000  # characters
BODY = 2000


class AlarmStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"
    FAILING = "failing"


class ReminderNotFound(NotFound):
    """There is no reminder for this page."""


class BadReminder(Invalid):
    """A reminder can't be set for this time."""


class VeryLate(Broken):
    """Reminders were taken more than a day after their time."""


class CronTokenMissing(Forbidden):
    """Only the owner, or a request with the cron token, can run reminders."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """`sent_count` is the number of the coming sending."""

    page_id: PageId
    url: str
    title: str
    body: str
    next_alarm_time: datetime
    sent_count: int
    status: str
    last_sent_at: datetime | None
    last_error: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """What one run found. `held`: put off to the end of quiet hours; `late`: more than a minute after
    their time."""

    claimed: int
    zombies: int
    held: int
    late: int
    processing_time_ms: float


@dataclass(frozen=True, slots=True)
class Preferences:
    """`folder_id`: where pages are saved that are not in the library yet; None until the first one.
    `digest`: what quiet hours held back comes as one message."""

    folder_id: UUID | None = None
    digest: bool = False
