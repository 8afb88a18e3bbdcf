"""What the operator sees of everybody's recordings: how many and how well, never what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import Query

_OPERATOR: Final = "the operator looks after everybody's devices; no URL and no text is read"


@dataclass(frozen=True, slots=True)
class Captured:
    """What one device sent in the last $3 days."""

    device_id: UUID
    last_batch_at: datetime | None
    recording: int
    events: int
    rejected: int
    incomplete: int
    waiting: int


# For pairs of a person ($1) and a device ($2), over the last $3 days. Uses the index sessions_by_start.
CAPTURED = Query(
    Captured,
    """
select d.device_id, s.last_batch_at, s.recording, s.events, s.rejected, s.incomplete, s.waiting
  from unnest($1::uuid[], $2::uuid[]) as d (user_id, device_id)
  cross join lateral (
    select max(heard_at) as last_batch_at,
           count(*) filter (where status = 'recording')::int as recording,
           coalesce(sum(event_count), 0)::int as events,
           coalesce(sum(rejected_count), 0)::int as rejected,
           count(*) filter (where holes <> '[]' or parked <> '[]')::int as incomplete,
           coalesce(sum(greatest(max_seq, last_seq) - next_seq + 1 - (
             select coalesce(sum((range ->> 1)::int - (range ->> 0)::int + 1), 0)
               from jsonb_array_elements(parked) as range)) filter (where closed_at is null),
             0)::int as waiting
      from sessions
     where user_id = d.user_id and device_id = d.device_id
       and started_at > now() - make_interval(days => $3)) s""",
    across_users=_OPERATOR,
)


@dataclass(frozen=True, slots=True)
class Rejection:
    device_id: UUID
    reason: str
    events: int


REJECTIONS = Query(
    Rejection,
    """
select s.device_id, e.payload ->> 'rejected' as reason, count(*)::int as events
  from sessions s
  join raw_events e on e.month = s.month and e.session_id = s.id
 where s.rejected_count > 0 and s.device_id is not null
   and s.started_at > now() - make_interval(days => $1) and e.payload ? 'rejected'
 group by 1, 2 order by 3 desc limit 500""",
    across_users=_OPERATOR,
)

COUNT = Query(int, "select count(*)::int as n from sessions", across_users=_OPERATOR)
