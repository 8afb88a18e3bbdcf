"""Every statement of the engine. Each can be pasted into psql; none joins a list of ids.

A settle that joins `unnest` turns quadratic once the planner believes that one row is running
(16 → 170 ms for 500 rows at the sixth execution); by primary key and array position it stays
linear whatever the statistics say. Statements that end or renew claims take row locks with SKIP
LOCKED and never wait: a caller's open transaction that marked a job `again` must not hold up the
other 499. What was skipped is still held, and is tried again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.db import Nothing, Query, Write
from mindhit.work.model import Claimed, Job

CHANNEL = "mindhit_jobs"

_CLAIM_SET = """
update jobs
   set status = 'running', attempts = attempts + 1, locked_at = now(), locked_by = $7,
       lease_id = $6, lease_until = now() + make_interval(secs => $8), updated_at = now()
"""
_CLAIMED = """
returning id, queue, kind, lane, domain, args, attempts, max_attempts, run_after, lease_id
"""

# The jobs without a domain that the place w (a queue and a lane) could give, oldest first.
_PLAIN = """
     select x.id, row_number() over () as nth
       from (select id from jobs
              where queue = w.queue and lane = w.lane and status = 'queued'
                and domain is null and run_after <= now()
              order by run_after, id limit $5::int for update skip locked) x
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
    from unnest($1::text[], $2::text[], $3::float8[], $4::float8[]) as w(queue, lane, base, weight)
   cross join lateral ({_PLAIN}) j
), turns as (
  select id, {_TURN} from ready
)
{_CLAIM_SET}
 where id = any(array(select id from turns order by turn limit $5::int))
{_CLAIMED}""",
)

# The same, and with them jobs that belong to domains, at most $10 running in each, over all
# workers. Walks the domains (one index probe each) and not the rows, so that any number of
# blocked rows of one domain cost nothing; begins behind the domain $9 where the last walk of the
# place ended, goes around at the end, and takes $11 steps at most each way. Whoever inserts the
# slot has it: two claimers cannot both. One statement for both sorts, since lanes share the sum.
# Rides jobs_ready, jobs_ready_by_domain and the primary key of job_slots; in order of turns.
CLAIM_WITH_DOMAINS = Write(
    Claimed,
    f"""
