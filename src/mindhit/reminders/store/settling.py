"""The time of the next, under a lock per person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from uuid import UUID

from mindhit.accounts import Preferences
from mindhit.db import Nothing, Query, Write
from mindhit.library import PageId
from mindhit.reminders.store.preferences import quiet_preferences


@dataclass(frozen=True, slots=True)
class Wants:
    """What decides when a person's pages come back."""

    user_id: UUID
    timezone: str
    quiet_from: time | None
    quiet_until: time | None
    digest: bool

    @property
    def preferences(self) -> Preferences:
        return quiet_preferences(self.timezone, self.quiet_from, self.quiet_until)


@dataclass(frozen=True, slots=True)
class Taken:
    user_id: UUID
    next_alarm_time: datetime


@dataclass(frozen=True, slots=True)
class SentAlarm:
    page_id: PageId
    next_alarm_time: datetime
    is_chosen: bool


WANTS_MANY = Query(
    Wants,
    """
select s.user_id, coalesce(s.timezone, $2) as timezone, s.quiet_from, s.quiet_until,
       coalesce(p.digest, false) as digest
  from user_settings s left join reminder_preferences p on p.user_id = s.user_id
 where s.user_id = any($1)""",
)
# Transactions that find the next times wait for others of the same people.
LOCK_PEOPLE = Write(
    UUID,
    "select id from users where id = any($1) order by id for no key update",
)
LOCK_SENT = Write(
    SentAlarm,
    """
select a.page_id, a.next_alarm_time, a.is_chosen
  from unnest($1::uuid[], $2::uuid[], $3::int[]) as sent (page_id, user_id, sent_count)
  join alarms a using (page_id, user_id, sent_count)
 order by a.page_id
   for update of a""",
    across_users="of the jobs of one batch",
)
# All to come: the next time may be 256 days away, and the search for a free hour goes on from there.
# Paused ones too: resumed, they come at their time (alarms_of_user).
TAKEN = Query(
    Taken,
    """
select user_id, next_alarm_time from alarms
 where user_id = any($1) and next_alarm_time >= $2::timestamptz - interval '1 day'""",
)
SETTLE = Write(
    Nothing,
    """
update alarms a
   set sent_count = a.sent_count + 1, next_alarm_time = done.at, is_chosen = done.is_chosen,
       last_notification_id = done.name, processed_at = null, last_sent_at = now(),
       last_error = null, updated_at = now()
  from unnest($1::uuid[], $2::timestamptz[], $3::bool[], $4::text[]) as done (page_id, at, is_chosen, name)
 where a.page_id = done.page_id""",
    across_users="of the jobs of one batch",
)
