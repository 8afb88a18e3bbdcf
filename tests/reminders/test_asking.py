"""Asking for a reminder, again and again: what is kept, what is moved, and of which page it is."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import httpx2

from mindhit import reminders, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.work.testing import drain
from tests.delivery.kit import Service, config
from tests.reminders.kit import PAGE, alarm, later, ntfy


async def test_one_that_is_being_sent_keeps_its_time_when_it_is_asked_for_again(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    await browser.post("/v1/reminders", json={"url": PAGE})
    await later(db, minutes=5)
    planned = (await alarm(db))["next_alarm_time"]
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    again = (await browser.post("/v1/reminders", json={"url": PAGE, "title": "New"})).json()
    assert datetime.fromisoformat(again["next_alarm_time"]) == planned
    await drain(db, wiring.product(config()).jobs)
    found = await alarm(db)
    assert (found["sent_count"], found["is_chosen"], len(at.got)) == (2, False, 1)
    assert found["next_alarm_time"] > datetime.now(UTC) + timedelta(hours=23)


async def test_snoozing_a_paused_one_resumes_it(db: Database, browser: httpx2.AsyncClient) -> None:
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    path = f"/v1/reminders/{made['page_id']}"
    assert (await browser.post(f"{path}/pause")).json()["status"] == "paused"
    snoozed = (await browser.post(f"{path}/snooze", json={"for": "tomorrow"})).json()
    assert snoozed["status"] == "active"


async def test_of_several_pages_with_one_address_the_newest_comes_back(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    for name in ("older", "newer"):
        page = {"id": name, "address": PAGE, "title": name, "kind": "link"}
        pushed = await browser.post(
            "/v1/sync/push?last_pulled_at=0", json={"pages": {"created": [page]}}
        )
        assert pushed.status_code == 200
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    assert made["title"] == "newer"


async def test_what_another_run_has_locked_is_left_to_it(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    for number in range(3):
        await browser.post("/v1/reminders", json={"url": f"{PAGE}/{number}"})
    wiring.install(wiring.product(config()))
    async with db.transaction() as other, asyncio.timeout(30):
        await other._connection.execute(
            "select from alarms order by next_alarm_time limit 1 for update"
        )
        done = await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    assert done.claimed == 2
