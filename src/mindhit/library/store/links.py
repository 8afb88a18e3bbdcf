"""Links: what is known of the pages behind saved addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write

_SHARED: Final = "what a page says of itself is the same for everybody who saved it"

# In order, so that two imports lock them in the same one. Locks those that are there: whoever is about
# to drop one is waited for. Says of each whether it is new.
ADD = Write(
    bool,
    """
insert into link_metadata as m (url_id) select unnest($1::uuid[])
on conflict (url_id) do update set state = m.state
returning m.state = 'waiting' and m.job_id is null as is_new""",
)
SET_JOBS = Write(
    Nothing,
    """
update link_metadata m set job_id = n.job_id
  from unnest($1::uuid[], $2::bigint[]) as n (url_id, job_id) where m.url_id = n.url_id""",
)


# A person's links that are not in the queue yet.
LOCK_UNQUEUED = Write(
    UUID,
    """
select m.url_id from link_metadata m
 where m.url_id in (select p.url_id from pages p where p.user_id = $1)
   and m.state = 'waiting' and m.job_id is null
 order by m.url_id limit $2 for no key update of m""",
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who saved a link, at which address, and whether the server may read it for them."""

    url_id: UUID
    user_id: UUID
    address: str
    server_fetch: bool
    excluded_domains: list[str]
    domain: str
    no_fetch: bool


# Who saved these links, in the order in which their counters are raised. Rides pages_of_url.
HOLDERS = Query(
    Holder,
    """
select distinct on (p.user_id, p.url_id)
       p.url_id, p.user_id, p.address, s.server_fetch, s.excluded_domains, u.domain,
       coalesce(r.no_fetch, false) as no_fetch
  from pages p
  join urls u on u.id = p.url_id
  join user_settings s on s.user_id = p.user_id
  left join reader_urls r on r.user_id = p.user_id and r.url_id = p.url_id
 where p.url_id = any ($1::uuid[]) order by p.user_id, p.url_id, p.id""",
    across_users=_SHARED,
)
STATE = Query(str, "select state from link_metadata where url_id = $1")
LOCK = Write(Nothing, "select from link_metadata where url_id = $1 for no key update")
DROP = Write(Nothing, "delete from link_metadata where url_id = any ($1::uuid[])")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWrite:
    url_id: UUID
    attempts: int
    title: str | None
    description: str | None
    image: str | None
    site_name: str | None
    favicon: str | None
    language: str | None
    canonical: str | None
    summary: str | None
    keywords: list[str]
    engine: str | None


ENRICH = Write(
    Nothing,
    """
update link_metadata
   set state = 'enriched', reason = null, title = $title, description = $description,
       image = $image, site_name = $site_name, favicon = $favicon, language = $language,
       canonical = $canonical, summary = $summary, keywords = $keywords, engine = $engine,
       attempts = $attempts, enriched_at = now()
 where url_id = $url_id""",
    params=LinkWrite,
)
BURY = Write(
    Nothing,
    """
update link_metadata set state = 'dead', reason = $2, attempts = $3
 where url_id = $1 and state = 'waiting'""",
)
REVIVE = Write(
    Nothing,
    """
update link_metadata set state = 'waiting', reason = null, attempts = 0, job_id = null
 where url_id = $1 and state = 'dead'""",
)
# Stamps the pages of one person with what became of a link.
STAMP = Write(Nothing, "update pages set seq = $3 where user_id = $1 and url_id = any ($2::uuid[])")


@dataclass(frozen=True, slots=True)
class Abandoned:
    url_id: UUID
    reason: str
    attempts: int


# Links whose jobs died without a word: killed with their worker too often, or taken out of the queue.
ABANDONED = Query(
    Abandoned,
    """
select m.url_id, coalesce(j.last_error, 'its job was taken out of the queue') as reason, j.attempts
  from link_metadata m join jobs j on j.id = m.job_id
 where m.state = 'waiting' and j.status in ('dead', 'canceled') limit 1000""",
)
BLOCK = Write(
    Nothing,
    """
insert into blocked_domains (domain, reason) values ($1, $2)
on conflict (domain) do update set reason = excluded.reason, at = now()""",
)


@dataclass(frozen=True, slots=True)
class DeadLink:
    page_id: UUID
    url_id: UUID
    address: str
    domain: str
    title: str | None
    reason: str | None
    attempts: int
    at: datetime


# A person's dead links, one row per page.
DEAD = Query(
    DeadLink,
    """
select p.id as page_id, p.url_id, p.address, u.domain, p.title, m.reason, m.attempts, m.created_at as at
  from pages p
  join link_metadata m on m.url_id = p.url_id
  join urls u on u.id = p.url_id
 where p.user_id = $1 and m.state = 'dead'
 order by u.domain, p.id""",
)
