"""Schedules."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from mindhit.crawl.model import Schedule, SchedulerId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    user_id: UUID
    name: str
    seller: str | None
    site: str
    target: str
    url: str
    domain: str
    cron: str
    timezone: str
    alerts: Any
    next_run_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    user_id: UUID
    id: SchedulerId
    name: str
    cron: str
    timezone: str
    status: str
    alerts: Any
    next_run_at: datetime


@dataclass(frozen=True, slots=True)
class Due:
    """What starting a run needs."""

    id: SchedulerId
    user_id: UUID
    site: str
    target: str
    url: str
    domain: str
    cron: str
    timezone: str
    status: str
    last_run_at: datetime | None


_LISTED: Final = """
select s.id, s.name, s.seller, s.site, s.target, s.url, s.domain, s.cron, s.timezone, s.status,
       s.alerts, s.next_run_at, s.last_run_at, s.created_at,
       (select count(*)::int from crawled_products p
         where p.scheduler_id = s.id and p.user_id = s.user_id) as products,
       last.status as last_status, last.last_error,
       coalesce(b.state, 'CLOSED') as breaker, b.probe_at as breaker_until
  from crawl_schedulers s
  left join site_breakers b on b.domain = s.domain
  left join lateral (
    select t.status, t.last_error from crawl_tasks t
     where t.scheduler_id = s.id and t.user_id = s.user_id and t.parent_id is null
     order by t.created_at desc, t.id desc limit 1) last on true"""
_DUE: Final = "id, user_id, site, target, url, domain, cron, timezone, status, last_run_at"

ADD = Write(
    SchedulerId,
    """
insert into crawl_schedulers (user_id, name, seller, site, target, url, domain, cron, timezone, alerts,
                              next_run_at)
values ($user_id, $name, $seller, $site, $target, $url, $domain, $cron, $timezone, $alerts, $next_run_at)
on conflict (user_id, url) do nothing
returning id""",
    params=Added,
)
# The schedule of an address (crawl_schedulers_url).
OF_URL = Query(SchedulerId, "select id from crawl_schedulers where user_id = $1 and url = $2")
COUNT = Query(int, "select count(*)::int from crawl_schedulers where user_id = $1")
SHOW = Query(Schedule, f"{_LISTED} where s.user_id = $1 and s.id = $2")
# The newest first (crawl_schedulers_of_user).
LIST = Query(
    Schedule,
    f"""{_LISTED}
 where s.user_id = $1
   and ($2::timestamptz is null or (s.created_at, s.id) < ($2, $3::uuid))
 order by s.created_at desc, s.id desc limit $4""",
)
CHANGE = Write(
    SchedulerId,
    """
update crawl_schedulers
   set name = $name, cron = $cron, timezone = $timezone, status = $status, alerts = $alerts,
       next_run_at = $next_run_at, updated_at = now()
 where user_id = $user_id and id = $id
returning id""",
    params=Changed,
)
REMOVE = Write(
    SchedulerId, "delete from crawl_schedulers where user_id = $1 and id = $2 returning id"
)

# Due ones, each for one process at a time: the row is the lock (crawl_schedulers_due). $1 is the clock that
# also says when each runs next: by another, a moment behind, it would be due once more.
TAKE_DUE = Write(
    Due,
    f"""
select {_DUE} from crawl_schedulers
 where status = 'ACTIVE' and next_run_at <= $1
 order by next_run_at, id limit $2 for update skip locked""",
    across_users="the clock is the same for everyone",
)
LOCK = Write(Due, f"select {_DUE} from crawl_schedulers where user_id = $1 and id = $2 for update")
# A message names a schedule and nobody.
LOCK_BY_ID = Write(
    Due,
    f"select {_DUE} from crawl_schedulers where id = $1 for update",
    across_users="the service that sends triggers knows schedules only",
)
RAN = Write(
    Nothing,
    """
update crawl_schedulers set last_run_at = $4, next_run_at = $3, updated_at = now()
 where user_id = $1 and id = $2""",
)
PUT_OFF = Write(
    Nothing, "update crawl_schedulers set next_run_at = $3 where user_id = $1 and id = $2"
)
ERASE = Write(Nothing, "delete from crawl_schedulers where user_id = $1")
