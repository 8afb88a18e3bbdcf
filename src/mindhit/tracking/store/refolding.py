"""Writing a timeline: closing one, or folding one again from its log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.columns import ProgressColumns, TextReadColumns, TimelineColumns
from mindhit.tracking.store.reader_urls import KEEP_LATEST_TEXT


@dataclass(frozen=True, slots=True)
class FoldSession:
    """What closing or folding a session needs of it."""

    id: UUID
    month: date
    next_seq: int
    parked: Any
    holes: Any
    last_seq: int | None
    ended_at: datetime | None
    stopped_at: datetime | None
    closed_at: datetime | None
    heard_at: datetime
    fold_state: bytes | None
    is_stale: bool
    event_count: int
    now: datetime


# Batches of the session wait until this transaction ends.
_FOLD_SESSION = """
select id, month, next_seq, parked, holes, last_seq, ended_at, stopped_at,
       closed_at, heard_at, fold_state, is_stale, event_count, now() as now
  from sessions
 where id = $1 and user_id = $2"""
LOCK = Write(FoldSession, f"{_FOLD_SESSION} for no key update")
BY_ID = Query(FoldSession, _FOLD_SESSION)
IS_LOG_GONE = Query(
    bool,
    """
select s.event_count > (select count(*) from raw_events e
                         where e.month = s.month and e.session_id = s.id) as is_gone
  from sessions s where s.id = $1 and s.user_id = $2""",
)


@dataclass(frozen=True, slots=True)
class StoredVisit:
    opened_by_seq: int
    visit_order: int
    url_id: UUID
    tab_id: int
    entered_at: datetime
    left_at: datetime
    is_focused: bool
    title: str | None
    content_id: UUID | None
    transition: str | None
    from_url_id: UUID | None
    address: str | None


@dataclass(frozen=True, slots=True)
class StoredHighlight:
    seq: int
    url_id: UUID
    visit_seq: int | None
    text: str
    created_at: datetime


# A timeline as the fold left it, to compare it with what the next fold makes.
VISITS = Query(
    StoredVisit,
    """
select v.opened_by_seq, v.visit_order, v.url_id, v.tab_id, v.entered_at, v.left_at, v.is_focused,
       v.title, v.content_id, v.transition, v.from_url_id, v.address
  from sessions s join page_visits v on v.session_id = s.id
 where s.id = $1 and s.user_id = $2 order by v.opened_by_seq""",
)
HIGHLIGHTS = Query(
    StoredHighlight,
    """
select h.seq, h.url_id, h.visit_seq, h.text, h.created_at
  from sessions s join highlights h on h.session_id = s.id
 where s.id = $1 and s.user_id = $2 order by h.seq""",
)

# What the new timeline no longer has; visits by the event that opened them, which is their id.
DELETE_OTHER_VISITS = Write(
    Nothing,
    """
delete from page_visits v using sessions s
 where v.session_id = s.id and v.opened_by_seq <> all ($3::int[])
   and s.id = $1 and s.user_id = $2""",
)
DELETE_PAUSES = Write(
    Nothing,
    """
delete from session_pauses p using sessions s
 where p.session_id = s.id and s.id = $1 and s.user_id = $2""",
)
DELETE_HIGHLIGHTS = Write(
    Nothing,
    """
delete from highlights h using sessions s
 where h.session_id = s.id and s.id = $1 and s.user_id = $2""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineWrite:
    session_id: UUID
    timeline: TimelineColumns


