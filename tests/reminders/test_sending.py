"""From a page to its next reminder, over real channels; what is killed, changed or deleted on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import httpx2
import pytest

from mindhit import delivery, reminders, wiring
from mindhit.accounts import Person, Scope, change_preferences
from mindhit.db import Database
from mindhit.delivery import ChannelKind
from mindhit.reminders.job_types import Remind
from mindhit.reminders.jobs import send
from mindhit.settings import Settings
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, add_owner, browser_of, client_of, rows, token_of
from tests.delivery.kit import Service, config, service

PAGE = "https://lighthouses.example/north-sea"


@pytest.fixture
async def at() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


@pytest.fixture
async def ada(db: Database) -> Person:
    person = await add(db)
    async with db.transaction() as tx:
        await change_preferences(
            tx, person.id, {"quiet_from": None, "quiet_until": None, "timezone": "Europe/Berlin"}
        )
    return person


@pytest.fixture
async def browser(db: Database, ada: Person) -> AsyncIterator[httpx2.AsyncClient]:
    async with browser_of(db, ada, config()) as made:
        yield made


async def ntfy(db: Database, person: Person, url: str) -> None:
    async with db.transaction() as tx:
        await delivery.add_channel(
            tx,
            config(),
            person.id,
            ChannelKind.NTFY,
            name="n",
            config={"server": url, "topic": "t"},
        )


async def run(db: Database, settings: Settings | None = None) -> reminders.Run:
    """What the tick does, and what comes of it."""
    settings = settings or config()
    wiring.install(wiring.product(settings))
    await reminders.recover(db)
    done = await reminders.run(db, fetch_limit=100, concurrency=10, now=datetime.now(UTC))
    await drain(db, wiring.product(settings).jobs)
    return done


async def alarm(db: Database) -> dict[str, Any]:
    [found] = await rows(db, "select * from alarms")
    return dict(found)


async def later(db: Database, **by: float) -> None:
    """The alarm's times move into the past, and so do jobs."""
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set next_alarm_time = next_alarm_time - $1::interval,"
            " processed_at = processed_at - $1::interval",
            timedelta(**by),
        )
    await pass_time(db, timedelta(**by).total_seconds())


async def not_delivered(
    db: Database, person: Person, browser: httpx2.AsyncClient, at: Service, status: int
) -> str:
    """A reminder that the person's only channel answers with this status; its path."""
    at.status = status
    await ntfy(db, person, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    await run(db)
    return f"/v1/reminders/{made['page_id']}"


async def only_channel(browser: httpx2.AsyncClient) -> str:
    """Its path."""
    [channel] = (await browser.get("/v1/channels")).json()["items"]
    return f"/v1/channels/{channel['id']}"


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


async def test_the_first_reminder_can_be_asked_for_a_later_time(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    body = {"url": PAGE, "for": "tomorrow"}
    made = (await browser.post("/v1/reminders", json=body)).json()
    assert datetime.fromisoformat(made["next_alarm_time"]) > datetime.now(UTC)
    assert (await run(db)).claimed == 0
    assert (await browser.post("/v1/reminders", json={**body, "for": "x"})).status_code == 422


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


async def test_registering_by_page_answers_as_sync_clients_expect(
    db: Database, ada: Person, browser: httpx2.AsyncClient
) -> None:
    page = (
        await browser.post("/v1/pages", json={"address": PAGE, "title": "T", "note": "N"})
    ).json()
    for prefix in ("/v1/reminders", "/api/reminder"):
        answer = await browser.post(
            f"{prefix}/register-by-page",
            json={"page_id": page["id"], "timezone": "America/New_York"},
        )
        assert answer.status_code == 200
        assert answer.json()["success"] is True
        assert (answer.json()["page_id"], answer.json()["sent_count"]) == (page["id"], 1)
    [shown] = (await browser.get("/v1/reminders")).json()["items"]
    assert (shown["title"], shown["body"]) == ("T", "N")
    missing = await browser.post("/api/reminder/register-by-page", json={"page_id": "x"})
    assert missing.status_code == 404
    assert (await browser.post("/api/reminder/unknown")).status_code == 404
    assert (await browser.get("/api/reminder/unknown")).status_code == 404
    assert (await browser.get("/api/reminder/register-by-page")).status_code == 405
    settings = (await browser.get("/v1/me/settings")).json()
    assert settings["timezone"] == "Europe/Berlin"  # it was known


async def test_a_run_from_outside_needs_the_owners_token_or_the_settings(
    db: Database, ada: Person
) -> None:
    owner = await add_owner(db)
    settings = config(reminders_cron_token="cron-secret")
    keys = {
        "Bearer cron-secret": 200,
        f"Bearer {await token_of(db, owner, Scope.ADMIN)}": 200,
        f"Bearer {await token_of(db, owner, Scope.API)}": 403,
        f"Bearer {await token_of(db, ada, Scope.API)}": 403,
        f"Bearer {await token_of(db, ada, Scope.ADMIN)}": 403,
        "Bearer wrong": 401,
        "Basic cron-secret": 401,
    }
    async with client_of(db, settings) as client:
        for key, status in keys.items():
            answer = await client.post(
                "/api/reminder/schedule/v2?fetch_limit=7&concurrency=3",
                headers={"Authorization": key},
            )
            assert answer.status_code == status, key
            if status == 200:
                assert answer.json()["success"] is True
                assert (answer.json()["fetch_limit"], answer.json()["concurrency"]) == (7, 3)
        assert (await client.post("/v1/reminders/schedule/v2")).status_code == 401


async def test_changing_snoozing_pausing_resuming(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    path = f"/v1/reminders/{UUID(made['page_id'])}"
    changed = (await browser.patch(path, json={"title": "New", "sent_count": 4})).json()
    assert (changed["title"], changed["sent_count"]) == ("New", 4)
    past = {"next_alarm_time": "2020-01-01T00:00:00Z"}
    assert (await browser.patch(path, json=past)).status_code == 422
    paused = (await browser.post(f"{path}/pause")).json()
    assert paused["status"] == "paused"
    assert (await run(db)).claimed == 0
    assert [
        r["status"] for r in (await browser.get("/v1/reminders?status=paused")).json()["items"]
    ] == ["paused"]
    assert (await browser.get("/v1/reminders?status=active")).json()["items"] == []
    resumed = (await browser.post(f"{path}/resume")).json()
    assert resumed["status"] == "active"
    assert datetime.fromisoformat(resumed["next_alarm_time"]) > datetime.now(UTC)
    until = {"until": (datetime.now(UTC) + timedelta(hours=3)).isoformat()}
    snoozed = (await browser.post(f"{path}/snooze", json=until)).json()
    assert datetime.fromisoformat(snoozed["next_alarm_time"]) > datetime.now(UTC)
    found = (await browser.get("/v1/reminders", params={"url": f"{PAGE}?utm_source=x"})).json()
    assert len(found["items"]) == 1
    assert (await browser.get("/v1/reminders", params={"url": "nonsense"})).status_code == 422
    other = await browser.post("/v1/reminders", json={"url": "javascript:alert(1)"})
    assert other.status_code == 400
