"""Sessions that the sweep has to look at: old holes, silence, timelines that were left behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Query, Write


@dataclass(frozen=True, slots=True)
class Owned:
    id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class Silent:
    id: UUID
    user_id: UUID
    ended_at: datetime


_SWEEP = "the sweep checks everybody's sessions"

OLD_HOLES = Query(
    Owned,
    """
select id, user_id from sessions
 where hole_since < now() - make_interval(secs => $1) and closed_at is null
 order by id limit 500""",
    across_users=_SWEEP,
)
FELL_SILENT = Query(
    Owned,
    """
select id, user_id from sessions
 where status = 'recording' and heard_at < now() - make_interval(secs => $1)
   and not is_resting and not is_stale and fold_state is not null
 order by id limit 500""",
    across_users=_SWEEP,
)
LONG_SILENT = Query(
    Silent,
    """
select id, user_id, coalesce(last_event_at, started_at) as ended_at from sessions
 where status = 'recording' and heard_at < now() - make_interval(secs => $1)
 order by id limit 500""",
    across_users=_SWEEP,
)
# Checked again under the lock: a batch may have arrived since it was found.
LOCK_IF_SILENT = Write(
    UUID,
    """
select id from sessions
 where id = $1 and user_id = $2 and status = 'recording'
   and heard_at < now() - make_interval(secs => $3)
   for no key update""",
)
# Sessions whose processing has not got on for $1 s; $2 says why they failed.
FAIL_STUCK = Write(
    UUID,
    """
with stuck as (
  select id from sessions
   where status = 'processing' and updated_at < now() - make_interval(secs => $1)
   order by id limit 500 for no key update skip locked)
update sessions s
   set status = 'failed', error = $2, progress = null, version = version + 1, updated_at = now()
  from stuck where s.id = stuck.id
returning s.id""",
    across_users=_SWEEP,
)
STALE = Query(
    Owned,
    """
select id, user_id from sessions
 where is_stale and updated_at < now() - make_interval(secs => $1)
 order by id limit 500""",
    across_users=_SWEEP,
)
