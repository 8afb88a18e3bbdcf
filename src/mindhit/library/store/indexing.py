"""What search indexes: sessions, the pages and highlights in them, texts, bookmarks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class SessionWords:
    title: str | None
    keywords: list[str]
    topics: list[str] | None
    started_at: datetime
    is_closed: bool


# Topics of an earlier timeline may be of pages that were forgotten since; so may those of a session
# that lost its main page a moment ago, and is still to be folded again.
_TOPICS: Final = """
  left join search_topics t
         on t.session_id = s.id and t.timeline_version = s.timeline_version
        and s.main_url_id is not null"""
SESSION = Query(
    SessionWords,
    f"""
select s.title, s.top_keywords as keywords, t.labels as topics, s.started_at,
       s.closed_at is not null as is_closed
  from sessions s {_TOPICS}
 where s.user_id = $1 and s.id = $2""",
)


@dataclass(frozen=True, slots=True)
class PageWords:
    url_id: UUID
    url: str
    domain: str
    address: str | None
    titles: list[str]
    content_ids: list[UUID]
    at: datetime


# The pages of a session, each with what it was called and the texts that were read there. A text that
# the server fetched counts where the browser told none.
PAGES = Query(
    PageWords,
    """
select v.url_id, u.url, u.domain, min(v.address) as address,
       coalesce(array_agg(distinct v.title) filter (where v.title is not null), '{}') as titles,
       coalesce(array_agg(distinct coalesce(v.content_id, r.content_id))
                  filter (where coalesce(v.content_id, r.content_id) is not null), '{}') as content_ids,
       max(v.entered_at) as at
  from sessions s
  join page_visits v on v.session_id = s.id
  join urls u on u.id = v.url_id
  left join reader_urls r
         on r.user_id = s.user_id and r.url_id = v.url_id and r.content_status = 'crawled'
 where s.user_id = $1 and s.id = $2
 group by v.url_id, u.url, u.domain""",
)


@dataclass(frozen=True, slots=True)
class HighlightWords:
    id: UUID
    url_id: UUID
    domain: str
    text: str
    note: str | None
    created_at: datetime


HIGHLIGHTS = Query(
    HighlightWords,
    """
select h.id, h.url_id, u.domain, h.text, o.note, h.created_at
  from sessions s
  join highlights h on h.session_id = s.id
  join urls u on u.id = h.url_id
  left join highlight_notes o on o.session_id = s.id and o.seq = h.seq
 where s.user_id = $1 and s.id = $2""",
)


@dataclass(frozen=True, slots=True)
class TextWords:
    id: UUID
    title: str | None
    text: str
    summary: str | None
    keywords: list[str] | None
    url_id: UUID
    domain: str
    months: list[str]
    at: datetime


# Texts with the site and the months of the pages they were read at; those of no page are left out. Rides
# search_docs_of_content.
TEXTS = Query(
    TextWords,
    """
select c.id, c.title, c.content as text, c.summary, c.keywords, p.url_id, p.domain, p.months, p.at
  from page_contents c
 cross join lateral (
   select (array_agg(d.url_id order by d.at desc))[1] as url_id, min(d.domain) as domain, array_agg(distinct to_char(d.at, 'YYYYMM')) as months,
          max(d.at) as at
     from search_docs d
    where d.content_id = c.id and d.user_id = $1 and d.kind = 'page') p
 where c.id = any ($2::uuid[]) and (c.user_id = $1 or c.user_id is null) and p.domain is not null""",
)
# Sessions that a text came to after they were closed: the server fetched it for a page of theirs. Reads a
# person's pages and sessions, so only where it is such a text.
SESSIONS_OF_TEXT = Query(
    UUID,
    """
select s.id
  from page_contents c
  join reader_urls r on r.user_id = $1 and r.content_id = c.id
  join sessions s on s.user_id = $1 and s.closed_at is not null
 where c.id = $2 and c.user_id is null
   and exists (select from page_visits v where v.session_id = s.id and v.url_id = r.url_id)
   and not exists (select from search_docs d
                    where d.user_id = $1 and d.session_id = s.id and d.content_id = c.id)""",
)
# Whose search has a text that the server fetched.
READERS = Query(
    UUID,
    "select distinct user_id from search_docs where content_id = $1 and kind = 'page'",
    across_users="a public text was summarised, for everybody who was there",
)


@dataclass(frozen=True, slots=True)
class BookmarkWords:
    id: UUID
    url_id: UUID | None
    kind: str
    address: str
    domain: str | None
    title: str | None
    note: str | None
    tags: list[str]
    created_at: datetime
    seq: int
    link_title: str | None
    site_name: str | None
    description: str | None
    summary: str | None
    keywords: list[str] | None


# Those that changed since, in the order of the counter. Rides pages_changed.
BOOKMARKS = Query(
    BookmarkWords,
    """
