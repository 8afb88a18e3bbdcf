"""Leases: which are still ours, how they are prolonged, and what becomes of those that ran out."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Nothing, Query, Write
from mindhit.work.store.pieces import FREE_SLOTS, HELD_IDS, PLACE, UNLOCK

# Which of these claims are still ours.
HELD = Query(int, HELD_IDS)


# Prolong the leases by $3 seconds; tells which are still held. A row that somebody's open transaction
# has locked is not waited for, and yet its worker lives: its lease is prolonged beside it, in
# job_renewals, where rescuers look as well. Without that a job that was locked for longer than a
# lease would be taken from its worker at the moment of its release, whatever margin they left.
# Only statements that are alone in their transaction write there: none of them waits for a caller's.
RENEW = Write(
    int,
    f"""
with held as materialized ({HELD_IDS}
), renewed as (
  update jobs set lease_until = now() + make_interval(secs => $3), updated_at = now()
   where id = any(array({HELD_IDS} for update skip locked))
  returning id
), beside as (
  insert into job_renewals (job_id, lease_id, lease_until)
  select id, ($2::uuid[])[{PLACE}], now() + make_interval(secs => $3)
    from held
   where id <> all(array(select id from renewed))
  on conflict (job_id) do update
    set lease_id = excluded.lease_id, lease_until = excluded.lease_until
)
select id from held""",
)

# Renewals beside their row that are over say nothing any more.
FORGET_RENEWALS = Write(
    Nothing,
    """
delete from job_renewals
 where job_id = any(array(select job_id from job_renewals where lease_until < now()
                             for update skip locked))""",
)

# Slots that nobody is at: their job does not run, or it was taken from a handler whose lease, also one
# that was prolonged beside its row, is over. A claim takes slot and job in one statement, so that no
# snapshot shows one without the other: what this finds nobody else would free.
FREE_STRAY = Write(
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

# The handlers of the jobs $1 have ended after their leases $2 were taken from them: what outlived
# those is over. One that runs again has a place of its own.
RELEASE = Write(
    Nothing,
    """
delete from job_slots
 where ctid = any(array(
   select s.ctid from job_slots s
    where s.job_id = any($1::bigint[])
      and s.lease_id = ($2::uuid[])[width_bucket(s.job_id, $1::bigint[])]
      for update skip locked))""",
)


@dataclass(frozen=True, slots=True)
class Rescued:
    id: int
    kind: str
    domain: str | None
    status: str
    locked_by: str


# Put back up to $1 jobs whose lease ran out, in their row and beside it; those rescued more than $2
# times die. The first time at once: workers do die. One that was rescued before comes back some time
# within $3 seconds for each of those times, and so apart from what it was claimed with: of all that
# one worker held, a single job may be what ends workers. Rides jobs_running, and the primary key of
# job_renewals for what is over.
RESCUE = Write(
    Rescued,
    f"""
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
         {UNLOCK}
   where id = any(array(select id from stale))
  returning id, kind, domain, status
){FREE_SLOTS}
select done.id, done.kind, done.domain, done.status, stale.locked_by
  from done join stale on stale.id = done.id""",
)