with ready as materialized (
  select w.lane, w.base, w.weight, j.nth, j.id, j.domain, j.slot
    from unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $9::text[])
           as w(queue, lane, base, weight, behind)
   cross join lateral (
     (select p.id, null as domain, null as slot, p.nth from ({_PLAIN}) p)
     union all
     (with recursive ahead as (
       (select domain, 1 as steps from jobs
         where queue = w.queue and lane = w.lane and status = 'queued' and domain is not null
           and domain > w.behind
         order by domain limit 1)
       union all
       select (select n.domain from jobs n
                where n.queue = w.queue and n.lane = w.lane and n.status = 'queued'
                  and n.domain is not null and n.domain > ahead.domain
                order by n.domain limit 1), steps + 1
         from ahead where ahead.domain is not null and steps < $11::int
     ), around as (
       (select domain, 1 as steps from jobs
         where queue = w.queue and lane = w.lane and status = 'queued' and domain is not null
           and domain <= w.behind
         order by domain limit 1)
       union all
       select (select n.domain from jobs n
                where n.queue = w.queue and n.lane = w.lane and n.status = 'queued'
                  and n.domain is not null and n.domain > around.domain and n.domain <= w.behind
                order by n.domain limit 1), steps + 1
         from around where around.domain is not null and steps < $11::int
     )
     select picked.id, walk.domain, f.free[picked.nth] as slot, row_number() over () as nth
       from (select domain from ahead union all select domain from around) walk
      cross join lateral (
        select array(select s::smallint from generate_series(1, $10::int) s
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
      limit $5::int)) j
), turns as (
  select id, domain, slot, {_TURN} from ready
), chosen as materialized (
  select id, domain, slot, turn from turns order by turn limit $5::int
), took as (
  insert into job_slots (domain, slot, job_id)
  select domain, slot, id from chosen where domain is not null order by domain, slot, turn
  on conflict do nothing returning job_id
), claimed as (
  {_CLAIM_SET}
   where id = any(array(select id from chosen where domain is null
                        union all select job_id from took))
  {_CLAIMED}
)
select id, queue, kind, lane, domain, args, attempts, max_attempts, run_after, lease_id
  from claimed order by array_position(array(select id from chosen order by turn), id)""",
)


@dataclass(frozen=True, slots=True)
class Settled:
    id: int
    status: str


_FREE_SLOTS = """
, freed as (
  delete from job_slots where job_id = any(array(select id from done where domain is not null))
)
select id, status from done
"""
_AT_3 = "($3::text[])[array_position($1::bigint[], id)]"
_UNLOCK = """locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()"""
_HELD = """
  select id from jobs
   where id = any($1::bigint[]) and lease_id = ($2::uuid[])[array_position($1::bigint[], id)]
"""

# Jobs $1 under leases $2 are done, or go back to the queue when they were asked for again.
SUCCEED = Write(
    Settled,
    f"""
with done as (
  update jobs
     set status = case when again then 'queued' else 'succeeded' end,
         finished_at = case when again then null else now() end,
         attempts = case when again then 0 else attempts end,
         rescues = case when again then 0 else rescues end,
         run_after = case when again then now() else run_after end,
         again = false, {_UNLOCK}
   where id = any(array({_HELD} for update skip locked))
  returning id, domain, status
){_FREE_SLOTS}""",
)

# Jobs $1 under leases $2 end otherwise: in the states $3, queued ones after $4 seconds, with the
# errors $5 (null keeps the last one), and the claim's attempt taken back where $6 is 1.
# One that was asked for again starts afresh instead of dying or being canceled.
SETTLE = Write(
    Settled,
    f"""
with done as (
  update jobs
     set status = case when again and {_AT_3} <> 'queued' then 'queued' else {_AT_3} end,
         finished_at = case when again or {_AT_3} = 'queued' then null else now() end,
         attempts = case when again and {_AT_3} <> 'queued' then 0
                         else attempts - ($6::int[])[array_position($1::bigint[], id)] end,
         rescues = case when again and {_AT_3} <> 'queued' then 0 else rescues end,
         run_after = now() + case
           when {_AT_3} = 'queued'
           then make_interval(secs => ($4::float8[])[array_position($1::bigint[], id)])
           else interval '0' end,
         last_error = coalesce(($5::text[])[array_position($1::bigint[], id)], last_error),
         again = false, {_UNLOCK}
   where id = any(array({_HELD} for update skip locked))
  returning id, domain, status
){_FREE_SLOTS}""",
)

# One job's success inside its handler's own transaction; waits for the row, since it must know.
SUCCEED_ONE = Write(
    Settled,
    f"""
with done as (
  update jobs
     set status = case when again then 'queued' else 'succeeded' end,
         finished_at = case when again then null else now() end,
         attempts = case when again then 0 else attempts end,
         rescues = case when again then 0 else rescues end,
         run_after = case when again then now() else run_after end,
         again = false, {_UNLOCK}
   where id = $1 and lease_id = $2
  returning id, domain, status
){_FREE_SLOTS}""",
)

# Which of these claims are still ours.
HELD = Query(int, _HELD)

# Prolong the leases by $3 seconds; tells which are still held, renewed or (locked) not yet.
RENEW = Write(
    int,
    f"""
with renewed as (
  update jobs set lease_until = now() + make_interval(secs => $3), updated_at = now()
   where id = any(array({_HELD} for update skip locked))
)
{_HELD}""",
)


@dataclass(frozen=True, slots=True)
class Rescued:
    id: int
    kind: str
    domain: str | None
    status: str
    locked_by: str


# Put back up to $1 jobs whose lease ran out; those rescued more than $2 times die.
# Rides jobs_running.
RESCUE = Write(
    Rescued,
    f"""
with stale as (
  select id, locked_by from jobs where status = 'running' and lease_until < now()
   order by id limit $1::int for update skip locked
), done as (
  update jobs
     set status = case when rescues >= $2::int and not again then 'dead' else 'queued' end,
         finished_at = case when rescues >= $2::int and not again then now() end,
         rescues = case when again then 0 else rescues + 1 end,
         attempts = case when again then 0 else attempts - 1 end,
         run_after = now(), again = false,
         last_error = 'the lease ran out: the worker that held it died or froze',
         {_UNLOCK}
   where id = any(array(select id from stale))
  returning id, kind, domain, status
), freed as (
  delete from job_slots where job_id = any(array(select id from done where domain is not null))
)
select done.id, done.kind, done.domain, done.status, stale.locked_by
  from done join stale on stale.id = done.id""",
)

# Add jobs, or mark the one of the same key that runs now. The newest arguments count.
# Keys are sorted, so that two callers lock rows in the same order. Rides jobs_once.
ENQUEUE = Write(
    int,
    f"""
with added as (
  insert into jobs (queue, kind, key, lane, domain, args, max_attempts, run_after)
  select queue, kind, key, lane, domain, args, max_attempts, now() + make_interval(secs => after_s)
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[],
                $7::int[], $8::float8[])
           as j(queue, kind, key, lane, domain, args, max_attempts, after_s)
   order by kind, key
  on conflict (kind, key) where key is not null and status in ('queued', 'running')
  do update set again = jobs.again or jobs.status = 'running',
                args = excluded.args,
                run_after = case when jobs.status = 'queued' and jobs.attempts = 0
                                 then least(jobs.run_after, excluded.run_after)
                                 else jobs.run_after end,
                updated_at = now()
  returning id
), told as materialized (
  select case when $9::bool then pg_notify('{CHANNEL}', '') end
)
select id from added where (select count(*) from told) = 1""",
)

NOTIFY = Write(Nothing, f"select pg_notify('{CHANNEL}', '')")

_JOB = """
  id, queue, kind, key, lane, domain, args, status, again, attempts, max_attempts, rescues,
  run_after, locked_at, locked_by, lease_until, last_error, created_at, updated_at, finished_at
