"""A person's alarms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.library import PageId
from mindhit.reminders.model import Reminder


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
class Alarm:
    title: str
    body: str
    next_alarm_time: datetime
    sent_count: int
    status: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PageText:
    id: PageId
    title: str | None
    text: str | None
    address: str


# A page that can come back, by its id, if what was given is one, or by the id that a syncing client gave
# it (pages_pkey, pages_sync_id; compared as text, all pages of the person would be read).
PAGE = Query(
    PageText,
    """
select p.id, coalesce(p.title, m.title) as title, coalesce(p.note, m.summary, m.description) as text,
       p.address
  from pages p left join link_metadata m on m.url_id = p.url_id
 where p.user_id = $1 and p.kind = 'link' and (p.id = $3::uuid or p.sync_id = $2)
 order by p.sync_id = $2 desc nulls last limit 1""",
)
# One that is being sent is not moved, and a count that is there is kept. Answers whether it is new.
REGISTER = Write(
    bool,
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
 where alarms.user_id = excluded.user_id
returning xmax = 0""",
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
LOCK = Write(
    Alarm,
    """
select title, body, next_alarm_time, sent_count, status, is_chosen
  from alarms where user_id = $1 and page_id = $2 for update""",
)
# No longer under way: a job that has taken it leaves it, or settles it as it is now.
CHANGE = Write(
    Nothing,
    """
update alarms
   set title = $title, body = $body, next_alarm_time = $next_alarm_time, sent_count = $sent_count,
       status = $status, is_chosen = $is_chosen, processed_at = null,
       last_error = case when $status = 'failing' then last_error end, updated_at = now()
 where user_id = $user_id and page_id = $page_id""",
    params=Changed,
)
STOP = Write(PageId, "delete from alarms where user_id = $1 and page_id = $2 returning page_id")
