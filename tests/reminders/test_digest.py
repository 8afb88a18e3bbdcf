"""What quiet hours held back comes as one message per channel, for whoever wants it so."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import httpx2

from mindhit import reminders, wiring
from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, browser_of, rows
from tests.delivery.kit import Service, config, service
from tests.reminders.holding import ada, hold
from tests.reminders.kit import ntfy, only_channel, run

__all__ = ["ada"]  # a fixture

# 300 pages like the one that is there, each with its alarm.
MANY_MORE = """
with more as (
  insert into pages (id, user_id, folder_id, kind, address, title, position, url_id, created_seq, seq)
  select gen_random_uuid(), user_id, folder_id, kind, address, title, position + n, url_id, created_seq, seq
    from pages, generate_series(1, 300) n
  returning id, user_id)
insert into alarms (user_id, page_id, title, body, next_alarm_time, is_chosen)
select more.user_id, more.id, a.title, '', a.next_alarm_time, false from more, alarms a"""


async def test_it_is_off_until_somebody_wants_it(db: Database) -> None:
    async with browser_of(db, await add(db), config()) as browser:
        known = (await browser.get("/v1/reminders/preferences")).json()
        assert known == {"folder_id": None, "digest": False}
        changed = await browser.patch("/v1/reminders/preferences", json={"digest": True})
        assert changed.json() == {"folder_id": None, "digest": True}
        await browser.post("/v1/reminders", json={"url": "https://a.example/"})
        kept = (await browser.get("/v1/reminders/preferences")).json()
        assert kept["digest"] is True
        assert kept["folder_id"] is not None


async def test_without_it_they_come_one_by_one(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await browser.patch("/v1/reminders/preferences", json={"digest": False})
    await ntfy(db, ada, at.url)
    await hold(db, ada, 2)
    await run(db)
    assert sorted(got.json["title"] for got in at.got) == ["Page 0", "Page 1"]


async def test_several_come_as_one_message_and_each_is_in_the_inbox(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at.answer = '{"id": "one"}'
    await ntfy(db, ada, at.url)
    await hold(db, ada, 12)
    await run(db)
    [got] = at.got
    assert got.json["title"] == "12 pages to come back to"
    assert got.json["message"].splitlines()[0] == "• Page 0"
    assert got.json["message"].splitlines()[-1] == "and 2 more"
    assert got.json["click"].endswith("/inbox")
    sent = await rows(db, "select status, digest_id, provider_id from deliveries")
    assert len(sent) == 12
    assert {(row["status"], row["provider_id"]) for row in sent} == {("SENT", "one")}
    assert {str(row["digest_id"]) for row in sent} == {got.json["sequence_id"]}
    assert (await browser.get("/v1/notices")).json()["unread"] == 12
    alarms = await rows(db, "select sent_count, processed_at, next_alarm_time from alarms")
    assert {(row["sent_count"], row["processed_at"]) for row in alarms} == {(2, None)}
    assert all(row["next_alarm_time"] > datetime.now(UTC) for row in alarms)


async def test_a_run_that_takes_few_takes_a_digest_whole(
    db: Database, ada: Person, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    await hold(db, ada, 7)
    wiring.install(wiring.product(config()))
    for _ in range(3):
        await reminders.run(db, fetch_limit=2, concurrency=1, now=datetime.now(UTC))
    await drain(db, wiring.product(config()).jobs)
    [got] = at.got
    assert got.json["title"] == "7 pages to come back to"


async def test_one_alone_comes_as_itself_and_a_chosen_time_is_no_part_of_it(
    db: Database, ada: Person, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    await hold(db, ada, 2)
    async with db.transaction() as tx:
        await tx._connection.execute("update alarms set is_chosen = true where title = 'Page 1'")
    await run(db)
    assert sorted(got.json["title"] for got in at.got) == ["Page 0", "Page 1"]


async def test_one_that_was_deleted_or_paused_meanwhile_is_not_in_it(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    await hold(db, ada, 4)
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    items = (await browser.get("/v1/reminders")).json()["items"]
    ids = {each["title"]: each["page_id"] for each in items}
    assert (await browser.delete(f"/v1/pages/{ids['Page 0']}")).status_code in {200, 204}
    assert (await browser.post(f"/v1/reminders/{ids['Page 1']}/pause")).status_code == 200
    await drain(db, wiring.product(config()).jobs)
    [got] = at.got
    assert got.json["message"] == "• Page 2\n• Page 3"
    assert {row["title"] for row in await rows(db, "select title from notices")} == {
        "Page 2",
        "Page 3",
    }


async def test_one_that_was_stopped_or_snoozed_before_a_retry_is_not_in_it(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at.status = 503
    await ntfy(db, ada, at.url)
    await hold(db, ada, 4)
    await run(db)
    items = (await browser.get("/v1/reminders")).json()["items"]
    ids = {each["title"]: each["page_id"] for each in items}
    assert (await browser.delete(f"/v1/reminders/{ids['Page 0']}")).status_code == 204
    later = {"for": "tomorrow"}
    await browser.post(f"/v1/reminders/{ids['Page 1']}/snooze", json=later)
    at.status = 200
    await pass_time(db, 120)
    await drain(db, wiring.product(config()).jobs)
    assert [got.json["message"].count("•") for got in at.got] == [4, 2]
    assert at.got[-1].json["message"] == "• Page 2\n• Page 3"
    counts = {row["title"]: row["sent_count"] for row in await rows(db, "select * from alarms")}
    assert counts == {"Page 1": 1, "Page 2": 2, "Page 3": 2}


async def test_a_channel_that_fails_gets_it_later_as_one_message(
    db: Database, ada: Person, at: Service
) -> None:
    async with service() as broken:
        broken.status = 503
        await ntfy(db, ada, at.url)
        await ntfy(db, ada, broken.url)
        await hold(db, ada, 3)
        await run(db)
        assert {row["sent_count"] for row in await rows(db, "select * from alarms")} == {2}
        broken.status = 200
        await pass_time(db, 120)
        await drain(db, wiring.product(config()).jobs)
        assert [got.json["title"] for got in broken.got] == ["3 pages to come back to"] * 2
    assert {row["status"] for row in await rows(db, "select status from deliveries")} == {"SENT"}


async def test_where_no_channel_takes_it_all_of_them_wait_until_one_is_changed(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at.status = 403
    await ntfy(db, ada, at.url)
    await hold(db, ada, 3)
    await run(db)
    found = await rows(db, "select status, sent_count, processed_at, last_error from alarms")
    assert {tuple(dict(row).values()) for row in found} == {
        ("failing", 1, None, "ntfy answered 403.")
    }
    at.status = 200
    [channel] = (await browser.get("/v1/channels")).json()["items"]
    await browser.patch(f"/v1/channels/{channel['id']}", json={"name": "again"})
    await run(db)
    assert [got.json["title"] for got in at.got] == ["3 pages to come back to"] * 2
    assert {row["sent_count"] for row in await rows(db, "select * from alarms")} == {2}


async def test_a_job_that_died_leaves_no_alarm_under_way(
    db: Database, ada: Person, at: Service
) -> None:
    await hold(db, ada, 2)
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    async with db.transaction() as tx:
        await tx._connection.execute("update jobs set status = 'dead', finished_at = now()")
    await reminders.recover(db)
    found: list[Any] = await rows(db, "select status, processed_at from alarms")
    assert {(row["status"], row["processed_at"]) for row in found} == {("failing", None)}


async def test_those_that_fall_into_quiet_hours_meet_at_their_end(
    db: Database, ada: Person
) -> None:
    """Quiet for all but an hour: the next time of each is held to the same end."""
    await hold(db, ada, 3)
    now = datetime.now(UTC)
    async with db.transaction() as tx:
        soon = now + timedelta(hours=1)
        hours = {"quiet_from": time(soon.hour), "quiet_until": time(now.hour)}
        await change_preferences(tx, ada.id, hours)
    await run(db)
    times = {row["next_alarm_time"] for row in await rows(db, "select * from alarms")}
    assert len(times) == 1
    assert times.pop().time() == time(now.hour)


async def test_without_the_channel_that_failed_the_inbox_is_enough(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    at.status = 503
    await ntfy(db, ada, at.url)
    await hold(db, ada, 2)
    await run(db)
    await browser.patch(await only_channel(browser), json={"enabled": False})
    await pass_time(db, 120)
    await drain(db, wiring.product(config()).jobs)
    found = await rows(db, "select status, sent_count, processed_at from alarms")
    assert {tuple(dict(row).values()) for row in found} == {("active", 2, None)}
    assert len(at.got) == 1


async def test_a_long_one_is_one_message_too(db: Database, ada: Person, at: Service) -> None:
    await ntfy(db, ada, at.url)
    await hold(db, ada, 1)
    async with db.transaction() as tx:
        await tx._connection.execute(MANY_MORE)
    await run(db)
    [got] = at.got
    assert got.json["title"] == "301 pages to come back to"
    found = await rows(db, "select sent_count, processed_at from alarms")
    assert {tuple(dict(row).values()) for row in found} == {(2, None)}
