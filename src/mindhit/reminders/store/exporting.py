"""What a person gets in the export of their account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Query


@dataclass(frozen=True, slots=True)
class Exported:
    page_id: UUID
    title: str
    body: str
    next_alarm_time: datetime
    sent_count: int
    last_notification_id: str | None
    processed_at: datetime | None
    status: str
    is_chosen: bool
    last_sent_at: datetime | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedPreferences:
    folder_id: UUID | None
    digest: bool
    created_at: datetime
    updated_at: datetime


ALARMS = Query(
    Exported,
    """
select page_id, title, body, next_alarm_time, sent_count, last_notification_id, processed_at, status,
       is_chosen, last_sent_at, last_error, created_at, updated_at
  from alarms where user_id = $1 order by created_at, page_id""",
)
PREFERENCES = Query(
    ExportedPreferences,
    "select folder_id, digest, created_at, updated_at from reminder_preferences where user_id = $1",
)
