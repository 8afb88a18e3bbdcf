"""Reminders of people who have no channel: told in the app and settled, a batch in one transaction.

Nothing is sent, so nothing can go wrong between telling and settling. One by one, each would cost two
commits and a dozen statements: 20,000 due at once took three times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from mindhit import delivery
from mindhit.accounts import DEFAULT_TIMEZONE
from mindhit.clock import utc_now
from mindhit.db import Database, Tx
from mindhit.delivery import NoticeKind
from mindhit.reminders import metrics, store
from mindhit.reminders.job_types import Remind
from mindhit.reminders.sending import find_next, notice_of
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
    # One that is no longer wanted has nothing left to do either.
    return dict.fromkeys(mine)


async def _tell(tx: Tx, asked: Sequence[Remind], now: datetime) -> int:
    people = sorted({each.user_id for each in asked})
    await tx.all(store.LOCK_PEOPLE, people)  # in one order everywhere, and before their alarms
    coming = await tx.all(
        store.COMING_MANY,
        [each.page_id for each in asked],
        [each.user_id for each in asked],
        [each.sent_count for each in asked],
    )
    told = [(each.user_id, notice_of(each.page_id, each.sent_count, each)) for each in coming]
    ids = await delivery.put_many_into_inbox(tx, told)
    wants = {
        each.user_id: each for each in await tx.all(store.WANTS_MANY, people, DEFAULT_TIMEZONE)
    }
    taken = await _taken(tx, people, now)
    pages, times, names = [], [], []
    for each in coming:
        others = taken[each.user_id]
        others.pop(each.page_id, None)
        person = wants[each.user_id]
        at = find_next(
            each.sent_count,
            each.next_alarm_time,
            now,
            person.preferences,
            others.values(),
            digest=person.digest,
        )
        others[each.page_id] = at
        pages.append(each.page_id)
        times.append(at)
        names.append(str(ids[each.user_id, f"reminder:{each.page_id}:{each.sent_count}"]))
    await tx.run(store.SETTLE_MANY, pages, times, names)
    return len(coming)


async def _taken(tx: Tx, people: Sequence[UUID], now: datetime) -> dict[UUID, dict[UUID, datetime]]:
    """Person → page → time of their alarms in the two months from now."""
    found: dict[UUID, dict[UUID, datetime]] = defaultdict(dict)
    for each in await tx.all(store.TAKEN_MANY, people, now):
        found[each.user_id][each.page_id] = each.next_alarm_time
    return found
