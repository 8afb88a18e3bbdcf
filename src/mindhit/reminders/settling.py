"""Settling what was sent: the count goes up, and the page gets its next time.

All of a group in one transaction. One by one, alarms of the same person would wait for each other's
commits under the lock that keeps two of them out of the same hour.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from uuid import UUID
from zoneinfo import ZoneInfo

from mindhit import delivery, log
from mindhit.accounts import DEFAULT_TIMEZONE
from mindhit.clock import utc_now
from mindhit.db import Database, Tx
from mindhit.delivery import Delivered
from mindhit.reminders import metrics, store
from mindhit.reminders.schedule import days_after, hour_of, next_alarm

_log = log.get("alarm")
_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class Sent:
    """One sending that reached its person. `planned`: for when; `name`: what a service calls it;
    `keeps_quiet`: what is left of it waits for the end of quiet hours."""

    user_id: UUID
    page_id: UUID
    sent_count: int
    planned: datetime
    name: str
    keeps_quiet: bool = True


class Settler:
    """Settles for jobs that run at once; what ends during one transaction shares the next."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._turn = asyncio.Lock()
        self._waiting: list[tuple[Sent, Delivered, asyncio.Future[None]]] = []

    async def settle(self, sent: Sent, done: Delivered) -> None:
        settled = asyncio.get_running_loop().create_future()
        self._waiting.append((sent, done, settled))
        async with self._turn:
            if not settled.done():
                await self._settle_waiting()
        await settled

    async def _settle_waiting(self) -> None:
        group, self._waiting = self._waiting, []
        try:
            async with self._db.transaction() as tx:
                for sent, done, _ in group:
                    await delivery.leave_the_rest(
                        tx, sent.user_id, done, keeps_quiet=sent.keeps_quiet
                    )
                await settle(tx, [sent for sent, _, _ in group], utc_now())
        except Exception as error:  # noqa: BLE001  each job of the group raises it
            for _, _, settled in group:
                settled.set_exception(error)
        else:
            for _, _, settled in group:
                settled.set_result(None)


async def settle(tx: Tx, sent: Sequence[Sent], now: datetime) -> None:
    """Under a lock per person, so that no two end up in the same hour. A time that the person changed
    meanwhile stands; an alarm that is gone, or has another count by now, is left alone."""
    people = sorted({each.user_id for each in sent})
    await tx.all(
        store.settling.LOCK_PEOPLE, people
    )  # in one order everywhere, and before their alarms
    found = await tx.all(
        store.settling.LOCK_SENT,
        [each.page_id for each in sent],
        [each.user_id for each in sent],
        [each.sent_count for each in sent],
    )
    alarms: dict[UUID, store.settling.SentAlarm] = {each.page_id: each for each in found}
    wants = {
        each.user_id: each
        for each in await tx.all(store.settling.WANTS_MANY, people, DEFAULT_TIMEZONE)
    }
    zones = {user_id: each.preferences.zone for user_id, each in wants.items()}
    hours = await _taken_hours(tx, zones, now)
    settled: list[tuple[UUID, datetime, bool, str]] = []
    for each in sent:
        if (alarm := alarms.get(each.page_id)) is None:
            continue
        at, is_chosen = alarm.next_alarm_time, alarm.is_chosen
        if at == each.planned:
            at, is_chosen = _next(each, now, wants[each.user_id], hours[each.user_id]), False
        # Its old hour needn't be given back: every next time is later than the one just sent.
        hours[each.user_id].add(hour_of(at, zones[each.user_id]))
        settled.append((each.page_id, at, is_chosen, each.name))
    if settled:
        await tx.run(store.settling.SETTLE, *map(list, zip(*settled, strict=True)))


async def _taken_hours(
    tx: Tx, zones: dict[UUID, ZoneInfo], now: datetime
) -> defaultdict[UUID, set[datetime]]:
    hours = defaultdict[UUID, set[datetime]](set)
    for each in await tx.all(store.settling.TAKEN, [*zones], now):
        hours[each.user_id].add(hour_of(each.next_alarm_time, zones[each.user_id]))
    return hours


def _next(
    sent: Sent, now: datetime, wants: store.settling.Wants, hours: AbstractSet[datetime]
) -> datetime:
    """The next time by the schedule; what is unusual about it is counted."""
    late = now - sent.planned
    skipped = late.days // days_after(sent.sent_count) if now > sent.planned else 0
    if skipped:
        metrics.SKIPPED.inc(skipped)
        _log.debug("skipped past alarms", skipped=skipped, late_s=late.total_seconds())
    found = next_alarm(
        sent.sent_count, sent.planned, now, wants.preferences, hours, _random, digest=wants.digest
    )
    if found.is_fallback:
        metrics.FALLBACKS.inc()
    return found.at
