"""Taking jobs: turns between lanes and queues, places in domains, and a lease for what was taken.

Parameters that the planner could count with stand behind a `(select …)`: one that sees how long the
lists are, or how many jobs are asked for, thinks a plan of its own better every time, and plans every
single claim anew (0.2 to 0.5 ms, where a claim of one job runs for 0.2). What it may count on is
MOST: without it, a plan for any number of jobs could sort all that are ready.
"""

from __future__ import annotations

from mindhit.db import Write
from mindhit.work.model import Claimed

_CLAIM_SET = """
update jobs
   set status = 'running', attempts = attempts + 1, locked_at = now(), locked_by = $7,
       lease_id = $6, lease_until = now() + make_interval(secs => $8), updated_at = now()
"""
_CLAIMED = """id, queue, kind, lane, domain, args::text as args, attempts, max_attempts, setbacks,
  date_part('epoch', run_after) as due_epoch_s, lease_id"""
MOST = 500
_N = "(select $5::int)"
_PLACES = "(select $1::text[]), (select $2::text[]), (select $3::float8[]), (select $4::float8[])"

# The jobs without a domain that the place w (a queue and a lane) could give, oldest first. Rows are
# locked as they are asked for: no more than $5.
_PLAIN = f"""
     select x.id, row_number() over () as nth
       from (select id
               from (select id from jobs
                      where queue = w.queue and lane = w.lane and status = 'queued'
                        and domain is null and run_after <= now()
                      order by run_after, id limit {MOST} for update skip locked) few
              limit {_N}) x
"""
# Turns are counted per lane over all queues, as the shares are; queues take turns in it.
_TURN = "base + row_number() over (partition by lane order by nth) / weight as turn"

# Take up to $5 jobs that belong to no domain, from several queues and lanes in order of their
# turns. Rides jobs_ready. Rows locked but not chosen are free again at commit, moments later.
CLAIM = Write(
    Claimed,
    f"""
with ready as materialized (
  select w.lane, w.base, w.weight, j.nth, j.id
    from unnest({_PLACES}) as w(queue, lane, base, weight)
   cross join lateral ({_PLAIN}) j
), turns as (
  select id, {_TURN} from ready
)
{_CLAIM_SET}
 where id = any(array(select id from turns order by turn limit {_N}))
returning {_CLAIMED}""",
)

# The same, and with them jobs that belong to domains, at most $10 running in each, over all
# workers. Walks the domains that have something due (one index probe each) and not the rows, so that
# any number of blocked rows of one domain cost nothing, and domains that only wait next to nothing:
# they are passed within the index. Begins behind the domain $9 where the last walk of the
# place ended, goes around at the end, and takes $11 steps at most each way. Whoever inserts the
# slot has it: two claimers cannot both. One statement for both sorts, since lanes share the sum.
# Rides jobs_ready, jobs_ready_by_domain and the primary key of job_slots; in order of turns.
CLAIM_WITH_DOMAINS = Write(
    Claimed,
    f"""
with ready as materialized (
  select w.lane, w.base, w.weight, j.nth, j.id, j.domain, j.slot
    from unnest({_PLACES}, (select $9::text[]))
           as w(queue, lane, base, weight, behind)
   cross join lateral (
     (select p.id, null as domain, null as slot, p.nth from ({_PLAIN}) p)
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
         from ahead where ahead.domain is not null and steps < $11::int
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
         from around where around.domain is not null and steps < $11::int
     )
     select picked.id, walk.domain, f.free[picked.nth] as slot, row_number() over () as nth
       from (select domain from ahead union all select domain from around) walk
      cross join lateral (
        select array(select s::smallint from generate_series(1, (select $10::int)) s
                      where not exists (select from job_slots t
                                         where t.domain = walk.domain and t.slot = s)) as free
        offset 0) f
      cross join lateral (
        select x.id, row_number() over () as nth
          from (select id from jobs
                 where queue = w.queue and lane = w.lane and status = 'queued'
                   and domain = walk.domain and run_after <= now()
                 order by run_after, id limit cardinality(f.free) for update skip locked) x) picked
      where walk.domain is not null and cardinality(f.free) > 0
      limit {_N})) j
), turns as (
  select id, domain, slot, {_TURN} from ready
), chosen as materialized (
  select id, domain, slot, turn from turns order by turn limit {_N}
), took as (
  insert into job_slots (domain, slot, job_id)
  select domain, slot, id from chosen where domain is not null order by domain, slot, turn
  on conflict do nothing returning job_id
), claimed as (
  {_CLAIM_SET}
   where id = any(array(select id from chosen where domain is null
                        union all select job_id from took))
  returning {_CLAIMED}
)
select * from claimed
 order by (array(select turn from chosen order by id))
          [width_bucket(id, array(select id from chosen order by id))]""",
)
