"""The demo: believable, recorded as an extension would, and there once however often it is asked for."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mindhit import wiring
from mindhit.db import Database
from mindhit.tracking.demo import sessions
from tests import servers
from tests.accounts.kit import add, client_of, rows, run_jobs, settings

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=ZoneInfo("Asia/Seoul"))
ADA = uuid.UUID(int=1)


@pytest.fixture
def url(tmp_path: Path, database_url: str) -> Iterator[str]:
    with servers.api(tmp_path / "api.log", database_url) as address:
        yield address


async def demo(db: Database, url: str, database_url: str, *more: str) -> str:
    """Run the command while jobs are worked on, as a worker would."""
    wiring.install(wiring.product(settings()))
    running = asyncio.ensure_future(
        asyncio.to_thread(servers.mindhit, "demo", "--url", url, *more, database_url=database_url)
    )
    while not running.done():
        await run_jobs(db)
        await asyncio.sleep(0.1)
    done = await running
    assert done.returncode == 0, done.stderr
    return done.stdout


async def snapshot(db: Database) -> list[Any]:
    tables = ("sessions", "page_visits", "session_pauses", "highlights", "page_contents")
    return [await rows(db, f"select count(*) from {table}") for table in tables]


async def test_a_newcomer_signs_in_and_sees_two_weeks(
    db: Database, url: str, database_url: str
) -> None:
    said = await demo(db, url, database_url)
    assert "12 sessions recorded." in said
    password = re.search(r"with the password (\S+)", said)
    assert password is not None
    async with client_of(db) as browser:
        body = {"email": "demo@mindhit.example", "password": password[1]}
        assert (await browser.post("/v1/auth/sign-in", json=body)).status_code == 200
        listed = (await browser.get("/v1/sessions?limit=50")).json()["sessions"]
        details = [(await browser.get(f"/v1/sessions/{s['id']}")).json() for s in listed]
        devices = (await browser.get("/v1/devices")).json()["items"]
    assert [each["status"] for each in listed] == ["completed"] * 12
    assert all(each["page_count"] >= 4 and each["total_duration_ms"] > 300_000 for each in listed)
    visits = [visit for detail in details for visit in detail["page_visits"]]
    assert sum(visit["duration_ms"] < 1_000 for visit in visits) > 30
    assert any(not visit["is_focused"] for visit in visits)
    assert {p["kind"] for d in details for p in d["pauses"]} == {"idle", "asleep", "no_page"}
    assert sum(len(detail["highlights"]) for detail in details) > 20
    assert all(h["page_visit_id"] for detail in details for h in detail["highlights"])
    assert {device["kind"] for device in devices} == {"web"}  # the key it was sent with is gone
    assert await rows(db, "select from reader_urls where content_status = 'pending'") == []


async def test_a_second_run_adds_nothing(db: Database, url: str, database_url: str) -> None:
    await demo(db, url, database_url)
    before = await snapshot(db)
    [[session]] = await rows(db, "select id from sessions order by started_at limit 1")
    again = await demo(db, url, database_url)
    assert "0 sessions recorded, 12 already existed." in again
    assert "/reset#" in again
    assert await snapshot(db) == before
    async with db.transaction() as tx:
        await tx._connection.execute("delete from sessions where id = $1", session)
        await tx._connection.execute(
            "insert into deleted_sessions (session_id, user_id) select $1, id from users", session
        )
    third = await demo(db, url, database_url)
    assert "1 skipped because they were deleted" in third


async def test_it_goes_into_an_account_that_is_there(
    db: Database, url: str, database_url: str
) -> None:
    ada = await add(db)
    said = await demo(db, url, database_url, "--user", ada.email)
    assert "as ada@example.org" in said
    [[count, owners]] = await rows(db, "select count(*), count(distinct user_id) from sessions")
    assert (count, owners) == (12, 1)
    assert await rows(db, "select from users where email like 'demo@%'") == []


def test_without_a_server_it_says_so_and_makes_nobody(db: Database, database_url: str) -> None:
    nowhere = f"http://127.0.0.1:{servers.free_port()}"
    done = servers.mindhit("demo", "--url", nowhere, database_url=database_url)
    assert done.returncode == 1
    assert "No MindHit server answers" in done.stderr
    assert "mindhit up" in done.stderr
    unknown = servers.mindhit("demo", "--url", "nonsense", database_url=database_url)
    assert (unknown.returncode, "Traceback" in unknown.stderr) == (1, False)
    assert asyncio.run(people(database_url)) == []


async def people(url: str) -> list[Any]:
    db = await Database.open(url, size=1)
    try:
        return await rows(db, "select email from users")
    finally:
        await db.close()


def test_the_sessions_are_the_same_for_the_same_person() -> None:
    later = NOW + timedelta(days=3)
    assert [s.id for s in sessions(ADA, NOW)] == [s.id for s in sessions(ADA, later)]
    others = {s.id for s in sessions(uuid.UUID(int=2), NOW)}
    assert others.isdisjoint(s.id for s in sessions(ADA, NOW))


def test_every_session_lies_in_the_two_weeks_before() -> None:
    for sample in sessions(ADA, NOW):
        events = sample.events(sample.started_at)
        times = [event["t"] for event in events]
        assert times == sorted(times)
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert NOW - timedelta(days=14) < sample.started_at
        assert times[-1] < NOW.timestamp() * 1000
        assert times[0] == int(sample.started_at.timestamp() * 1000)


def test_all_events_hang_on_the_start() -> None:
    [sample, *_] = sessions(ADA, NOW)
    shifted = sample.events(sample.started_at.astimezone(UTC) + timedelta(days=1))
    day = 86_400_000
    assert [e["t"] - day for e in shifted] == [e["t"] for e in sample.events(sample.started_at)]
