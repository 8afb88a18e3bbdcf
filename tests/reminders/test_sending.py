"""From a page to its next reminder, over real channels; what is killed, changed or deleted on the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx2
import pytest

from mindhit import delivery, log, reminders, wiring
from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from mindhit.reminders.job_types import Remind
from mindhit.reminders.jobs import send
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, rows
from tests.delivery.kit import Service, config, service
from tests.reminders.kit import (
    PAGE,
    alarm,
    later,
    not_delivered,
    ntfy,
    only_channel,
    run,
    send_as_batch,
)


async def test_a_page_is_saved_told_at_once_and_again_the_next_day(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at.answer = '{"id": "msg1"}'
    await ntfy(db, ada, at.url)
    made = await browser.post("/v1/reminders", json={"url": PAGE, "title": "Lighthouses"})
    assert made.status_code == 201
    [folder] = (await browser.get("/v1/folders")).json()["folders"]
    assert folder["name"] == "Later"
    assert (await run(db)).claimed == 1
    [got] = at.got
    assert (got.json["title"], got.json["click"]) == ("Lighthouses", PAGE)
    found = await alarm(db)
    assert (found["sent_count"], found["processed_at"], found["is_chosen"]) == (2, None, False)
    assert found["last_notification_id"] == "msg1"
    wait = found["next_alarm_time"] - datetime.now(UTC)
    assert timedelta(days=1) <= wait + timedelta(minutes=1) <= timedelta(days=1, hours=2)
    assert (await run(db)).claimed == 0
    await later(db, days=2)
    assert (await run(db)).claimed == 1
    assert (await alarm(db))["sent_count"] == 3
    inbox = (await browser.get("/v1/notices")).json()
    assert [each["kind"] for each in inbox["items"]] == ["reminder", "reminder"]
    again = await browser.post("/v1/reminders", json={"url": PAGE})
    assert again.json()["sent_count"] == 3
    assert len((await browser.get("/v1/pages")).json()["pages"]) == 1


async def test_without_a_channel_the_inbox_is_one(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    await browser.post("/v1/reminders", json={"url": PAGE})
    await run(db)
    assert (await alarm(db))["sent_count"] == 2
    assert (await browser.get("/v1/notices")).json()["unread"] == 1


async def test_a_failed_sending_does_not_count_and_ends_in_failing_until_a_channel_changes(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await not_delivered(db, ada, browser, at, 500)
    for wait in (70, 400, 2400, 9000):
        found = await alarm(db)
        assert (found["sent_count"], found["status"]) == (1, "active")
        assert found["processed_at"] is not None
        await pass_time(db, wait)
        await drain(db, wiring.product(config()).jobs)
    found = await alarm(db)
    assert (found["status"], found["sent_count"], found["processed_at"]) == ("failing", 1, None)
    assert found["last_error"] == "ntfy answered 500."
    assert (await run(db)).claimed == 0
    at.status = 200
    await browser.patch(await only_channel(browser), json={"name": "again"})
    assert (await run(db)).claimed == 1
    found = await alarm(db)
    assert (found["status"], found["sent_count"]) == ("active", 2)


async def test_one_channel_is_enough_and_the_other_goes_on_alone(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    async with service() as broken:
        broken.status = 503
        await ntfy(db, ada, at.url)
        await ntfy(db, ada, broken.url)
        await browser.post("/v1/reminders", json={"url": PAGE})
        await run(db)
        assert (await alarm(db))["sent_count"] == 2
        broken.status = 200
        await pass_time(db, 120)
        await drain(db, wiring.product(config()).jobs)
        assert len(at.got) == 1
        assert len(broken.got) == 2
    assert {row["status"] for row in await rows(db, "select status from deliveries")} == {"SENT"}


async def test_what_a_long_batch_has_not_begun_is_left_for_later_and_loses_no_attempt(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    await browser.post("/v1/reminders", json={"url": PAGE})
    product = wiring.product(config())
    wiring.install(product)
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    hurried = partial(send, delivery.Sender(product.settings), within_s=0)
    await drain(db, {**product.jobs, Remind: hurried})
    [job] = await rows(db, "select status, attempts from jobs where kind = 'reminders:send'")
    assert dict(job) == {"status": "queued", "attempts": 0}
    assert at.got == []
    await pass_time(db, 60)
    await drain(db, product.jobs)
    assert len(at.got) == 1


async def test_two_that_come_back_in_most_of_a_year_do_so_in_different_hours(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    for number in range(3):
        made = (await browser.post("/v1/reminders", json={"url": f"{PAGE}/{number}"})).json()
        await browser.patch(f"/v1/reminders/{made['page_id']}", json={"sent_count": 9})
        await run(db)
    found = await rows(db, "select next_alarm_time from alarms where sent_count = 10")
    assert min(row["next_alarm_time"] for row in found) > datetime.now(UTC) + timedelta(days=255)
    assert len({row["next_alarm_time"] for row in found}) == 3


@pytest.mark.parametrize("has_channel", [True, False])
async def test_one_that_was_snoozed_paused_or_stopped_after_it_was_taken_is_not_sent(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, has_channel: bool
) -> None:
    if has_channel:
        await ntfy(db, ada, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    path = f"/v1/reminders/{made['page_id']}"
    wiring.install(wiring.product(config()))
    for act in ("snooze", "pause"):
        await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
        body = {"for": "tomorrow"} if act == "snooze" else None
        assert (await browser.post(f"{path}/{act}", json=body)).status_code == 200
        await drain(db, wiring.product(config()).jobs)
        await browser.post("/v1/reminders/register-by-page", json={"page_id": made["page_id"]})
    assert (at.got, await rows(db, "select from notices")) == ([], [])
    await run(db)
    assert (len(at.got), len(await rows(db, "select from notices"))) == (has_channel, 1)
    assert (await browser.delete(path)).status_code == 204
    assert (await browser.delete(path)).status_code == 404


async def test_a_time_that_was_changed_while_it_was_sent_stands(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    chosen = (datetime.now(UTC) + timedelta(days=3, minutes=7)).replace(microsecond=0)

    async def change_and_answer(request: Any) -> Any:
        from aiohttp import web

        answer = await browser.patch(
            f"/v1/reminders/{made['page_id']}", json={"next_alarm_time": chosen.isoformat()}
        )
        assert answer.status_code == 200
        return web.json_response({})

    at.hook = change_and_answer
    await ntfy(db, ada, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    await run(db)
    found = await alarm(db)
    assert (found["next_alarm_time"], found["sent_count"], found["is_chosen"]) == (chosen, 2, True)


async def test_after_a_crash_it_is_told_once_more_at_most_under_the_same_key(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    """The process died after the channel had it, and before the alarm was settled."""
    await ntfy(db, ada, at.url)
    await browser.post("/v1/reminders", json={"url": PAGE})
    await run(db)
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set sent_count = 1, processed_at = now(), next_alarm_time = now()"
        )
        await tx._connection.execute(
            "update jobs set status = 'queued', finished_at = null where kind = 'reminders:send'"
        )
    await drain(db, wiring.product(config()).jobs)
    assert len(at.got) == 1  # the delivery says that it was sent
    assert (await alarm(db))["sent_count"] == 2
    assert len((await browser.get("/v1/notices")).json()["items"]) == 1


async def test_a_channel_that_breaks_holds_up_nobody_else_and_nothing_is_said(
    db: Database,
    ada: Person,
    at: Service,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """An error that nobody thought of, in a batch with reminders of others."""

    class Breaks(delivery.Sender):
        async def _send(self, db: Database, *of: Any) -> str | None:
            if of[-1].user_id == ada.id:
                raise RuntimeError(f"canary {of[-1].title}")
            return await super()._send(db, *of)

    log.configure("json", "debug")
    other = await add(db, "other@example.org")
    for person in (ada, other):
        await ntfy(db, person, at.url)
        async with db.transaction() as tx:
            await change_preferences(tx, person.id, {"quiet_from": None, "quiet_until": None})
            await reminders.remind(tx, person.id, PAGE, title="canary", now=datetime.now(UTC))
    product = wiring.product(config())
    wiring.install(product)
    await reminders.run(db, fetch_limit=10, concurrency=2, now=datetime.now(UTC))
    await send_as_batch(db, {**product.jobs, Remind: partial(send, Breaks(product.settings))})
    found = await rows(db, "select user_id, sent_count from alarms")
    assert {row["user_id"]: row["sent_count"] for row in found} == {ada.id: 1, other.id: 2}
    assert len(at.got) == 1
    jobs = await rows(db, "select args::text, last_error from jobs")
    said = capfd.readouterr()
    assert "RuntimeError" in said.out + said.err
    assert "canary" not in str(jobs) + said.out + said.err


async def test_a_job_of_another_count_sends_nothing(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    """It was changed, and taken again, while the first job waited."""
    await ntfy(db, ada, at.url)
    await browser.post("/v1/reminders", json={"url": PAGE})
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    async with db.transaction() as tx:
        await tx._connection.execute("update alarms set sent_count = 4")
    await drain(db, wiring.product(config()).jobs)
    assert at.got == []
    assert (await alarm(db))["sent_count"] == 4
