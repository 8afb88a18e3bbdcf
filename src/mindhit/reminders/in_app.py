"""Reminders of people who have no channel: told in the app and settled, a batch in one transaction.

Nothing is sent, so nothing can go wrong between telling and settling. One by one, each would cost two
commits and a dozen statements: 20,000 due at once took three times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from mindhit import delivery
from mindhit.clock import utc_now
from mindhit.db import Database, Tx
from mindhit.delivery import NoticeKind
from mindhit.reminders import metrics, store
from mindhit.reminders.holding import held_until, hold
from mindhit.reminders.job_types import Remind
from mindhit.reminders.sending import notice_of
from mindhit.reminders.settling import Sent, settle
from mindhit.work import Outcome, Work


async def tell(db: Database, batch: Sequence[Work[Remind]]) -> dict[int, Outcome | None]:
    """Index of a job in the batch → how it ended, for those of people without a channel."""
    async with db.transaction() as tx:
        people = {work.args.user_id for work in batch}
        alone = await delivery.without_channels(tx, people, NoticeKind.REMINDER)
        mine = {
            number: work.args for number, work in enumerate(batch) if work.args.user_id in alone
        }
        if mine:
            settled = await _tell(tx, [*mine.values()], utc_now())
            metrics.SENT.inc(settled)
    # One that is no longer wanted, or has to wait, has nothing left to do either.
    return dict.fromkeys(mine)


async def _tell(tx: Tx, asked: Sequence[Remind], now: datetime) -> int:
    people = sorted({each.user_id for each in asked})
    await tx.all(store.settling.LOCK_PEOPLE, people)  # before their alarms, as everywhere
    coming = await tx.all(
        store.sending.COMING_MANY,
        [each.page_id for each in asked],
        [each.user_id for each in asked],
        [each.sent_count for each in asked],
    )
    held = held_until(coming, now)
    await hold(tx, held)
    coming = [each for each in coming if each.page_id not in held]
    told = [(each.user_id, notice_of(each)) for each in coming]
    ids = await delivery.put_many_into_inbox(tx, told)
    sent = [
        Sent(
            each.user_id,
            each.page_id,
            each.sent_count,
            each.next_alarm_time,
            str(ids[user_id, notice.key]),
        )
        for each, (user_id, notice) in zip(coming, told, strict=True)
    ]
    await settle(tx, sent, now)
    return len(coming)
