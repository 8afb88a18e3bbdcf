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
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.reminders.running import run_all
from mindhit.reminders.settling import Sent, settle
from mindhit.work.testing import drain
from tests.accounts.kit import rows
from tests.delivery.kit import Service, config
from tests.reminders.test_sending import (
    PAGE,
    ada,
    alarm,
    at,
    browser,
    later,
    ntfy,
    only_channel,
    run,
)

__all__ = ["ada", "at", "browser"]  # fixtures

WAITING = """
select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"""


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
    await reminders.run(db, fetch_limit=10, concurrency=2, now=datetime.now(UTC))
    await drain(db, wiring.product(config()).jobs)
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
