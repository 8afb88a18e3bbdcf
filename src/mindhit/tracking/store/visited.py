"""One page in all of a person's sessions: its text, its visits, what led to it and where it led."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.db import Query
from mindhit.tracking.shapes import LinkedPage
from mindhit.tracking.store.iso import iso


@dataclass(frozen=True, slots=True)
class Page:
    """A page that a reader has met, with the newest text that was read there."""

    url_id: UUID
    url: str
    domain: str
    title: str | None
    favicon: str | None
    summary: str | None
    keywords: list[str]
    content_status: str | None
    text: str | None
    read_at: str | None


@dataclass(frozen=True, slots=True)
class Visit:
    id: str
    session_id: UUID
    session_title: str | None
    title: str | None
    entered_at: str
    left_at: str
    duration_ms: int
    is_focused: bool
    transition: str | None
    came_from: str | None


# $3 is the path that icons are below.
PAGE = Query(
    Page,
    f"""
select r.url_id, coalesce(r.address, u.url) as url, u.domain, c.title,
       coalesce($3 || c.icon, c.favicon) as favicon, c.summary,
       coalesce(c.keywords, '{{}}') as keywords, r.content_status, c.content as text,
       {iso("r.read_at")} as read_at
  from reader_urls r
  join urls u on u.id = r.url_id
  left join page_contents c on c.id = r.content_id and (c.user_id = $1 or c.user_id is null)
 where r.user_id = $1 and r.url_id = $2""",
)

# The person's sessions in which the page was in focus: one lookup in each, by page_visits_seen. Lateral,
# since of `exists` the planner makes a hash of everybody's visits.
_SEEN: Final = """sessions s
  join lateral (select from page_visits p
                 where p.session_id = s.id and p.url_id = $2 and p.is_focused limit 1) seen on true"""

# Newest first. Also those behind another program, in sessions where the page was in focus too.
VISITS = Query(
    Visit,
    f"""
select v.session_id || ':' || v.opened_by_seq as id, v.session_id,
       coalesce(s.title, s.main_title) as session_title, v.title,
       {iso("v.entered_at")} as entered_at, {iso("v.left_at")} as left_at, v.duration_ms,
       v.is_focused, v.transition, coalesce(fr.address, f.url) as came_from
  from {_SEEN}
  join page_visits v on v.session_id = s.id and v.url_id = $2
  left join urls f on f.id = v.from_url_id
  left join reader_urls fr on fr.user_id = $1 and fr.url_id = v.from_url_id
 where s.user_id = $1
 order by v.entered_at desc, v.session_id limit $3""",
)


def _linked(linked: str, title: str, condition: str) -> str:
    return f"""
with linked as (
  select {linked} as url_id, {title} as title, count(*)::int as visits, max(v.entered_at) as last_at
    from {_SEEN}
    join page_visits v on v.session_id = s.id
   where s.user_id = $1 and {condition}
   group by {linked}
   order by count(*) desc, max(v.entered_at) desc, {linked} limit $3)
select l.url_id, coalesce(r.address, u.url) as url, u.domain, coalesce(l.title, c.title) as title,
       coalesce($4 || c.icon, c.favicon) as favicon, l.visits
  from linked l
  join urls u on u.id = l.url_id
  left join reader_urls r on r.user_id = $1 and r.url_id = l.url_id
  left join page_contents c on c.id = r.content_id and (c.user_id = $1 or c.user_id is null)
 order by l.visits desc, l.last_at desc, l.url_id"""


# Pages from which this one was reached, and those that were opened from it; the most often used first. $3
# is how many, $4 the path that icons are below.
REACHED_FROM = Query(
    LinkedPage,
    _linked(
        "v.from_url_id",
        "null::text",
        "v.url_id = $2 and v.from_url_id is not null and v.from_url_id <> $2",
    ),
)
OPENED = Query(
    LinkedPage,
    _linked(
        "v.url_id",
        "(array_agg(v.title order by v.entered_at desc) filter (where v.title is not null))[1]",
        "v.from_url_id = $2 and v.url_id <> $2",
    ),
)