# A piece of the new timeline. Visits that are already right are not written; of a text that was
# highlighted twice the first counts, as it does when they arrive one by one.
PUT = Write(
    Nothing,
    """
with
put_visits as (
  insert into page_visits as v (session_id, opened_by_seq, visit_order, url_id, tab_id,
                                entered_at, left_at, duration_ms, is_focused, title, content_id,
                                transition, from_url_id, address)
  select $session_id::uuid, n.opened_by_seq, n.visit_order, n.url_id, n.tab_id,
         timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond',
         n."left" - n.entered, n.is_focused, n.title, n.content_id, n.transition, n.from_url_id,
         n.address
    from unnest($visit_opened_by_seqs::text::int[], $visit_orders::text::int[], $visit_url_ids::text::uuid[], $visit_tab_ids::text::int[], $visit_entered::text::bigint[], $visit_left::text::bigint[],
                $visit_is_focused::text::bool[], $visit_titles::text::text[], $visit_content_ids::text::uuid[], $visit_transitions::text::text[], $visit_from_url_ids::text::uuid[],
                $visit_addresses::text::text[])
         as n (opened_by_seq, visit_order, url_id, tab_id, entered, "left", is_focused, title,
               content_id, transition, from_url_id, address)
  on conflict (session_id, opened_by_seq) do update
     set visit_order = excluded.visit_order, url_id = excluded.url_id, tab_id = excluded.tab_id,
         entered_at = excluded.entered_at, left_at = excluded.left_at,
         duration_ms = excluded.duration_ms, is_focused = excluded.is_focused,
         title = excluded.title, content_id = excluded.content_id,
         transition = excluded.transition, from_url_id = excluded.from_url_id,
         address = excluded.address
   where v is distinct from excluded),
put_pauses as (
  insert into session_pauses (session_id, kind, entered_at, left_at)
  select $session_id::uuid, n.kind, timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond'
    from unnest($pause_kinds::text::text[], $pause_entered::text::bigint[], $pause_left::text::bigint[]) as n (kind, entered, "left")
  on conflict do nothing)
insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
select n.id, $session_id::uuid, n.seq, n.url_id, n.visit_seq, n.text,
       timestamptz 'epoch' + n.t * interval '1 millisecond'
  from unnest($highlight_ids::text::uuid[], $highlight_seqs::text::int[], $highlight_url_ids::text::uuid[], $highlight_visit_seqs::text::int[], $highlight_texts::text::text[], $highlight_times::text::bigint[])
       as n (id, seq, url_id, visit_seq, text, t)
on conflict do nothing""",
    params=TimelineWrite,
    across_users="LOCK, in the same transaction, found the session to be this person's",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReadWrite:
    user_id: UUID
    session_id: UUID
    texts_read: TextReadColumns


# The texts that the session read, where no later one is known. Returns the URLs whose text is missing.
PUT_TEXTS_READ = Write(
    UUID,
    f"""
with upserted as (
  insert into reader_urls as r (user_id, url_id, content_id, content_status, session_id, read_at)
  select $user_id::uuid, n.url_id, n.content_id, n.status, $session_id::uuid,
         timestamptz 'epoch' + n.t * interval '1 millisecond'
    from unnest($read_url_ids::text::uuid[], $read_content_ids::text::uuid[], $read_statuses::text::text[], $read_times::text::bigint[])
         as n (url_id, content_id, status, t)
  {KEEP_LATEST_TEXT}
  returning r.url_id, r.content_status)
select url_id from upserted where content_status = 'pending' order by url_id""",
    params=TextReadWrite,
)

# Pages that were in focus for $3 ms in one piece.
READ_FOR = Query(
    UUID,
    """
select distinct v.url_id from sessions s join page_visits v on v.session_id = s.id
 where s.id = $1 and s.user_id = $2 and v.is_focused and v.duration_ms >= $3""",
)

# The totals that lists show, and what the session is named after, from the timeline itself.
COUNT = Write(
    Nothing,
    """
update sessions s
   set page_count = t.pages, total_duration_ms = t.duration_ms, top_domains = t.domains,
       main_url_id = l.url_id, main_title = l.title,
       highlight_count = (select count(*) from highlights where session_id = s.id),
       version = version + 1, updated_at = now()
  from (select count(distinct url_id) filter (where is_focused) as pages,
               coalesce(sum(duration_ms) filter (where is_focused), 0) as duration_ms,
               coalesce((select array_agg(d.domain order by d.ms desc, d.domain)
                  from (select u.domain, sum(v.duration_ms) as ms
                          from page_visits v join urls u on u.id = v.url_id
                         where v.session_id = $1 and v.is_focused
                         group by u.domain order by ms desc, u.domain limit 5) d),
                 '{}') as domains
          from page_visits where session_id = $1) t
  left join (
       select url_id,
              (array_agg(title order by visit_order desc)
                 filter (where title is not null))[1] as title
         from page_visits where session_id = $1 and is_focused
        group by url_id order by sum(duration_ms) desc, min(visit_order) limit 1) l on true
 where s.id = $1 and s.user_id = $2""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateWrite:
    session_id: UUID
    user_id: UUID
    progress: ProgressColumns
    is_resting: bool


KEEP_STATE = Write(
    Nothing,
    """
update sessions
   set next_seq = $next_seq, max_seq = $max_seq, parked = $parked, holes = $holes,
       hole_since = timestamptz 'epoch' + $hole_since_s::float8 * interval '1 second',
       fold_state = $fold_state, is_stale = false, is_resting = $is_resting,
       last_event_at = coalesce(timestamptz 'epoch' + $last_event_ms::bigint * interval '1 millisecond',
                                last_event_at),
       started_at = least(started_at, timestamptz 'epoch' + $began_ms::bigint * interval '1 millisecond'),
       version = version + 1, updated_at = now()
 where id = $session_id and user_id = $user_id""",
    params=StateWrite,
)
# The timeline is closed, or was changed after that ($3 false: the status stays). Returns its version.
CLOSE = Write(
    int,
    """
update sessions
   set closed_at = coalesce(closed_at, now()), timeline_version = timeline_version + 1,
       timeline_at = now(),
       status = case when $3 then 'processing' else status end,
       error = case when $3 then null else error end,
       ended_at = greatest(ended_at, last_event_at),
       version = version + 1, updated_at = now()
 where id = $1 and user_id = $2
returning timeline_version""",
)
COMPLETE = Write(
    Nothing,
    """
update sessions
   set status = 'completed', error = null, progress = null, version = version + 1,
       updated_at = now()
 where id = $1 and user_id = $2 and status = 'processing'""",
)
FAIL = Write(
    Nothing,
    """
update sessions
   set status = 'failed', error = $3, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2 and closed_at is null and stopped_at is not null""",
)
