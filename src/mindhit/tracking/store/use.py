"""How much a person records, and has stored."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Today:
    events: int
    icons: int
    bytes: int
    seconds_left: int  # of the day


@dataclass(frozen=True, slots=True)
class ThisHour:
    sessions: int
    seconds_left: int


# What a batch brings. By the primary key.
COUNT_BATCH = Write(
    Today,
    """
insert into recording_use as u (user_id, hour, day, events, icons, bytes)
values ($1, date_trunc('hour', now()), current_date, $2, $3, $4)
on conflict (user_id) do update
   set day = excluded.day,
       events = excluded.events + case when u.day = excluded.day then u.events else 0 end,
       icons = excluded.icons + case when u.day = excluded.day then u.icons else 0 end,
       bytes = excluded.bytes + u.bytes
returning events, icons, bytes, ceil(extract(epoch from day + 1 - now()))::int as seconds_left""",
)
# A session that starts. By the primary key.
COUNT_SESSION = Write(
    ThisHour,
    """
insert into recording_use as u (user_id, hour, day, sessions)
values ($1, date_trunc('hour', now()), current_date, 1)
on conflict (user_id) do update
   set hour = excluded.hour,
       sessions = 1 + case when u.hour = excluded.hour then u.sessions else 0 end
returning sessions,
          ceil(extract(epoch from hour + interval '1 hour' - now()))::int as seconds_left""",
)
# Whose count is near the limit ($1 bytes) and was not replaced by a measurement for $2 seconds.
NEARLY_FULL = Query(
    UUID,
    """
select user_id from recording_use
 where bytes >= $1
   and (measured_at is null or measured_at < now() - make_interval(secs => $2))
 order by user_id""",
    across_users="the job measures everybody who is near the limit",
)
# Everything that one person has stored. Reads all of it, so only of those who are near the limit.
MEASURE = Write(
    Nothing,
    """
update recording_use
   set measured_at = now(),
       bytes = (select coalesce(sum(pg_column_size(e.*)), 0)
                  from sessions s join raw_events e on e.month = s.month and e.session_id = s.id
                 where s.user_id = $1)
             + (select coalesce(sum(pg_column_size(c.*)), 0) from page_contents c where c.user_id = $1)
 where user_id = $1""",
)
DELETE = Write(Nothing, "delete from recording_use where user_id = $1")
