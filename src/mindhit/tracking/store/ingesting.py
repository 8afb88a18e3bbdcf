"""A batch: one statement that locks the session, one that writes everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Write
from mindhit.tracking.store.columns import (
    ContentColumns,
    EventColumns,
    ProgressColumns,
    SeenColumns,
    TextReadColumns,
    TimelineColumns,
    UrlColumns,
)
from mindhit.tracking.store.forgetting import FORGOTTEN
from mindhit.tracking.store.reader_urls import KEEP_LATEST


@dataclass(frozen=True, slots=True)
class BatchSession:
    """What a batch needs of its session."""

    month: date
    next_seq: int
    parked: Any
    holes: Any
    last_seq: int | None
    fold_state: bytes | None
    is_stale: bool
    stopped_at: datetime | None
    closed_at: datetime | None
    now: datetime
    excluded_domains: list[str]
    forgotten: Any


# Batches of one session wait here for each other. `is not distinct from` keeps the planner off the
# index on user_id, which would walk through all of the person's sessions. The shared locks exclude the
# cleanup of what nobody refers to: of this person's URLs ($2), and of URLs at all (0).
LOCK = Write(
    BatchSession,
    f"""
select s.month, s.next_seq, s.parked, s.holes, s.last_seq, s.fold_state, s.is_stale,
       s.stopped_at, s.closed_at, now() as now, u.excluded_domains,
       {FORGOTTEN} as forgotten
  from sessions s
  join user_settings u on u.user_id = s.user_id
 cross join lateral (select pg_advisory_xact_lock_shared(7501, hashtext($2::uuid::text)),
                            pg_advisory_xact_lock_shared(7501, 0)) as locks
 where s.id = $1 and s.user_id is not distinct from $2
   for no key update of s""",
)


# Icons for texts that were stored without: a page may be read before its icon has arrived. By the
# primary key: the index on user_id would walk through all of the person's texts.
ADD_ICONS = Write(
    Nothing,
    """
update page_contents c set favicon = n.favicon
  from unnest($2::uuid[], $3::text[]) as n (id, favicon)
 where c.id = n.id and c.user_id is not distinct from $1 and c.icon is null""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchWrite:
    """Everything a batch changes. The counts are what it adds to the session's."""

    session_id: UUID
    user_id: UUID
    month: date
    urls: UrlColumns
    contents: ContentColumns
    events: EventColumns
    texts_read: TextReadColumns
    seen: SeenColumns
    timeline: TimelineColumns
    progress: ProgressColumns
    is_stale: bool
    event_count: int
    rejected_count: int
    open_url_id: UUID | None


@dataclass(frozen=True, slots=True)
class Written:
    """Pages of the session, the open one ($open_url_id) included, and those that wait for a text."""

    page_count: int
    pending: list[UUID]


