"""The relay: from the outbox to the transport.

Over `postgres` taking, publishing and marking are one transaction. Over a queue of somebody else's the
message is sent first and marked after it: a crash between sends it again, and its key absorbs that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mindhit import log
from mindhit.crawl import failure_path, metrics, store
from mindhit.crawl.executing.failing import LONGEST_ERROR, backoff_s
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.store.outbox import Taken
from mindhit.crawl.transport.port import Message, Transport
from mindhit.db import Database, Tx

BATCH: Final = 200
LEASE_S: Final = 60.0  # after which a message that is being published is taken again
RETRY_S: Final = (10.0, 60.0, 300.0, 1800.0)
_log = log.get(__name__)


async def relay(db: Database, transport: Transport, settings: CrawlSettings) -> int:
    """Publish what is due; how many were. Stops when nothing is left."""
    published = 0
    while True:
        taken = await (_in_one if transport.is_transactional else _in_two)(db, transport, settings)
        published += taken
        if taken < BATCH:
            return published


async def _in_one(db: Database, transport: Transport, settings: CrawlSettings) -> int:
    async with db.transaction() as tx:
        rows = await _take(tx, settings)
        await _settle(tx, rows, await transport.publish(tx, _messages(rows)), settings)
    return len(rows)


async def _in_two(db: Database, transport: Transport, settings: CrawlSettings) -> int:
    async with db.transaction() as tx:
        rows = await _take(tx, settings)
    if rows:
        failed = await _publish(transport, _messages(rows))
        async with db.transaction() as tx:
            await _settle(tx, rows, failed, settings)
    return len(rows)


async def _publish(transport: Transport, messages: Sequence[Message]) -> Mapping[str, str]:
    """A transport that can't even be opened has taken none of them: that counts too, or they would be
    tried for ever."""
    try:
        return await transport.publish(None, messages)
    except Exception as error:  # noqa: BLE001  whatever a library raises
        _log.exception("transport failed")
        return dict.fromkeys((each.key for each in messages), f"{type(error).__name__}: {error}")


async def _take(tx: Tx, settings: CrawlSettings) -> list[Taken]:
    return await tx.all(store.outbox.TAKE, settings.crawl_relay_delay, LEASE_S, BATCH)


def _messages(rows: Sequence[Taken]) -> list[Message]:
    return [Message(each.idempotency_key, each.user_id, each.task_id, each.domain) for each in rows]


async def _settle(
    tx: Tx, rows: Sequence[Taken], failed: Mapping[str, str], settings: CrawlSettings
) -> None:
    sent = [each for each in rows if each.idempotency_key not in failed]
    if sent:
        await tx.run(
            store.outbox.SENT, [each.id for each in sent], [each.idempotency_key for each in sent]
        )
        metrics.OUTBOX.labels("SENT").inc(len(sent))
    for each in rows:
        if each.idempotency_key in failed:
            with failure_path.counted("relay", task_id=each.task_id):
                await _not_sent(tx, each, failed[each.idempotency_key], settings)


async def _not_sent(tx: Tx, row: Taken, reason: str, settings: CrawlSettings) -> None:
    """Again after a while; at the limit the message is dead, and with it its task: it would keep its
    schedule busy for ever."""
    reason = reason[:LONGEST_ERROR]
    if row.retry_count < settings.crawl_outbox_retries:
        wait_s = backoff_s(row.retry_count + 1, RETRY_S)
        await tx.run(store.outbox.FAILED, row.user_id, row.id, row.locked_at, reason, wait_s)
        metrics.OUTBOX.labels("FAILED").inc()
        return
    if await tx.maybe(store.outbox.DEAD, row.user_id, row.id, row.locked_at, reason) is None:
        return
    await tx.run(store.tasks.FAIL, row.user_id, row.task_id, f"could not be published: {reason}")
    metrics.OUTBOX.labels("DEAD").inc()
    _log.warning("message dead", task_id=str(row.task_id), reason=reason)
