"""Recurring work: when each schedule is due, and who enqueues its tick."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Due:
    name: str
    next_run_at: datetime
    now: datetime


# Make sure that the schedule $1 is known; a new one is due at $2.
REMEMBER_SCHEDULE = Write(
    Nothing,
    """
insert into job_schedules (name, next_run_at) values ($1, $2) on conflict (name) do nothing""",
)

# The schedules among $1 that are due, locked: of several schedulers, one gets each.
DUE = Write(
    Due,
    """
select name, next_run_at, now() as now from job_schedules
 where name = any($1::text[]) and next_run_at <= now()
 order by name for update skip locked""",
)

TICKED = Write(
    Nothing,
    """
update job_schedules set next_run_at = $2, last_run_at = now(), last_job_id = $3
 where name = $1""",
)

NEXT_DUE = Query(
    float,
    """
select extract(epoch from min(next_run_at) - now())::float8 as wait_s
  from job_schedules where name = any($1::text[])""",
)

LAST_TICK = Query(
    datetime,
    """
select last_run_at from job_schedules
 where last_run_at is not null order by last_run_at desc limit 1""",
)
