"""What documents that the index suggests are like now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Query
from mindhit.library.store.candidates import IN_TIME


@dataclass(frozen=True, slots=True)
class Alive:
    """What is there of a candidate. `id` is of the document that a hit is of; a text's is that of the
    page at which it was last read."""

    number: int
    id: UUID
    kind: str
    session_id: UUID | None
    page_id: UUID | None
    content_id: UUID | None
    url_id: UUID | None
    domain: str | None
    at: datetime

    @property
    def key(self) -> UUID:
        """What it is of, as of candidates."""
        return self.url_id if self.kind == "page" and self.url_id else self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    user_id: UUID
    ids: list[UUID]
    from_at: datetime | None
    to_at: datetime | None


# Asked row by row, as a value: of `exists` inside of `or` or `case` the planner makes a hash of the whole
# table, everybody's visits, for every search. By page_visits_seen, but for pages that never were in focus:
# those are looked for among the session's visits.
_IS_SEEN = """coalesce(
          (select true from page_visits v
            where v.session_id = {d}.session_id and v.url_id = {d}.url_id and v.is_focused limit 1),
          (select true from page_visits v
            where v.session_id = {d}.session_id and v.url_id = {d}.url_id limit 1), false)"""
# A page of a session while it has a visit there, a highlight while it is there, a text while one of its
# pages is. Sessions and bookmarks take their documents along when they go.
ALIVE = Query(
    Alive,
    f"""
select n.number::int as number, coalesce(p.id, d.id) as id, coalesce(p.kind, d.kind) as kind,
       coalesce(p.session_id, d.session_id) as session_id, d.page_id,
       coalesce(p.content_id, d.content_id) as content_id, coalesce(p.url_id, d.url_id) as url_id,
       coalesce(p.domain, d.domain) as domain, coalesce(p.at, d.at) as at
  from unnest($ids::uuid[]) with ordinality as n (id, number)
  join search_docs d on d.id = n.id and d.user_id = $user_id
  left join lateral (
    select p.id, p.kind, p.session_id, p.content_id, p.url_id, p.domain, p.at
      from search_docs p
     where p.user_id = $user_id and p.content_id = d.text_id and p.kind = 'page'
       and {IN_TIME.format(d="p")} and {_IS_SEEN.format(d="p")}
     order by p.at desc limit 1) p on d.kind = 'text'
 where case d.kind when 'text' then p.id is not null
                   when 'page' then {_IS_SEEN.format(d="d")}
                   when 'highlight' then coalesce((select true from highlights h where h.id = d.id), false)
                   else true end
 order by n.number""",
    params=Suggested,
    across_users="the documents are this person's, and so are the visits and highlights they are of",
)


@dataclass(frozen=True, slots=True)
class LivePage:
    number: int
    titles: list[str]
    visit: int
    address: str
    domain: str
    content_title: str | None
    summary: str | None
    keywords: list[str] | None
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    user_id: UUID
    session_ids: list[UUID]
    url_ids: list[UUID]
    content_ids: list[UUID | None]


# The visit in which the text was read, else the longest. A reader's own text counts while a visit of this
# session has it; one that the server fetched, while it is the page's.
PAGES = Query(
    LivePage,
    """
select n.number::int as number, v.titles, v.visit, coalesce(v.address, u.url) as address, u.domain,
       c.title as content_title, c.summary, c.keywords, c.content as text
  from unnest($session_ids::uuid[], $url_ids::uuid[], $content_ids::uuid[])
         with ordinality as n (session_id, url_id, content_id, number)
  join sessions s on s.id = n.session_id and s.user_id = $user_id
  join urls u on u.id = n.url_id
 cross join lateral (
    select coalesce(array_agg(distinct v.title) filter (where v.title is not null), '{}') as titles,
           (array_agg(v.opened_by_seq order by v.content_id is not distinct from n.content_id desc,
                      v.is_focused desc, v.duration_ms desc))[1] as visit,
           (array_agg(v.address order by v.content_id is not distinct from n.content_id desc,
                      v.is_focused desc, v.duration_ms desc))[1] as address,
           bool_or(v.content_id = n.content_id) as is_text_read
      from page_visits v
     where v.session_id = s.id and v.url_id = n.url_id
    having count(*) > 0) v
  left join page_contents c
         on c.id = n.content_id
        and case when c.user_id is null
                 then (select true from reader_urls r
                        where r.user_id = $user_id and r.url_id = n.url_id and r.content_id = c.id)
                 else c.user_id = $user_id and v.is_text_read end""",
    params=Pages,
    across_users="a text without an owner was fetched without cookies, and is anybody's who was there",
)


@dataclass(frozen=True, slots=True)
class LiveSession:
    id: UUID
    title: str | None
    main_title: str | None
    keywords: list[str]
    topics: list[str] | None
    started_at: datetime


SESSIONS = Query(
    LiveSession,
    """
select s.id, s.title, s.main_title, s.top_keywords as keywords, t.labels as topics, s.started_at
  from sessions s
  left join search_topics t
         on t.session_id = s.id and t.timeline_version = s.timeline_version
        and s.main_url_id is not null
 where s.user_id = $1 and s.id = any ($2::uuid[])""",
)


@dataclass(frozen=True, slots=True)
class LiveHighlight:
    id: UUID
    session_id: UUID
    text: str
    note: str | None
    visit: int | None
    title: str | None
    address: str
    domain: str
    created_at: datetime


HIGHLIGHTS = Query(
    LiveHighlight,
    """
select h.id, h.session_id, h.text, o.note, h.visit_seq as visit, v.title, coalesce(v.address, u.url) as address,
       u.domain, h.created_at
  from sessions s
  join highlights h on h.session_id = s.id
  join urls u on u.id = h.url_id
  left join highlight_notes o on o.session_id = s.id and o.seq = h.seq
  left join page_visits v on v.session_id = s.id and v.opened_by_seq = h.visit_seq
 where s.user_id = $1 and h.id = any ($2::uuid[])""",
)


@dataclass(frozen=True, slots=True)
class LiveBookmark:
    id: UUID
    address: str
    domain: str | None
    title: str | None
    note: str | None
    tags: list[str]
    created_at: datetime
    link_title: str | None
    site_name: str | None
    description: str | None
    summary: str | None
    keywords: list[str] | None


BOOKMARKS = Query(
    LiveBookmark,
    """
select p.id, p.address, u.domain, p.title, p.note, p.tags, p.created_at, m.title as link_title,
       m.site_name, m.description, m.summary, m.keywords
  from pages p
  left join urls u on u.id = p.url_id
  left join link_metadata m on m.url_id = p.url_id
 where p.user_id = $1 and p.id = any ($2::uuid[])""",
)
