"""A failed attempt: another one after a while, or the end. One transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from mindhit.crawl import metrics, store
from mindhit.crawl.executing.results import message_key
from mindhit.crawl.job_types import Relay
from mindhit.crawl.model import TaskId, TaskStatus
from mindhit.db import Tx
from mindhit.work import enqueue

BACKOFF_S: Final = (30.0, 300.0, 1800.0, 7200.0)
LONGEST_ERROR: Final = 500


def backoff_s(failures: int, steps: Sequence[float] = BACKOFF_S) -> float:
    """How long to wait after the n-th failure."""
    return steps[min(failures, len(steps)) - 1]


async def fail(
    tx: Tx,
    user_id: UUID,
    task_id: TaskId,
    *,
    failures: int,
    error: str,
    retries: int,
    after_s: float | None = None,
    is_permanent: bool = False,
) -> TaskStatus:
    """`failures`: before this one. `after_s`: when the site wants to be asked again."""
    error = error[:LONGEST_ERROR]
    if is_permanent or failures >= retries:
        await tx.run(store.tasks.FAIL, user_id, task_id, error)
        metrics.TASKS.labels(TaskStatus.FAILED).inc()
        return TaskStatus.FAILED
    wait_s = max(after_s or 0.0, 0.0) or backoff_s(failures + 1)
    if await tx.maybe(store.tasks.RETRY, user_id, task_id, error) is not None:
        await rearm(tx, user_id, task_id, attempt=failures + 2, after_s=wait_s)
        metrics.TASKS.labels(TaskStatus.RETRY).inc()
    return TaskStatus.RETRY


async def rearm(tx: Tx, user_id: UUID, task_id: TaskId, *, attempt: int, after_s: float) -> None:
    """The message of the next attempt."""
    key = message_key(task_id, attempt)
    await tx.run(store.outbox.REARM, user_id, task_id, key, after_s)
    await enqueue(tx, Relay(), after_s=after_s)
