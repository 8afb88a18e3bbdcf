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
from mindhit.reminders.job_types import RemindTogether
from mindhit.reminders.sending import notice_of, sent_as
from mindhit.reminders.settling import Sent, settle
from mindhit.work import Cancelled, Outcome, Retry, Work


async def send(sender: Sender, work: Work[RemindTogether]) -> Outcome | None:
    user_id, at = work.args.user_id, work.args.at
    key = f"digest:{at.isoformat()}"
    coming, notices = await _prepare(work.db, user_id, at, key)
    if not coming:
        return Cancelled("it is no longer wanted")
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
) -> tuple[list[store.sending.Coming], list[NoticeId]]:
    async with db.transaction() as tx:
        coming = await tx.all(store.sending.COMING_TOGETHER, user_id, at)
        told = [(notice_of(each), each.processed_at) for each in coming]
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
