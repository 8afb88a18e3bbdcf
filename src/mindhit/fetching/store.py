"""Statements of fetching: what sites say about robots, and where jobs were redirected."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class StoredRobots:
    status: int
    body: str
    fresh_s: float


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a job was redirected, if it was, and how long the domain it runs under is to be left
    alone."""

    asked: str | None
    url: str | None
    hops: int | None
    wait_s: float | None


# What the origin $1 said, if it may still be used. By the primary key.
ROBOTS = Query(
    StoredRobots,
    """
select status, body, extract(epoch from expires_at - now())::float8 as fresh_s
  from robots_cache where origin = $1 and expires_at > now()""",
)

# Keep what the origin $1 said for $4 seconds, and delete a few that have expired: as many come as go,
# without a job for it. Rides robots_cache_expired.
KEEP_ROBOTS = Write(
    Nothing,
    """
with expired as (
  delete from robots_cache
   where origin = any(array(select origin from robots_cache
                             where expires_at < now() and origin <> $1
                             order by expires_at limit 10 for update skip locked))
)
insert into robots_cache (origin, status, body, expires_at)
values ($1, $2, $3, now() + make_interval(secs => $4))
on conflict (origin) do update
  set status = excluded.status, body = excluded.body, expires_at = excluded.expires_at""",
)

# Of the jobs $1 under the domains $2, in that order; all by primary keys.
WHEREABOUTS = Query(
    Whereabouts,
    """
select r.asked, r.url, r.hops,
       (select extract(epoch from w.until - now())::float8 from fetch_waits w
         where w.domain = j.domain and w.until > now()) as wait_s
  from unnest($1::bigint[], $2::text[]) with ordinality as j(job_id, domain, nth)
  left join fetch_redirects r on r.job_id = j.job_id
 order by j.nth""",
)

# The domain $1 is to be left alone for $2 seconds; an earlier request for more time stands. A few that
# are over are deleted. Rides fetch_waits_over.
KEEP_WAIT = Write(
    Nothing,
    """
with over as (
  delete from fetch_waits
   where domain = any(array(select domain from fetch_waits
                             where until < now() and domain <> $1
                             order by until limit 10 for update skip locked))
)
insert into fetch_waits (domain, until) values ($1, now() + make_interval(secs => $2))
on conflict (domain) do update set until = greatest(fetch_waits.until, excluded.until)""",
)

# The job $1, which asked for $2, is redirected to $3 after $4 redirects.
KEEP_REDIRECT = Write(
    Nothing,
    """
insert into fetch_redirects (job_id, asked, url, hops) values ($1, $2, $3, $4)
on conflict (job_id) do update
  set asked = excluded.asked, url = excluded.url, hops = excluded.hops""",
)
