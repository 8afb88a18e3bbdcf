"""Pieces of SQL that several statements are made of."""

from __future__ import annotations

# What a row that is no longer running is rid of.
UNLOCK = """locked_at = null, locked_by = null, lease_id = null, lease_until = null,
         updated_at = now()"""

# The place among the ids $1, which come in order, that the row's own id has: the n-th of the other
# lists belongs to it. Found by halving; array_position would read 250 of 500 for every row.
PLACE = "width_bucket(id, $1::bigint[])"

# Those of the jobs $1 that are held under their leases $2. Ids that do not come in order find a
# stranger at their place and are not held: a caller's mistake settles nothing wrongly.
HELD_IDS = f"""
  select id from jobs
   where id = any($1::bigint[])
     and ($1::bigint[])[{PLACE}] = id and lease_id = ($2::uuid[])[{PLACE}]
"""

# Behind a CTE `done (id, domain, status, …)`: what it ended makes room in its domains. One that goes
# back to the queue may have been asked for again without a domain, and has had its place in the old.
# A place that an earlier run of it was left with is not its own.
FREE_SLOTS = """
, freed as (
  delete from job_slots
   where job_id = any(array(select id from done where domain is not null or status = 'queued'))
     and lease_id is null
)
"""


def outlive(gone: str) -> str:
    """Behind a CTE `gone (id, lease_id, lease_until)`: places that outlive their job's run. Its handler
    has not heard of the end yet, and as long as it may go on, its place is taken. Written into the
    place itself: nobody else touches that while the job's row is locked, so that a transaction that
    stays open keeps no renewal waiting."""
    return f"""
, outlived as (
  update job_slots s set lease_id = {gone}.lease_id, lease_until = {gone}.lease_until
    from {gone}
   where s.job_id = {gone}.id and s.lease_id is null and {gone}.lease_id is not null
)
"""
