"""Sending one reminder: told once per page and count, and settled with the time of the next.

A process may die at four points: after the alarm was taken (its job runs again), after the notice was
written (found by its key), after a channel had it (the channel recognises the repeat), before the alarm
was settled (the delivery says SENT, so only that is left).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from random import SystemRandom
from uuid import UUID

from mindhit import accounts, delivery, log
from mindhit.accounts import UserId
from mindhit.clock import utc_now
from mindhit.db import Database, Tx
from mindhit.delivery import Delivered, NewNotice, NoticeId, NoticeKind, Sender
from mindhit.library import PageId
from mindhit.reminders import metrics, store
from mindhit.reminders.job_types import Remind
from mindhit.reminders.model import Preferences
from mindhit.reminders.schedule import days_after, next_alarm
from mindhit.work import Cancelled, Outcome, Retry, Work

_log = log.get("alarm")
_random = SystemRandom()
_UNWANTED = Cancelled("it is no longer wanted")


async def send(sender: Sender, work: Work[Remind]) -> Outcome | None:
    asked = work.args
    coming = await _prepare(work.db, asked)
    if coming is None:
        return _UNWANTED
    notice_id, planned = coming
    done = await delivery.deliver_now(work.db, sender, asked.user_id, notice_id)
    if not done.is_success:
        return await _not_sent(work, done)
    async with work.settling() as tx:
        await delivery.leave_the_rest(tx, asked.user_id, done)
        await settle(
            tx,
            asked.user_id,
            asked.page_id,
            asked.sent_count,
            planned,
            sent_as(done, notice_id),
            utc_now(),
        )
    metrics.SENT.inc()
    return None


async def _prepare(db: Database, asked: Remind) -> tuple[NoticeId, datetime] | None:
    """The notice, in the transaction that finds the alarm there: a deleted page is never announced."""
    async with db.transaction() as tx:
        coming = await tx.maybe(store.COMING, asked.user_id, asked.page_id, asked.sent_count)
        if coming is None:
            return None
        notice = notice_of(asked.page_id, asked.sent_count, coming)
        return await delivery.prepare(tx, asked.user_id, notice), coming.next_alarm_time


def notice_of(
    page_id: UUID, sent_count: int, coming: store.Coming | store.ComingTogether | store.ComingOne
) -> NewNotice:
    return NewNotice(
        kind=NoticeKind.REMINDER,
        key=f"reminder:{page_id}:{sent_count}",
        title=coming.title,
        body=coming.body,
        url=coming.url,
        page_id=page_id,
    )


async def _not_sent(work: Work[Remind], done: Delivered) -> Outcome:
    """Tried again while there is hope; else the alarm waits for its person."""
    reason = str(done.error) if done.error else "No channel took it."
    if done.failed and not work.is_last_attempt:
        return Retry(reason)
    async with work.db.transaction() as tx:
        await tx.run(store.FAIL, work.args.user_id, work.args.page_id, reason)
    metrics.FAILED.inc()
    return Cancelled(reason)


async def settle(
    tx: Tx,
    user_id: UUID,
    page_id: UUID,
    sent_count: int,
    planned: datetime,
    notification_id: str,
    now: datetime,
) -> None:
    """The next time, under a lock per person, so that no two end up in the same hour. A time that the
    person changed meanwhile stands."""
    await tx.run(store.LOCK_PERSON, user_id)
    alarm = await tx.maybe(store.LOCK, user_id, page_id)
    if alarm is None or alarm.sent_count != sent_count:
        return
    at, is_chosen = alarm.next_alarm_time, alarm.is_chosen
    if at == planned:
        at = await _next(tx, user_id, PageId(page_id), planned, now, sent_count)
        is_chosen = False
    await tx.run(
        store.SETTLE,
        store.Settled(
            user_id=user_id,
            page_id=page_id,
            sent_count=sent_count + 1,
            next_alarm_time=at,
            is_chosen=is_chosen,
            notification_id=notification_id,
        ),
    )


def sent_as(done: Delivered, notice_id: NoticeId) -> str:
    """What a service calls it, else what we do."""
    return next((each for each in done.sent if each), None) or str(notice_id)


async def _next(
    tx: Tx, user_id: UUID, page_id: PageId, planned: datetime, now: datetime, sending: int
) -> datetime:
    chosen = await accounts.show_preferences(tx, UserId(user_id))
    wants = await tx.maybe(store.PREFERENCES, user_id) or Preferences()
    taken = await tx.all(store.TAKEN, user_id, page_id, max(planned, now))
    return find_next(sending, planned, now, chosen, taken, digest=wants.digest)


def find_next(
    sending: int,
    planned: datetime,
    now: datetime,
    chosen: accounts.Preferences,
    taken: Iterable[datetime],
    *,
    digest: bool,
) -> datetime:
    """The next time by the schedule; what is unusual about it is counted."""
    skipped = (now - planned).days // days_after(sending) if now > planned else 0
    if skipped:
        metrics.SKIPPED.inc(skipped)
        _log.debug("skipped past alarms", skipped=skipped, late_s=(now - planned).total_seconds())
    found = next_alarm(sending, planned, now, chosen, taken, _random, digest=digest)
    if found.is_fallback:
        metrics.FALLBACKS.inc()
    return found.at
