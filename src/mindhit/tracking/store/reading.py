"""Reading sessions: lists from columns that the writes keep, timelines row by row.

Visits, pauses and highlights have no `user_id`: they are reached through their session, and a text
only where it is the reader's own or nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from mindhit.db import Query
from mindhit.tracking.shapes import (
    HighlightItem,
    PageVisitItem,
    PauseItem,
    SessionSummary,
)


def _iso(column: str) -> str:
    return f"""to_char({column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"""


@dataclass(frozen=True, slots=True)
class Found:
    """Ids in the list's order, one more than a page has where more follow; `last_started_at` is of
    the last one on the page."""

    total: int | None
    ids: list[UUID]
    last_started_at: datetime | None


_STARTED = """s.user_id = $1 and s.started_at >= coalesce($2::timestamptz, '-infinity')
   and s.started_at < coalesce($3::timestamptz, 'infinity')"""
_NEWEST = "s.started_at desc, s.id desc"
# After the key of the previous page's last session. Without `or`: it has to be an index condition.
_AFTER = """(s.started_at, s.id) < (coalesce($4::timestamptz, 'infinity'),
                                  coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))"""

# Both parts by sessions_by_start alone, without reading the rows: 10,000 are counted in 1 ms. Only a
# list from its start is counted.
LIST = Query(
    Found,
    f"""
with listed as (
  select s.id, s.started_at from sessions s
   where {_STARTED} and {_AFTER} order by {_NEWEST} offset $6 limit $7::int)
select case when $4 is null
            then (select count(*) from sessions s where {_STARTED}) end::int as total,
       coalesce(array_agg(s.id order by {_NEWEST}), '{{}}') as ids,
       (array_agg(s.started_at order by {_NEWEST}))[$7 - 1] as last_started_at
  from listed s""",
)


@dataclass(frozen=True, slots=True)
class Unclosed:
    id: UUID
    fold_state: bytes | None


# Of the few that are being recorded or processed, by sessions_recording.
UNCLOSED = Query(
    Unclosed,
    """
select id, fold_state from sessions
 where user_id = $1 and status in ('recording', 'processing') and closed_at is null""",
)
# A word is looked for in the titles of sessions and of their pages, and in domains. What is known
# of a page beyond its visits, its domain and the title of a text that came later, is asked once.
# Visits that have not ended are no rows yet: they are given ($11 session, $12 url, $13 title).
# A rare word has the titles of all the reader's visits read: 0.2 s for 100,000 of them and 1.3 s for
# 1,000,000, on two busy cores. A trigram index finds it in a millisecond, but 25 visits then took
# 6.0 ms to be written in place of 3.8, and two-letter words of Hangul, which have no trigram, were
# found in 0.5 s in place of 0.1 (200,000 visits).
SEARCH = Query(
    Found,
    f"""
with
pages as materialized (
  select r.url_id
    from reader_urls r
    join urls u on u.id = r.url_id
    left join page_contents c
           on c.id = r.content_id and (c.user_id = $1 or c.user_id is null)
   where r.user_id = $1 and $9::text is not null
     and (u.domain like lower($9) or lower(c.title) like lower($9))),
site as materialized (
  select r.url_id
    from reader_urls r
    join urls u on u.id = r.url_id
   where r.user_id = $1 and $10::text is not null
     and (u.domain = $10 or right(u.domain, length($10) + 1) = '.' || $10)),
open as materialized (
  select * from unnest($11::uuid[], $12::uuid[], $13::text[]) as o (session_id, url_id, title)),
found as (
  select s.id, s.started_at
    from sessions s
   where {_STARTED} and {_AFTER}
     and ($8::text is null or s.status = $8)
     and ($9::text is null or lower(s.title) like lower($9)
          or exists (select from page_visits v
                      where v.session_id = s.id
                        and (lower(v.title) like lower($9)
                             or v.url_id in (select url_id from pages)))
          or s.id in (select o.session_id from open o
                       where lower(o.title) like lower($9)
                          or o.url_id in (select url_id from pages)))
     and ($10::text is null
          or exists (select from page_visits v
                      where v.session_id = s.id and v.url_id in (select url_id from site))
          or s.id in (select o.session_id from open o
                       where o.url_id in (select url_id from site))))
select case when $4 is null then (select count(*) from found) end::int as total,
       coalesce(array_agg(s.id order by {_NEWEST}), '{{}}') as ids,
       (array_agg(s.started_at order by {_NEWEST}))[$7 - 1] as last_started_at
  from (select s.id, s.started_at from found s order by {_NEWEST} offset $6 limit $7::int) s""",
)
# The domains of a closed timeline are kept; those of the few that are not are added up here.
SUMMARIES = Query(
    SessionSummary,
    f"""
select s.id, s.title, s.status, {_iso("s.started_at")} as started_at,
       {_iso("s.ended_at")} as ended_at, {_iso("s.last_event_at")} as last_event_at,
       s.total_duration_ms, s.page_count, s.highlight_count, s.top_keywords,
       case when s.closed_at is not null then s.top_domains
            else array(select u.domain
                         from page_visits v join urls u on u.id = v.url_id
                        where v.session_id = s.id and v.is_focused
                        group by u.domain
                        order by sum(v.duration_ms) desc, u.domain limit 5) end as top_domains,
       s.device_id,
       s.holes <> '[]' or s.parked <> '[]' or coalesce(s.last_seq > s.max_seq, false)
         as is_incomplete
  from sessions s
 where s.user_id = $1 and s.id = any ($2::uuid[])
 order by {_NEWEST}""",
)


@dataclass(frozen=True, slots=True)
class Inside:
    """What a session knows of its log, and where its timeline stands."""

    next_seq: int
    last_seq: int | None
    parked: Any
    holes: Any
    fold_state: bytes | None
    event_count: int
    rejected_count: int
    error: str | None
    version: int


INSIDE = Query(
    Inside,
    """
select next_seq, last_seq, parked, holes, fold_state, event_count, rejected_count, error, version
  from sessions where user_id = $1 and id = $2""",
)
VERSION = Query(int, "select version from sessions where user_id = $1 and id = $2")

_ITEM = f"""v.session_id || ':' || v.opened_by_seq as id, u.url, u.domain,
       coalesce(v.title, c.title, n.title) as title,
       coalesce('/v1/icons/' || coalesce(c.icon, n.icon), c.favicon, n.favicon) as favicon,
       coalesce(c.summary, n.summary) as summary,
       coalesce(c.keywords, n.keywords, '{{}}') as keywords,
       coalesce(c.status, r.content_status) as content_status,
       {_iso("v.entered_at")} as entered_at, {_iso("v.left_at")} as left_at, v.duration_ms,
       v.is_focused, v.visit_order, v.tab_id, v.transition, f.url as came_from"""
# c: what the reader saw in this visit; n: the newest that is known of the page. Each by its key.
_PAGE = """
  join urls u on u.id = v.url_id
  left join reader_urls r on r.user_id = $1 and r.url_id = v.url_id
  left join page_contents c on c.id = v.content_id and (c.user_id = $1 or c.user_id is null)
  left join page_contents n on n.id = r.content_id and (n.user_id = $1 or n.user_id is null)
  left join urls f on f.id = v.from_url_id"""
VISITS = Query(
    PageVisitItem,
    f"""
select {_ITEM}
  from sessions s
  join page_visits v on v.session_id = s.id {_PAGE}
 where s.user_id = $1 and s.id = $2
 order by v.visit_order""",
)
# The visit that has not ended, which is no row yet.
OPEN_VISIT = Query(
    PageVisitItem,
    f"""
select {_ITEM}
  from (select $2::uuid as session_id, $3::int as opened_by_seq, $4::int as visit_order,
               $5::uuid as url_id, $6::int as tab_id,
               timestamptz 'epoch' + $7::bigint * interval '1 millisecond' as entered_at,
               null::timestamptz as left_at, $8::bigint as duration_ms, $9::bool as is_focused,
               $10::text as title, $11::uuid as content_id, $12::text as transition,
               $13::uuid as from_url_id) v {_PAGE}""",
)
# By page_contents_by_icon; every page of a site has the same one.
ICON = Query(
    str,
    """
select favicon from page_contents where user_id = $1 and icon = $2
 union all
select favicon from page_contents where user_id is null and icon = $2
 limit 1""",
)
# Was a page in the foreground before, in a visit that has ended? By page_visits_seen.
WAS_SEEN = Query(
    bool,
    """
select exists (select from sessions s join page_visits v on v.session_id = s.id
                where s.user_id = $1 and s.id = $2 and v.url_id = $3 and v.is_focused) as was_seen""",
)
PAUSES = Query(
    PauseItem,
    f"""
select p.kind, {_iso("p.entered_at")} as entered_at, {_iso("p.left_at")} as left_at,
       (extract(epoch from p.left_at - p.entered_at) * 1000)::bigint as duration_ms
  from sessions s join session_pauses p on p.session_id = s.id
 where s.user_id = $1 and s.id = $2
 order by p.entered_at""",
)
# $3 is the visit that has not ended.
HIGHLIGHTS = Query(
    HighlightItem,
    f"""
select h.id, h.text, u.url, {_iso("h.created_at")} as created_at,
       case when h.visit_seq = $3 or exists (
              select from page_visits v
               where v.session_id = h.session_id and v.opened_by_seq = h.visit_seq)
            then h.session_id || ':' || h.visit_seq end as page_visit_id
  from sessions s
  join highlights h on h.session_id = s.id
  join urls u on u.id = h.url_id
 where s.user_id = $1 and s.id = $2
 order by h.seq""",
)


@dataclass(frozen=True, slots=True)
class DomainSum:
    """One domain of one stretch; `all_*` are the stretch's sums over every domain."""

    stretch: int
    domain: str
    focused_ms: int
    visits: int
    pages: int
    all_ms: int
    all_visits: int
    all_pages: int


# $2 are the edges of stretches that follow each other: the first lies between edges 1 and 2. A visit
# that reaches over an edge counts on both sides, up to it. Sessions by sessions_by_start; a browser's
# events may lie a little before the start it told.
DOMAINS = Query(
    DomainSum,
    """
with
edges as (select $2::timestamptz[] as at, cardinality($2) as count),
parts as (
  select stretch, u.domain, v.url_id,
         least(v.left_at, at[stretch + 1]) - greatest(v.entered_at, at[stretch]) as stay
    from edges
    join sessions s on s.user_id = $1 and s.started_at < at[count] + interval '1 day'
                   and greatest(s.ended_at, s.last_event_at) > at[1]
    join page_visits v on v.session_id = s.id and v.is_focused
                      and v.left_at > at[1] and v.entered_at < at[count]
    join urls u on u.id = v.url_id
   cross join generate_series(
           greatest(width_bucket(v.entered_at, at), 1),
           least(width_bucket(v.left_at - interval '1 microsecond', at), count - 1)) as stretch),
sums as (
  select stretch, domain, sum((extract(epoch from stay) * 1000)::bigint)::bigint as focused_ms,
         count(*)::int as visits, count(distinct url_id)::int as pages
    from parts group by stretch, domain),
ranked as (
  select *, sum(focused_ms) over whole::bigint as all_ms, sum(visits) over whole::int as all_visits,
         sum(pages) over whole::int as all_pages,
         row_number() over (partition by stretch order by focused_ms desc, domain) as place
    from sums window whole as (partition by stretch))
select stretch, domain, focused_ms, visits, pages, all_ms, all_visits, all_pages
  from ranked where place <= $3 order by stretch, place""",
)


@dataclass(frozen=True, slots=True)
class Owned:
    id: UUID
    user_id: UUID


_OPERATOR = "whoever runs the server names sessions by their ids"
OWNER = Query(Owned, "select id, user_id from sessions where id = $1", across_users=_OPERATOR)
EVERY = Query(
    Owned,
    """
select id, user_id from sessions
 where id > $1 and ($2::uuid is null or user_id = $2)
 order by id limit 500""",
    across_users=_OPERATOR,
)
