"""A person's pages: which text is the current one, what is missing, who holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.columns import UrlColumns

# For an insert into `reader_urls as r`. Of two texts the one that was read later counts, whichever
# arrived first; a page without a text becomes `pending`, unless it has a status.
_IS_NEWER: Final = """(excluded.content_id is not null
          and (r.content_id is null or r.read_at is null or excluded.read_at > r.read_at
               or excluded.session_id = r.session_id)
          and (r.content_id, r.session_id, r.read_at)
              is distinct from (excluded.content_id, excluded.session_id, excluded.read_at))
      or (excluded.content_status = 'pending' and r.content_status is null)"""
KEEP_LATEST_TEXT: Final = f"""on conflict (user_id, url_id) do update
     set content_id = excluded.content_id, content_status = excluded.content_status,
         session_id = excluded.session_id, read_at = excluded.read_at, content_error = null,
         updated_at = now()
   where {_IS_NEWER}"""
# The same for a batch, which also brings the address at which the page was seen, and whether it may
# be fetched. `updated_at` is that of the text: a page that is seen at another address has the same.
KEEP_LATEST: Final = f"""on conflict (user_id, url_id) do update
     set address = excluded.address, no_fetch = r.no_fetch or excluded.no_fetch,
         content_id = case when {_IS_NEWER} then excluded.content_id else r.content_id end,
         content_status =
           case when {_IS_NEWER} then excluded.content_status else r.content_status end,
         session_id = case when {_IS_NEWER} then excluded.session_id else r.session_id end,
         read_at = case when {_IS_NEWER} then excluded.read_at else r.read_at end,
         content_error = case when {_IS_NEWER} then null else r.content_error end,
         updated_at = case when {_IS_NEWER} then now() else r.updated_at end
   where r.address is distinct from excluded.address or excluded.no_fetch > r.no_fetch
      or {_IS_NEWER}"""


@dataclass(frozen=True, slots=True)
class Missing:
    """A page without a text, and what decides whether the server may fetch it."""

    url_id: UUID
    address: str
    domain: str
    no_fetch: bool
    server_fetch: bool
    excluded_domains: list[str]


# Of the urls $2, those that wait for a text.
MISSING = Query(
    Missing,
    """
select r.url_id, coalesce(r.address, u.url) as address, u.domain, r.no_fetch, s.server_fetch,
       s.excluded_domains
  from reader_urls r
  join urls u on u.id = r.url_id
  join user_settings s on s.user_id = r.user_id
 where r.user_id = $1 and r.url_id = any ($2::uuid[]) and r.content_status = 'pending'
 order by r.url_id""",
)
# Only where it is `pending`: a text that the browser sent meanwhile is not overwritten.
FAIL = Write(
    UUID,
    """
update reader_urls
   set content_status = 'failed', content_error = $3, updated_at = now()
 where user_id = $1 and url_id = any ($2::uuid[]) and content_status = 'pending'
returning url_id""",
)


@dataclass(frozen=True, slots=True)
class Waiting:
    url_id: UUID
    domain: str


# The page is locked until the transaction ends.
LOCK_WAITING = Write(
    Waiting,
    """
select r.url_id, u.domain from reader_urls r join urls u on u.id = r.url_id
 where r.user_id = $1 and r.url_id = $2 and r.content_status = 'pending'
   for no key update of r""",
)
# What the server fetched is everybody's. One that exists is made younger, so that the cleanup, which
# runs at the same time, does not take it for one that nobody refers to.
ADD_PUBLIC_CONTENT = Write(
    Nothing,
    """
insert into page_contents (id, user_id, title, content, meta, favicon, status)
values ($1, null, $2, $3, $4, $5, 'crawled')
on conflict (id) do update set created_at = now()""",
    across_users="what the server fetched without cookies belongs to nobody",
)
PUT_CRAWLED = Write(
    Nothing,
    """
update reader_urls
   set content_id = $3, content_status = 'crawled', content_error = null, updated_at = now()
 where user_id = $1 and url_id = $2""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldWrite:
    user_id: UUID
    holder: str
    urls: UrlColumns
    addresses: str


# The locks of a batch, in the same order: they exclude the cleanup.
LOCK_SHARED = Write(
    Nothing,
    """
select pg_advisory_xact_lock_shared(7501, hashtext($1::uuid::text)),
       pg_advisory_xact_lock_shared(7501, 0)""",
)
# The urls are sorted, as in a batch.
HOLD = Write(
    Nothing,
    """
with
new_urls as (
  insert into urls (id, url, domain)
  select * from unnest($url_ids::text::uuid[], $url_hrefs::text::text[], $url_domains::text::text[])
  on conflict do nothing)
insert into reader_urls as r (user_id, url_id, address, holders)
select $user_id::uuid, n.url_id, n.address, array[$holder::text]
  from unnest($url_ids::text::uuid[], $addresses::text::text[]) as n (url_id, address)
on conflict (user_id, url_id) do update set holders = r.holders || $holder::text
 where not $holder::text = any (r.holders)""",
    params=HoldWrite,
)
RELEASE = Write(
    Nothing,
    """
with held as (
  select url_id from reader_urls
   where user_id = $1 and url_id = any ($3::uuid[]) and $2 = any (holders)
   order by url_id for no key update)
update reader_urls r set holders = array_remove(r.holders, $2)
  from held where r.user_id = $1 and r.url_id = held.url_id""",
)
