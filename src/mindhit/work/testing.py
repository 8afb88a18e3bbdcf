"""For the slices' tests: run what is queued, wait for what happened, let time pass.

Tests wait on signals, never on sleeps: `drain` returns when nothing that is due is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from mindhit.db import Database, Nothing, Write
from mindhit.work import store
from mindhit.work.claimer import Claimer
from mindhit.work.completer import Completer
from mindhit.work.executor import Executor
from mindhit.work.holdings import Holdings
from mindhit.work.kinds import Handler, Registry
from mindhit.work.model import Claimed, Job, JobId

LEASE_S = 30.0

# Moving every job's times into the past is the same as the clock moving on.
_PASS_TIME = Write(
    Nothing,
    """
update jobs set run_after = run_after - make_interval(secs => $1),
       lease_until = lease_until - make_interval(secs => $1),
       locked_at = locked_at - make_interval(secs => $1),
       created_at = created_at - make_interval(secs => $1),
       finished_at = finished_at - make_interval(secs => $1)""",
)
_PASS_RENEWALS = Write(
    Nothing, "update job_renewals set lease_until = lease_until - make_interval(secs => $1)"
)
_PASS_PLACES = Write(
    Nothing, "update job_slots set lease_until = lease_until - make_interval(secs => $1)"
)
_PASS_TICKS = Write(
    Nothing, "update job_schedules set next_run_at = next_run_at - make_interval(secs => $1)"
)


async def pass_time(db: Database, seconds: float) -> None:
    """Let `seconds` pass for everything in the queue."""
    async with db.transaction() as tx:
        await tx.run(_PASS_TIME, seconds)
        await tx.run(_PASS_RENEWALS, seconds)
        await tx.run(_PASS_PLACES, seconds)
        await tx.run(_PASS_TICKS, seconds)


async def job_by_id(db: Database, job_id: JobId) -> Job:
    async with db.read() as tx:
        return await tx.one(store.BY_ID, job_id)


async def drain(
    db: Database, jobs: Mapping[type[Any], Handler], *, queues: tuple[str, ...] = ("default",)
) -> int:
    """Run everything that is due, and what that enqueues, one after the other in this task."""
    registry = Registry(jobs)
    holdings = Holdings()
    completer = Completer(db, holdings, is_quiet=lambda: True, requeued=lambda: None)
    executor = Executor(db, registry, settled=holdings.settled)
    ran = 0
    while claims := await claim(db, 10, queues=queues):
        for each in claims:
            [held] = holdings.add([each], 0.0)
            settlement = await executor.run(each)
            if settlement is None:
                holdings.leave(held)
            left = [(each, settlement)] if settlement else []
            while left:
                left = await completer.write(left)
            ran += 1
    return ran


async def claim(
    db: Database, n: int, *, queues: tuple[str, ...] = ("default",), worker: str = "test"
) -> list[Claimed]:
    return await Claimer(db, queues, worker, lease=timedelta(seconds=LEASE_S)).claim(n)
