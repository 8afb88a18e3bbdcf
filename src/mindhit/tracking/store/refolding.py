"""Writing a timeline: closing one, or folding one again from its log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.columns import ProgressColumns, TextReadColumns, TimelineColumns
from mindhit.tracking.store.ingesting import UrlRow
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
    now: datetime


# Batches of the session wait until this transaction ends.
LOCK = Write(
    FoldSession,
    """
select id, month, next_seq, parked, holes, last_seq, ended_at, stopped_at,
       closed_at, heard_at, fold_state, is_stale, now() as now
  from sessions
 where id = $1 and user_id = $2
   for no key update""",
)
IS_LOG_GONE = Query(
    bool,
    """
select s.event_count > (select count(*) from raw_events e
                         where e.month = s.month and e.session_id = s.id) as is_gone
  from sessions s where s.id = $1 and s.user_id = $2""",
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
                                transition, from_url_id)
  select $session_id::uuid, n.opened_by_seq, n.visit_order, n.url_id, n.tab_id,
         timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond',
         n."left" - n.entered, n.is_focused, n.title, n.content_id, n.transition, n.from_url_id
    from unnest($visit_opened_by_seqs::text::int[], $visit_orders::text::int[], $visit_url_ids::text::uuid[], $visit_tab_ids::text::int[], $visit_entered::text::bigint[], $visit_left::text::bigint[],
                $visit_is_focused::text::bool[], $visit_titles::text::text[], $visit_content_ids::text::uuid[], $visit_transitions::text::text[], $visit_from_url_ids::text::uuid[])
         as n (opened_by_seq, visit_order, url_id, tab_id, entered, "left", is_focused, title,
               content_id, transition, from_url_id)
  on conflict (session_id, opened_by_seq) do update
     set visit_order = excluded.visit_order, url_id = excluded.url_id, tab_id = excluded.tab_id,
         entered_at = excluded.entered_at, left_at = excluded.left_at,
         duration_ms = excluded.duration_ms, is_focused = excluded.is_focused,
         title = excluded.title, content_id = excluded.content_id,
         transition = excluded.transition, from_url_id = excluded.from_url_id
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
    UrlRow,
    f"""
with upserted as (
  insert into reader_urls as r (user_id, url_id, content_id, content_status, session_id, read_at)
  select $user_id::uuid, n.url_id, n.content_id, n.status, $session_id::uuid,
         timestamptz 'epoch' + n.t * interval '1 millisecond'
    from unnest($read_url_ids::text::uuid[], $read_content_ids::text::uuid[], $read_statuses::text::text[], $read_times::text::bigint[])
         as n (url_id, content_id, status, t)
  {KEEP_LATEST_TEXT}
  returning r.url_id, r.content_status)
select u.id, u.url, u.domain from upserted join urls u on u.id = upserted.url_id
 where upserted.content_status = 'pending'
 order by u.id""",
    params=TextReadWrite,
)

# The totals that lists show, from the timeline itself.
COUNT = Write(
    Nothing,
    """
update sessions s
   set page_count = t.pages, total_duration_ms = t.duration_ms, top_domains = t.domains,
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
CLOSE = Write(
    Nothing,
    """
update sessions
   set closed_at = coalesce(closed_at, now()), status = 'completed', error = null,
       ended_at = greatest(ended_at, last_event_at),
       version = version + 1, updated_at = now()
 where id = $1 and user_id = $2""",
)
FAIL = Write(
    Nothing,
    """
update sessions
   set status = 'failed', error = $3, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2 and closed_at is null and stopped_at is not null""",
)
