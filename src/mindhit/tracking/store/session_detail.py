"""One session: from columns that the writes keep, and the timeline row by row.

Visits, pauses and highlights have no `user_id`: they are reached through their session, and a content
only where it is the reader's own or shared.
"""

from __future__ import annotations

from dataclasses import dataclass
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


INSIDE = Query(
    Inside,
    """
select next_seq, last_seq, parked, holes, fold_state, event_count, rejected_count, error, version
  from sessions where user_id = $1 and id = $2""",
)
VERSION = Query(int, "select version from sessions where user_id = $1 and id = $2")


def _item(icon_path: str) -> str:
    return f"""v.session_id || ':' || v.opened_by_seq as id, u.url, u.domain,
       coalesce(v.title, c.title, n.title) as title,
       coalesce({icon_path} || coalesce(c.icon, n.icon), c.favicon, n.favicon) as favicon,
       coalesce(c.summary, n.summary) as summary,
       coalesce(c.keywords, n.keywords, '{{}}') as keywords,
       coalesce(c.status, r.content_status) as content_status,
       {_iso("v.entered_at")} as entered_at, {_iso("v.left_at")} as left_at, v.duration_ms,
       v.is_focused, v.visit_order, v.tab_id, v.transition, f.url as came_from"""


def _joined(user_id: str) -> str:
    """c: what the reader saw in this visit; n: the newest content of the url. Each by its key."""
    return f"""
  join urls u on u.id = v.url_id
  left join reader_urls r on r.user_id = {user_id} and r.url_id = v.url_id
  left join page_contents c on c.id = v.content_id and (c.user_id = {user_id} or c.user_id is null)
  left join page_contents n on n.id = r.content_id and (n.user_id = {user_id} or n.user_id is null)
  left join urls f on f.id = v.from_url_id"""


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
               $from_url_id::uuid as from_url_id) v {_joined("$user_id")}""",
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
# Was a url in the foreground before, in a visit that has ended? By page_visits_seen.
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
# $3 is the first event of the visit that has not ended.
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
# For the operator, who names sessions by their ids alone.
OWNER = Query(
    UUID,
    "select user_id from sessions where id = $1",
    across_users="the operator names sessions by their ids",
)
