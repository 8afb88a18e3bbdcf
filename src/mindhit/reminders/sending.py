"""Sending one reminder: told once per page and count, and settled with the time of the next.

A process may die at four points: after the alarm was taken (its job runs again), after the notice was
written (found by its key), after a channel had it (the channel recognises the repeat), before the alarm
was settled (the delivery says SENT, so only that is left).
"""

from __future__ import annotations

from datetime import datetime

from mindhit import delivery
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.delivery import (
    Delivered,
    NewNotice,
    NoticeId,
    NoticeKind,
    Prepared,
    Reason,
    ReasonCode,
    Sender,
)
from mindhit.reminders import metrics, store
from mindhit.reminders.holding import held_until, hold
from mindhit.reminders.job_types import Remind
from mindhit.reminders.settling import Sent, Settler
from mindhit.work import Cancelled, Outcome, Retry, Work

UNWANTED = Cancelled("it is no longer wanted")
QUIET = Cancelled("quiet hours: it is taken again at their end")  # a retry, or a long queue


async def send(sender: Sender, settler: Settler, work: Work[Remind]) -> Outcome | None:
    asked = work.args
    found = await _prepare(work.db, asked, utc_now())
    if isinstance(found, Cancelled):
        return found
    coming, prepared = found
    done = await delivery.deliver_now(work.db, sender, asked.user_id, prepared)
    if not done.is_success:
        return await _not_sent(work, done)
    name = sent_as(done, prepared.notice_id)
    sent = Sent(
        asked.user_id,
        asked.page_id,
        asked.sent_count,
        coming.next_alarm_time,
        name,
        keeps_quiet=not coming.is_chosen,
    )
    await settler.settle(sent, done)
    metrics.SENT.inc()
    return None


async def _prepare(
    db: Database, asked: Remind, now: datetime
) -> tuple[store.sending.Coming, Prepared] | Cancelled:
    """The notice, in the transaction that finds the alarm there: a deleted page is never announced."""
    async with db.transaction() as tx:
        coming = await tx.maybe(
            store.sending.COMING, asked.user_id, asked.page_id, asked.sent_count
        )
        if coming is None:
            return UNWANTED
        notice = notice_of(coming)
        held = held_until([coming], now)
        if held and not await delivery.is_under_way(tx, asked.user_id, [notice.key]):
            await hold(tx, held)
            return QUIET
        prepared = await delivery.prepare(tx, asked.user_id, notice, coming.processed_at)
        return coming, prepared


def notice_of(coming: store.sending.Coming) -> NewNotice:
    return NewNotice(
        kind=NoticeKind.REMINDER,
        key=f"reminder:{coming.page_id}:{coming.sent_count}",
        title=coming.title,
        body=coming.body,
        url=coming.url,
        page_id=coming.page_id,
    )


async def _not_sent(work: Work[Remind], done: Delivered) -> Outcome:
    """Tried again while there is hope; else the alarm waits for its person."""
    reason = str(done.error or Reason(ReasonCode.NO_CHANNEL))
    if done.failed and not work.is_last_attempt:
        return Retry(reason)
    async with work.db.transaction() as tx:
        asked = work.args
        await tx.run(store.sending.FAIL, asked.user_id, asked.page_id, asked.sent_count, reason)
    metrics.FAILED.inc()
    return Cancelled(reason)


def sent_as(done: Delivered, notice_id: NoticeId) -> str:
    """What a service calls it, else what we do."""
    return next((each for each in done.sent if each), None) or str(notice_id)
