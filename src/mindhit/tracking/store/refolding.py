"""Writing a timeline anew: closing one, or folding one again from its log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.ingesting import Page, Stored
from mindhit.tracking.store.readings import LATER_READING


@dataclass(frozen=True, slots=True)
class Whole:
    """A session as whoever closes or folds it finds it."""

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


_LOCKED = "LOCK, in the same transaction, found the session to be this person's"

# Keeps batches of the session away until this transaction ends.
LOCK = Write(
    Whole,
    """
select id, month, next_seq, parked, holes, last_seq, ended_at, stopped_at,
       closed_at, heard_at, fold_state, is_stale, now() as now
  from sessions
 where id = $1 and user_id = $2
   for no key update""",
)
# By the primary key of one partition, piece by piece.
EVENTS = Query(
    Stored,
    """
select e.seq, e.t, e.type, e.tab_id, e.window_id, e.url_id, e.payload::text
  from raw_events e
 where e.month = $1 and e.session_id = $2 and e.seq > $3 and e.seq < $4
 order by e.seq limit $5""",
    across_users=_LOCKED,
)
IS_LOG_GONE = Query(
    bool,
    """
select s.event_count > (select count(*) from raw_events e
                         where e.month = s.month and e.session_id = s.id) as is_gone
  from sessions s where s.id = $1 and s.user_id = $2""",
)

# What the new timeline has no more; visits by the event that opened them, as they are referred to.
DROP_VISITS = Write(
    Nothing,
    """
delete from page_visits v using sessions s
 where v.session_id = s.id and v.opened_by_seq <> all ($2::int[])
   and s.id = $1 and s.user_id = $3""",
)
DROP_PAUSES = Write(
    Nothing,
    """
delete from session_pauses p using sessions s
 where p.session_id = s.id and s.id = $1 and s.user_id = $2""",
)
DROP_HIGHLIGHTS = Write(
    Nothing,
    """
delete from highlights h using sessions s
 where h.session_id = s.id and s.id = $1 and s.user_id = $2""",
)

# A piece of the new timeline. Visits that are right already are left alone; of a text that was
# marked twice the first counts, as it does when they come one by one.
PUT = Write(
    Nothing,
    """
with
put_visits as (
  insert into page_visits as v (session_id, opened_by_seq, visit_order, url_id, tab_id,
                                entered_at, left_at, duration_ms, is_focused, title, content_id,
                                transition, from_url_id)
  select $1::uuid, n.opened_by_seq, n.visit_order, n.url_id, n.tab_id,
         timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond',
         n."left" - n.entered, n.is_focused, n.title, n.content_id, n.transition, n.from_url_id
    from unnest($2::text::int[], $3::text::int[], $4::text::uuid[], $5::text::int[], $6::text::bigint[], $7::text::bigint[],
                $8::text::bool[], $9::text::text[], $10::text::uuid[], $11::text::text[], $12::text::uuid[])
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
  select $1::uuid, n.kind, timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond'
    from unnest($13::text::text[], $14::text::bigint[], $15::text::bigint[]) as n (kind, entered, "left")
  on conflict do nothing)
insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
select n.id, $1::uuid, n.seq, n.url_id, n.visit_seq, n.text,
       timestamptz 'epoch' + n.t * interval '1 millisecond'
  from unnest($16::text::uuid[], $17::text::int[], $18::text::uuid[], $19::text::int[], $20::text::text[], $21::text::bigint[])
       as n (id, seq, url_id, visit_seq, text, t)
on conflict do nothing""",
    across_users=_LOCKED,
)

# What the session read of each page, where nothing later was read of it. Answers the pages that
# have no text.
PUT_READINGS = Write(
    Page,
    f"""
with met as (
  insert into reader_urls as r (user_id, url_id, content_id, content_status, session_id, read_at)
  select $1::uuid, n.url_id, n.content_id, n.status, $2::uuid,
         timestamptz 'epoch' + n.t * interval '1 millisecond'
    from unnest($3::text::uuid[], $4::text::uuid[], $5::text::text[], $6::text::bigint[])
         as n (url_id, content_id, status, t)
  {LATER_READING}
  returning r.url_id, r.content_status)
select u.id, u.url, u.domain from met join urls u on u.id = met.url_id
 where met.content_status = 'pending'
 order by u.id""",
)

# What the lists show, counted from the timeline itself.
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
KEEP_STATE = Write(
    Nothing,
    """
update sessions
   set next_seq = $3, max_seq = $4, parked = $5, holes = $6,
       hole_since = timestamptz 'epoch' + $7::float8 * interval '1 second',
       fold_state = $8, is_stale = false, is_resting = $9,
       last_event_at = coalesce(timestamptz 'epoch' + $10::bigint * interval '1 millisecond',
                                last_event_at),
       started_at = least(started_at, timestamptz 'epoch' + $11::bigint * interval '1 millisecond'),
       version = version + 1, updated_at = now()
 where id = $1 and user_id = $2""",
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
