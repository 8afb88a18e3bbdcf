"""One session: from columns that the writes keep, and the timeline row by row.

Visits, pauses and highlights have no `user_id`: they are reached through their session, and a content
only where it is the reader's own or shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from mindhit.db import Query
from mindhit.tracking.shapes import HighlightItem, PageVisitItem, PauseItem
from mindhit.tracking.store.iso import iso


@dataclass(frozen=True, slots=True)
class Summary:
    """A session in a list: what it is named after, and the state of one that is still open."""

    id: UUID
    title: str | None
    title_by: str | None
    main_title: str | None
    main_address: str | None
    status: str
    started_at: str
    ended_at: str | None
    last_event_at: str | None
    total_duration_ms: int
    page_count: int
    highlight_count: int
    top_keywords: list[str]
    top_domains: list[str]
    device_id: UUID | None
    is_incomplete: bool
    is_over_limit: bool
    expires_at: str | None
    fold_state: bytes | None


# The domains and the main page of a closed timeline are kept; those of the few that are not are added
# up here.
SUMMARIES = Query(
    Summary,
    f"""
select s.id, s.title, s.title_by, coalesce(m.title, c.title) as main_title,
       coalesce(r.address, u.url) as main_address, s.status,
       {iso("s.started_at")} as started_at,
       {iso("s.ended_at")} as ended_at, {iso("s.last_event_at")} as last_event_at,
       s.total_duration_ms, s.page_count, s.highlight_count, s.top_keywords,
       case when s.closed_at is not null then s.top_domains
            else array(select u.domain
                         from page_visits v join urls u on u.id = v.url_id
                        where v.session_id = s.id and v.is_focused
                        group by u.domain
                        order by sum(v.duration_ms) desc, u.domain limit 5) end as top_domains,
       s.device_id,
       s.holes <> '[]' or s.parked <> '[]' or coalesce(s.last_seq > s.max_seq, false)
         as is_incomplete,
       s.is_over_limit, {iso("s.expires_at")} as expires_at,
       case when s.closed_at is null then s.fold_state end as fold_state
  from sessions s
  left join lateral (
       select s.main_url_id as url_id, s.main_title as title where s.closed_at is not null
       union all
       (select v.url_id, (array_agg(v.title order by v.visit_order desc)
                            filter (where v.title is not null))[1]
          from page_visits v
         where s.closed_at is null and v.session_id = s.id and v.is_focused
         group by v.url_id order by sum(v.duration_ms) desc, min(v.visit_order) limit 1)
       ) m on s.title is null
  left join urls u on u.id = m.url_id
  left join reader_urls r on r.user_id = $1 and r.url_id = m.url_id
  left join page_contents c on c.id = r.content_id and (c.user_id = $1 or c.user_id is null)
 where s.user_id = $1 and s.id = any ($2::uuid[])
 order by s.started_at desc, s.id desc""",
)


@dataclass(frozen=True, slots=True)
class Inside:
    """What a session knows about its log, and the state of its timeline."""

    next_seq: int
    last_seq: int | None
    parked: Any
    holes: Any
    fold_state: bytes | None
    event_count: int
    rejected_count: int
    error: str | None
    version: int
    progress: Any


INSIDE = Query(
    Inside,
    """
