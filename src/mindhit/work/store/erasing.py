"""Erasing a person from the queue."""

from __future__ import annotations

from mindhit.db import Nothing, Write

# Lock the jobs of which an argument or the key is one of the words $1. Run before ERASE, which then
# sees the slots that a concurrent claim has written.
LOCK_JOBS_OF_PERSON = Write(
    Nothing,
    """
select from jobs
 where lower(key) = any($1::text[])
    or exists (select from jsonb_path_query(args, '$.** ? (@.type() == "string")') argument
                where lower(argument #>> '{}') = any($1::text[]))
 order by id for update""",
)

# Delete the jobs of which an argument or the key is one of the words $1, ignoring case. Reads the whole
# table, which pruning keeps at a week's size. A running job is deleted like any other. Its handler
# learns of that at its next heartbeat, and its domain's slot stays taken until its lease would have
# ended. That is written into the slot itself: nobody else touches it while the job's row is locked, so
# a transaction that stays open blocks no renewal.
ERASE = Write(
    Nothing,
    """
with gone as (
  delete from jobs
   where lower(key) = any($1::text[])
      or exists (select from jsonb_path_query(args, '$.** ? (@.type() == "string")') argument
                  where lower(argument #>> '{}') = any($1::text[]))
  returning id, lease_id, lease_until
), kept as (
  update job_slots s set lease_id = gone.lease_id, lease_until = gone.lease_until
    from gone
   where s.job_id = gone.id and s.lease_id is null and gone.lease_id is not null
)
select""",
)

# The same for jobs with one of the keys $1, as they are written.
LOCK_KEYS = Write(Nothing, "select from jobs where key = any ($1::text[]) order by id for update")
ERASE_KEYS = Write(
    Nothing,
    """
with gone as (
  delete from jobs where key = any ($1::text[]) returning id, lease_id, lease_until
), kept as (
  update job_slots s set lease_id = gone.lease_id, lease_until = gone.lease_until
    from gone
   where s.job_id = gone.id and s.lease_id is null and gone.lease_id is not null
)
select""",
)
