"""Jobs of reminders: taking what is due, and sending it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Final
from uuid import UUID

from mindhit.clock import utc_now
from mindhit.db import Tx
from mindhit.delivery import Sender
from mindhit.reminders import digest, in_app, metrics, running, sending, store
from mindhit.reminders.job_types import Remind, RemindTogether, Tick
from mindhit.reminders.settings import ReminderSettings
from mindhit.reminders.settling import Settler
from mindhit.slices import Jobs, Product
from mindhit.work import Outcome, Schedule, Snooze, Work

TICK_EVERY_S: Final = 20
# After this, what a batch has not begun is left for later: by few at once, services that don't answer
# (15 s each) would take longer than a job may, and others' reminders would be failed with theirs.
BATCH_S: Final = 60.0
LATER_S: Final = 1.0


async def tick(settings: ReminderSettings, work: Work[Tick]) -> None:
    await running.run_all(
        work.db,
        fetch_limit=settings.reminders_fetch_limit,
        concurrency=settings.reminders_concurrency,
        now=utc_now(),
    )


async def send(
    sender: Sender, batch: Sequence[Work[Remind]], *, within_s: float = BATCH_S
) -> list[Outcome | None]:
    """Several at once, as many as the most careful of their runs allows."""
    at_once = min(work.args.concurrency for work in batch)
    metrics.CONCURRENCY.observe(min(at_once, len(batch)))
    turns = asyncio.Semaphore(at_once)
    began = monotonic()

    told = await in_app.tell(batch[0].db, batch)
    settler = Settler(batch[0].db)

    async def one(number: int, work: Work[Remind]) -> Outcome | None:
        if number in told:
            return told[number]
        async with turns:
            if monotonic() - began >= within_s:
                return Snooze(LATER_S, "its batch takes long")
            return await sending.send(sender, settler, work)

    return await asyncio.gather(*(one(number, work) for number, work in enumerate(batch)))


async def erase(tx: Tx, user_id: UUID, _email: str) -> None:
    await tx.run(store.erasing.ALARMS, user_id)
    await tx.run(store.erasing.PREFERENCES, user_id)


def jobs(product: Product) -> Jobs:
    settings = product.settings[ReminderSettings]
    sender = Sender(product.settings)
    return {
        Tick: partial(tick, settings),
        Remind: partial(send, sender),
        RemindTogether: partial(digest.send, sender),
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("reminders:tick", Tick(), every_s=TICK_EVERY_S),)
