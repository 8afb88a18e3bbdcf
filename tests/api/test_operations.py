"""The owner's view of how the server is doing."""

from __future__ import annotations

import time

import httpx2

from mindhit.accounts import Scope
from mindhit.db import Database
from tests.accounts.kit import add, add_owner, browser_of, client_of, connected, run_jobs, token_of


async def test_a_device_is_shown_with_what_it_sent_and_why_some_was_refused(db: Database) -> None:
    async with browser_of(db, await add_owner(db)) as browser:
        tokens = await connected(db, browser)
        async with client_of(db, Authorization=f"Bearer {tokens['access_token']}") as extension:
            started = await extension.post("/v1/sessions/start", json={})
            path = f"/v1/sessions/{started.json()['session_id']}/events:batch"
            now = time.time() * 1000
            events = [
                {"seq": 1, "t": now, "type": "ALIVE"},
                {"seq": 2, "t": now + 1, "type": "DANCED"},
            ]
            await extension.post(path, json={"events": events})
        told = (await browser.get("/v1/admin/operations")).json()
        [device] = told["devices"]
        assert (device["recording"], device["events"], device["rejected"]) == (1, 2, 1)
        assert device["last_batch_at"] is not None
        [reason] = device["reasons"]
        assert reason["events"] == 1
        assert "type" in reason["reason"]


async def test_what_a_device_still_holds_is_known_by_what_came_after_and_by_the_stop(
    db: Database,
) -> None:
    async with browser_of(db, await add_owner(db)) as browser:
        tokens = await connected(db, browser)

        async def waiting() -> int:
            told = (await browser.get("/v1/admin/operations")).json()
            [device] = told["devices"]
            return int(device["waiting"])

        async with client_of(db, Authorization=f"Bearer {tokens['access_token']}") as extension:
            session = (await extension.post("/v1/sessions/start", json={})).json()["session_id"]
            assert await waiting() == 0
            now = time.time() * 1000
            events = [{"seq": n, "t": now + n, "type": "ALIVE"} for n in range(1, 13)]
            path = f"/v1/sessions/{session}/events:batch"
            for part in (events[:2], events[4:6], events[8:9]):
                await extension.post(path, json={"events": part})
            assert await waiting() == 4  # 3, 4 and 7, 8
            await extension.post(f"/v1/sessions/{session}/stop", json={"last_seq": 12})
            assert await waiting() == 7  # and 10 to 12
            await extension.post(path, json={"events": events})
            assert await waiting() == 0


async def test_who_sent_something_last_comes_first_and_who_is_revoked_not_at_all(
    db: Database,
) -> None:
    async with browser_of(db, await add_owner(db)) as browser:
        keys = [await connected(db, browser) for _ in range(3)]
        listed = (await browser.get("/v1/devices")).json()["items"]
        silent, talking, gone = [each["id"] for each in listed if each["kind"] == "extension"]
        async with client_of(db, Authorization=f"Bearer {keys[1]['access_token']}") as extension:
            started = await extension.post("/v1/sessions/start", json={})
            event = {"seq": 1, "t": time.time() * 1000, "type": "ALIVE"}
            path = f"/v1/sessions/{started.json()['session_id']}/events:batch"
            await extension.post(path, json={"events": [event]})
        await browser.delete(f"/v1/devices/{gone}")
        told = (await browser.get("/v1/admin/operations")).json()
        assert [each["id"] for each in told["devices"]] == [talking, silent]


async def test_what_got_done_is_counted_and_the_server_described(db: Database) -> None:
    async with browser_of(db, await add_owner(db)) as browser:
        await browser.post("/v1/demo")
        await run_jobs(db)
        told = (await browser.get("/v1/admin/operations")).json()
        assert sum(sum(queue["succeeded"]) for queue in told["throughput"]) > 5
        system = told["system"]
        assert system["sessions"] > 5
        assert system["people"] == 1
        assert system["database_bytes"] > 1_000_000


async def test_only_the_owner_may_look(db: Database) -> None:
    await add_owner(db)
    ada = await add(db)
    token = await token_of(db, ada, Scope.API)
    async with client_of(db, Authorization=f"Bearer {token}") as program:
        answer: httpx2.Response = await program.get("/v1/admin/operations")
        assert answer.status_code == 403
    async with browser_of(db, ada) as browser:
        assert (await browser.get("/v1/admin/operations")).status_code == 403
