"""What callers of the API can ask for, and what they are answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx2

from mindhit.accounts import Person, Scope
from mindhit.db import Database
from tests.accounts.kit import add_owner, client_of, token_of
from tests.delivery.kit import config
from tests.reminders.kit import PAGE, run


async def test_the_first_reminder_can_be_asked_for_a_later_time(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    body = {"url": PAGE, "for": "tomorrow"}
    made = (await browser.post("/v1/reminders", json=body)).json()
    assert datetime.fromisoformat(made["next_alarm_time"]) > datetime.now(UTC)
    assert (await run(db)).claimed == 0
    assert (await browser.post("/v1/reminders", json={**body, "for": "x"})).status_code == 422


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
    for year in (2020, 3020):
        never = {"next_alarm_time": f"{year}-01-01T00:00:00Z"}
        assert (await browser.patch(path, json=never)).status_code == 422
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
