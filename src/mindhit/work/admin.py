"""What an operator does with jobs: list, retry, cancel and discard them, and see how queues do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mindhit.db import ConstraintBroken, ReadTx, Tx
from mindhit.errors import Conflict
from mindhit.work import store
from mindhit.work.enqueue import is_notifying
from mindhit.work.model import Job, JobId, JobNotFound, State, Upkeep
from mindhit.work.settlement import clean

NEWEST = JobId(2**63 - 1)  # a cursor before the newest job
BUCKETS: Final = 12  # of five minutes each (store.FINISHED)
RETRY_BATCH: Final = 5_000
_LIVE_ALREADY = "A job of the same kind and key is already queued or running."


class JobBusy(Conflict):
    """The job is not in a state in which this can be done."""


@dataclass(frozen=True, slots=True)
class Stats:
    depths: list[store.Depth]
    failing_domains: list[store.FailingDomain]


@dataclass(frozen=True, slots=True)
class Throughput:
    """Jobs of a queue that ended in the last hour, per five minutes, oldest first."""

    queue: str
    succeeded: list[int]
    dead: list[int]


async def show(tx: ReadTx, job_id: JobId) -> Job:
    job = await tx.maybe(store.BY_ID, job_id)
    if job is None:
        raise JobNotFound
    return job


async def list_jobs(
    tx: ReadTx,
    *,
    status: State | None = None,
    kind: str | None = None,
    queue: str | None = None,
    behind: JobId = NEWEST,
    limit: int = 50,
) -> list[Job]:
    """Newest first."""
    if status is State.DEAD:
        return await tx.all(store.LIST_DEAD, kind, queue, behind, limit)
    return await tx.all(store.LIST, status, kind, queue, behind, limit)


async def retry(tx: Tx, job_id: JobId) -> Job:
    """Give a dead or canceled job a fresh start."""
    try:
        job = await tx.maybe(store.RETRY, job_id)
    except ConstraintBroken as error:  # it was enqueued again just now
        raise JobBusy(_LIVE_ALREADY) from error
    if job is None:
        found = await show(tx, job_id)
        if found.status in {State.DEAD, State.CANCELED}:
            raise JobBusy(_LIVE_ALREADY)
        raise JobBusy(f"The job is {found.status}; only a dead or canceled one can be retried.")
    if is_notifying():
        await tx.run(store.NOTIFY)
    return job


async def retry_dead(tx: Tx, *, kind: str | None = None, error: str | None = None) -> int:
    """Give dead jobs a fresh start: those of a kind, and those with a text in their error. One whose
    key is queued or running by now stays. Returns how many."""
    retried, behind = 0, 0
    while True:
        try:
            batch = await tx.one(store.RETRY_DEAD, kind, error, behind, RETRY_BATCH)
        except ConstraintBroken as broken:  # one of them was enqueued again just now
            raise JobBusy(_LIVE_ALREADY, way_out="Try again.") from broken
        retried += batch.retried
        behind = batch.last_id
        if batch.seen < RETRY_BATCH:
            break
    if retried and is_notifying():
        await tx.run(store.NOTIFY)
    return retried


async def cancel(tx: Tx, job_id: JobId, reason: str | None = None) -> Job:
    """Take a job out of the queue. A running handler is stopped at its next heartbeat, and keeps its
    domain's slot until it has ended."""
    reason = None if reason is None else clean(reason)
    await tx.maybe(store.LOCK_JOB, job_id)
    if await tx.maybe(store.CANCEL, job_id, reason) is None:
        found = await show(tx, job_id)
        raise JobBusy(f"The job is {found.status}; only a queued or running one can be canceled.")
    return await show(tx, job_id)


async def discard(tx: Tx, job_id: JobId) -> None:
    """Permanently delete a dead or canceled job."""
    if await tx.maybe(store.DELETE_DEAD, job_id) is None:
        found = await show(tx, job_id)
        raise JobBusy(
            f"The job is {found.status}; only a dead or canceled one can be discarded.",
            way_out="Cancel it first." if found.status in {"queued", "running"} else None,
        )


async def stats(tx: ReadTx) -> Stats:
    return Stats(await tx.all(store.DEPTHS), await tx.all(store.FAILING_DOMAINS, 10))


async def upkeep(tx: ReadTx) -> Upkeep:
    return await tx.one(store.UPKEEP)


async def throughput(tx: ReadTx) -> list[Throughput]:
    return by_queue(await tx.all(store.FINISHED))


def by_queue(finished: Iterable[store.Finished]) -> list[Throughput]:
    queues: dict[str, Throughput] = {}
    for each in finished:
        queue = queues.setdefault(each.queue, Throughput(each.queue, [0] * BUCKETS, [0] * BUCKETS))
        index = BUCKETS - 1 - max(0, min(each.bucket, BUCKETS - 1))
        queue.succeeded[index] += each.succeeded
        queue.dead[index] += each.dead
    return list(queues.values())


async def last_tick(tx: ReadTx) -> datetime | None:
    """When a recurring job was last due; None where no scheduler has ever run."""
    return await tx.maybe(store.LAST_TICK)