select p.id, p.url_id, p.kind, p.address, u.domain, p.title, p.note, p.tags, p.created_at, p.seq,
       m.title as link_title, m.site_name, m.description, m.summary, m.keywords
  from pages p
  left join urls u on u.id = p.url_id
  left join link_metadata m on m.url_id = p.url_id
 where p.user_id = $1 and (p.seq, p.id) > ($2, $3::uuid)
 order by p.seq, p.id limit $4""",
)
PROGRESS = Query(int, "select seq from search_progress where user_id = $1")
# Never back: whoever indexed more has got further.
ADVANCE = Write(
    Nothing,
    """
insert into search_progress as p (user_id, seq) values ($1, $2)
on conflict (user_id) do update set seq = greatest(p.seq, excluded.seq)""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Docs:
    user_id: UUID
    ids: list[UUID]
    kinds: list[str]
    session_ids: list[UUID | None]
    page_ids: list[UUID | None]
    text_ids: list[UUID | None]
    content_ids: list[UUID | None]
    url_ids: list[UUID | None]
    domains: list[str | None]
    at: list[datetime]
    lexemes: list[str]


# Nothing is written where nothing changed: entries of the index are the dear part.
PUT = Write(
    Nothing,
    """
insert into search_docs as d
  (id, user_id, kind, session_id, page_id, text_id, content_id, url_id, domain, at, lexemes)
select n.id, $user_id::uuid, n.kind, n.session_id, n.page_id, n.text_id, n.content_id, n.url_id,
       n.domain, n.at, n.lexemes::tsvector
  from unnest($ids::uuid[], $kinds::text[], $session_ids::uuid[], $page_ids::uuid[], $text_ids::uuid[],
              $content_ids::uuid[], $url_ids::uuid[], $domains::text[], $at::timestamptz[],
              $lexemes::text[])
         as n (id, kind, session_id, page_id, text_id, content_id, url_id, domain, at, lexemes)
on conflict (id) do update
   set content_id = excluded.content_id, url_id = excluded.url_id, domain = excluded.domain,
       at = excluded.at, lexemes = excluded.lexemes
 where (d.at, d.lexemes, d.domain) is distinct from (excluded.at, excluded.lexemes, excluded.domain)
    or (d.content_id, d.url_id) is distinct from (excluded.content_id, excluded.url_id)""",
    params=Docs,
)
# What is no longer in a session.
DROP_OTHERS = Write(
    Nothing,
    "delete from search_docs where user_id = $1 and session_id = $2 and id <> all ($3::uuid[])",
)
# Bookmarks that turned into something that is not found: separators have no words.
DROP = Write(Nothing, "delete from search_docs where user_id = $1 and id = any ($2::uuid[])")

PUT_TOPICS = Write(
    Nothing,
    """
insert into search_topics (session_id, user_id, labels, timeline_version)
select s.id, s.user_id, $3::text[], $4::int
  from sessions s where s.user_id = $1 and s.id = $2
on conflict (session_id) do update
   set labels = excluded.labels, timeline_version = excluded.timeline_version""",
)

_BEFORE: Final = "what was there before search is indexed for everybody"
IS_BACKFILLED = Query(bool, "select done_at is not null as is_done from search_backfill")
BACKFILLED = Write(Nothing, "update search_backfill set done_at = now()")


@dataclass(frozen=True, slots=True)
class ClosedSession:
    id: UUID
    user_id: UUID
    started_at: datetime


# Newest first, from a place on.
CLOSED = Query(
    ClosedSession,
    """
select id, user_id, started_at from sessions
 where closed_at is not null and (started_at, id) < ($1::timestamptz, $2::uuid)
 order by started_at desc, id desc limit 500""",
    across_users=_BEFORE,
)
WITH_BOOKMARKS = Query(
    UUID,
    "select user_id from user_sync_state where user_id > $1 order by user_id limit 500",
    across_users=_BEFORE,
)
