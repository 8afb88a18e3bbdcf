"""Reminders that no channel took wait for their person, and come as soon as a channel may work again."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx2
import pytest
from aiohttp import web

from mindhit import reminders, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import browser_of, rows
from tests.delivery.kit import BROWSER, Service, config, service
from tests.reminders.kit import PAGE, alarm, later, not_delivered, ntfy, only_channel, run


@pytest.mark.parametrize("way", ["change", "resume", "time"])
async def test_what_was_refused_is_sent_once_its_channel_works(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, way: str
) -> None:
    path = await not_delivered(db, ada, browser, at, 403)
    assert (await alarm(db))["status"] == "failing"
    [shown] = (await browser.get("/v1/reminders?status=failing")).json()["items"]
    assert shown["last_error_reason"]["code"] == "answered"
    renamed = (await browser.patch(path, json={"title": "Renamed"})).json()
    assert (renamed["status"], renamed["last_error"]) == ("failing", shown["last_error"])
    at.status = 200
    if way == "change":
        await browser.patch(await only_channel(browser), json={"name": "again"})
    elif way == "time":
        soon = {"next_alarm_time": datetime.now(UTC).isoformat()}
        assert (await browser.patch(path, json=soon)).json()["status"] == "active"
    else:
        await browser.post(f"{path}/resume")
        await later(db, hours=2)
    assert (await run(db)).claimed == 1
    found = await alarm(db)
    assert (found["status"], found["sent_count"], len(at.got)) == ("active", 2, 2)
    [sent] = await rows(db, "select status from deliveries")
    assert sent["status"] == "SENT"


async def test_one_that_was_refused_is_not_asked_again_while_another_is_tried(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    async with service() as refusing:
        refusing.status, at.status = 403, 503
        await ntfy(db, ada, refusing.url)
        await ntfy(db, ada, at.url)
        await browser.post("/v1/reminders", json={"url": PAGE})
        await run(db)
        at.status = 200
        await pass_time(db, 70)
        await drain(db, wiring.product(config()).jobs)
        assert (len(refusing.got), len(at.got)) == (1, 2)
    assert (await alarm(db))["sent_count"] == 2


@pytest.mark.parametrize("way", ["remove", "turn off"])
async def test_without_the_channel_that_refused_it_the_inbox_is_enough(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, way: str
) -> None:
    await not_delivered(db, ada, browser, at, 403)
    assert (await alarm(db))["status"] == "failing"
    path = await only_channel(browser)
    if way == "remove":
        await browser.delete(path)
    else:
        await browser.patch(path, json={"enabled": False})
    assert (await run(db)).claimed == 1
    found = await alarm(db)
    assert (found["status"], found["sent_count"], len(at.got)) == ("active", 2, 1)


async def test_allowing_notifications_in_a_browser_again_brings_back_what_found_none(
    db: Database, browser: httpx2.AsyncClient, at: Service
) -> None:
    assert (await browser.get("/v1/push/key")).status_code == 200
    for path, status, expected in (("old", 410, "failing"), ("new", 201, "active")):
        subscription = {"endpoint": f"{at.url}/push/{path}", "keys": BROWSER.keys}
        assert (await browser.put("/v1/push/subscriptions", json=subscription)).status_code == 200
        at.status = status
        if path == "old":
            await browser.post("/v1/reminders", json={"url": PAGE})
        await run(db)
        assert (await alarm(db))["status"] == expected
    assert (await alarm(db))["sent_count"] == 2


async def test_a_browser_in_which_its_person_signs_in_again_brings_back_what_found_none(
    db: Database, ada: Person, at: Service
) -> None:
    """The push service knows it under the same address as before."""
    subscription = {"endpoint": f"{at.url}/push/1", "keys": BROWSER.keys}
    for expected in ("failing", "active"):
        async with browser_of(db, ada, config()) as browser:
            assert (await browser.get("/v1/push/key")).status_code == 200
            put = await browser.put("/v1/push/subscriptions", json=subscription)
            assert put.status_code == 200
            if expected == "failing":
                await browser.post("/v1/reminders", json={"url": PAGE})
                assert (await browser.post("/v1/auth/sign-out")).is_success
        await run(db)
        assert (await alarm(db))["status"] == expected
    assert len(at.got) == 1


async def test_an_alarm_whose_job_died_is_failing_until_it_is_resumed_and_taken_again(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update jobs set status = 'dead', finished_at = now() where kind = 'reminders:send'"
        )
    await reminders.recover(db)
    found = await alarm(db)
    assert (found["status"], found["processed_at"], found["sent_count"]) == ("failing", None, 1)
    assert found["last_error"] == "It could not be sent."
    await reminders.recover(db)
    assert (await alarm(db))["status"] == "failing"  # without a channel, too
    await browser.post(f"/v1/reminders/{made['page_id']}/resume")
    await later(db, hours=2)
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    await reminders.recover(db)  # the next tick, while its job waits
    assert (await alarm(db))["status"] == "active"
    await drain(db, wiring.product(config()).jobs)
    assert (await alarm(db))["sent_count"] == 2


async def test_one_that_was_snoozed_while_it_was_refused_is_not_failing(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    async def snooze_and_refuse(_: web.Request) -> web.Response:
        await browser.post(f"/v1/reminders/{made['page_id']}/snooze", json={"for": "tomorrow"})
        return web.Response(status=403)

    at.hook = snooze_and_refuse
    await ntfy(db, ada, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    await run(db)
    assert len(at.got) == 1
    assert (await alarm(db))["status"] == "active"