# Everything a batch brings, in one statement. The arrays are sorted: two batches with the same URLs lock
# them in the same order (one upsert of urls gave no deadlock in any run; three, of one statement each,
# did). It never changes a row of `urls`.
#
# Events, visits and pauses are inserted without `on conflict`: the session is locked, and its log says
# that they are new. Whether a URL was visited before is looked up one by one (`limit` keeps the planner
# from joining): a join would read every visit of the session, with every batch.
WRITE = Write(
    Written,
    f"""
with
new_urls as (
  insert into urls (id, url, domain)
  select * from unnest($url_ids::text::uuid[], $url_hrefs::text::text[], $url_domains::text::text[])
  on conflict do nothing),
new_contents as (
  insert into page_contents (id, user_id, title, content, meta, favicon)
  select n.id, $user_id::uuid, n.title, n.content, n.meta, n.favicon
    from unnest($content_ids::uuid[], $content_titles::text[], $content_texts::text[], $content_metas::jsonb[], $content_favicons::text[])
         as n (id, title, content, meta, favicon)
  on conflict do nothing),
new_events as (
  insert into raw_events (month, session_id, seq, t, type, tab_id, window_id, url_id, payload)
  select $month::date, $session_id::uuid, n.*
    from unnest($event_seqs::text::int[], $event_times::text::bigint[], $event_types::text::text[], $event_tab_ids::text::int[], $event_window_ids::text::int[], $event_url_ids::text::uuid[],
                $event_payloads::text::jsonb[]) as n),
upserted as (
  insert into reader_urls as r (user_id, url_id, content_id, content_status, session_id, read_at,
                                address, no_fetch)
  select $user_id::uuid, n.url_id, n.content_id, n.status,
         case when n.status is not null then $session_id::uuid end,
         timestamptz 'epoch' + n.t * interval '1 millisecond', n.address, n.no_fetch
    from unnest($read_url_ids::text::uuid[], $read_content_ids::text::uuid[], $read_statuses::text::text[], $read_times::text::bigint[],
                $seen_addresses::text::text[], $seen_no_fetch::text::bool[])
         as n (url_id, content_id, status, t, address, no_fetch)
  {KEEP_LATEST}
  returning r.url_id, r.content_status, r.updated_at),
visited as (
  select n.*
    from unnest($visit_opened_by_seqs::text::int[], $visit_orders::text::int[], $visit_url_ids::text::uuid[], $visit_tab_ids::text::int[], $visit_entered::text::bigint[], $visit_left::text::bigint[],
                $visit_is_focused::text::bool[], $visit_titles::text::text[], $visit_content_ids::text::uuid[], $visit_transitions::text::text[], $visit_from_url_ids::text::uuid[],
                $visit_addresses::text::text[])
         as n (opened_by_seq, visit_order, url_id, tab_id, entered, "left", is_focused, title,
               content_id, transition, from_url_id, address)),
new_visits as (
  insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                           left_at, duration_ms, is_focused, title, content_id, transition,
                           from_url_id, address)
  select $session_id::uuid, opened_by_seq, visit_order, url_id, tab_id,
         timestamptz 'epoch' + entered * interval '1 millisecond',
         timestamptz 'epoch' + "left" * interval '1 millisecond',
         "left" - entered, is_focused, title, content_id, transition, from_url_id,
         address
    from visited),
new_pauses as (
  insert into session_pauses (session_id, kind, entered_at, left_at)
  select $session_id::uuid, n.kind, timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond'
    from unnest($pause_kinds::text::text[], $pause_entered::text::bigint[], $pause_left::text::bigint[]) as n (kind, entered, "left")),
new_highlights as (
  insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
  select n.id, $session_id::uuid, n.seq, n.url_id, n.visit_seq, n.text,
         timestamptz 'epoch' + n.t * interval '1 millisecond'
    from unnest($highlight_ids::text::uuid[], $highlight_seqs::text::int[], $highlight_url_ids::text::uuid[], $highlight_visit_seqs::text::int[], $highlight_texts::text::text[], $highlight_times::text::bigint[])
         as n (id, seq, url_id, visit_seq, text, t)
  on conflict do nothing
  returning id),
counted as (
  update sessions
     set next_seq = $next_seq, max_seq = $max_seq, parked = $parked, holes = $holes,
         hole_since = timestamptz 'epoch' + $hole_since_s::float8 * interval '1 second',
         fold_state = $fold_state, is_stale = $is_stale, is_resting = false, heard_at = now(),
         last_event_at = coalesce(timestamptz 'epoch' + $last_event_ms::bigint * interval '1 millisecond',
                                  last_event_at),
         started_at = least(started_at,
                            timestamptz 'epoch' + $began_ms::bigint * interval '1 millisecond'),
         event_count = event_count + $event_count,
         rejected_count = rejected_count + $rejected_count,
         highlight_count = highlight_count + (select count(*) from new_highlights),
         total_duration_ms = total_duration_ms
           + (select coalesce(sum("left" - entered) filter (where is_focused), 0) from visited),
         page_count = page_count
           + (select count(distinct n.url_id) from visited n
               where n.is_focused
                 and (select true from page_visits v
                       where v.session_id = $session_id and v.url_id = n.url_id and v.is_focused
                       limit 1) is null),
         version = version + 1, updated_at = now()
   where id = $session_id
  returning page_count)
select page_count
         + ($open_url_id::uuid is not null
            and not exists (select from visited n where n.url_id = $open_url_id and n.is_focused)
            and not exists (select from page_visits v
                             where v.session_id = $session_id and v.url_id = $open_url_id
                               and v.is_focused))::int as page_count,
       array(select url_id from upserted
              where content_status = 'pending' and updated_at = now()) as pending
  from counted""",
    params=BatchWrite,
    across_users="LOCK, in the same transaction, found the session to be this person's",
)
