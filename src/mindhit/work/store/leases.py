"""Leases: which are still held, how they are renewed, and what happens to those that ran out.

RENEW, and settling in settling.py, get the ids $1 sorted; the n-th entry of each other list belongs
to the n-th id. `width_bucket` finds a row's index by binary search; `array_position` would read 250
of 500 for every row. An id that is out of order finds somebody else's lease at its index and is not
held, so a caller's mistake settles nothing wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Nothing, Query, Write

# Which of the jobs $1 are still held under their leases $2.
HELD = Query(
    int,
    """
select id from jobs
 where id = any($1::bigint[])
   and ($1::bigint[])[width_bucket(id, $1::bigint[])] = id
   and lease_id = ($2::uuid[])[width_bucket(id, $1::bigint[])]""",
)

# The job $1 while it is held under the lease $2. Rescuers skip a locked row, and RENEW writes beside it.
LOCK_HELD = Write(int, "select id from jobs where id = $1 and lease_id = $2 for no key update")


@dataclass(frozen=True, slots=True)
class LeaseLeft:
    id: int
    left_s: float


# How long the leases $2 of the jobs $1 still last, in their row or beside it.
LEASES_LEFT = Query(
    LeaseLeft,
    """
select j.id, extract(epoch from greatest(j.lease_until, r.lease_until) - now())::float8 as left_s
  from jobs j left join job_renewals r on r.job_id = j.id and r.lease_id = j.lease_id
 where j.id = any($1::bigint[])
   and ($1::bigint[])[width_bucket(j.id, $1::bigint[])] = j.id
   and j.lease_id = ($2::uuid[])[width_bucket(j.id, $1::bigint[])]""",
)

# Renew the leases $2 of the jobs $1 by $3 seconds; returns which are still held. A row that an open
# transaction has locked is not waited for, though its worker is alive: its lease is renewed beside
# it, in job_renewals, where rescuers look as well. Otherwise a job that was locked for longer than a
# lease would be taken from its worker at the moment of its release, whatever margin was left.
# Only statements that are alone in their transaction write there, so none of them waits for a caller.
RENEW = Write(
    int,
    """
with held as materialized (
  select id from jobs
   where id = any($1::bigint[])
     and ($1::bigint[])[width_bucket(id, $1::bigint[])] = id
     and lease_id = ($2::uuid[])[width_bucket(id, $1::bigint[])]
), renewed as (
  update jobs set lease_until = now() + make_interval(secs => $3), updated_at = now()
   where id = any(array(
     select id from jobs
      where id = any($1::bigint[])
        and ($1::bigint[])[width_bucket(id, $1::bigint[])] = id
        and lease_id = ($2::uuid[])[width_bucket(id, $1::bigint[])]
        for update skip locked))
  returning id
), beside as (
  insert into job_renewals (job_id, lease_id, lease_until)
  select id, ($2::uuid[])[width_bucket(id, $1::bigint[])], now() + make_interval(secs => $3)
    from held
   where id <> all(array(select id from renewed))
  on conflict (job_id) do update
    set lease_id = excluded.lease_id, lease_until = excluded.lease_until
)
select id from held""",
)

# Renewals beside their row that have run out mean nothing any more.
DELETE_OLD_RENEWALS = Write(
    Nothing,
    """
delete from job_renewals
 where job_id = any(array(select job_id from job_renewals where lease_until < now()
                             for update skip locked))""",
)

# Free slots that nobody uses: their job does not run, or it was taken from a handler whose lease, also
# one renewed beside its row, has run out. A claim takes slot and job in one statement, so no snapshot
# shows one without the other: nobody else would free what this finds.
FREE_STRAY_SLOTS = Write(
    Nothing,
    """
delete from job_slots
 where ctid = any(array(
   select s.ctid from job_slots s
    where (s.lease_until < now()
           or s.lease_id is null
              and not exists (select from jobs j where j.id = s.job_id and j.status = 'running'))
      and not exists (select from job_renewals r
                       where r.job_id = s.job_id and r.lease_id = s.lease_id
                         and r.lease_until >= now())
      for update skip locked))""",
)

# The handlers of the jobs $1 have ended after they lost their leases $2: free the slots they kept. A
# job that runs again has another slot.
FREE_SLOTS = Write(
    Nothing,
    """
