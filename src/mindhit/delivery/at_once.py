"""Delivering a notice now, over all channels at once, for whoever has to know what became of it.

The caller has put the notice into the inbox. Where one channel took it, the others go on by themselves;
where none did, the caller decides when to try again.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from mindhit.db import Database, Tx
from mindhit.delivery import sending, store
from mindhit.delivery.job_types import Send
from mindhit.delivery.limits import RETRY_S
from mindhit.delivery.model import DeliveryId, NewNotice, NoticeId, Outgoing, Status
from mindhit.delivery.notices import add_deliveries, add_notice, delivery_id
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused
from mindhit.delivery.sending import Sender
from mindhit.work import enqueue_many


@dataclass(slots=True)
class Delivered:
    """Which deliveries were sent; those that may be later; why the others never will be."""

    sent: list[str | None] = field(default_factory=list)  # what services call them
    failed: dict[DeliveryId, DeliveryFailed] = field(default_factory=dict)
    refused: list[DeliveryRefused] = field(default_factory=list)
    has_channels: bool = False

    @property
    def is_success(self) -> bool:
        """Without a channel, the inbox is one."""
        return bool(self.sent) or not self.has_channels

    @property
    def error(self) -> DeliveryFailed | DeliveryRefused | None:
        """The one that leaves most hope."""
        failures: list[DeliveryFailed | DeliveryRefused] = [*self.failed.values(), *self.refused]
        return failures[0] if failures else None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A notice in the inbox, with its deliveries as they were found."""

    notice_id: NoticeId
    deliveries: list[store.deliveries.OfNotice]


async def prepare(tx: Tx, user_id: UUID, notice: NewNotice, since: datetime) -> Prepared:
    """The notice in the inbox, and a delivery for every channel that wants it; a second time nothing
    is added. What was given up before `since`, when the caller started over, is tried again."""
    added = await add_notice(tx, user_id, notice)
    if added is None:
        known = await tx.one(store.notices.BY_KEY, user_id, notice.key)
        return await _prepare_again(tx, user_id, notice, known, since)
    channels = await tx.all(store.channels.FOR_KIND, user_id, notice.kind)
    await add_deliveries(tx, user_id, added, channels)
    # Nothing can have been tried yet: two statements of six are spared.
    new = ((delivery_id(added, each), each) for each in channels)
    return Prepared(added, [store.deliveries.OfNotice(*ids, Status.PENDING, None) for ids in new])


async def _prepare_again(
    tx: Tx, user_id: UUID, notice: NewNotice, known: NoticeId, since: datetime
) -> Prepared:
    channels = await tx.all(store.channels.FOR_KIND, user_id, notice.kind)
    await add_deliveries(tx, user_id, known, channels)
    await tx.run(store.deliveries.START_OVER, user_id, [known], [since])
    return Prepared(known, await tx.all(store.deliveries.OF_NOTICE, user_id, known))


async def deliver_now(db: Database, sender: Sender, user_id: UUID, prepared: Prepared) -> Delivered:
    """Over every channel that has not had it yet. Repeated after a crash, it sends only what may not
    have been sent."""
    found = prepared.deliveries
    done = Delivered(has_channels=bool(found))
    done.sent = [each.provider_id for each in found if each.status == Status.SENT]
    waiting = [each.id for each in found if each.status not in {Status.SENT, Status.DEAD}]

    async def one(id_: DeliveryId) -> None:
        await deliver(db, sender, await sender.begin(db, user_id, id_), id_, done)

    await asyncio.gather(*map(one, waiting))
    return done


async def leave_the_rest(tx: Tx, user_id: UUID, done: Delivered, *, keeps_quiet: bool) -> None:
    """What failed is tried again by itself, as any notice's delivery is."""
    jobs = [Send(user_id, each, keeps_quiet=keeps_quiet) for each in done.failed]
    await enqueue_many(tx, jobs, after_s=RETRY_S[0])


async def deliver(
    db: Database, sender: Sender, notice: Outgoing | None, delivery_id: DeliveryId, done: Delivered
) -> None:
    """Send it and note what became of it; None is nothing to send."""
    if notice is None:
        return
    try:
        provider_id = await sender.send(db, notice)
    except (DeliveryFailed, DeliveryRefused) as error:
        is_over = isinstance(error, DeliveryRefused)
        async with db.transaction() as tx:
            await sending.settle_failed(tx, notice, error, is_over=is_over)
        if isinstance(error, DeliveryFailed):
            done.failed[delivery_id] = error
        else:
            done.refused.append(error)
        return
    async with db.transaction() as tx:
        await sending.settle_sent(tx, notice, provider_id)
    done.sent.append(provider_id)