select next_seq, last_seq, parked, holes, fold_state, event_count, rejected_count, error, version,
       progress
  from sessions where user_id = $1 and id = $2""",
)
VERSION = Query(int, "select version from sessions where user_id = $1 and id = $2")


def _item(icon_path: str) -> str:
    return f"""v.session_id || ':' || v.opened_by_seq as id, v.url_id,
       coalesce(v.address, u.url) as url, u.domain,
       coalesce(v.title, c.title,
                case when v.address is not distinct from r.address then n.title end) as title,
       coalesce({icon_path} || coalesce(c.icon, n.icon), c.favicon, n.favicon) as favicon,
       coalesce(c.summary, n.summary) as summary,
       coalesce(c.keywords, n.keywords, '{{}}') as keywords,
       coalesce(c.status, r.content_status) as content_status,
       {iso("v.entered_at")} as entered_at, {iso("v.left_at")} as left_at, v.duration_ms,
       v.is_focused, v.visit_order, v.tab_id, v.transition,
       coalesce(fr.address, f.url) as came_from"""


def _joined(user_id: str) -> str:
    """c: what the reader saw in this visit; n: the newest content of the url, which is not this visit's
    where an app was at another route; f and fr: the page that led there. Each by its key."""
    return f"""
  join urls u on u.id = v.url_id
  left join reader_urls r on r.user_id = {user_id} and r.url_id = v.url_id
  left join page_contents c on c.id = v.content_id and (c.user_id = {user_id} or c.user_id is null)
  left join page_contents n on n.id = r.content_id and (n.user_id = {user_id} or n.user_id is null)
  left join urls f on f.id = v.from_url_id
  left join reader_urls fr on fr.user_id = {user_id} and fr.url_id = v.from_url_id"""


# $3 is the path that icons are below.
VISITS = Query(
    PageVisitItem,
    f"""
select {_item("$3")}
  from sessions s
  join page_visits v on v.session_id = s.id {_joined("$1")}
 where s.user_id = $1 and s.id = $2
 order by v.visit_order""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenVisit:
    """A visit that has not ended."""

    user_id: UUID
    session_id: UUID
    icon_path: str
    opened_by_seq: int
    visit_order: int
    url_id: UUID
    tab_id: int | None
    entered_ms: int
    duration_ms: int
    is_focused: bool
    title: str | None
    content_id: UUID | None
    transition: str | None
    from_url_id: UUID | None
    address: str | None


# The item of a visit that is not a row yet, as it has not ended.
OPEN_VISIT = Query(
    PageVisitItem,
    f"""
select {_item("$icon_path")}
  from (select $session_id::uuid as session_id, $opened_by_seq::int as opened_by_seq,
               $visit_order::int as visit_order, $url_id::uuid as url_id, $tab_id::int as tab_id,
               timestamptz 'epoch' + $entered_ms::bigint * interval '1 millisecond' as entered_at,
               null::timestamptz as left_at, $duration_ms::bigint as duration_ms,
               $is_focused::bool as is_focused, $title::text as title,
               $content_id::uuid as content_id, $transition::text as transition,
               $from_url_id::uuid as from_url_id, $address::text as address) v {_joined("$user_id")}""",
    params=OpenVisit,
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
# Of sessions ($2) and a url of each ($3), those where it was in focus before, in a visit that has
# ended. By page_visits_seen; `is not distinct from` keeps the planner off the index on user_id.
SEEN_BEFORE = Query(
    UUID,
    """
select s.id from unnest($2::uuid[], $3::uuid[]) as n (session_id, url_id)
  join sessions s on s.id = n.session_id and s.user_id is not distinct from $1
 where exists (select from page_visits v
                where v.session_id = n.session_id and v.url_id = n.url_id and v.is_focused)""",
)
PAUSES = Query(
    PauseItem,
    f"""
select p.kind, {iso("p.entered_at")} as entered_at, {iso("p.left_at")} as left_at,
       (extract(epoch from p.left_at - p.entered_at) * 1000)::bigint as duration_ms
  from sessions s join session_pauses p on p.session_id = s.id
 where s.user_id = $1 and s.id = $2
 order by p.entered_at""",
)
# $3 is the first event of the visit that has not ended.
HIGHLIGHTS = Query(
    HighlightItem,
    f"""
select h.id, h.text, o.note, h.url_id, coalesce(v.address, r.address, u.url) as url, {iso("h.created_at")} as created_at,
       case when h.visit_seq = $3 or v.session_id is not null
            then h.session_id || ':' || h.visit_seq end as page_visit_id
  from sessions s
  join highlights h on h.session_id = s.id
  join urls u on u.id = h.url_id
  left join highlight_notes o on o.session_id = h.session_id and o.seq = h.seq
  left join page_visits v on v.session_id = h.session_id and v.opened_by_seq = h.visit_seq
  left join reader_urls r on r.user_id = $1 and r.url_id = h.url_id
 where s.user_id = $1 and s.id = $2
 order by h.seq""",
)
