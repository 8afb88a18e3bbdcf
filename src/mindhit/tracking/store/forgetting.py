"""Forgetting: the ranges, what they concern, and taking it out of logs and timelines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.columns import ArrayLiteral

# The ranges of the person $2 as an array of arrays, in the order of the fields of `Range`; null where
# there are none, which is one probe of forgotten_ranges_by_user.
FORGOTTEN = """(
  select jsonb_agg(jsonb_build_array(
           coalesce((extract(epoch from f.from_at) * 1000)::bigint, 0),
           (extract(epoch from f.to_at) * 1000)::bigint, f.session_id, f.domain_hash, f.url_hash))
    from forgotten_ranges f where f.user_id = $2)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRange:
    id: UUID
    user_id: UUID
    from_at: datetime | None
    to_at: datetime
    session_id: UUID | None
    domain_hash: UUID | None
    url_hash: UUID | None
    sessions: int
    is_done: bool


ADD = Write(
    Nothing,
    """
insert into forgotten_ranges (id, user_id, from_at, to_at, session_id, domain_hash, url_hash, sessions,
                              sessions_done, done_at)
values ($id, $user_id, $from_at::timestamptz, $to_at, $session_id::uuid, $domain_hash::uuid,
        $url_hash::uuid, $sessions, case when $is_done then $sessions else 0 end,
        case when $is_done then now() end)""",
    params=NewRange,
)


@dataclass(frozen=True, slots=True)
class StoredRange:
    id: UUID
    from_at: datetime | None
    to_at: datetime
    session_id: UUID | None
    domain_hash: UUID | None
    url_hash: UUID | None
    sessions: int
    sessions_done: int
    last_session_id: UUID | None
    done_at: datetime | None
    created_at: datetime


BY_ID = Query(
    StoredRange,
    """
select id, from_at, to_at, session_id, domain_hash, url_hash, sessions, sessions_done,
       last_session_id, done_at, created_at
  from forgotten_ranges where user_id = $1 and id = $2""",
)
# As ingesting.LOCK reads them, for a session that is folded again.
OF_PERSON = Query(Any, f"select {FORGOTTEN} as ranges from sessions where id = $1 and user_id = $2")
ADVANCE = Write(
    Nothing,
    """
update forgotten_ranges set last_session_id = $3, sessions_done = sessions_done + 1
 where user_id = $1 and id = $2 and done_at is null""",
)
FINISH = Write(
    Nothing,
    """
update forgotten_ranges set done_at = now(), sessions_done = sessions
 where user_id = $1 and id = $2 and done_at is null""",
)
PRUNE = Write(
    Nothing,
    "delete from forgotten_ranges where created_at < $1 and done_at is not null",
    across_users="retention applies to everybody",
)

# A browser's clock may be ahead of ours: what it has sent lies before the moment of forgetting.
LATEST_EVENT = Query(
    datetime,
    """
select last_event_at from sessions
 where user_id = $1 and status in ('recording', 'processing')
   and last_event_at < now() + interval '1 day'
 order by last_event_at desc limit 1""",
)
OWN_URLS_OF_SITE = Query(
    UUID,
    """
select r.url_id from reader_urls r join urls u on u.id = r.url_id
 where r.user_id = $1 and (u.domain = $2 or right(u.domain, length($2) + 1) = '.' || $2)""",
)


@dataclass(frozen=True, slots=True)
class OwnUrl:
    id: UUID
    domain: str


# By reader_urls' key, in pieces.
OWN_URLS = Query(
    OwnUrl,
    """
select r.url_id as id, u.domain from reader_urls r join urls u on u.id = r.url_id
 where r.user_id = $1 and r.url_id > $2 order by r.url_id limit $3""",
)
DOMAINS = Query(OwnUrl, "select id, domain from urls where id = any ($1::uuid[])")
EVENT_COUNT = Query(
    int, "select coalesce(sum(event_count), 0)::bigint as events from sessions where user_id = $1"
)


@dataclass(frozen=True, slots=True)
class Concerned:
    id: UUID
    event_count: int


# A session may have events from a little before the start it told, and while it is recorded its end is
# open. $2, $3: from and to.
_IN_TIME = """s.started_at < $3::timestamptz + interval '1 day'
   and (s.stopped_at is null or $2::timestamptz is null
        or greatest(s.started_at, s.ended_at, s.last_event_at) > $2 - interval '1 day')"""
# Sessions of a stretch of time, by sessions_by_start.
IN_TIME = Query(
    Concerned, f"select s.id, s.event_count from sessions s where s.user_id = $1 and {_IN_TIME}"
)
ONE = Query(Concerned, "select id, event_count from sessions where user_id = $1 and id = $2")
_NAMES = """(exists (select from raw_events e
                where e.month = s.month and e.session_id = s.id and e.url_id = any ($2::uuid[]))
        or exists (select from page_visits v
                    where v.session_id = s.id
                      and (v.url_id = any ($2) or v.from_url_id = any ($2)))
        or exists (select from highlights h
                    where h.session_id = s.id and h.url_id = any ($2)))"""
