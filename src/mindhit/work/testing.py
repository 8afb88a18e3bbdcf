"""For the slices' tests: run what is queued, and let time pass.

Tests wait on signals, never on sleeps: `drain` returns when nothing that is due is left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from mindhit.db import Database, Nothing, Write
from mindhit.work.claiming.claimer import Claimer
from mindhit.work.job_types import DEFAULT_QUEUE, Handler, Registry
from mindhit.work.model import Claimed
from mindhit.work.running.completer import Completer
from mindhit.work.running.executor import Executor
from mindhit.work.running.held_claims import HeldClaims

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
_PASS_SLOTS = Write(
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
        await tx.run(_PASS_SLOTS, seconds)
        await tx.run(_PASS_TICKS, seconds)


async def drain(
    db: Database, jobs: Mapping[type[Any], Handler], *, queues: tuple[str, ...] = (DEFAULT_QUEUE,)
) -> int:
    """Run all due jobs of these kinds, and what they enqueue, one by one in this task."""
    registry = Registry(jobs)
    held_claims = HeldClaims()
    completer = Completer(db, held_claims)
    executor = Executor(db, registry, settled=held_claims.mark_settled)
    ran = 0
    kinds = [kind.name for kind in registry.kinds]
    while claims := await claim(db, 10, queues=queues, kinds=kinds):
        for each in claims:
            [held] = held_claims.add([each], 0.0)
            settlement = await executor.run(each)
            if settlement is None:
                held_claims.lease_gone(held)
            left = [(each, settlement)] if settlement else []
            while left:
                left = await completer.write(left)
            ran += 1
    await registry.close()
    return ran


async def claim(
    db: Database,
    n: int,
    *,
    queues: tuple[str, ...] = (DEFAULT_QUEUE,),
    kinds: Collection[str] | None = None,
    worker: str = "test",
) -> list[Claimed]:
    return await Claimer(db, queues, worker, kinds=kinds).claim(n)
