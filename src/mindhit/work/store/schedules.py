"""Recurring work: when each schedule is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Due:
    name: str
    next_run_at: datetime
    now: datetime


# Add the schedule $1, due at $2, unless it is there.
ADD_SCHEDULE = Write(
    Nothing,
    """
insert into job_schedules (name, next_run_at) values ($1, $2) on conflict (name) do nothing""",
)

# The schedules among $1 that are due, locked: of several schedulers, one gets each.
DUE_SCHEDULES = Write(
    Due,
    """
select name, next_run_at, now() as now from job_schedules
 where name = any($1::text[]) and next_run_at <= now()
 order by name for update skip locked""",
)

# The schedule $1 has run as the job $3, and is due again at $2.
RECORD_TICK = Write(
    Nothing,
    """
update job_schedules set next_run_at = $2, last_run_at = now(), last_job_id = $3
 where name = $1""",
)

# Seconds until the first of the schedules $1 is due.
NEXT_TICK = Query(
    float,
    """
select extract(epoch from min(next_run_at) - now())::float8 as wait_s
  from job_schedules where name = any($1::text[])""",
)

# When any schedule last ran.
LAST_TICK = Query(
    datetime,
    """
select last_run_at from job_schedules
 where last_run_at is not null order by last_run_at desc limit 1""",
)
