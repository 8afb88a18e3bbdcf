"""Claiming jobs: the fair order between lanes and queues, slots in domains, and the lease.

Parameters that the planner could estimate from stand behind a `(select …)`: if it sees how long the
lists are, or how many jobs are asked for, it prefers a custom plan every time and plans every single
claim (0.2 to 0.5 ms, where a claim of one job runs for 0.2). Instead it estimates from `limit 500`,
the largest claim: without that, a plan for any number of jobs might sort all that are ready.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Query, Write
from mindhit.work.model import Claimed


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimParams:
    """Which jobs a worker wants. The lists have one entry for each pair of queue and lane."""

    queues: list[str]
    lanes: list[str]
    bases: list[float]  # a lane's r-th job is ordered by base + r / share
    shares: list[float]
    kinds: list[str] | None  # which it knows; None: any
    most: int
    lease_id: UUID
    worker: str
    lease_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkParams:
    """The same for jobs with a domain."""

    claim: ClaimParams
    behind: list[str]  # per queue and lane: the domain where the last walk ended
    domain_limit: int
    steps: int


# Claim up to `most` jobs without a domain. A lane's jobs are counted over all queues, as the shares
# are. Rows are locked as they are read, at most `most` of each queue and lane; those not chosen are
# free again at commit, moments later. Rides jobs_ready.
CLAIM = Write(
    Claimed,
    """
with ready as materialized (
  select w.lane, w.base, w.share, j.nth, j.id
    from unnest((select $queues::text[]), (select $lanes::text[]), (select $bases::float8[]),
                (select $shares::float8[])) as w(queue, lane, base, share)
   cross join lateral (
     select x.id, row_number() over () as nth
       from (select id
               from (select id from jobs
                      where queue = w.queue and lane = w.lane and status = 'queued'
                        and domain is null and run_after <= now()
                        and coalesce(kind = any((select $kinds::text[])::text[]), true)
                      order by run_after, id limit 500 for update skip locked) few
              limit (select $most::int)) x) j
), ordered as (
  select id, base + row_number() over (partition by lane order by nth) / share as rank
    from ready
)
update jobs
   set status = 'running', attempts = attempts + 1, locked_at = now(), locked_by = $worker,
       lease_id = $lease_id, lease_until = now() + make_interval(secs => $lease_s),
       rescued_lease = null, updated_at = now()
 where id = any(array(select id from ordered order by rank limit (select $most::int)))
returning id, queue, kind, lane, domain, args::text as args, attempts, max_attempts, setbacks,
          date_part('epoch', run_after) as due_epoch_s, lease_id""",
    params=ClaimParams,
)

# The same, and also jobs with a domain, at most `domain_limit` running in each domain over all workers.
# Walks the domains that have something due (one index probe each) and not the rows: any number of
# blocked rows of one domain costs nothing, and domains whose jobs are not due are skipped inside the
# index. Starts behind the domain where the last walk of each queue and lane ended, wraps around at the
# end, and takes at most `steps` steps in each of the two parts. Whoever inserts the slot has it: two claimers
# cannot both. One statement for jobs with and without a domain, because lanes share the sum. Returns
# rows in the order of the walk. Rides jobs_ready, jobs_ready_by_domain and the primary key of
# job_slots.
CLAIM_WITH_DOMAINS = Write(
    Claimed,
    """
with ready as materialized (
  select w.lane, w.base, w.share, j.nth, j.id, j.domain, j.slot
    from unnest((select $queues::text[]), (select $lanes::text[]), (select $bases::float8[]),
                (select $shares::float8[]), (select $behind::text[])) as w(queue, lane, base, share, behind)
   cross join lateral (
     (select p.id, null as domain, null as slot, p.nth
        from (select x.id, row_number() over () as nth
                from (select id
                        from (select id from jobs
                               where queue = w.queue and lane = w.lane and status = 'queued'
                                 and domain is null and run_after <= now()
                                 and coalesce(kind = any((select $kinds::text[])::text[]), true)
                               order by run_after, id limit 500 for update skip locked) few
                       limit (select $most::int)) x) p)
     union all
     (with recursive ahead as (
       (select domain, 1 as steps from jobs
         where queue = w.queue and lane = w.lane and status = 'queued' and domain is not null
           and domain > w.behind and run_after <= now()
         order by domain limit 1)
       union all
       select (select n.domain from jobs n
                where n.queue = w.queue and n.lane = w.lane and n.status = 'queued'
                  and n.domain is not null and n.domain > ahead.domain and n.run_after <= now()
                order by n.domain limit 1), steps + 1
         from ahead where ahead.domain is not null and steps < $steps::int
     ), around as (
       (select domain, 1 as steps from jobs
         where queue = w.queue and lane = w.lane and status = 'queued' and domain is not null
           and domain <= w.behind and run_after <= now()
         order by domain limit 1)
       union all
       select (select n.domain from jobs n
                where n.queue = w.queue and n.lane = w.lane and n.status = 'queued'
                  and n.domain is not null and n.domain > around.domain and n.domain <= w.behind
                  and n.run_after <= now()
                order by n.domain limit 1), steps + 1
         from around where around.domain is not null and steps < $steps::int
     )
     select picked.id, walk.domain, f.free[picked.nth] as slot, row_number() over () as nth
       from (select domain from ahead union all select domain from around) walk
      cross join lateral (
        select array(select s::smallint from generate_series(1, (select $domain_limit::int)) s
                      where not exists (select from job_slots t
                                         where t.domain = walk.domain and t.slot = s)) as free
        offset 0) f
      cross join lateral (
        select x.id, row_number() over () as nth
          from (select id from jobs
                 where queue = w.queue and lane = w.lane and status = 'queued'
                   and domain = walk.domain and run_after <= now()
                   and coalesce(kind = any((select $kinds::text[])::text[]), true)
                 order by run_after, id limit cardinality(f.free) for update skip locked) x) picked
      where walk.domain is not null and cardinality(f.free) > 0
      limit (select $most::int))) j
), ordered as (
  select id, domain, slot,
         base + row_number() over (partition by lane order by nth) / share as rank
    from ready
), chosen as materialized (
  select id, domain, slot, rank from ordered order by rank limit (select $most::int)
), took as (
  insert into job_slots (domain, slot, job_id)
  select domain, slot, id from chosen where domain is not null order by domain, slot, rank
  on conflict do nothing returning job_id
), claimed as (
  update jobs
     set status = 'running', attempts = attempts + 1, locked_at = now(), locked_by = $worker,
         lease_id = $lease_id, lease_until = now() + make_interval(secs => $lease_s),
         rescued_lease = null, updated_at = now()
   where id = any(array(select id from chosen where domain is null
                        union all select job_id from took))
  returning id, queue, kind, lane, domain, args::text as args, attempts, max_attempts, setbacks,
            date_part('epoch', run_after) as due_epoch_s, lease_id
)
select id, queue, kind, lane, domain, args, attempts, max_attempts, setbacks, due_epoch_s, lease_id
  from claimed
 order by (array(select rank from chosen order by id))
          [width_bucket(id, array(select id from chosen order by id))]""",
    params=WalkParams,
)

# Jobs that run under one of the leases $1, which no answer has told us of. Rides jobs_running.
CLAIMED_UNDER = Query(
    Claimed,
    """
select id, queue, kind, lane, domain, args::text as args, attempts, max_attempts, setbacks,
       date_part('epoch', run_after) as due_epoch_s, lease_id
  from jobs where status = 'running' and lease_id = any($1::uuid[])""",
)
