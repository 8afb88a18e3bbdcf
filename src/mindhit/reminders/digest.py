"""What quiet hours held back, as one message: told, sent and settled together.

The alarms are found by the time to which they were held; one that was deleted, snoozed or paused
meanwhile is not among them. A crash is met as with a single one: notices by their keys, the message by
its own.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from mindhit import delivery
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.delivery import Delivered, NoticeId, Reason, ReasonCode, Sender
from mindhit.reminders import metrics, store
from mindhit.reminders.holding import held_until, hold
from mindhit.reminders.job_types import RemindTogether
from mindhit.reminders.sending import QUIET, UNWANTED, notice_of, sent_as
from mindhit.reminders.settling import Sent, settle
from mindhit.work import Cancelled, Outcome, Retry, Work


async def send(sender: Sender, work: Work[RemindTogether]) -> Outcome | None:
    user_id, at = work.args.user_id, work.args.at
    key = f"digest:{at.isoformat()}"
    found = await _prepare(work.db, user_id, at, key)
    if isinstance(found, Cancelled):
        return found
    coming, notices = found
    done = await delivery.deliver_digest(work.db, sender, user_id, key, notices)
    if not done.is_success:
        return await _not_sent(work, coming, done)
    async with work.settling() as tx:
        await delivery.leave_digests(tx, user_id, done)
        sent = [
            Sent(user_id, each.page_id, each.sent_count, at, sent_as(done, notice_id))
            for each, notice_id in zip(coming, notices, strict=True)
        ]
        await settle(tx, sent, utc_now())
    metrics.SENT.inc(len(coming))
    return None


async def _prepare(
    db: Database, user_id: UUID, at: datetime, key: str
) -> tuple[list[store.sending.Coming], list[NoticeId]] | Cancelled:
    async with db.transaction() as tx:
        await tx.run(store.sending.TAKE_REST, user_id, at)
        coming = await tx.all(store.sending.COMING_TOGETHER, user_id, at)
        if not coming:
            return UNWANTED
        told = [(notice_of(each), each.processed_at) for each in coming]
        held = held_until(coming, utc_now())
        keys = [notice.key for notice, _ in told]
        if held and not await delivery.is_under_way(tx, user_id, keys):
            await hold(tx, held)
            return QUIET
        return coming, await delivery.prepare_digest(tx, user_id, key, told)


async def _not_sent(
    work: Work[RemindTogether], coming: list[store.sending.Coming], done: Delivered
) -> Outcome:
    """Tried again while there is hope; else the alarms wait for their person."""
    reason = str(done.error or Reason(ReasonCode.NO_CHANNEL))
    if done.failed and not work.is_last_attempt:
        return Retry(reason)
    async with work.db.transaction() as tx:
        for each in coming:
            await tx.run(
                store.sending.FAIL, work.args.user_id, each.page_id, each.sent_count, reason
            )
    metrics.FAILED.inc(len(coming))
    return Cancelled(reason)
