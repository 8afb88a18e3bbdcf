"""Jobs of delivery: sending a notice over a channel, and deleting old notices."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from mindhit.db import Database, ReadTx, Tx
from mindhit.delivery import digests, push_subscriptions, sending, store
from mindhit.delivery.job_types import Send, SendDigest, SendTest, Sweep, TellUsage
from mindhit.delivery.model import Outgoing
from mindhit.delivery.notices import READ_KEPT_DAYS, quiet_end
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused
from mindhit.delivery.sending import Sender
from mindhit.delivery.usage import tell_usage
from mindhit.errors import NotFound
from mindhit.settings import Settings
from mindhit.slices import Jobs, Product
from mindhit.work import Cancelled, Outcome, Retry, Schedule, Snooze, Work

SWEEP_EVERY_S: Final = 3600


async def send(sender: Sender, work: Work[Send]) -> Outcome | None:
    if work.args.keeps_quiet and (wait_s := await _quiet_s(work.db, work.args)):
        return Snooze(wait_s, "quiet hours")
    notice = await sender.begin(work.db, work.args.user_id, work.args.delivery_id)
    return await _deliver(sender, work, notice, is_last=work.is_last_attempt)


async def send_digest(sender: Sender, work: Work[SendDigest]) -> Outcome | None:
    if wait_s := await _quiet_digest_s(work.db, work.args):
        return Snooze(wait_s, "quiet hours")
    notice = await digests.begin(work.db, sender, work.args.user_id, work.args.digest_id)
    return await _deliver(sender, work, notice, is_last=work.is_last_attempt)


async def send_test(sender: Sender, work: Work[SendTest]) -> Outcome | None:
    notice = await sender.begin(work.db, work.args.user_id, work.args.delivery_id)
    return await _deliver(sender, work, notice, is_last=True)


async def _deliver(
    sender: Sender, work: Work[Any], notice: Outgoing | None, *, is_last: bool
) -> Outcome | None:
    if notice is None:
        return Cancelled("it was sent, or nobody wants it any more")
    try:
        provider_id = await sender.send(work.db, notice)
    except (DeliveryFailed, DeliveryRefused) as error:
        is_over = is_last or isinstance(error, DeliveryRefused)
        async with work.db.transaction() as tx:
            await sending.settle_failed(tx, notice, error, is_over=is_over)
        if isinstance(error, DeliveryFailed) and not is_last:
            return Retry(str(error), error.retry_after_s)
        return Cancelled(str(error))  # the delivery says so, and its person sees it
    async with work.settling() as tx:
        await sending.settle_sent(tx, notice, provider_id)
    return None


async def _quiet_s(db: Database, args: Send) -> float:
    """How long it is still quiet; 0 too where nothing is left to send."""
    async with db.read() as tx:
        if await tx.maybe(store.deliveries.STATE, args.user_id, args.delivery_id) is None:
            return 0
        return await _until_end_s(tx, args.user_id)


async def _quiet_digest_s(db: Database, args: SendDigest) -> float:
    async with db.read() as tx:
        if not await tx.one(store.deliveries.IS_LEFT_OF_DIGEST, args.user_id, args.digest_id):
            return 0
        return await _until_end_s(tx, args.user_id)


async def _until_end_s(tx: ReadTx, user_id: UUID) -> float:
    now = datetime.now(UTC)
    end = await quiet_end(tx, user_id, now)
    return (end - now).total_seconds() if end else 0


async def tell(settings: Settings, work: Work[TellUsage]) -> Outcome | None:
    try:
        async with work.settling() as tx:
            await tell_usage(tx, work.args, settings.public_url)
    except NotFound:
        return Cancelled("the person no longer exists")
    return None


async def sweep(settings: Settings, work: Work[Sweep]) -> None:
    """At the first start, this makes the key for push services too."""
    async with work.db.transaction() as tx:
        await push_subscriptions.public_key(tx, settings)
    await work.db.alone(store.notices.PRUNE, READ_KEPT_DAYS)


async def erase(tx: Tx, user_id: UUID, _email: str) -> None:
    await tx.run(store.erasing.NOTICES, user_id)
    await tx.run(store.erasing.CHANNELS, user_id)
    await tx.run(store.erasing.SUBSCRIPTIONS, user_id)


def jobs(product: Product) -> Jobs:
    sender = Sender(product.settings)
    return {
        Send: partial(send, sender),
        SendDigest: partial(send_digest, sender),
        SendTest: partial(send_test, sender),
        TellUsage: partial(tell, product.settings),
        Sweep: partial(sweep, product.settings),
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("delivery:sweep", Sweep(), every_s=SWEEP_EVERY_S),)
