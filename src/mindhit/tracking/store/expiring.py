"""Sessions that a plan does not keep. Those that are announced are found by sessions_expiring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write

_SWEEP = "the sweep checks everybody's sessions"


@dataclass(frozen=True, slots=True)
class Due:
    id: UUID
    user_id: UUID


# The next people with an announced session, after $1.
PEOPLE = Query(
    UUID,
    """
select distinct user_id from sessions where expires_at is not null and user_id > $1
 order by user_id limit 500""",
    across_users=_SWEEP,
)
# What a plan keeps after all: for ever ($2 is null), or longer than was announced.
WITHDRAW = Write(
    Nothing,
    """
update sessions set expires_at = null, version = version + 1, updated_at = now()
 where user_id = $1 and expires_at is not null
   and ($2::int is null
        or coalesce(ended_at, started_at) + make_interval(days => $2) > expires_at)""",
)
# What is $2 days old before $3 (sessions_by_start): it is deleted then, and not before $3.
ANNOUNCE = Write(
    datetime,
    """
update sessions set expires_at = $3::timestamptz, version = version + 1, updated_at = now()
 where user_id = $1 and expires_at is null and status <> 'recording'
   and started_at <= $3::timestamptz - make_interval(days => $2)
   and coalesce(ended_at, started_at) <= $3::timestamptz - make_interval(days => $2)
returning expires_at""",
)
DUE = Query(
    Due,
    "select id, user_id from sessions where expires_at <= $1 order by expires_at, id limit $2",
    across_users=_SWEEP,
)
# Checked again under the lock: the plan, or the end of the session, may be another by now.
LOCK_DUE = Write(
    UUID,
    """
select id from sessions
 where id = $1 and user_id = $2 and expires_at <= $3 and status <> 'recording'
   and coalesce(ended_at, started_at) + make_interval(days => $4) <= $3
   for no key update""",
)
