"""Taking what is due, and recovering what was left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from uuid import UUID

from mindhit.accounts import Preferences
from mindhit.db import Nothing, Query, Write
from mindhit.library import PageId
from mindhit.reminders.store.preferences import quiet_preferences


@dataclass(frozen=True, slots=True)
class Due:
    """A due alarm, with what decides whether it is quiet where its person is."""

    page_id: PageId
    user_id: UUID
    sent_count: int
    next_alarm_time: datetime
    is_chosen: bool
    is_zombie: bool
    timezone: str
    quiet_from: time | None
    quiet_until: time | None
    digest: bool

    @property
    def preferences(self) -> Preferences:
        return quiet_preferences(self.timezone, self.quiet_from, self.quiet_until)


# Due ones, the oldest first; what another run has locked is left to it (alarms_due). What has been
# under way for six hours is taken again: whoever took it is gone.
TAKE_DUE = Write(
    Due,
    """
with due as materialized (
  select page_id, processed_at is not null as is_zombie from alarms
   where status = 'active' and next_alarm_time <= now()
     and (processed_at is null or processed_at < now() - interval '6 hours')
   order by next_alarm_time, page_id limit $1 for update skip locked
)
update alarms a set processed_at = now()
  from due, user_settings s left join reminder_preferences p on p.user_id = s.user_id
 where a.page_id = due.page_id and s.user_id = a.user_id
returning a.page_id, a.user_id, a.sent_count, a.next_alarm_time, a.is_chosen, due.is_zombie,
          coalesce(s.timezone, $2) as timezone, s.quiet_from, s.quiet_until,
          coalesce(p.digest, false) as digest""",
    across_users="the clock is the same for everyone",
)
# The others of the same digests: one that is cut in two would be two messages (alarms_of_user). What
# another run has locked is left to it: it holds some and waits for others, as this one does.
TAKE_DIGESTS = Write(
    Nothing,
    """
with free as (
  select a.page_id
    from unnest($1::uuid[], $2::timestamptz[]) as digest (user_id, at)
    join alarms a on a.user_id = digest.user_id and a.next_alarm_time = digest.at
   where a.status = 'active' and not a.is_chosen and a.processed_at is null
     for update of a skip locked
)
update alarms a set processed_at = now() from free where a.page_id = free.page_id""",
    across_users="of the people whose digest this run has just found due",
)
# Put off to the end of quiet hours.
HOLD = Write(
    Nothing,
    """
update alarms a set next_alarm_time = held.until, processed_at = null
  from unnest($1::uuid[], $2::timestamptz[]) as held (page_id, until)
 where a.page_id = held.page_id""",
    across_users="of the alarms that this run has just taken",
)
COUNT_DUE = Query(
    int,
    """
select count(*)::int from (
  select from alarms where status = 'active' and next_alarm_time <= now() and processed_at is null
   limit 10000) due""",
    across_users="the clock is the same for everyone",
)
# What failed on all channels is tried again when its person has changed one, allowed notifications in
# another browser or again in one, or has none left: then the inbox is enough, unless its job died for another reason
# (alarms_failing).
REVIVE = Write(
    Nothing,
    """
update alarms a set status = 'active', processed_at = null, last_error = null, updated_at = now()
 where a.status = 'failing'
   and (exists (select from channels c where c.user_id = a.user_id and c.updated_at > a.updated_at)
        or exists (select from push_subscriptions s
                    where s.user_id = a.user_id and s.updated_at > a.updated_at)
        or not exists (select from channels c
                        where c.user_id = a.user_id and c.enabled
                          and (c.kinds is null or 'reminder' = any(c.kinds)))
           and not exists (select from jobs j
                            where j.status = 'dead' and j.kind like 'reminders:%'
                              and j.args ->> 'user_id' = a.user_id::text))""",
    across_users="whoever changed a channel",
)
# Taken jobs that died leave their alarm: it would come back every six hours. Not those that died
# before it was taken again (jobs_dead).
FAIL_DEAD = Write(
    Nothing,
    """
update alarms a set status = 'failing', processed_at = null, last_error = $1,
       updated_at = now()
  from jobs j
 where a.status = 'active' and a.processed_at is not null and j.kind = 'reminders:send'
   and j.status = 'dead' and j.finished_at >= a.processed_at
   and j.key = a.user_id || '/' || a.page_id || '/' || a.sent_count""",
    across_users="whoever's it is",
)
# The same for those that were to come together (jobs_dead).
FAIL_DEAD_DIGESTS = Write(
    Nothing,
    """
update alarms a set status = 'failing', processed_at = null, last_error = $1,
       updated_at = now()
  from jobs j
 where a.status = 'active' and a.processed_at is not null and j.kind = 'reminders:digest'
   and j.status = 'dead' and j.finished_at >= a.processed_at
   and a.user_id = (j.args ->> 'user_id')::uuid
   and a.next_alarm_time = (j.args ->> 'at')::timestamptz""",
    across_users="whoever's it is",
)
