"""What nobody asks for and somebody has to do: holes, silence, and what is no longer referred to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Whose:
    id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class Silent:
    id: UUID
    user_id: UUID
    ended_at: datetime


_SWEEP = "a sweep looks at everyone's"

OLD_HOLES = Query(
    Whose,
    """
select id, user_id from sessions
 where hole_since < now() - make_interval(secs => $1) and closed_at is null
 order by id limit 500""",
    across_users=_SWEEP,
)
FELL_SILENT = Query(
    Whose,
    """
select id, user_id from sessions
 where status = 'recording' and heard_at < now() - make_interval(secs => $1)
   and not is_resting and not is_stale and fold_state is not null
 order by id limit 500""",
    across_users=_SWEEP,
)
LONG_SILENT = Query(
    Silent,
    """
select id, user_id, coalesce(last_event_at, started_at) as ended_at from sessions
 where status = 'recording' and heard_at < now() - make_interval(secs => $1)
 order by id limit 500""",
    across_users=_SWEEP,
)
# Once more, and holding it: it may have spoken since it was found.
IS_SILENT = Write(
    UUID,
    """
select id from sessions
 where id = $1 and user_id = $2 and status = 'recording'
   and heard_at < now() - make_interval(secs => $3)
   for no key update""",
)
STALE = Query(
    Whose,
    """
select id, user_id from sessions
 where is_stale and updated_at < now() - make_interval(secs => $1)
 order by id limit 500""",
    across_users=_SWEEP,
)
PRUNE_DELETED = Write(
    Nothing,
    "delete from deleted_sessions where deleted_at < now() - interval '60 days'",
    across_users=_SWEEP,
)
READERS = Query(
    UUID, "select distinct user_id from reader_urls", across_users="each is swept by itself"
)

# Batches of this reader wait while it is held (see ingesting.LOCK).
ALONE_WITH_READER = Write(Nothing, "select pg_advisory_xact_lock(7501, hashtext($1::uuid::text))")
ALONE_WITH_URLS = Write(Nothing, "select pg_advisory_xact_lock(7501, 0)")

# Pages that none of the reader's sessions has met; answers them. One pass over the reader's logs.
FORGET_PAGES = Write(
    UUID,
    """
with met as (
  select e.url_id from sessions s join raw_events e on e.month = s.month and e.session_id = s.id
   where s.user_id = $1 and e.url_id is not null
  union
  select v.url_id from sessions s join page_visits v on v.session_id = s.id where s.user_id = $1
  union
  select v.from_url_id from sessions s join page_visits v on v.session_id = s.id
   where s.user_id = $1 and v.from_url_id is not null
  union
  select h.url_id from sessions s join highlights h on h.session_id = s.id where s.user_id = $1)
delete from reader_urls r
 where r.user_id = $1 and not exists (select from met where met.url_id = r.url_id)
returning r.url_id""",
)
# A page whose text went with a session has the latest that the reader's other sessions read of it;
# of those whose log is gone, what was seen in a visit.
RECALL_TEXTS = Write(
    Nothing,
    """
with
textless as materialized (
  select url_id from reader_urls where user_id = $1 and content_id is null),
told as (
  select e.url_id, (e.payload ->> 'contentId')::uuid as content_id, s.id as session_id,
         timestamptz 'epoch' + e.t * interval '1 millisecond' as read_at
    from sessions s
    join raw_events e on e.month = s.month and e.session_id = s.id
    join textless on textless.url_id = e.url_id
   where s.user_id = $1 and e.payload ? 'contentId'
  union all
  select v.url_id, v.content_id, s.id, v.entered_at
    from sessions s
    join page_visits v on v.session_id = s.id
    join textless on textless.url_id = v.url_id
   where s.user_id = $1 and v.content_id is not null),
latest as (
  select distinct on (t.url_id) t.*
    from told t join page_contents c on c.id = t.content_id and c.user_id = $1
   order by t.url_id, t.read_at desc)
update reader_urls r
   set content_id = l.content_id,
       content_status = case when l.content_id is not null then 'extracted' end,
       session_id = l.session_id, read_at = l.read_at, updated_at = now()
  from textless left join latest l on l.url_id = textless.url_id
 where r.user_id = $1 and r.url_id = textless.url_id
   and (l.content_id is not null or (r.content_status is null and r.read_at is not null))""",
)
# Texts of the reader that neither a page nor a visit nor an event of theirs refers to. One that was
# read in a tab behind the others, or lies behind a hole, is in the log alone.
FORGET_TEXTS = Write(
    Nothing,
    """
with told as (
  select distinct (e.payload ->> 'contentId')::uuid as id
    from sessions s join raw_events e on e.month = s.month and e.session_id = s.id
   where s.user_id = $1 and e.payload ? 'contentId')
delete from page_contents c
 where c.user_id = $1
   and not exists (select from told where told.id = c.id)
   and not exists (select from reader_urls r where r.user_id = $1 and r.content_id = c.id)
   and not exists (select from sessions s join page_visits v on v.session_id = s.id
                    where s.user_id = $1 and v.content_id = c.id)""",
)
# Pages nobody has met any more, and public texts of none. Looked for without a lock, then looked
# at again with it.
UNMET = Query(
    UUID,
    """
select u.id from urls u
 where u.id > $1 and not exists (select from reader_urls r where r.url_id = u.id)
 order by u.id limit 500""",
    across_users="a page is dropped when nobody has met it",
)
DROP_UNMET = Write(
    Nothing,
    """
delete from urls u
 where u.id = any ($1::uuid[]) and not exists (select from reader_urls r where r.url_id = u.id)""",
    across_users="a page is dropped when nobody has met it",
)
DROP_PUBLIC_TEXTS = Write(
    Nothing,
    """
delete from page_contents c
 where c.user_id is null and c.created_at < now() - interval '1 day'
   and not exists (select from reader_urls r where r.content_id = c.id)""",
)

# Logs of sessions that ended before a moment: retention. The timeline stays, and has to be whole.
OLD_LOGS = Query(
    Whose,
    """
select s.id, s.user_id from sessions s
 where s.month = $1 and s.stopped_at < $2 and s.closed_at is not null and not s.is_stale
   and exists (select from raw_events e where e.month = s.month and e.session_id = s.id)
 order by s.id limit 500""",
    across_users=_SWEEP,
)
