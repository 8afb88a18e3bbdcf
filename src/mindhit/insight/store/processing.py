"""What a session has read, what is still to be done with it, and who waits for what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Stock:
    """A closed session, and what was made of it so far."""

    status: str
    title: str | None
    title_by: str | None
    timeline_version: int
    quiet_s: float | None
    made_of: str | None
    again: list[str] | None
    asked_at: datetime | None
    language: str


# By primary keys.
STOCK = Query(
    Stock,
    """
select s.status, s.title, s.title_by, s.timeline_version,
       extract(epoch from now() - s.timeline_at)::float8 as quiet_s, g.made_of, q.again, q.asked_at,
       p.language
  from sessions s
  join user_settings p on p.user_id = s.user_id
  left join mindmap_graphs g on g.session_id = s.id
  left join processing_requests q on q.session_id = s.id
 where s.id = $1 and s.user_id = $2 and s.closed_at is not null""",
)
# Texts of pages that were in focus and have no summary, or one from before $3.
UNSUMMARISED = Query(
    UUID,
    """
with read as (
  select distinct coalesce(v.content_id, r.content_id) as content_id
    from sessions s
    join page_visits v on v.session_id = s.id and v.is_focused
    left join reader_urls r on r.user_id = $2 and r.url_id = v.url_id
   where s.id = $1 and s.user_id = $2)
select c.id
  from read join page_contents c
    on c.id = read.content_id and (c.user_id = $2 or c.user_id is null)
 where c.content <> '' and (c.summary is null or c.summarised_at < $3)
 order by c.id""",
)


@dataclass(frozen=True, slots=True)
class Text:
    id: UUID
    user_id: UUID | None
    title: str | None
    content: str
    is_summarised: bool


@dataclass(frozen=True, slots=True)
class TextSize:
    bytes: int
    characters: int


# What a model would be sent of the person's own texts of a session: $3 characters of each text, $4 of
# its title.
TEXT_SIZES = Query(
    TextSize,
    """
with read as (
  select distinct coalesce(v.content_id, r.content_id) as content_id
    from sessions s
    join page_visits v on v.session_id = s.id and v.is_focused
    left join reader_urls r on r.user_id = $2 and r.url_id = v.url_id
   where s.id = $1 and s.user_id = $2)
select octet_length(left(c.content, $3)) + octet_length(left(coalesce(c.title, ''), $4)) as bytes,
       char_length(c.content) as characters
  from read join page_contents c on c.id = read.content_id and c.user_id = $2
 where c.content <> ''
 order by c.id""",
)
# A person's text, or a public one. By the primary key.
TEXT = Query(
    Text,
    """
select id, user_id, title, content, summary is not null as is_summarised
  from page_contents where id = $1 and (user_id = $2 or user_id is null)""",
)
# Pages of the session that wait for what the server fetches.
PENDING = Query(
    int,
    """
select count(distinct v.url_id)::int
  from sessions s
  join page_visits v on v.session_id = s.id and v.is_focused
  join reader_urls r on r.user_id = s.user_id and r.url_id = v.url_id
                    and r.content_status = 'pending'
 where s.id = $1 and s.user_id = $2""",
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was in focus, with the text that was last seen of it; `seqs` name its visits."""

    url_id: UUID
    domain: str
    title: str | None
    seqs: list[int]
    duration_ms: int
    highlight_count: int
    content_id: UUID | None
    summary: str | None
    keywords: list[str]
    text: str | None


