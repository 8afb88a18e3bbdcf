"""Deletes old jobs: how long finished ones are kept, and how often they are deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from mindhit import log
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.work import store
from mindhit.work.job_types import job
from mindhit.work.lanes import Lane
from mindhit.work.running.work_item import Work
from mindhit.work.scheduler import Schedule

_log = log.get(__name__)
RETENTION_DAYS = 7.0
EVERY_S = 3600.0
BATCH = 5_000  # rows looked at in one transaction


@job("work:prune", lane=Lane.LOW, key="name", attempts=3, backoff_s=(60, 600))
@dataclass(frozen=True, slots=True)
class PruneJobs:
    older_than_days: float = RETENTION_DAYS
    name: str = "all"


async def prune_jobs(work: Work[PruneJobs]) -> None:
    before = utc_now() - timedelta(days=work.args.older_than_days)
    deleted = await prune(work.db, before)
    _log.info("jobs pruned", deleted=deleted, before=before.isoformat())


async def prune(db: Database, before: datetime, *, batch_size: int = BATCH) -> int:
    """Delete jobs that succeeded or were canceled before a time, in short transactions."""
    deleted, behind = 0, 0
    while True:
        [batch] = await db.alone(store.PRUNE, behind, before, batch_size)
        deleted += batch.deleted
        if batch.seen < batch_size:
            return deleted
        behind = batch.last_id


JOBS = {PruneJobs: prune_jobs}


def schedules(retention_days: float = RETENTION_DAYS) -> tuple[Schedule, ...]:
    return (Schedule("work:prune", PruneJobs(older_than_days=retention_days), every_s=EVERY_S),)
