"""Starting runs at their time: every tick of a day, by a clock of our own."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from mindhit import crawl
from mindhit.accounts import Person
from mindhit.clock import utc_now
from mindhit.crawl import ScheduleUnreadable, store
from mindhit.crawl.scheduling.triggering import tick
from mindhit.db import Database
from tests.crawl import kit
from tests.crawl.kit import config, later, rows, run, somebody_waits, watch

BERLIN = ZoneInfo("Europe/Berlin")
FINISH = "update crawl_tasks set status = 'SUCCESS', finished_at = now() where finished_at is null"


async def watch_from(db: Database, ada: Person, now: datetime, cron: str) -> None:
    async with db.transaction() as tx:
        await crawl.add_schedule(
            tx,
            ada.id,
            "https://shop.example/product/lamp",
            cron=cron,
            now=now,
            most=10,
            timezone=BERLIN.key,
        )


async def started(db: Database, start: datetime, end: datetime, every: timedelta) -> list[str]:
    """Local times of ticks at which a run was started."""
    found = []
    while start < end:
        if await tick(db, start):
            found.append(f"{start.astimezone(BERLIN):%H:%M}")
            await rows(db, FINISH)
        start += every
    return found


@pytest.mark.parametrize(("day", "shown"), [("2026-03-29", "03:00"), ("2026-10-25", "02:30")])
async def test_half_past_two_is_started_once_on_both_days_on_which_clocks_change(
    db: Database, ada: Person, day: str, shown: str
) -> None:
    start = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=BERLIN).astimezone(UTC)
    await watch_from(db, ada, start, "30 2 * * *")
    assert await started(db, start, start + timedelta(hours=22), timedelta(minutes=5)) == [shown]


async def test_a_scheduler_that_slept_over_ten_ticks_starts_one_run(
    db: Database, ada: Person
) -> None:
    start = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
    await watch_from(db, ada, start, "*/5 * * * *")
    woken = start + timedelta(minutes=51)
    assert await tick(db, woken) == 1
    await rows(db, FINISH)
    assert await tick(db, woken) == 0
    assert await tick(db, woken + timedelta(minutes=4)) == 1


async def test_a_tick_of_a_clock_that_is_behind_starts_nothing_twice(
    db: Database, ada: Person
) -> None:
    due = datetime(2026, 5, 1, 12, 5, tzinfo=UTC)
    await watch_from(db, ada, due - timedelta(minutes=1), "*/5 * * * *")
    assert await tick(db, due - timedelta(seconds=1)) == 0
    assert await tick(db, due) == 1
    await rows(db, FINISH)
    assert await tick(db, due - timedelta(seconds=1)) == 0
    assert await tick(db, due + timedelta(seconds=1)) == 0


async def test_a_schedule_that_another_process_is_starting_is_left_to_it(
    db: Database, ada: Person
) -> None:
    due = datetime(2026, 5, 1, 12, 5, tzinfo=UTC)
    await watch_from(db, ada, due - timedelta(minutes=1), "*/5 * * * *")
    async with db.transaction() as elsewhere:
        assert len(await elsewhere.all(store.schedulers.TAKE_DUE, due, 10)) == 1
        assert await tick(db, due) == 0
    assert await tick(db, due) == 1  # it did not start it after all


async def test_a_schedule_that_nothing_reads_any_more_keeps_no_other_from_its_run(
    db: Database, ada: Person
) -> None:
    broken = [
        await watch(db, ada, f"https://shop.example/product/{name}")
        for name in ("zone", "site", "address")
    ]
    await watch(db, ada, "https://shop.example/product/whole")
    await rows(
        db, "update crawl_schedulers set timezone = 'Mars/Olympus' where id = $1", broken[0].id
    )
    await rows(db, "update crawl_schedulers set site = 'nobody' where id = $1", broken[1].id)
    # What its plug-in asks for is no address.
    await rows(
        db,
        "update crawl_schedulers set url = 'https://shop..example/x' where id = $1",
        broken[2].id,
    )
    assert await tick(db, utc_now() + timedelta(days=1)) == 1
    [task] = await rows(db, "select url from crawl_tasks")
    assert task["url"] == "https://shop.example/product/whole"
    for each in broken:
        with pytest.raises(ScheduleUnreadable):
            await run(db, ada, each)


async def test_a_schedule_whose_task_the_database_refuses_keeps_no_other_from_its_run(
    db: Database, ada: Person
) -> None:
    bad = await watch(db, ada, "https://shop.example/product/bad")
    await watch(db, ada, "https://shop.example/product/whole")
    await rows(
        db,
        "create function refuse() returns trigger language plpgsql as"
        " $$ begin raise exception 'no'; end $$",
    )
    await rows(
        db,
        "create trigger refuse before insert on crawl_tasks for each row"
        " when (new.url like '%bad') execute function refuse()",
    )
    now = utc_now() + timedelta(days=1)
    assert await tick(db, now) == 1
    [task] = await rows(db, "select url from crawl_tasks")
    assert task["url"] == "https://shop.example/product/whole"
    assert await tick(db, now) == 0  # put off, and not tried at every tick
    [later] = await rows(db, "select next_run_at from crawl_schedulers where id = $1", bad.id)
    assert later[0] == now + timedelta(hours=1)


async def test_a_run_that_is_due_while_its_dead_letter_is_retried_is_that_one(
    db: Database, ada: Person
) -> None:
    due = datetime(2026, 5, 1, 12, 5, tzinfo=UTC)
    await watch_from(db, ada, due - timedelta(minutes=1), "*/5 * * * *")
    assert await tick(db, due) == 1
    await rows(db, "update crawl_tasks set status = 'FAILED', finished_at = now()")
    async with db.transaction() as elsewhere:
        [dead] = await crawl.list_dead(elsewhere, ada.id, limit=10)
        await crawl.retry_dead(elsewhere, ada.id, dead.id)
        ticking = asyncio.create_task(tick(db, due + timedelta(minutes=5)))
        await somebody_waits(db)
    assert await ticking == 0
    [task] = await rows(db, "select status from crawl_tasks")
    assert task["status"] == "RETRY"
    [schedule] = await rows(db, "select next_run_at from crawl_schedulers")
    assert schedule[0] == due + timedelta(minutes=10)


async def test_a_schedule_that_is_paused_is_not_started_until_it_is_resumed(
    db: Database, ada: Person
) -> None:
    schedule = await watch(db, ada, "https://shop.example/product/lamp")
    now = utc_now() + timedelta(days=1)
    for status, runs in (("INACTIVE", 0), ("ACTIVE", 1)):
        async with db.transaction() as tx:
            await crawl.change_schedule(tx, ada.id, schedule.id, {"status": status}, utc_now())
        assert await tick(db, now) == runs


async def test_where_messages_start_runs_the_clock_does_not(db: Database, ada: Person) -> None:
    await watch(db, ada, "https://shop.example/product/lamp")
    await later(db, days=2)
    await kit.tick(db, config(crawl_trigger="message", sqs_trigger_queue="http://127.0.0.1:9/q"))
    assert await rows(db, "select from crawl_tasks") == []
    await kit.tick(db, config(crawl_relay_delay=60))  # started, and not fetched yet
    assert len(await rows(db, "select from crawl_tasks")) == 1
