"""Breakers, one per site."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.crawl.model import Breaker, TaskId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class State:
    state: str
    wait_s: float
    probe_at: datetime | None
    probe_task_id: TaskId | None


OF = Query(
    State,
    """
select state, greatest(extract(epoch from probe_at - now()), 0)::float8 as wait_s, probe_at,
       probe_task_id
  from site_breakers where domain = $1 and state <> 'CLOSED'""",
)
# One task probes whether the site answers again; without a result after $3 seconds, another does.
PROBE = Write(
    TaskId,
    """
update site_breakers
   set state = 'HALF_OPEN', probe_task_id = $2, probe_at = now() + make_interval(secs => $3),
       updated_at = now()
 where domain = $1 and state <> 'CLOSED' and (probe_at <= now() or probe_task_id = $2)
returning probe_task_id""",
)
IS_HALF_OPEN = Query(
    bool,
    "select exists (select from site_breakers where domain = $1 and state = 'HALF_OPEN')",
)
# $3 seconds for the first time, twice as many each time after, $4 at most. An open one stays as it is.
OPEN = Write(
    str,
    """
insert into site_breakers (domain, state, trips, reason, probe_at)
values ($1, 'OPEN', 1, $2, now() + make_interval(secs => $3))
on conflict (domain) do update
   set state = 'OPEN', trips = site_breakers.trips + 1, reason = excluded.reason, probe_task_id = null,
       probe_at = now() + make_interval(secs => least($3 * 2.0 ^ least(site_breakers.trips, 20), $4)),
       updated_at = now()
 where site_breakers.state <> 'OPEN'
returning domain""",
)
CLOSE = Write(
    str,
    """
update site_breakers
   set state = 'CLOSED', trips = 0, reason = null, probe_at = null, probe_task_id = null,
       updated_at = now()
 where domain = $1 and state <> 'CLOSED'
returning domain""",
)
LIST = Query(
    Breaker,
    """
select domain, state, probe_at, trips, reason, updated_at from site_breakers
 where state <> 'CLOSED' order by updated_at desc, domain limit 500""",
)
COUNT_OPEN = Query(int, "select count(*)::int from site_breakers where state <> 'CLOSED'")
# Long closed ones say nothing any more.
FORGET = Write(
    Nothing,
    "delete from site_breakers where state = 'CLOSED' and updated_at < now() - interval '30 days'",
)
