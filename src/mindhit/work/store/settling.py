"""Ending claims: each job under its own lease, and its domain's slot freed at the same moment.

Ids come sorted, and `width_bucket` finds a job's entry in the other lists (leases.py). The slot is
freed of a job that has a domain, and of one that goes back to the queue: it may have been enqueued
again without a domain, and have held a slot in the old one. A slot with a lease of its own belongs to
an earlier run and stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Write


@dataclass(frozen=True, slots=True)
class Settled:
    id: int
    status: str


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: one row for the whole batch, as nearly always all of it was."""

    ids: list[int]
    is_some_queued: bool


@dataclass(frozen=True, slots=True)
class WrittenOtherwise:
    """The same, and which are queued: also those that were to end but were enqueued again."""

    ids: list[int]
    queued: list[int]


# Jobs $1 under leases $2 are done, or go back to the queue if they were enqueued again meanwhile;
# `run_after` is then already the time they are wanted at (ENQUEUE).
SUCCEED = Write(
    Written,
    """
with done as (
  update jobs
     set status = case when again then 'queued' else 'succeeded' end,
         finished_at = case when again then null else now() end,
         attempts = case when again then 0 else attempts end,
         rescues = case when again then 0 else rescues end,
         last_error = case when again then null else last_error end,
         setbacks = 0, again = false,
         locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()
   where id = any(array(
     select id from jobs
      where id = any($1::bigint[])
        and ($1::bigint[])[width_bucket(id, $1::bigint[])] = id
        and lease_id = ($2::uuid[])[width_bucket(id, $1::bigint[])]
        for update skip locked))
  returning id, domain, status
), freed as (
  delete from job_slots
   where job_id = any(array(select id from done where domain is not null or status = 'queued'))
     and lease_id is null
)
select coalesce(array_agg(id), '{}') as ids,
       coalesce(bool_or(status = 'queued'), false) as is_some_queued from done""",
)

# The job $1 under the lease $2 is done, inside its handler's own transaction. Waits for the row, since
# the handler has to know.
SUCCEED_ONE = Write(
    Settled,
    """
with done as (
  update jobs
     set status = case when again then 'queued' else 'succeeded' end,
         finished_at = case when again then null else now() end,
         attempts = case when again then 0 else attempts end,
         rescues = case when again then 0 else rescues end,
         last_error = case when again then null else last_error end,
         setbacks = 0, again = false,
         locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()
   where id = $1 and lease_id = $2
  returning id, domain, status
), freed as (
  delete from job_slots
   where job_id = any(array(select id from done where domain is not null or status = 'queued'))
     and lease_id is null
)
select id, status from done""",
)

# Jobs $1 under leases $2 end otherwise: in the states $3, queued ones after $4 seconds (null keeps
# run_after), with the errors $5 (null keeps the last one), without the claim's attempt where $6 is 1,
# with $7 setbacks (null keeps their number), and in the domains $8 (null keeps theirs). A job that was
# enqueued again has the domain it was enqueued with.
# One that was to end but was enqueued again starts afresh instead of dying or being canceled, and
# without an error: an error tells ENQUEUE that its handler set a time.
SETTLE = Write(
    WrittenOtherwise,
    """
with done as (
  update jobs
     set status = case when again then 'queued'
                       else ($3::text[])[width_bucket(id, $1::bigint[])] end,
         finished_at = case
           when again or ($3::text[])[width_bucket(id, $1::bigint[])] = 'queued' then null
           else now() end,
         attempts = case
           when again and ($3::text[])[width_bucket(id, $1::bigint[])] <> 'queued' then 0
           else attempts - ($6::int[])[width_bucket(id, $1::bigint[])] end,
         rescues = case
           when again and ($3::text[])[width_bucket(id, $1::bigint[])] <> 'queued' then 0
           else rescues end,
         run_after = case
           when ($3::text[])[width_bucket(id, $1::bigint[])] <> 'queued'
             then case when again then run_after else now() end
           when ($4::float8[])[width_bucket(id, $1::bigint[])] is not null
             then now() + make_interval(secs => ($4::float8[])[width_bucket(id, $1::bigint[])])
           when again then now()
           else run_after end,
         last_error = case
           when again and ($3::text[])[width_bucket(id, $1::bigint[])] <> 'queued' then null
           else coalesce(($5::text[])[width_bucket(id, $1::bigint[])], last_error) end,
         setbacks = case
           when again and ($3::text[])[width_bucket(id, $1::bigint[])] <> 'queued' then 0
           else coalesce(($7::int[])[width_bucket(id, $1::bigint[])], setbacks) end,
         domain = case
           when again then domain
           else coalesce(($8::text[])[width_bucket(id, $1::bigint[])], domain) end,
         again = false,
         locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()
   where id = any(array(
     select id from jobs
      where id = any($1::bigint[])
        and ($1::bigint[])[width_bucket(id, $1::bigint[])] = id
        and lease_id = ($2::uuid[])[width_bucket(id, $1::bigint[])]
        for update skip locked))
  returning id, domain, status
), freed as (
  delete from job_slots
   where job_id = any(array(select id from done where domain is not null or status = 'queued'))
     and lease_id is null
)
select coalesce(array_agg(id), '{}') as ids,
       coalesce(array_agg(id) filter (where status = 'queued'), '{}') as queued from done""",
)
