"""Statements on alarms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from uuid import UUID

from mindhit.accounts import Preferences
from mindhit.db import Nothing, Query, Write
from mindhit.library import PageId
from mindhit.reminders.model import Preferences as ReminderPreferences
from mindhit.reminders.model import Reminder


def quiet_preferences(
    timezone: str, quiet_from: time | None, quiet_until: time | None
) -> Preferences:
    """As much of a person's settings as the schedule reads."""
    return Preferences(
        email_notification=False,
        excluded_domains=[],
        timezone=timezone,
        language="en",
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        server_fetch=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    user_id: UUID
    page_id: UUID
    title: str
    body: str
    next_alarm_time: datetime
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    user_id: UUID
    page_id: UUID
    title: str
    body: str
    next_alarm_time: datetime
    sent_count: int
    status: str
    is_chosen: bool


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


@dataclass(frozen=True, slots=True)
class Alarm:
    page_id: PageId
    title: str
    body: str
    next_alarm_time: datetime
    sent_count: int
    status: str
    is_chosen: bool
    processed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Coming:
    """An alarm that is to be sent, with the page's address."""

    title: str
    body: str
    url: str
    next_alarm_time: datetime


@dataclass(frozen=True, slots=True)
class ComingTogether:
    page_id: PageId
    sent_count: int
    title: str
    body: str
    url: str


@dataclass(frozen=True, slots=True)
class ComingOne:
    """One of a batch."""

    page_id: PageId
    user_id: UUID
    sent_count: int
    title: str
    body: str
    url: str
    next_alarm_time: datetime


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


@dataclass(frozen=True, slots=True)
class PageText:
    id: PageId
    title: str | None
    text: str | None
    address: str


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


# A page that can come back, by its id or the one that syncing clients gave it (pages_sync_id).
PAGE = Query(
    PageText,
    """
select p.id, coalesce(p.title, m.title) as title, coalesce(p.note, m.summary, m.description) as text,
       p.address
  from pages p left join link_metadata m on m.url_id = p.url_id
 where p.user_id = $1 and p.kind = 'link' and (p.id::text = $2 or p.sync_id = $2)""",
)
# The newest one of a link (pages_of_url).
NEWEST_PAGE = Query(
    PageId,
    """
select id from pages where user_id = $1 and url_id = $2
 order by created_at desc, id desc limit 1""",
)
# One that is being sent is not moved, and a count that is there is kept.
REGISTER = Write(
    Nothing,
    """
insert into alarms (user_id, page_id, title, body, next_alarm_time, is_chosen)
values ($user_id, $page_id, $title, $body, $next_alarm_time, $is_chosen)
on conflict (page_id) do update
   set title = excluded.title, body = excluded.body, status = 'active', last_error = null,
       next_alarm_time = case when alarms.processed_at is null then excluded.next_alarm_time
                              else alarms.next_alarm_time end,
       is_chosen = case when alarms.processed_at is null then excluded.is_chosen
                        else alarms.is_chosen end,
       updated_at = now()
 where alarms.user_id = excluded.user_id""",
    params=Registered,
)
_REMINDER = """a.page_id, p.address as url, a.title, a.body, a.next_alarm_time, a.sent_count,
       a.status, a.last_sent_at, a.last_error
  from alarms a join pages p on p.id = a.page_id and p.user_id = a.user_id"""
SHOW = Query(Reminder, f"select {_REMINDER} where a.user_id = $1 and a.page_id = $2")
# The next first, behind a key (alarms_of_user).
LIST = Query(
    Reminder,
    f"""
select {_REMINDER}
 where a.user_id = $1 and ($2::text is null or a.status = $2) and ($3::uuid is null or p.url_id = $3)
   and ($4::timestamptz is null or (a.next_alarm_time, a.page_id) > ($4, $5::uuid))
 order by a.next_alarm_time, a.page_id limit $6""",
)
# Those whose page's id is in a range, for commands (alarms_of_user).
IDS_BETWEEN = Query(
    PageId,
    """
select page_id from alarms where user_id = $1 and page_id between $2 and $3
 order by page_id limit $4""",
)
_ALARM = """page_id, title, body, next_alarm_time, sent_count, status, is_chosen, processed_at"""
LOCK = Write(Alarm, f"select {_ALARM} from alarms where user_id = $1 and page_id = $2 for update")
# No longer under way: a job that has taken it leaves it, or settles it as it is now.
CHANGE = Write(
    Nothing,
    """
update alarms
   set title = $title, body = $body, next_alarm_time = $next_alarm_time, sent_count = $sent_count,
       status = $status, is_chosen = $is_chosen, processed_at = null, last_error = null,
       updated_at = now()
 where user_id = $user_id and page_id = $page_id""",
    params=Changed,
)
STOP = Write(PageId, "delete from alarms where user_id = $1 and page_id = $2 returning page_id")

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
# The others of the same digests: one that is cut in two would be two messages (alarms_of_user).
TAKE_DIGESTS = Write(
    Nothing,
    """
update alarms a set processed_at = now()
  from unnest($1::uuid[], $2::timestamptz[]) as digest (user_id, at)
 where a.user_id = digest.user_id and a.next_alarm_time = digest.at and a.status = 'active'
   and not a.is_chosen and a.processed_at is null""",
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
# What failed on all channels is tried again when its person has changed one (alarms_failing).
REVIVE = Write(
    Nothing,
    """
update alarms a set status = 'active', processed_at = null, last_error = null, updated_at = now()
 where a.status = 'failing'
   and exists (select from channels c
                where c.user_id = a.user_id and c.enabled and c.updated_at > a.updated_at)""",
    across_users="whoever changed a channel",
)
# Taken jobs that died leave their alarm: it would come back every six hours.
FAIL_DEAD = Write(
    Nothing,
    """
update alarms a set status = 'failing', processed_at = null, last_error = 'It could not be sent.',
       updated_at = now()
  from jobs j
 where a.status = 'active' and a.processed_at is not null and j.kind = 'reminders:send'
   and j.status = 'dead' and j.key = a.user_id || '/' || a.page_id || '/' || a.sent_count""",
    across_users="whoever's it is",
)
# The same for those that were to come together (jobs_dead).
FAIL_DEAD_DIGESTS = Write(
    Nothing,
    """
update alarms a set status = 'failing', processed_at = null, last_error = 'It could not be sent.',
       updated_at = now()
  from jobs j
 where a.status = 'active' and a.processed_at is not null and j.kind = 'reminders:digest'
   and j.status = 'dead' and a.user_id = (j.args ->> 'user_id')::uuid
   and a.next_alarm_time = (j.args ->> 'at')::timestamptz""",
    across_users="whoever's it is",
)

# What is to be sent, if it still is.
COMING = Write(
    Coming,
    """
select a.title, a.body, p.address as url, a.next_alarm_time
  from alarms a join pages p on p.id = a.page_id and p.user_id = a.user_id
 where a.user_id = $1 and a.page_id = $2 and a.sent_count = $3 and a.status = 'active'
   and a.processed_at is not null
   for update of a""",
)
# All of a digest (alarms_of_user).
COMING_TOGETHER = Write(
    ComingTogether,
    """
select a.page_id, a.sent_count, a.title, a.body, p.address as url
  from alarms a join pages p on p.id = a.page_id and p.user_id = a.user_id
 where a.user_id = $1 and a.next_alarm_time = $2 and a.status = 'active' and not a.is_chosen
   and a.processed_at is not null
 order by a.created_at, a.page_id limit $3
   for update of a""",
)
# The same for a batch of several people.
COMING_MANY = Write(
    ComingOne,
    """
select a.page_id, a.user_id, a.sent_count, a.title, a.body, p.address as url, a.next_alarm_time
  from unnest($1::uuid[], $2::uuid[], $3::int[]) as asked (page_id, user_id, sent_count)
  join alarms a using (page_id, user_id, sent_count)
  join pages p on p.id = a.page_id and p.user_id = a.user_id
 where a.status = 'active' and a.processed_at is not null
 order by a.page_id
   for update of a""",
    across_users="of the jobs of one batch",
)
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
# All to come: the next time may be 256 days away, and the search for a free hour goes on from there
# (alarms_of_user).
TAKEN = Query(
    Taken,
    """
select user_id, next_alarm_time from alarms
 where user_id = any($1) and status <> 'paused'
   and next_alarm_time >= $2::timestamptz - interval '1 day'""",
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
FAIL = Write(
    Nothing,
    """
update alarms set status = 'failing', processed_at = null, last_error = $3, updated_at = now()
 where user_id = $1 and page_id = $2""",
)

PREFERENCES = Query(
    ReminderPreferences, "select folder_id, digest from reminder_preferences where user_id = $1"
)
CHOOSE_FOLDER = Write(
    Nothing,
    """
insert into reminder_preferences (user_id, folder_id) values ($1, $2)
on conflict (user_id) do update set folder_id = excluded.folder_id, updated_at = now()""",
)
CHOOSE = Write(
    Nothing,
    """
insert into reminder_preferences (user_id, folder_id, digest) values ($1, $2, $3)
on conflict (user_id) do update
   set folder_id = excluded.folder_id, digest = excluded.digest, updated_at = now()""",
)

EXPORT = Query(
    Exported,
    """
select page_id, title, body, next_alarm_time, sent_count, last_notification_id, processed_at, status,
       is_chosen, last_sent_at, last_error, created_at, updated_at
  from alarms where user_id = $1 order by created_at, page_id""",
)
EXPORT_PREFERENCES = Query(
    ExportedPreferences,
    "select folder_id, digest, created_at, updated_at from reminder_preferences where user_id = $1",
)
ERASE_ALARMS = Write(Nothing, "delete from alarms where user_id = $1")
ERASE_PREFERENCES = Write(Nothing, "delete from reminder_preferences where user_id = $1")