delete from job_slots
 where ctid = any(array(
   select s.ctid from job_slots s
    where s.job_id = any($1::bigint[])
      and s.lease_id = ($2::uuid[])[width_bucket(s.job_id, $1::bigint[])]
      for update skip locked))""",
)

# One more slot for the job $1 under the lease $2, in the domain $3, of which $4 may be taken; no row
# where none is free. It is freed with the job's own, at the latest. By the primary keys.
TAKE_SLOT = Write(
    int,
    """
insert into job_slots (domain, slot, job_id)
select $3, s, $1 from generate_series(1, $4::int) s
 where not exists (select from job_slots t where t.domain = $3 and t.slot = s)
   and exists (select from jobs where id = $1 and lease_id = $2 and status = 'running')
 order by s limit 1
on conflict do nothing returning slot""",
)
GIVE_SLOT_BACK = Write(
    Nothing,
    "delete from job_slots where domain = $1 and slot = $2 and job_id = $3 and lease_id is null",
)


@dataclass(frozen=True, slots=True)
class Rescued:
    id: int
    kind: str
    domain: str | None
    status: str
    locked_by: str


# Put back up to $1 jobs whose lease ran out, in their row and beside it; those rescued more than $2
# times die. The first time at once: workers do die. A job that was rescued before comes back at random
# within $3 seconds for each of those times, apart from the jobs it was claimed with: of all that one
# worker held, a single job may be what kills workers. `rescued_lease` lets a worker that never heard of
# its claim take the count back (UNCOUNT_RESCUES). A slot that an earlier run was left with is not freed
# here. Rides jobs_running, and the primary key of job_renewals for those that ran out.
RESCUE = Write(
    Rescued,
    """
with stale as (
  select id, locked_by from jobs
   where status = 'running' and lease_until < now()
     and not exists (select from job_renewals r
                      where r.job_id = jobs.id and r.lease_id = jobs.lease_id
                        and r.lease_until >= now())
   order by id limit $1::int for update of jobs skip locked
), done as (
  update jobs
     set status = case when rescues >= $2::int and not again then 'dead' else 'queued' end,
         finished_at = case when rescues >= $2::int and not again then now() end,
         rescues = case when again then 0 else rescues + 1 end,
         attempts = case when again then 0 else attempts - 1 end,
         setbacks = case when again then 0 else setbacks end,
         run_after = now() + make_interval(
           secs => case when again then 0 else rescues * $3::float8 * random() end),
         again = false,
         last_error = 'the lease ran out: the worker that held it died or froze',
         rescued_lease = lease_id,
         locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()
   where id = any(array(select id from stale))
  returning id, kind, domain, status
), freed as (
  delete from job_slots
   where job_id = any(array(select id from done where domain is not null or status = 'queued'))
     and lease_id is null
)
select done.id, done.kind, done.domain, done.status, stale.locked_by
  from done join stale on stale.id = done.id""",
)

# One row where a job was rescued from one of the leases $1 and not claimed since. Rides jobs_rescued.
IS_RESCUED_FROM = Query(
    bool,
    """
select true as is_rescued from jobs
 where rescued_lease = any($1::uuid[]) and status in ('queued', 'dead') limit 1""",
)

# Nobody ran what was claimed under the leases $1: their rescues do not count, and what died of them is
# queued again, unless its key is queued or running by now. Those claimed again since keep the count.
# Rides jobs_rescued.
UNCOUNT_RESCUES = Write(
    int,
    """
update jobs
   set rescues = greatest(rescues - 1, 0), rescued_lease = null, run_after = now(),
       status = 'queued', finished_at = null, updated_at = now()
 where id = any(array(
   select id from jobs
    where rescued_lease = any($1::uuid[])
      and (status = 'queued' or status = 'dead' and (key is null or not exists (
        select from jobs live where live.kind = jobs.kind and live.key = jobs.key
           and live.status in ('queued', 'running'))))
    order by id for update skip locked))
returning id""",
)
