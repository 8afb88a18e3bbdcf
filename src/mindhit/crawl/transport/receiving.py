"""Messages that came over a queue: of each task a job under its key, of each trigger a run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from time import monotonic
from typing import Final
from uuid import UUID

import msgspec

from mindhit import log
from mindhit.clock import utc_now
from mindhit.crawl.job_types import Execute
from mindhit.crawl.model import SchedulerId
from mindhit.crawl.scheduling.triggering import trigger_by_message
from mindhit.crawl.transport.port import Message, Queue, Received
from mindhit.db import Database
from mindhit.work import NotStorable, enqueue

POLL_S: Final = 20.0
RUN_S: Final = 60.0  # after which the job ends; its schedule starts the next
UNREADABLE_AFTER_S: Final = 0.0  # nothing makes it readable: to the dead letters as fast as it goes
_log = log.get(__name__)


class _Detail(msgspec.Struct, rename="camel"):
    scheduler_id: UUID


class _Trigger(msgspec.Struct):
    """EventBridge's envelope, as far as it matters."""

    id: str
    time: datetime
    detail: _Detail
    detail_type: str = msgspec.field(name="detail-type", default="CrawlTrigger")


async def receive_tasks(db: Database, queue: Queue, *, wait_s: float = POLL_S) -> int:
    """The job is there before the message is deleted; a message that comes twice is one job."""

    async def take(received: Received) -> None:
        message = msgspec.json.decode(received.body, type=Message)
        async with db.transaction() as tx:
            await enqueue(
                tx, Execute(message.user_id, message.task_id, message.key, message.domain)
            )

    return await _receive(queue, take, wait_s)


async def receive_triggers(db: Database, queue: Queue, *, wait_s: float = POLL_S) -> int:
    async def take(received: Received) -> None:
        trigger = msgspec.json.decode(received.body, type=_Trigger)
        if trigger.time.tzinfo is None or trigger.detail_type != "CrawlTrigger":
            raise msgspec.ValidationError("this is no trigger")
        async with db.transaction() as tx:
            scheduler_id = SchedulerId(trigger.detail.scheduler_id)
            await trigger_by_message(tx, scheduler_id, trigger.time, utc_now())

    return await _receive(queue, take, wait_s)


async def _receive(queue: Queue, take: Callable[[Received], Awaitable[None]], wait_s: float) -> int:
    """Until the queue is empty, or the time is over."""
    taken, ends = 0, monotonic() + RUN_S
    while monotonic() < ends:
        received = await queue.receive(10, wait_s)
        unreadable = 0
        for each in received:
            try:
                await take(each)
            except (msgspec.MsgspecError, NotStorable) as error:
                _log.warning("message unreadable", reason=str(error), times=each.times)
                await queue.nack(each, UNREADABLE_AFTER_S)
                unreadable += 1
                continue
            await queue.ack(each)
            taken += 1
        if unreadable == len(received):
            break
    return taken
