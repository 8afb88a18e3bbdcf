"""The owner's view of how the server is doing."""

from __future__ import annotations

import time

import httpx2

from mindhit.accounts import Scope
from mindhit.api.operations import Finished, _throughput
from mindhit.db import Database
from tests.accounts.kit import add, add_owner, browser_of, client_of, connected, run_jobs, token_of


async def test_a_device_is_shown_with_what_it_sent_and_why_some_was_refused(db: Database) -> None:
    async with browser_of(db, await add_owner(db)) as browser:
        tokens = await connected(db, browser)
        async with client_of(db, Authorization=f"Bearer {tokens['access_token']}") as extension:
            started = await extension.post("/v1/sessions/start", json={})
            path = f"/v1/sessions/{started.json()['sessionId']}/events:batch"
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
    key = {"Authorization": f"Bearer {await token_of(db, ada, Scope.API)}"}
    async with client_of(db, **key) as program:
        answer: httpx2.Response = await program.get("/v1/admin/operations")
        assert answer.status_code == 403
    async with browser_of(db, ada) as browser:
        assert (await browser.get("/v1/admin/operations")).status_code == 403


def test_the_last_hour_runs_from_the_oldest_to_the_newest() -> None:
    [queue] = _throughput([Finished("default", 0, 3, 0), Finished("default", 11, 1, 2)])
    assert queue.succeeded == [1, *[0] * 10, 3]
    assert queue.dead == [2, *[0] * 11]
