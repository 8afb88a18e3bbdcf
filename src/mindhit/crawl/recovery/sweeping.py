"""The sweep: tasks that nobody executes, raws that nobody applies, listings that nobody counted, rows that
are old."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from mindhit import log
from mindhit.crawl import failure_path, metrics, store
from mindhit.crawl.executing import failing
from mindhit.crawl.job_types import Apply, Listed, Relay
from mindhit.crawl.model import TaskStatus
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.sites.registry import known_sites
from mindhit.crawl.transport.port import TransportFailed
from mindhit.db import Database
from mindhit.work import enqueue, enqueue_many

# With the two below nothing lies about for a minute, also where the worker that sweeps dies: its sweep runs
# again after its lease.
SWEEP_EVERY_S: Final = 10
BATCH: Final = 500
ORPHANED_AFTER_S: Final = 10.0  # over `postgres` a published task has a job from the first moment
ORPHANED_IN_QUEUE_S: Final = 600.0  # over a queue of somebody else's it may lie there for a while
UNAPPLIED_AFTER_S: Final = 20.0
UNCOUNTED_AFTER_S: Final = 20.0
PREDECESSOR_S: Final = 86_400.0
KEPT_S: Final = 30 * 86_400.0
_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    republished: int = 0
    failed: int = 0
    raws: int = 0
    expired: int = 0
    pruned: int = 0


async def sweep(
    db: Database, settings: CrawlSettings, queue_is_empty: Callable[[], Awaitable[bool]] | None
) -> Swept:
    """`queue_is_empty`: of a transport with a queue of its own."""
    after_s = await _orphaned_after_s(queue_is_empty)
    republished, failed = await recover_orphans(db, settings, after_s) if after_s else (0, 0)
    raws = await apply_left(db)
    await count_left(db)
    async with db.transaction() as tx:
        expired = await tx.run(store.recovery.EXPIRE_RAWS, PREDECESSOR_S, BATCH)
        metrics.RAWS.labels("DEAD").inc(expired)
    async with db.transaction() as tx:
        pruned = await tx.run(store.recovery.PRUNE, KEPT_S, BATCH)
        await tx.run(store.breakers.FORGET)
    swept = Swept(republished, failed, raws, expired, pruned)
    if any((republished, failed, expired)):
        _log.warning("found left behind", republished=republished, failed=failed, expired=expired)
    return swept


async def _orphaned_after_s(queue_is_empty: Callable[[], Awaitable[bool]] | None) -> float | None:
    """None: a queue may have the messages of all that seem to be orphans."""
    if queue_is_empty is None:
        return ORPHANED_AFTER_S
    try:
        return ORPHANED_IN_QUEUE_S if await queue_is_empty() else None
    except TransportFailed as error:
        _log.warning("queue not asked", reason=error.message)
        return None


async def recover_orphans(db: Database, settings: CrawlSettings, after_s: float) -> tuple[int, int]:
    """Tasks that were sent and that no job will ever do: sent again, and at the limit failed."""
    republished = failed = 0
    async with db.transaction() as tx:
        for orphan in await tx.all(store.recovery.ORPHANS, after_s, BATCH):
            with failure_path.counted("sweep", task_id=orphan.task_id):
                await tx.run(store.tasks.CLOSE_LOST, orphan.user_id, orphan.task_id)
                status = await failing.fail(
                    tx,
                    orphan.user_id,
                    orphan.task_id,
                    failures=orphan.retry_count,
                    error="its message was lost",
                    retries=settings.crawl_task_retries,
                    after_s=0.001,
                )
            republished += status == TaskStatus.RETRY
            failed += status == TaskStatus.FAILED
            metrics.RECOVERED.labels("task").inc()
        await enqueue(tx, Relay())
    return republished, failed


async def count_left(db: Database) -> int:
    """Whole listings of which nobody counted what they lacked: the queue gave that job up."""
    async with db.transaction() as tx:
        found = await tx.all(store.recovery.UNCOUNTED, UNCOUNTED_AFTER_S, BATCH)
        await enqueue_many(
            tx, [Listed(each.user_id, each.scheduler_id, each.task_id) for each in found]
        )
    metrics.RECOVERED.labels("listing").inc(len(found))
    return len(found)


async def apply_left(db: Database) -> int:
    """Raws whose time has come again, that nobody applied, or that another version may understand."""
    known = known_sites()
    async with db.transaction() as tx:
        found = [
            *await tx.all(store.recovery.DUE_RAWS, BATCH),
            *await tx.all(store.recovery.FORGOTTEN_RAWS, BATCH, UNAPPLIED_AFTER_S),
            *await tx.all(
                store.recovery.RETRY_LAYOUTS,
                list(known),
                [site.version for site in known.values()],
                BATCH,
            ),
        ]
        await enqueue_many(tx, [Apply(each.user_id, each.site, each.item_key) for each in found])
    return len(found)