"""

BY_ID = Query(Job, f"select {_JOB} from jobs where id = $1")

# A page of jobs, newest first, from behind the id $4; null filters match everything.
LIST = Query(
    Job,
    f"""
select {_JOB} from jobs
 where ($1::text is null or status = $1) and ($2::text is null or kind = $2)
   and ($3::text is null or queue = $3) and id < $4::bigint
 order by id desc limit $5::int""",
)

# The same for dead jobs alone, which are few among many: rides jobs_dead.
LIST_DEAD = Query(
    Job,
    f"""
select {_JOB} from jobs
 where status = 'dead' and ($1::text is null or kind = $1)
   and ($2::text is null or queue = $2) and id < $3::bigint
 order by id desc limit $4::int""",
)

# A dead or canceled job gets a fresh start, unless its key is queued or running again by now.
RETRY = Write(
    Job,
    f"""
update jobs set status = 'queued', attempts = 0, rescues = 0, run_after = now(),
       finished_at = null, updated_at = now()
 where id = $1 and status in ('dead', 'canceled')
   and (key is null or not exists (
     select from jobs live where live.kind = jobs.kind and live.key = jobs.key
        and live.status in ('queued', 'running')))
returning {_JOB}""",
)

# A queued or running job is wanted no more; its slot is free at once.
CANCEL = Write(
    Settled,
    f"""
with done as (
  update jobs set status = 'canceled', again = false, finished_at = now(),
         last_error = coalesce($2::text, last_error), {_UNLOCK}
   where id = $1 and status in ('queued', 'running')
  returning id, domain, status
){_FREE_SLOTS}""",
)

DELETE_DEAD = Write(
    int, "delete from jobs where id = $1 and status in ('dead', 'canceled') returning id"
)


@dataclass(frozen=True, slots=True)
class Depth:
    """One queue and lane: what waits, what is due, since when, and what runs or died."""

    queue: str
    lane: str
    ready: int
    waiting: int
    running: int
    dead: int
    oldest_ready_s: float | None


# Reads live and dead rows only, through their partial indexes; history is not looked at.
DEPTHS = Query(
    Depth,
    """
select queue, lane,
       count(*) filter (where status = 'queued' and run_after <= now())::int as ready,
       count(*) filter (where status = 'queued' and run_after > now())::int as waiting,
       count(*) filter (where status = 'running')::int as running,
       count(*) filter (where status = 'dead')::int as dead,
       extract(epoch from now() - min(run_after)
         filter (where status = 'queued' and run_after <= now()))::float8 as oldest_ready_s
  from (select queue, lane, status, run_after from jobs where status = 'queued' and domain is null
        union all
        select queue, lane, status, run_after from jobs where status = 'queued' and domain is not null
        union all
        select queue, lane, status, run_after from jobs where status = 'running'
        union all
        select queue, lane, status, run_after from jobs where status = 'dead') live
 group by queue, lane order by queue, lane""",
)


@dataclass(frozen=True, slots=True)
class FailingDomain:
    domain: str
    dead: int
    last_error: str | None


# Domains with the most dead jobs. Rides jobs_dead.
FAILING_DOMAINS = Query(
    FailingDomain,
    """
select domain, count(*)::int as dead, (array_agg(last_error order by id desc))[1] as last_error
  from jobs where status = 'dead' and domain is not null
 group by domain order by count(*) desc, domain limit $1::int""",
)


@dataclass(frozen=True, slots=True)
class Pruned:
    seen: int
    deleted: int
    last_id: int


# Look at the next $3 jobs behind $1 that were made before $2, and delete the ones that succeeded
# or were canceled before it. Ids grow with time, so the primary key serves and no index on
# finished_at has to be kept up by every settle.
PRUNE = Write(
    Pruned,
    """
with old as materialized (
  select id, status, finished_at from jobs
   where id > $1::bigint and created_at < $2 order by id limit $3::int
), gone as (
  delete from jobs
   where id = any(array(select id from old
                         where status in ('succeeded', 'canceled') and finished_at < $2))
  returning id
)
select (select count(*) from old)::int as seen, (select count(*) from gone)::int as deleted,
       (select coalesce(max(id), 0) from old) as last_id""",
)


@dataclass(frozen=True, slots=True)
class Due:
    name: str
    next_run_at: datetime
    now: datetime


# Make sure that the schedule $1 is known; a new one is due at $2.
REMEMBER_SCHEDULE = Write(
    Nothing,
    """
insert into job_schedules (name, next_run_at) values ($1, $2) on conflict (name) do nothing""",
)

# The schedules among $1 that are due, locked: of several schedulers, one gets each.
DUE = Write(
    Due,
    """
select name, next_run_at, now() as now from job_schedules
 where name = any($1::text[]) and next_run_at <= now()
 order by name for update skip locked""",
)

TICKED = Write(
    Nothing,
    """
update job_schedules set next_run_at = $2, last_run_at = now(), last_job_id = $3
 where name = $1""",
)

NEXT_DUE = Query(
    float,
    """
select extract(epoch from min(next_run_at) - now())::float8 as wait_s
  from job_schedules where name = any($1::text[])""",
)