# Sessions with one of these URLs: one pass over the person's log, or over one session's.
NAMING = Query(
    Concerned, f"select s.id, s.event_count from sessions s where s.user_id = $1 and {_NAMES}"
)
IS_NAMING = Query(
    bool, f"select {_NAMES} as is_naming from sessions s where s.user_id = $1 and s.id = $3"
)
# Those the job goes through, in the order of their ids.
AFTER = Query(
    UUID,
    f"""
select s.id from sessions s
 where s.user_id = $1 and s.id > $4 and {_IN_TIME} order by s.id limit 100""",
)
COUNT_IN_TIME = Query(
    int, f"select count(*)::int as sessions from sessions s where s.user_id = $1 and {_IN_TIME}"
)
# Those a batch may have reached that had not seen the range yet.
HEARD_SINCE = Query(UUID, "select id from sessions where user_id = $1 and heard_at >= $2")


@dataclass(frozen=True, slots=True)
class VisitTime:
    url_id: UUID
    entered_at: datetime
    left_at: datetime


VISIT = Query(
    VisitTime,
    """
select v.url_id, v.entered_at, v.left_at
  from sessions s join page_visits v on v.session_id = s.id
 where s.user_id = $1 and s.id = $2 and v.opened_by_seq = $3""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """Visits in [from, to), of these URLs if any are given, in these sessions if any are given."""

    user_id: UUID
    from_at: datetime | None
    to_at: datetime
    url_ids: list[UUID] | None
    session_ids: list[UUID] | None


_SELECTED_SESSIONS = """s.user_id = $user_id
   and ($session_ids::uuid[] is null or s.id = any ($session_ids))
   and s.started_at < $to_at::timestamptz + interval '1 day'
   and (s.stopped_at is null or $from_at::timestamptz is null
        or greatest(s.started_at, s.ended_at, s.last_event_at) > $from_at - interval '1 day')"""
_SELECTED_VISITS = """v.entered_at < $to_at::timestamptz
   and v.left_at > coalesce($from_at::timestamptz, '-infinity')
   and ($url_ids::uuid[] is null or v.url_id = any ($url_ids::uuid[]))"""
_SELECTED_HIGHLIGHTS = """(
     (h.created_at >= coalesce($from_at::timestamptz, '-infinity') and h.created_at < $to_at::timestamptz
      and ($url_ids::uuid[] is null or h.url_id = any ($url_ids::uuid[])))
  or exists (select from page_visits v
              where v.session_id = h.session_id and v.opened_by_seq = h.visit_seq
                and {_SELECTED_VISITS}))""".replace("{_SELECTED_VISITS}", _SELECTED_VISITS)


@dataclass(frozen=True, slots=True)
class Counts:
    sessions: int
    visits: int
    pages: int
    highlights: int


PREVIEW = Query(
    Counts,
    f"""
with
visits as (
  select v.session_id, v.url_id from sessions s join page_visits v on v.session_id = s.id
   where {_SELECTED_SESSIONS} and {_SELECTED_VISITS}),
marked as (
  select h.session_id from sessions s join highlights h on h.session_id = s.id
   where {_SELECTED_SESSIONS} and {_SELECTED_HIGHLIGHTS})
select (select count(*) from (select session_id from visits union select session_id from marked) c)::int
         as sessions,
       (select count(*) from visits)::int as visits,
       (select count(distinct url_id) from visits)::int as pages,
       (select count(*) from marked)::int as highlights""",
    params=Selected,
)

# Sessions whose timelines show something of it.
SHOWING = Query(
    UUID,
    f"""
select s.id from sessions s
 where {_SELECTED_SESSIONS}
   and (exists (select from page_visits v
                 where v.session_id = s.id
                   and ({_SELECTED_VISITS} or v.from_url_id = any ($url_ids::uuid[])))
        or exists (select from highlights h
                    where h.session_id = s.id and {_SELECTED_HIGHLIGHTS}))""",
    params=Selected,
)
# A timeline without its log, or before it is folded again. In this order: highlights are found by their
# visits. Sessions first, in the order of their ids: whoever holds one waits for no other.
LOCK_SESSIONS = Write(
    UUID,
    """
select id from sessions where user_id = $1 and id = any ($2::uuid[]) order by id for no key update""",
)
DELETE_HIGHLIGHTS = Write(
    Nothing,
    f"""
delete from highlights h using sessions s
 where h.session_id = s.id and {_SELECTED_SESSIONS} and {_SELECTED_HIGHLIGHTS}""",
    params=Selected,
)
# Returns the pages that were visited.
PAUSE_VISITS = Write(
    UUID,
    f"""
with gone as (
  delete from page_visits v using sessions s
   where v.session_id = s.id and {_SELECTED_SESSIONS} and {_SELECTED_VISITS}
  returning v.session_id, v.url_id, v.entered_at, v.left_at
), paused as (
  insert into session_pauses (session_id, kind, entered_at, left_at)
  select session_id, 'no_page', entered_at, left_at from gone
  on conflict do nothing)
select distinct url_id from gone""",
    params=Selected,
    across_users="the pauses take the place of visits that were selected as this person's",
)
# A page that led to another, where none of its own visits is left.
DELETE_ORIGINS = Write(
    Nothing,
    """
update page_visits v set from_url_id = null
  from sessions s
 where v.session_id = s.id and s.user_id = $1 and s.id = any ($2::uuid[])
   and v.from_url_id is not null
   and not exists (select from page_visits o
                    where o.session_id = v.session_id and o.url_id = v.from_url_id)""",
)
# Lists show the domains of closed timelines from here, and what was made of the pages. What a session
# without a title is called is found again when its log is redacted.
HIDE_DOMAINS = Write(
    Nothing,
    """
update sessions s
   set top_domains = array(select d.name from unnest(s.top_domains) with ordinality d (name, number)
                            where exists (select from page_visits v join urls u on u.id = v.url_id
                                           where v.session_id = s.id and u.domain = d.name)
                            order by d.number),
       top_keywords = '{}', main_url_id = null, main_title = null, progress = null,
       title = case when title_by = 'reader' then title end,
       title_by = case when title_by = 'reader' then title_by end,
       version = version + 1, updated_at = now()
 where s.user_id = $1 and s.id = any ($2::uuid[])""",
)
RENUMBER = Write(
    Nothing,
    """
update page_visits v set visit_order = n.number
  from (select o.session_id, o.opened_by_seq,
               row_number() over (order by o.visit_order) as number
          from page_visits o join sessions s on s.id = o.session_id
         where s.user_id = $1 and s.id = $2) n
 where v.session_id = n.session_id and v.opened_by_seq = n.opened_by_seq
   and v.visit_order <> n.number""",
)
# What a fold carries on is of no use without the log, and has the titles of open tabs in it.
DROP_STATE = Write(
    Nothing,
    """
update sessions set fold_state = null, version = version + 1, updated_at = now()
 where user_id = $1 and id = $2""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """Events as they are from now on."""

    month: date
    session_id: UUID
    seqs: ArrayLiteral
    url_ids: list[UUID | None]
    payloads: list[bytes | None]


REDACT = Write(
    Nothing,
    """
update raw_events e set url_id = n.url_id, payload = n.payload
  from unnest($seqs::text::int[], $url_ids::uuid[], $payloads::jsonb[]) as n (seq, url_id, payload)
 where e.month = $month and e.session_id = $session_id and e.seq = n.seq""",
    params=Redacted,
    across_users="the same transaction has locked the session as this person's",
)
# Texts that were read in the session at these URLs are no longer current; the cleanup looks up what was
# read there otherwise. In one order, since batches lock the same rows.
UNLINK_TEXTS = Write(
    Nothing,
    """
with read_there as (
  select url_id from reader_urls
   where user_id = $1 and session_id = $2 and content_status <> 'crawled'
     and url_id = any ($3::uuid[])
   order by url_id for update)
update reader_urls r
   set content_id = null, content_status = null, content_error = null, session_id = null,
       updated_at = now()
  from read_there
 where r.user_id = $1 and r.url_id = read_there.url_id""",
)
# The address at which each of these pages was last seen, after visits of it are gone: a route of an app
# is part of the address and not of the page's identity. In one order, since batches lock the same rows.
RESTORE_ADDRESSES = Write(
    Nothing,
    """
with seen as (
  select url_id from reader_urls
   where user_id = $1 and url_id = any ($2::uuid[]) and address is not null
   order by url_id for update)
update reader_urls r
   set address = (select v.address from sessions s join page_visits v on v.session_id = s.id
                   where s.user_id = $1 and v.url_id = r.url_id
                   order by v.left_at desc limit 1)
  from seen
 where r.user_id = $1 and r.url_id = seen.url_id""",
)
# What other slices made of what was read; it is made again after the timeline has changed.
CLEAR_GENERATED = Write(
    Nothing,
    """
update sessions
   set top_keywords = '{}', progress = null,
       title = case when title_by = 'reader' then title end,
       title_by = case when title_by = 'reader' then title_by end
 where user_id = $1 and id = $2""",
)
# A page that is kept may point at a forgotten site: as its picture, its icon or its own address.
CUT_POINTERS = Write(
    Nothing,
    """
update page_contents c
   set meta = c.meta - array(
         select m.key from jsonb_each_text(c.meta) m
          where m.key in ('ogImage', 'canonical', 'favicon') and m.value ~ $2),
       favicon = case when c.favicon !~ $2 then c.favicon end
 where c.user_id = $1
   and (c.favicon ~ $2 or c.meta ->> 'ogImage' ~ $2 or c.meta ->> 'canonical' ~ $2
        or c.meta ->> 'favicon' ~ $2)""",
)
