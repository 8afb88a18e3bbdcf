"""Dead letters: listed, tried once more, or discarded."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from mindhit.crawl import store
from mindhit.crawl.executing.failing import rearm
from mindhit.crawl.job_types import Apply
from mindhit.crawl.model import DeadKind, DeadLetter, DeadLetterNotFound, NotRetryable, TaskId
from mindhit.db import ReadTx, Tx
from mindhit.work import enqueue


async def list_dead(
    tx: ReadTx,
    user_id: UUID,
    *,
    what: DeadKind | None = None,
    after: tuple[datetime, UUID] | None = None,
    limit: int,
) -> list[DeadLetter]:
    at, id_ = after or (None, None)
    return await tx.all(store.dead.LIST, user_id, what, at, id_, limit)


async def retry_dead(tx: Tx, user_id: UUID, dead_id: UUID) -> None:
    """One more try. Raises `NotRetryable` where a newer task for the same page is under way."""
    task_id = await tx.maybe(store.dead.TASK_OF, user_id, dead_id)
    if task_id is not None:
        failures = await tx.maybe(store.dead.REVIVE_TASK, user_id, task_id)
        if failures is None:
            raise NotRetryable
        await rearm(tx, user_id, TaskId(task_id), attempt=failures + 1, after_s=0)
        return
    raw = await tx.maybe(store.dead.REVIVE_RAW, user_id, dead_id)
    if raw is None:
        raise DeadLetterNotFound
    await enqueue(tx, Apply(raw.user_id, raw.site, raw.item_key))


async def discard_dead(tx: Tx, user_id: UUID, dead_id: UUID) -> None:
    """With its message and executions."""
    task_id = await tx.maybe(store.dead.TASK_OF, user_id, dead_id)
    if task_id is not None:
        await tx.run(store.dead.DISCARD_TASK, user_id, task_id)
    elif await tx.maybe(store.dead.DISCARD_RAW, user_id, dead_id) is None:
        raise DeadLetterNotFound
