"""What an operator does: list jobs, retry, cancel and delete them, count them."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Query, Write
from mindhit.work.model import Job, Upkeep
from mindhit.work.store.settling import Settled

_JOB = """
  id, queue, kind, key, lane, domain, args, status, again, attempts, max_attempts, rescues, setbacks,
  run_after, locked_at, locked_by, lease_until, last_error, created_at, updated_at, finished_at
"""

BY_ID = Query(Job, f"select {_JOB} from jobs where id = $1")

# $5 jobs, newest first, with ids below $4; null filters match everything.
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

# Queue a dead or canceled job again, with all attempts, unless its key is already queued or running.
RETRY = Write(
    Job,
    f"""
update jobs set status = 'queued', attempts = 0, rescues = 0, rescued_lease = null, setbacks = 0,
       run_after = now(), finished_at = null, updated_at = now()
 where id = $1 and status in ('dead', 'canceled')
   and (key is null or not exists (
     select from jobs live where live.kind = jobs.kind and live.key = jobs.key
        and live.status in ('queued', 'running')))
returning {_JOB}""",
)


@dataclass(frozen=True, slots=True)
class RetriedDead:
    seen: int
    retried: int
    last_id: int


# The same for up to $4 dead jobs with ids above $3, of the kind $1 and with $2 in their error, in any
# case; null filters match everything. Of those with the same key the newest is queued. Rides jobs_dead.
RETRY_DEAD = Write(
    RetriedDead,
    """
with dead as materialized (
  select id, kind, key from jobs
   where status = 'dead' and id > $3::bigint and ($1::text is null or kind = $1)
     and ($2::text is null or strpos(lower(last_error), lower($2)) > 0)
   order by id limit $4::int for update skip locked
), retried as (
  update jobs set status = 'queued', attempts = 0, rescues = 0, rescued_lease = null, setbacks = 0,
         run_after = now(), finished_at = null, updated_at = now()
   where id = any(array(select max(id) from dead group by kind, key, case when key is null then id end))
     and (key is null or not exists (
       select from jobs live where live.kind = jobs.kind and live.key = jobs.key
          and live.status in ('queued', 'running')))
  returning id
)
select (select count(*) from dead)::int as seen, (select count(*) from retried)::int as retried,
       (select coalesce(max(id), 0) from dead) as last_id""",
)

# Run before CANCEL, which then sees the slot that a concurrent claim has written.
LOCK_JOB = Write(int, "select id from jobs where id = $1 for update")

# Cancel a queued or running job, with the reason $2. A running handler learns of that at its next
# heartbeat, and its domain's slot stays taken until its lease would have ended. That is written into
# the slot itself: nobody else touches it while the job's row is locked, so a transaction that stays
# open blocks no renewal.
CANCEL = Write(
    Settled,
    """
with live as (
  select id, lease_id, lease_until from jobs
   where id = $1 and status in ('queued', 'running') for update
), kept as (
  update job_slots s set lease_id = live.lease_id, lease_until = live.lease_until
    from live
   where s.job_id = live.id and s.lease_id is null and live.lease_id is not null
), done as (
  update jobs set status = 'canceled', again = false, finished_at = now(),
         last_error = coalesce($2::text, last_error),
         locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()
   where id = (select id from live)
  returning id, status
)
select id, status from done""",
)

DELETE_DEAD = Write(
    int, "delete from jobs where id = $1 and status in ('dead', 'canceled') returning id"
)


@dataclass(frozen=True, slots=True)
class Depth:
    """One queue and lane: jobs that are due, wait, run or died, and the age of the oldest due one."""

    queue: str
    lane: str
    ready: int
    waiting: int
    running: int
    dead: int
    oldest_ready_s: float | None


# Reads live and dead rows only, through their partial indexes, not the history.
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


# Reads statistics and open transactions, no table. A transaction that has neither a snapshot nor an id
# does not hold vacuum back. Standbys and replication slots can hold it back too, but have no time.
UPKEEP = Query(
    Upkeep,
    """
select coalesce(extract(epoch from now() - min(began_at)), 0)::float8 as oldest_transaction_s,
       pg_stat_get_dead_tuples('jobs'::regclass) as dead_tuples
  from (select xact_start as began_at from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend'
           and (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid()
        union all
        select prepared from pg_prepared_xacts where database = current_database()) open""",
)


@dataclass(frozen=True, slots=True)
class Finished:
    """Jobs of a queue that ended in one period of five minutes; 0 is the newest."""

    queue: str
    bucket: int
    succeeded: int
    dead: int


# An index on finished_at would cost every settle, which an operator's screen is not worth: this reads
# the newest 20,000 jobs by primary key.
FINISHED = Query(
    Finished,
    """
select queue, floor(extract(epoch from now() - finished_at) / 300)::int as bucket,
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where status = 'dead')::int as dead
  from (select queue, status, finished_at from jobs order by id desc limit 20000) newest
 where finished_at > now() - interval '1 hour' and status in ('succeeded', 'dead')
 group by 1, 2 order by 1, 2""",
)
