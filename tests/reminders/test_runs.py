"""Runs and settling under load: every due alarm, as many at once as allowed, no hour twice; and what is reported."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx2
import pytest
from aiohttp import web
from prometheus_client import REGISTRY

from mindhit import log, reminders, wiring
from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from mindhit.reminders.running import run_all
from mindhit.reminders.settling import Sent, settle
from mindhit.work.testing import drain
from tests.accounts.kit import add, rows
from tests.delivery.kit import Service, config
from tests.reminders.kit import (
    PAGE,
    WAITING,
    alarm,
    later,
    ntfy,
    only_channel,
    run,
    send_as_batch,
)


async def test_a_tick_takes_all_that_is_due(db: Database, browser: httpx2.AsyncClient) -> None:
    for number in range(5):
        await browser.post("/v1/reminders", json={"url": f"{PAGE}/{number}"})
    wiring.install(wiring.product(config()))
    await run_all(db, fetch_limit=2, concurrency=1, now=datetime.now(UTC))
    assert len(await rows(db, "select from alarms where processed_at is not null")) == 5


async def test_no_more_are_sent_at_once_than_the_run_allows(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at_once, most = 0, 0

    async def count(_: web.Request) -> web.Response:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.1)  # so that others could come
        at_once -= 1
        return web.json_response({})

    at.hook = count
    await ntfy(db, ada, at.url)
    for number in range(6):
        await browser.post("/v1/reminders", json={"url": f"{PAGE}/{number}"})
    wiring.install(wiring.product(config()))
    for concurrency in (2, 9):  # in one batch, the least counts
        await reminders.run(db, fetch_limit=3, concurrency=concurrency, now=datetime.now(UTC))
    await send_as_batch(db, wiring.product(config()).jobs)
    assert len(at.got) == 6
    assert most <= 2


async def test_two_transactions_that_settle_for_one_person_choose_different_hours(
    db: Database, ada: Person, browser: httpx2.AsyncClient
) -> None:
    now = datetime.now(UTC)
    ids = [
        UUID((await browser.post("/v1/reminders", json={"url": f"{PAGE}/{n}"})).json()["page_id"])
        for n in range(2)
    ]
    planned = {
        row["page_id"]: row["next_alarm_time"] for row in await rows(db, "select * from alarms")
    }

    async def settle_one(page_id: UUID) -> None:
        async with db.transaction() as tx:
            await settle(tx, [Sent(ada.id, page_id, 1, planned[page_id], "x")], now)

    async with asyncio.timeout(60):
        async with db.transaction() as tx:
            await settle(tx, [Sent(ada.id, ids[0], 1, planned[ids[0]], "x")], now)
            other = asyncio.create_task(settle_one(ids[1]))
            while not other.done() and not await rows(db, WAITING):
                await asyncio.sleep(0.02)
        await other
    times = [row["next_alarm_time"] for row in await rows(db, "select * from alarms")]
    assert len({each.replace(minute=0, second=0) for each in times}) == 2


async def test_what_is_very_late_is_reported_and_what_it_missed_is_counted(
    db: Database, browser: httpx2.AsyncClient, capfd: pytest.CaptureFixture[str]
) -> None:
    log.configure("json", "error")
    before = REGISTRY.get_sample_value("mindhit_alarm_skipped_total") or 0
    await browser.post("/v1/reminders", json={"url": PAGE})
    await later(db, days=3, hours=1)
    assert (await run(db)).late == 1
    assert REGISTRY.get_sample_value("mindhit_alarm_skipped_total") == before + 3
    said = capfd.readouterr()
    assert "reminders more than a day late" in said.out + said.err


async def test_whose_channels_are_for_other_notices_is_told_in_the_app(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    await browser.patch(await only_channel(browser), json={"kinds": ["price"]})
    await browser.post("/v1/reminders", json={"url": PAGE})
    await run(db)
    assert ((await alarm(db))["sent_count"], at.got) == (2, [])
    assert (await alarm(db))["next_alarm_time"] > datetime.now(UTC) + timedelta(hours=23)


async def test_what_has_been_under_way_for_six_hours_is_taken_again(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    await browser.post("/v1/reminders", json={"url": PAGE})
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set processed_at = now() - interval '5.9 hours'"
        )
    assert (await run(db)).claimed == 0
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set processed_at = now() - interval '6.1 hours'"
        )
    wiring.install(wiring.product(config()))
    at_once = await asyncio.gather(
        *(reminders.run(db, fetch_limit=9, concurrency=1, now=datetime.now(UTC)) for _ in range(3))
    )
    assert sorted((each.claimed, each.zombies) for each in at_once) == [(0, 0), (0, 0), (1, 1)]
    assert (await run(db)).claimed == 0
    assert (await alarm(db))["sent_count"] == 2
    assert (await browser.get("/v1/notices")).json()["unread"] == 1


async def test_one_that_is_due_in_quiet_hours_waits_for_their_end_unless_its_time_was_chosen(
    db: Database, ada: Person, browser: httpx2.AsyncClient
) -> None:
    now = datetime.now(UTC)
    quiet = {
        "timezone": "UTC",
        "quiet_from": now.replace(minute=0, second=0, microsecond=0).time(),
        "quiet_until": now.replace(
            hour=(now.hour + 2) % 24, minute=0, second=0, microsecond=0
        ).time(),
    }
    async with db.transaction() as tx:
        await change_preferences(tx, ada.id, quiet)
    await browser.post("/v1/reminders", json={"url": PAGE})
    assert (await run(db)).claimed == 1  # just asked for
    await later(db, days=3)
    done = await run(db)
    assert (done.claimed, done.held) == (0, 1)
    found = await alarm(db)
    assert found["next_alarm_time"].time() == quiet["quiet_until"]
    assert found["processed_at"] is None


async def test_an_alarm_far_in_the_past_comes_once(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    await browser.post("/v1/reminders", json={"url": PAGE})
    await later(db, days=500)
    done = await run(db)
    assert (done.claimed, done.late) == (1, 1)
    assert (await alarm(db))["next_alarm_time"] > datetime.now(UTC)
    assert (await run(db)).claimed == 0


async def test_several_runs_at_once_share_the_work(db: Database, ada: Person) -> None:
    async with db.transaction() as tx:
        for number in range(60):
            await reminders.remind(
                tx, ada.id, f"{PAGE}/{number}", title=None, now=datetime.now(UTC)
            )
    wiring.install(wiring.product(config()))
    runs = await asyncio.gather(
        *(reminders.run(db, fetch_limit=25, concurrency=5, now=datetime.now(UTC)) for _ in range(4))
    )
    assert sum(each.claimed for each in runs) == 60
    await drain(db, wiring.product(config()).jobs)
    found = await rows(db, "select sent_count, next_alarm_time from alarms")
    assert {row["sent_count"] for row in found} == {2}
    assert len({row["next_alarm_time"] for row in found}) == 60  # each in an hour of its own
    assert len(await rows(db, "select * from notices")) == 60


async def test_a_paused_ones_hour_is_taken(
    db: Database, ada: Person, browser: httpx2.AsyncClient
) -> None:
    """Resumed before its time, it would come together with another."""
    made = [
        (await browser.post("/v1/reminders", json={"url": f"{PAGE}/{number}"})).json()["page_id"]
        for number in range(2)
    ]
    await browser.post(f"/v1/reminders/{made[0]}/pause")
    await run(db)
    wanted = await rows(db, "select next_alarm_time from alarms where status = 'active'")
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set next_alarm_time = $1 where status = 'paused'",
            wanted[0]["next_alarm_time"],
        )
        await tx._connection.execute(
            "update alarms set sent_count = 1, next_alarm_time = now() where status = 'active'"
        )
    await run(db)
    assert (await browser.post(f"/v1/reminders/{made[0]}/resume")).status_code == 200
    found = await rows(db, "select next_alarm_time from alarms where status = 'active'")
    assert len({row["next_alarm_time"] for row in found}) == 2


async def test_one_that_is_resumed_late_keeps_quiet_like_any_other(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    """Its person chose to resume it, not the time."""
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    path = f"/v1/reminders/{made['page_id']}"
    await browser.post(f"{path}/pause")
    await browser.post(f"{path}/resume")
    assert (await alarm(db))["is_chosen"] is False
    until = {"until": (datetime.now(UTC) + timedelta(hours=3)).isoformat()}
    await browser.post(f"{path}/snooze", json=until)
    await browser.post(f"{path}/pause")
    await browser.post(f"{path}/resume")
    assert (await alarm(db))["is_chosen"] is True  # its time is still to come


async def test_a_time_zone_that_is_no_longer_known_keeps_nobody_from_being_reminded(
    db: Database, ada: Person
) -> None:
    """Old names are dropped from time zone databases."""
    other = await add(db, "other@example.org")
    async with db.transaction() as tx:
        for person in (ada, other):
            await reminders.remind(tx, person.id, PAGE, title=None, now=datetime.now(UTC))
        await tx._connection.execute(
            "update user_settings set timezone = 'Atlantis/Sunken' where user_id = $1", ada.id
        )
        await tx._connection.execute(
            "update user_settings set quiet_mode = 'off', quiet_from = null, quiet_until = null"
        )
        await tx._connection.execute("update alarms set is_chosen = false")
    assert (await run(db)).claimed == 2
    found = await rows(db, "select sent_count from alarms")
    assert [row["sent_count"] for row in found] == [2, 2]
