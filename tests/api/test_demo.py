"""The demo at a click, and where its time went."""

from __future__ import annotations

from datetime import date, timedelta

from mindhit.db import Database
from tests.accounts.kit import Json, add, browser_of, run_jobs


async def test_the_demo_is_loaded_once_and_stays_deleted_where_it_was_deleted(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        loaded: Json = (await browser.post("/v1/demo")).json()
        assert loaded["recorded"] > 5
        assert (loaded["known"], loaded["deleted"]) == (0, 0)
        await run_jobs(db)
        sessions = (await browser.get("/v1/sessions", params={"limit": 100})).json()["sessions"]
        assert {each["status"] for each in sessions} == {"completed"}
        assert all(each["page_count"] > 0 and each["top_domains"] for each in sessions)
        await browser.delete(f"/v1/sessions/{sessions[0]['id']}")
        again = (await browser.post("/v1/demo")).json()
        assert again == {"recorded": 0, "known": loaded["recorded"] - 1, "deleted": 1}


async def test_the_demo_says_that_it_is_there_and_goes_as_a_whole(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        assert (await browser.get("/v1/demo")).json() == {"there": 0, "deleted": 0}
        own = (await browser.post("/v1/sessions/start", json={"title": "My own"})).json()
        count = (await browser.post("/v1/demo")).json()["recorded"]
        assert (await browser.get("/v1/demo")).json() == {"there": count, "deleted": 0}
        assert (await browser.delete("/v1/demo")).status_code == 204
        assert (await browser.get("/v1/demo")).json() == {"there": 0, "deleted": count}
        left = (await browser.get("/v1/sessions")).json()["sessions"]
        assert [each["id"] for each in left] == [own["session_id"]]


async def test_days_are_cut_at_the_readers_own_midnight_and_add_up(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        await browser.patch("/v1/me/settings", json={"timezone": "Asia/Seoul"})
        await browser.post("/v1/demo")
        await run_jobs(db)
        answer = (await browser.get("/v1/totals/days", params={"count": 21})).json()
        days = answer["days"]
        first = date.fromisoformat(answer["today"]) - timedelta(days=20)
        assert [each["date"] for each in days] == [str(first + timedelta(n)) for n in range(21)]
        edges = {"from": f"{first}T00:00:00+09:00", "to": "2200-01-01T00:00:00Z"}
        whole = (await browser.get("/v1/totals", params=edges)).json()
        assert sum(each["focused_ms"] for each in days) == whole["focused_ms"] > 0
        for each in days:
            assert sum(site["focused_ms"] for site in each["domains"]) <= each["focused_ms"]
        calendar = (await browser.get("/v1/totals/calendar")).json()
        assert calendar["today"] == answer["today"]
        kept = ("date", "focused_ms", "visits")
        busy = [{name: each[name] for name in kept} for each in days if each["visits"] > 0]
        assert [each for each in calendar["days"] if each["date"] >= str(first)] == busy


async def test_too_many_days_are_refused(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        assert (await browser.get("/v1/totals/days", params={"count": 43})).status_code == 422
        assert (await browser.get("/v1/totals/days", params={"from": "1"})).status_code == 422
        leap_year = "/v1/totals/calendar?from=2024-01-01&count="
        assert (await browser.get(f"{leap_year}366")).json()["days"] == []
        assert (await browser.get(f"{leap_year}367")).status_code == 422


async def test_a_title_that_was_changed_meanwhile_is_not_overwritten(db: Database) -> None:
    async with browser_of(db, await add(db)) as browser:
        started = (await browser.post("/v1/sessions/start", json={"title": "First"})).json()
        path = f"/v1/sessions/{started['session_id']}"
        renamed = await browser.patch(path, json={"title": "Second", "was": "First"})
        assert renamed.json()["title"] == "Second"
        refused = await browser.patch(path, json={"title": "Third", "was": "First"})
        assert refused.status_code == 409
        assert refused.json()["type"].endswith(":title-changed")
        assert (await browser.patch(path, json={"title": "Third"})).json()["title"] == "Third"