# In the order in which they were first read. $3 characters of each text.
PAGES = Query(
    Page,
    """
with
read as (
  select v.url_id, min(v.visit_order) as first, sum(v.duration_ms)::bigint as duration_ms,
         array_agg(v.opened_by_seq::bigint order by v.visit_order) as seqs,
         (array_agg(v.title order by v.visit_order desc)
            filter (where v.title is not null))[1] as title,
         (array_agg(v.content_id order by v.visit_order desc)
            filter (where v.content_id is not null))[1] as content_id
    from sessions s join page_visits v on v.session_id = s.id and v.is_focused
   where s.id = $1 and s.user_id = $2
   group by v.url_id),
marked as (
  select h.url_id, count(*)::int as count
    from sessions s join highlights h on h.session_id = s.id
   where s.id = $1 and s.user_id = $2
   group by h.url_id)
select v.url_id, u.domain, coalesce(v.title, c.title) as title, v.seqs, v.duration_ms,
       coalesce(m.count, 0) as highlight_count, c.id as content_id, c.summary,
       coalesce(c.keywords, '{}') as keywords, left(c.content, $3) as text
  from read v
  join urls u on u.id = v.url_id
  left join marked m on m.url_id = v.url_id
  left join reader_urls r on r.user_id = $2 and r.url_id = v.url_id
  left join page_contents c
    on c.id = coalesce(v.content_id, r.content_id) and (c.user_id = $2 or c.user_id is null)
 order by v.first""",
)


@dataclass(frozen=True, slots=True)
class PageBeginning:
    """What a question about many pages says of one of them."""

    domain: str
    title: str | None
    summary: str | None
    text: str | None


# Of the $4 pages that were read longest, in the order in which they were first read, $3 characters each of
# summary and text.
BEGINNINGS = Query(
    PageBeginning,
    """
with
read as (
  select v.url_id, min(v.visit_order) as first,
         (array_agg(v.title order by v.visit_order desc)
            filter (where v.title is not null))[1] as title,
         (array_agg(v.content_id order by v.visit_order desc)
            filter (where v.content_id is not null))[1] as content_id
    from sessions s join page_visits v on v.session_id = s.id and v.is_focused
   where s.id = $1 and s.user_id = $2
   group by v.url_id
   order by sum(v.duration_ms) desc, first limit $4)
select u.domain, coalesce(v.title, c.title) as title, left(c.summary, $3) as summary,
       left(c.content, $3) as text
  from read v
  join urls u on u.id = v.url_id
  left join reader_urls r on r.user_id = $2 and r.url_id = v.url_id
  left join page_contents c
    on c.id = coalesce(v.content_id, r.content_id) and (c.user_id = $2 or c.user_id is null)
 order by v.first""",
)
# What a reader wants made again.
REQUEST = Write(
    Nothing,
    """
insert into processing_requests (session_id, user_id, again)
select s.id, s.user_id, $3::text[] from sessions s where s.id = $1 and s.user_id = $2
on conflict (session_id) do update set again = excluded.again, asked_at = now()""",
)
# It was made; unless it was asked for again meanwhile.
REQUEST_MET = Write(
    Nothing,
    "delete from processing_requests where session_id = $1 and user_id = $2 and asked_at = $3",
)
CONTENT_OF_PAGE = Query(
    UUID,
    """
select content_id from reader_urls
 where user_id = $1 and url_id = $2 and content_id is not null""",
)


@dataclass(frozen=True, slots=True)
class Unmapped:
    id: UUID
    user_id: UUID
    started_at: datetime


# Closed sessions without a map, newest first, before ($1, $2).
UNMAPPED = Query(
    Unmapped,
    """
select s.id, s.user_id, s.started_at
  from sessions s
 where s.status = 'completed' and s.closed_at is not null and (s.started_at, s.id) < ($1, $2)
   and not exists (select from mindmap_graphs g where g.session_id = s.id)
 order by s.started_at desc, s.id desc limit 500""",
    across_users="everybody's sessions from before there were maps",
)


@dataclass(frozen=True, slots=True)
class Waiting:
    user_id: UUID
    url_id: UUID
    address: str
    domain: str


# Pages that wait for a text since before anybody fetched, after ($1, $2).
WAITING = Query(
    Waiting,
    """
select r.user_id, r.url_id, coalesce(r.address, u.url) as address, u.domain
  from reader_urls r join urls u on u.id = r.url_id
 where r.content_status = 'pending' and (r.user_id, r.url_id) > ($1, $2)
 order by r.user_id, r.url_id limit 500""",
    across_users="everybody's pages from before they were fetched",
)
IS_BACKFILLED = Query(bool, "select done_at is not null from insight_backfill")
BACKFILLED = Write(Nothing, "update insight_backfill set done_at = now() where done_at is null")
