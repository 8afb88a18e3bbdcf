"""Recurring work ticks once per tick, whoever watches and whatever was missed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mindhit.db import Database
from mindhit.work import Schedule, Scheduler, last_tick, schedules
from mindhit.work.scheduler import next_tick
from mindhit.work.testing import pass_time
from tests.work.kit import Keyed, Plain, rows, soon, working

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
HOURLY = Schedule("hourly", Plain(1), every_s=3600)


@given(st.floats(0.001, 1e6), st.floats(0, 1e9))
def test_the_next_tick_is_the_first_on_the_grid_after_now(every_s: float, late_s: float) -> None:
    now = EPOCH + timedelta(seconds=late_s)
    every = timedelta(seconds=every_s)
    following = next_tick(EPOCH, every_s, now)
    assert now < following <= now + every
    assert (following - EPOCH) % every == timedelta(0)


async def ticks(db: Database) -> int:
    return len(await rows(db, "select id from jobs"))


async def test_a_new_schedule_waits_for_its_first_tick(db: Database) -> None:
    scheduler = Scheduler(db, [HOURLY])
    assert await scheduler.run_once() == 0
    await pass_time(db, 3599)
    assert await scheduler.run_once() == 0
    await pass_time(db, 2)
    assert await scheduler.run_once() == 1
    assert await scheduler.run_once() == 0
    assert await ticks(db) == 1


async def test_an_operator_is_told_when_it_last_ticked(db: Database) -> None:
    several = Scheduler(db, [HOURLY, Schedule("daily", Plain(2), every_s=86_400)])
    await several.run_once()
    async with db.read() as tx:
        assert await last_tick(tx) is None
    await pass_time(db, 3600)
    await several.run_once()
    async with db.read() as tx:
        ticked = await last_tick(tx)
    assert ticked is not None
    assert datetime.now(UTC) - ticked < timedelta(minutes=1)


async def test_several_schedulers_tick_once_per_tick(db: Database) -> None:
    several = [Scheduler(db, [HOURLY]) for _ in range(4)]
    for hour in range(1, 6):
        await asyncio.gather(*(each.run_once() for each in several))
        await pass_time(db, 3600)
        ticked = await asyncio.gather(*(each.run_once() for each in several))
        assert sum(ticked) == 1
        assert await ticks(db) == hour


async def test_missed_ticks_are_made_up_for_by_one(db: Database) -> None:
    scheduler = Scheduler(db, [HOURLY])
    await scheduler.run_once()
    await pass_time(db, 10.5 * 3600)
    assert await scheduler.run_once() == 1
    assert await scheduler.run_once() == 0
    [known] = await rows(
        db,
        """select extract(epoch from next_run_at - now()) as wait_s, last_job_id,
                  last_run_at is not null as ran from job_schedules""",
    )
    assert 1790 < known["wait_s"] <= 1800  # on its old grid, half an hour from now
    assert known["ran"]
    assert known["last_job_id"] == (await rows(db, "select id from jobs"))[0]["id"]


async def test_a_tick_does_not_pile_up_on_a_job_that_still_waits(db: Database) -> None:
    scheduler = Scheduler(db, [Schedule("sweep", Keyed("all"), every_s=60)])
    await scheduler.run_once()
    for _ in range(3):
        await pass_time(db, 60)
        assert await scheduler.run_once() == 1
    assert await ticks(db) == 1


async def test_schedulers_and_workers_run_recurring_work(db: Database) -> None:
    heard: asyncio.Queue[int] = asyncio.Queue()

    async def hear(work: object) -> None:
        heard.put_nowait(1)

    every = [Schedule("often", Plain(), every_s=0.05)]
    several = [Scheduler(db, every) for _ in range(2)]
    running = [asyncio.create_task(each.run()) for each in several]
    async with working(db, {Plain: hear}):
        for _ in range(3):
            await soon(heard.get())
        for each in several:
            each.stop()
        await soon(asyncio.gather(*running))


def test_the_engine_prunes_itself_every_hour() -> None:
    [prune] = schedules(14)
    assert (prune.name, prune.every_s) == ("work:prune", 3600)
    assert prune.job.older_than_days == 14  # type: ignore[attr-defined]
