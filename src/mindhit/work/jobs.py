"""The engine's own recurring work: old jobs leave the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from mindhit import log
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.work import store
from mindhit.work.handle import Work
from mindhit.work.kinds import job
from mindhit.work.model import Lane
from mindhit.work.scheduler import Schedule

_log = log.get(__name__)
AT_ONCE = 5_000


@job("work:prune", lane=Lane.LOW, key="name", attempts=3, backoff_s=(60, 600))
@dataclass(frozen=True, slots=True)
class PruneJobs:
    older_than_days: float = 7.0
    name: str = "all"


async def prune_jobs(work: Work[PruneJobs]) -> None:
    before = utc_now() - timedelta(days=work.args.older_than_days)
    deleted = await prune(work.db, before)
    _log.info("jobs pruned", deleted=deleted, before=before.isoformat())


async def prune(db: Database, before: datetime, *, at_once: int = AT_ONCE) -> int:
    """Delete jobs that succeeded or were canceled before a time, in short transactions."""
    deleted, behind = 0, 0
    while True:
        [batch] = await db.alone(store.PRUNE, behind, before, at_once)
        deleted += batch.deleted
        if batch.seen < at_once:
            return deleted
        behind = batch.last_id


JOBS = {PruneJobs: prune_jobs}


def schedules(retention_days: float) -> tuple[Schedule, ...]:
    return (Schedule("work:prune", PruneJobs(older_than_days=retention_days), every_s=3600),)
