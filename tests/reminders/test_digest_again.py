"""A digest that is tried again: who is in it by then, and when it may come."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import httpx2
import pytest

from mindhit import reminders, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import rows
from tests.delivery.kit import Service, config, service
from tests.reminders.holding import ada, ask, end_quiet, fall_quiet, hold
from tests.reminders.kit import WAITING, ntfy, run

__all__ = ["ada"]  # a fixture
TOGETHER = "2 pages to come back to"


async def work_off(db: Database) -> None:
    await pass_time(db, 120)
    await drain(db, wiring.product(config()).jobs)


async def page_id(browser: httpx2.AsyncClient, title: str) -> str:
    items = (await browser.get("/v1/reminders")).json()["items"]
    [found] = [each["page_id"] for each in items if each["title"] == title]
    return str(found)


async def statuses(db: Database) -> set[str]:
    return {row["status"] for row in await rows(db, "select status from deliveries")}


async def counts(db: Database) -> set[int]:
    return {row["sent_count"] for row in await rows(db, "select sent_count from alarms")}


async def test_one_that_failed_by_day_comes_with_what_the_night_held_back(
    db: Database, ada: Person, at: Service
) -> None:
    at.status = 503
    await ntfy(db, ada, at.url)
    await ask(db, ada, 0)
    await run(db)
    await fall_quiet(db, ada)
    await work_off(db)
    assert [got.json["title"] for got in at.got] == ["Page 0"]
    at.status = 200
    await ask(db, ada, 1)
    await end_quiet(db, ada)
    await run(db)
    assert [got.json["title"] for got in at.got] == ["Page 0", TOGETHER]
    assert (await statuses(db), await counts(db)) == ({"SENT"}, {2})


async def test_one_that_was_snoozed_out_of_it_is_sent_and_settled_alone(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at.status = 503
    await ntfy(db, ada, at.url)
    await hold(db, ada, 2)
    await run(db)
    path = f"/v1/reminders/{await page_id(browser, 'Page 1')}"
    now = {"next_alarm_time": datetime.now(UTC).isoformat()}
    assert (await browser.patch(path, json=now)).status_code == 200
    at.status = 200
    await run(db)
    assert [got.json["title"] for got in at.got] == [TOGETHER, "Page 1"]
    assert await statuses(db) == {"FAILED", "SENT"}
    await work_off(db)
    assert at.got[-1].json["title"] == "Page 0"
    assert (await statuses(db), await counts(db)) == ({"SENT"}, {2})


async def test_a_channel_that_is_tried_later_gets_nothing_that_was_snoozed(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    async with service() as late:
        at.status = late.status = 503
        await ntfy(db, ada, at.url)
        await ntfy(db, ada, late.url)
        await hold(db, ada, 3)
        await run(db)
        path = f"/v1/reminders/{await page_id(browser, 'Page 1')}"
        await browser.post(f"{path}/snooze", json={"for": "tomorrow"})
        at.status = 200
        await work_off(db)
        late.status = 200
        await work_off(db)
        lines = [[got.json["message"].count("•") for got in each.got] for each in (at, late)]
        assert lines == [[3, 2], [3, 2, 2]]
        assert "Page 1" not in late.got[-1].json["message"]


async def test_it_is_not_tried_again_at_night(db: Database, ada: Person, at: Service) -> None:
    at.status = 503
    await ntfy(db, ada, at.url)
    await hold(db, ada, 2)
    await run(db)
    until = await fall_quiet(db, ada)
    at.status = 200
    await work_off(db)
    found = await rows(db, "select next_alarm_time, processed_at, sent_count from alarms")
    assert len(at.got) == 1
    assert [row["next_alarm_time"].time() for row in found] == [until] * 2
    assert {(row["processed_at"], row["sent_count"]) for row in found} == {(None, 1)}
    await end_quiet(db, ada)
    await run(db)
    assert [got.json["title"] for got in at.got] == [TOGETHER] * 2
    assert (await statuses(db), await counts(db)) == ({"SENT"}, {2})


async def test_another_channel_of_it_keeps_quiet_too(
    db: Database, ada: Person, at: Service
) -> None:
    async with service() as late:
        late.status = 503
        await ntfy(db, ada, at.url)
        await ntfy(db, ada, late.url)
        await hold(db, ada, 2)
        await run(db)
        await fall_quiet(db, ada)
        late.status = 200
        await work_off(db)
        assert (len(at.got), len(late.got)) == (1, 1)
        await end_quiet(db, ada)
        await pass_time(db, 4 * 3600)
        await drain(db, wiring.product(config()).jobs)
        assert (len(at.got), len(late.got)) == (1, 2)


@pytest.mark.parametrize("is_taken", [True, False])
async def test_what_another_run_holds_of_it_is_waited_for_by_its_job_and_not_by_the_run(
    db: Database, ada: Person, at: Service, is_taken: bool
) -> None:
    """Two runs that each hold a part and wait for the other's would wait for ever."""
    await ntfy(db, ada, at.url)
    await hold(db, ada, 2)
    wiring.install(wiring.product(config()))
    async with asyncio.timeout(60):
        async with db.transaction() as other:
            await other._connection.execute(
                "select from alarms where title = 'Page 1' for update"
                if not is_taken
                else "update alarms set processed_at = now() where title = 'Page 1'"
            )
            done = await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
            assert done.claimed == 1
            sending = asyncio.create_task(drain(db, wiring.product(config()).jobs))
            while not sending.done() and not await rows(db, WAITING):
                await asyncio.sleep(0.02)
        await sending
    assert [got.json["title"] for got in at.got] == [TOGETHER]
    assert await counts(db) == {2}
