"""A batch: one lock, one read where a hole was filled, one write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.readings import LATER_READING


@dataclass(frozen=True, slots=True)
class Locked:
    """A session as a batch finds it."""

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


_LOCKED = "LOCK, in the same transaction, found the session to be this person's"

# Batches of one session wait here for each other. Whose it is, no index is asked: of two that both
# look good for one row, the reader's walks through all of their sessions. The shared locks keep away the sweeps that drop
# what nobody refers to: of this reader's pages ($2), and of pages at all (0).
LOCK = Write(
    Locked,
    """
select s.month, s.next_seq, s.parked, s.holes, s.last_seq, s.fold_state, s.is_stale,
       s.stopped_at, s.closed_at, now() as now, u.excluded_domains
  from sessions s
  join user_settings u on u.user_id = s.user_id
 cross join lateral (select pg_advisory_xact_lock_shared(7501, hashtext($2::uuid::text)),
                            pg_advisory_xact_lock_shared(7501, 0)) as locks
 where s.id = $1 and s.user_id is not distinct from $2
   for no key update of s""",
)


@dataclass(frozen=True, slots=True)
class Stored:
    """An event as the log has it."""

    seq: int
    t: int
    type: str
    tab_id: int | None
    window_id: int | None
    url_id: UUID | None
    payload: str | None


# By the primary key of one partition. The payload is read as text: the fold has a type for it.
EVENTS = Query(
    Stored,
    """
select e.seq, e.t, e.type, e.tab_id, e.window_id, e.url_id, e.payload::text
  from raw_events e
 where e.month = $1 and e.session_id = $2 and e.seq between $3 and $4
 order by e.seq""",
    across_users=_LOCKED,
)


@dataclass(frozen=True, slots=True)
class Page:
    id: UUID
    url: str
    domain: str


# Of these places, those that are taken.
STORED = Query(
    int,
    """
select seq from raw_events where month = $1 and session_id = $2 and seq = any ($3::int[])""",
    across_users=_LOCKED,
)
PAGES = Query(Page, "select id, url, domain from urls where id = any ($1::uuid[]) order by id")

# Icons of texts that were known without: a page may be read before its icon has come. By the primary
# key: the index of readers would be walked through all of a reader's texts.
ADD_ICONS = Write(
    Nothing,
    """
update page_contents c set favicon = n.favicon
  from unnest($2::uuid[], $3::text[]) as n (id, favicon)
 where c.id = n.id and c.user_id is not distinct from $1 and c.icon is null""",
)

# Everything a batch brings, in one statement. Sorted before it comes here: two batches that meet
# on the same pages take them in the same order (one upsert of urls gave no deadlock in any run;
# three, of one statement each, did). Nothing of `urls` is ever changed by it.
#
# Events, visits and pauses go in without `on conflict`: the lock is held, and the log says that they
# are new. Whether a page was seen before is looked up page by page (`limit` keeps the planner from
# joining): a join reads every visit of the session, with every batch.
WRITE = Write(
    UUID,
    f"""
with
new_urls as (
  insert into urls (id, url, domain)
  select * from unnest($4::text::uuid[], $5::text::text[], $6::text::text[])
  on conflict do nothing),
new_contents as (
  insert into page_contents (id, user_id, title, content, meta, favicon)
  select n.id, $2::uuid, n.title, n.content, n.meta, n.favicon
    from unnest($7::uuid[], $8::text[], $9::text[], $10::jsonb[], $11::text[])
         as n (id, title, content, meta, favicon)
  on conflict do nothing),
new_events as (
  insert into raw_events (month, session_id, seq, t, type, tab_id, window_id, url_id, payload)
  select $3::date, $1::uuid, n.*
    from unnest($12::text::int[], $13::text::bigint[], $14::text::text[], $15::text::int[], $16::text::int[], $17::text::uuid[],
                $18::text::jsonb[]) as n),
met as (
  insert into reader_urls as r (user_id, url_id, content_id, content_status, session_id, read_at)
  select $2::uuid, n.url_id, n.content_id, n.status,
         case when n.status is not null then $1::uuid end,
         timestamptz 'epoch' + n.t * interval '1 millisecond'
    from unnest($19::text::uuid[], $20::text::uuid[], $21::text::text[], $22::text::bigint[])
         as n (url_id, content_id, status, t)
  {LATER_READING}
  returning r.url_id, r.content_status),
visited as (
  select n.*
    from unnest($23::text::int[], $24::text::int[], $25::text::uuid[], $26::text::int[], $27::text::bigint[], $28::text::bigint[],
                $29::text::bool[], $30::text::text[], $31::text::uuid[], $32::text::text[], $33::text::uuid[])
         as n (opened_by_seq, visit_order, url_id, tab_id, entered, "left", is_focused, title,
               content_id, transition, from_url_id)),
new_visits as (
  insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                           left_at, duration_ms, is_focused, title, content_id, transition,
                           from_url_id)
  select $1::uuid, opened_by_seq, visit_order, url_id, tab_id,
         timestamptz 'epoch' + entered * interval '1 millisecond',
         timestamptz 'epoch' + "left" * interval '1 millisecond',
         "left" - entered, is_focused, title, content_id, transition, from_url_id
    from visited),
new_pauses as (
  insert into session_pauses (session_id, kind, entered_at, left_at)
  select $1::uuid, n.kind, timestamptz 'epoch' + n.entered * interval '1 millisecond',
         timestamptz 'epoch' + n."left" * interval '1 millisecond'
    from unnest($34::text::text[], $35::text::bigint[], $36::text::bigint[]) as n (kind, entered, "left")),
new_highlights as (
  insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
  select n.id, $1::uuid, n.seq, n.url_id, n.visit_seq, n.text,
         timestamptz 'epoch' + n.t * interval '1 millisecond'
    from unnest($37::text::uuid[], $38::text::int[], $39::text::uuid[], $40::text::int[], $41::text::text[], $42::text::bigint[])
         as n (id, seq, url_id, visit_seq, text, t)
  on conflict do nothing
  returning id),
counted as (
  update sessions
     set next_seq = $43, max_seq = $44, parked = $45, holes = $46,
         hole_since = timestamptz 'epoch' + $47::float8 * interval '1 second',
         fold_state = $48, is_stale = $49, is_resting = false, heard_at = now(),
         last_event_at = coalesce(timestamptz 'epoch' + $50::bigint * interval '1 millisecond',
                                  last_event_at),
         started_at = least(started_at,
                            timestamptz 'epoch' + $53::bigint * interval '1 millisecond'),
         event_count = event_count + $52,
         rejected_count = rejected_count + $51,
         highlight_count = highlight_count + (select count(*) from new_highlights),
         total_duration_ms = total_duration_ms
           + (select coalesce(sum("left" - entered) filter (where is_focused), 0) from visited),
         page_count = page_count
           + (select count(distinct n.url_id) from visited n
               where n.is_focused
                 and (select true from page_visits v
                       where v.session_id = $1 and v.url_id = n.url_id and v.is_focused
                       limit 1) is null),
         version = version + 1, updated_at = now()
   where id = $1)
select url_id from met where content_status = 'pending'""",
    across_users=_LOCKED,
)
