"""Ending claims: each job under its own lease, its domain's place free at the same moment."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Write
from mindhit.work.store.pieces import FREE_SLOTS, HELD_IDS, PLACE, UNLOCK


@dataclass(frozen=True, slots=True)
class Settled:
    id: int
    status: str


@dataclass(frozen=True, slots=True)
class Written:
    """What became of many: one row for all, since nearly always all of them were written."""

    ids: list[int]
    is_some_queued: bool


@dataclass(frozen=True, slots=True)
class WrittenOtherwise:
    """The same, and which are queued: of those that were to end, the ones that were asked for again."""

    ids: list[int]
    queued: list[int]


_SUCCESS = f"""
  update jobs
     set status = case when again then 'queued' else 'succeeded' end,
         finished_at = case when again then null else now() end,
         attempts = case when again then 0 else attempts end,
         rescues = case when again then 0 else rescues end,
         last_error = case when again then null else last_error end,
         setbacks = 0, again = false, {UNLOCK}"""

# Jobs $1 under leases $2 are done, or go back to the queue when they were asked for again, for when
# they were (`run_after` of a running job that is wanted again; see ENQUEUE).
SUCCEED = Write(
    Written,
    f"""
with done as ({_SUCCESS}
   where id = any(array({HELD_IDS} for update skip locked))
  returning id, domain, status
){FREE_SLOTS}
select coalesce(array_agg(id), '{{}}') as ids,
       coalesce(bool_or(status = 'queued'), false) as is_some_queued from done""",
)

# One job's success inside its handler's own transaction; waits for the row, since it must know.
SUCCEED_ONE = Write(
    Settled,
    f"""
with done as ({_SUCCESS}
   where id = $1 and lease_id = $2
  returning id, domain, status
){FREE_SLOTS}
select id, status from done""",
)

_STATUS = f"($3::text[])[{PLACE}]"

# Jobs $1 under leases $2 end otherwise: in the states $3, queued ones after $4 seconds (null keeps
# their place), with the errors $5 (null keeps the last one), the claim's attempt taken back where $6
# is 1, and $7 setbacks (null keeps their number).
# One that was asked for again starts afresh instead of dying or being canceled, without a word of what
# was: an error says to ENQUEUE that somebody wants it to wait.
SETTLE = Write(
    WrittenOtherwise,
    f"""
with done as (
  update jobs
     set status = case when again and {_STATUS} <> 'queued' then 'queued' else {_STATUS} end,
         finished_at = case when again or {_STATUS} = 'queued' then null else now() end,
         attempts = case when again and {_STATUS} <> 'queued' then 0
                         else attempts - ($6::int[])[{PLACE}] end,
         rescues = case when again and {_STATUS} <> 'queued' then 0 else rescues end,
         run_after = case
           when {_STATUS} <> 'queued' then case when again then run_after else now() end
           when ($4::float8[])[{PLACE}] is not null
             then now() + make_interval(secs => ($4::float8[])[{PLACE}])
           when again then now()
           else run_after end,
         last_error = case when again and {_STATUS} <> 'queued' then null
                           else coalesce(($5::text[])[{PLACE}], last_error) end,
         setbacks = case when again and {_STATUS} <> 'queued' then 0
                         else coalesce(($7::int[])[{PLACE}], setbacks) end,
         again = false, {UNLOCK}
   where id = any(array({HELD_IDS} for update skip locked))
  returning id, domain, status
){FREE_SLOTS}
select coalesce(array_agg(id), '{{}}') as ids,
       coalesce(array_agg(id) filter (where status = 'queued'), '{{}}') as queued from done""",
)
