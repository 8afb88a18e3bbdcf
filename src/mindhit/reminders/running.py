"""One run: due alarms are taken, and a job is made for each. Any number of runs may go on at once."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import perf_counter
from typing import Final

from mindhit import log
from mindhit.accounts import DEFAULT_TIMEZONE
from mindhit.db import Database
from mindhit.delivery import Reason, ReasonCode
from mindhit.log import reports
from mindhit.reminders import metrics, store
from mindhit.reminders.holding import held_until, hold
from mindhit.reminders.job_types import Remind, RemindTogether
from mindhit.reminders.model import Run, VeryLate
from mindhit.reminders.schedule import is_end_of_quiet
from mindhit.work import enqueue_many

LATE: Final = timedelta(minutes=1)
VERY_LATE: Final = timedelta(days=1)
_log = log.get("alarm")


async def run(db: Database, *, fetch_limit: int, concurrency: int, now: datetime) -> Run:
    """Take up to `fetch_limit` due alarms. Those met in quiet hours are put off to their end, unless
    their person chose the time."""
    began = perf_counter()
    async with db.transaction() as tx:
        due = await tx.all(store.running.TAKE_DUE, fetch_limit, DEFAULT_TIMEZONE)
        held = held_until(due, now)
        await hold(tx, held)
        taken = [each for each in due if each.page_id not in held]
        alone = [each for each in taken if not _is_of_digest(each)]
        digests = sorted(
            {(each.user_id, each.next_alarm_time) for each in taken if _is_of_digest(each)}
        )
        if digests:
            users, times = zip(*digests, strict=True)
            await tx.run(store.running.TAKE_DIGESTS, users, times)
        jobs = [Remind(each.user_id, each.page_id, each.sent_count, concurrency) for each in alone]
        await enqueue_many(tx, [*jobs, *(RemindTogether(user, at) for user, at in digests)])
    done = Run(
        claimed=len(taken),
        zombies=sum(each.is_zombie for each in taken),
        held=len(held),
        late=sum(now - each.next_alarm_time > LATE for each in taken),
        processing_time_ms=round((perf_counter() - began) * 1000, 1),
    )
    _observe(done, [now - each.next_alarm_time for each in taken])
    return done


async def count_due(db: Database) -> int:
    """Due and not taken yet; counted up to 10,000."""
    async with db.read() as tx:
        return await tx.one(store.running.COUNT_DUE)


async def recover(db: Database) -> None:
    """Alarms whose job died wait for their person; those that waited for a channel come again."""
    async with db.transaction() as tx:
        await tx.run(store.running.REVIVE)
        reason = str(Reason(ReasonCode.NOT_SENT))
        await tx.run(store.running.FAIL_DEAD, reason)
        await tx.run(store.running.FAIL_DEAD_DIGESTS, reason)


async def run_all(db: Database, *, fetch_limit: int, concurrency: int, now: datetime) -> None:
    """Until fewer than the limit were due."""
    await recover(db)
    while True:
        done = await run(db, fetch_limit=fetch_limit, concurrency=concurrency, now=now)
        if done.claimed + done.held < fetch_limit:
            return


def _is_of_digest(due: store.running.Due) -> bool:
    return (
        due.digest and not due.is_chosen and is_end_of_quiet(due.preferences, due.next_alarm_time)
    )


def _observe(done: Run, lateness: list[timedelta]) -> None:
    for each in lateness:
        metrics.LATENESS.observe(max(0.0, each.total_seconds()))
    metrics.RUN_MS.observe(done.processing_time_ms)
    metrics.BATCH.observe(done.claimed)
    metrics.TAKEN.inc(done.claimed)
    if done.claimed or done.held:
        _log.debug(
            "run",
            claimed=done.claimed,
            zombies=done.zombies,
            held=done.held,
            late=done.late,
            processing_time_ms=done.processing_time_ms,
        )
    very_late = sum(each > VERY_LATE for each in lateness)
    if very_late:
        _log.error("reminders more than a day late", reminders=very_late)
        reports.failure(VeryLate(), reminders=very_late)
