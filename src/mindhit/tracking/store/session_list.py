"""Lists of sessions, from columns that the writes keep."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Query


@dataclass(frozen=True, slots=True)
class Found:
    """Ids in the list's order, one more than a page has where more follow; `last_started_at` is of
    the last one on the page."""

    total: int | None
    ids: list[UUID]
    last_started_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListParams:
    """Sessions that started in [from, to), after the key of the previous page's last one."""

    user_id: UUID
    started_from: datetime | None
    started_to: datetime | None
    after_started_at: datetime | None
    after_id: UUID | None
    offset: int
    limit: int


_STARTED = """s.user_id = $user_id
   and s.started_at >= coalesce($started_from::timestamptz, '-infinity')
   and s.started_at < coalesce($started_to::timestamptz, 'infinity')"""
_NEWEST = "s.started_at desc, s.id desc"
# After the key of the previous page's last session. Without `or`: it has to be an index condition.
_AFTER = """(s.started_at, s.id) <
       (coalesce($after_started_at::timestamptz, 'infinity'),
        coalesce($after_id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))"""

# Both parts by sessions_by_start alone, without reading the rows: 10,000 are counted in 1 ms. Only a
# list from its start is counted.
LIST = Query(
    Found,
    f"""
with listed as (
  select s.id, s.started_at from sessions s
   where {_STARTED} and {_AFTER} order by {_NEWEST} offset $offset::int limit $limit::int)
select case when $after_started_at is null
            then (select count(*) from sessions s where {_STARTED}) end::int as total,
       coalesce(array_agg(s.id order by {_NEWEST}), '{{}}') as ids,
       (array_agg(s.started_at order by {_NEWEST}))[$limit - 1] as last_started_at
  from listed s""",
    params=ListParams,
)


@dataclass(frozen=True, slots=True)
class Unclosed:
    id: UUID
    fold_state: bytes | None


# The few that are being recorded or processed, by sessions_recording.
UNCLOSED = Query(
    Unclosed,
    """
select id, fold_state from sessions
 where user_id = $1 and status in ('recording', 'processing') and closed_at is null""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParams:
    """The same with a status, a pattern, a site; and the visits that are not rows yet."""

    page: ListParams
    status: str | None
    pattern: str | None
    site: str | None
    open_session_ids: list[UUID]
    open_url_ids: list[UUID]
    open_titles: list[str | None]


# Words are searched in the titles of sessions and of their visits, and in domains. What is known of
# a url besides its visits (its domain, and the title of a later content) is queried once. Visits that
# have not ended are not rows yet, so they are parameters. For a rare word the titles of all the
# reader's visits are read: 0.2 s for 100,000 of them and 1.3 s for 1,000,000, on two busy cores. A
# trigram index finds it in a millisecond, but writing 25 visits then took 6.0 ms instead of 3.8, and
# two-letter words of Hangul, which have no trigram, took 0.5 s instead of 0.1 (200,000 visits).
SEARCH = Query(
    Found,
    f"""
with
matching as materialized (
  select r.url_id
    from reader_urls r
    join urls u on u.id = r.url_id
    left join page_contents c
           on c.id = r.content_id and (c.user_id = $user_id or c.user_id is null)
   where r.user_id = $user_id and $pattern::text is not null
     and (u.domain like lower($pattern) or lower(c.title) like lower($pattern))),
site as materialized (
  select r.url_id
    from reader_urls r
    join urls u on u.id = r.url_id
   where r.user_id = $user_id and $site::text is not null
     and (u.domain = $site or right(u.domain, length($site) + 1) = '.' || $site)),
open as materialized (
  select * from unnest($open_session_ids::uuid[], $open_url_ids::uuid[], $open_titles::text[])
           as o (session_id, url_id, title)),
found as (
  select s.id, s.started_at
    from sessions s
   where {_STARTED} and {_AFTER}
     and ($status::text is null or s.status = $status)
     and ($pattern::text is null or lower(s.title) like lower($pattern)
          or exists (select from page_visits v
                      where v.session_id = s.id
                        and (lower(v.title) like lower($pattern)
                             or v.url_id in (select url_id from matching)))
          or s.id in (select o.session_id from open o
                       where lower(o.title) like lower($pattern)
                          or o.url_id in (select url_id from matching)))
     and ($site::text is null
          or exists (select from page_visits v
                      where v.session_id = s.id and v.url_id in (select url_id from site))
          or s.id in (select o.session_id from open o
                       where o.url_id in (select url_id from site))))
select case when $after_started_at is null then (select count(*) from found) end::int as total,
       coalesce(array_agg(s.id order by {_NEWEST}), '{{}}') as ids,
       (array_agg(s.started_at order by {_NEWEST}))[$limit - 1] as last_started_at
  from (select s.id, s.started_at from found s
         order by {_NEWEST} offset $offset::int limit $limit::int) s""",
    params=SearchParams,
)


@dataclass(frozen=True, slots=True)
class Owned:
    id: UUID
    user_id: UUID


EVERY = Query(
    Owned,
    """
select id, user_id from sessions
 where id > $1 and ($2::uuid is null or user_id = $2)
 order by id limit 500""",
    across_users="the operator refolds everybody's sessions",
)
# Sessions whose ids are in [$1, $2]: those that begin with what an operator typed. By the primary key.
BETWEEN = Query(
    Owned,
    "select id, user_id from sessions where id between $1 and $2 order by id limit $3::int",
    across_users="the operator names anybody's session by the beginning of its id",
)
