"""Watching a session, on a server that really runs: what is told, when it ends, what it holds up."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mindhit.accounts import Scope
from mindhit.api.tracking import progress
from mindhit.db import Database
from tests import servers
from tests.accounts.kit import browser_of, run_jobs, token_of
from tests.tracking.kit import START, Json, Recorder, activate, fetch, nav, recorder
from tests.tracking.readers import iso, reader

A, B = "https://example.org/a", "https://example.org/b"
SOON_S = 20


@dataclass(slots=True)
class Api:
    url: str
    log: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SOON_S)


@pytest.fixture
def api(tmp_path: Path, database_url: str) -> Iterator[Api]:
    port, log = servers.free_port(), tmp_path / "api.log"
    place = {"database_url": database_url, "port": port, "data_dir": tmp_path / "data"}
    process = servers.start(log, "api", **place, log_format="json")
    try:
        servers.wait_for(f"http://127.0.0.1:{port}/healthz")
        yield Api(f"http://127.0.0.1:{port}", log, process)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    assert "request broke" not in log.read_text()


class Stream:
    """The events of one watcher, one after the other."""

    def __init__(self, answer: httpx2.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def event(self) -> dict[str, Any]:
        """The next event, comments passed over; `{}` at the end of the stream."""
        event: dict[str, Any] = {}
        async with asyncio.timeout(SOON_S):
            async for line in self._lines:
                name, _, value = line.partition(": ")
                if line and name:
                    event[name] = json.loads(value) if name == "data" else value
                elif "event" in event:
                    return event
        return {}


@asynccontextmanager
async def watching(api: Api, ada: Recorder, session: str, **headers: str) -> AsyncIterator[Stream]:
    key = {"Authorization": f"Bearer {await token_of(ada.db, ada.person, Scope.EXTENSION)}"}
    async with (
        httpx2.AsyncClient(base_url=api.url, timeout=SOON_S) as client,
        client.stream(
            "GET", f"/v1/sessions/{session}/progress", headers={**key, **headers}
        ) as answer,
    ):
        assert answer.status_code == 200
        yield Stream(answer)


async def test_a_watcher_hears_of_every_change_until_the_end(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START, title="watched")
        async with watching(api, ada, session) as stream:
            headers = stream.answer.headers
            assert headers["content-type"].startswith("text/event-stream")
            assert headers["cache-control"] == "no-store"
            first = await stream.event()
            assert (first["event"], first["data"]["page_count"]) == ("progress", 0)
            assert (first["data"]["title"], first["data"]["page_now"]) == ("watched", None)
            await ada.send(session, activate(1, 0, A), nav(2, 1_000, B, title="B"))
            second = await stream.event()
            assert second["data"]["page_now"] == {
                "url": B,
                "title": "B",
                "entered_at": iso(1_000),
                "is_focused": True,
            }
            assert (second["data"]["acked_seq"], second["data"]["page_count"]) == (2, 2)
            assert second["data"]["last_event_at"] == iso(1_000)
            assert int(second["id"]) == second["data"]["version"] > int(first["id"])
            await ada.stop(session, 2_000, 2)
            await run_jobs(db)
            told: list[Json] = []
            while (told[-1:] or [{"event": ""}])[0]["event"] != "end":
                told.append(await stream.event())
            assert told[-2]["data"]["status"] == "completed"
            assert told[-1]["data"] == {"status": "completed"}
            assert await stream.event() == {}


async def test_a_watcher_who_comes_back_hears_only_what_is_new(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        async with watching(api, ada, session) as stream:
            seen = (await stream.event())["id"]
        async with watching(api, ada, session, **{"Last-Event-ID": seen}) as stream:
            await asyncio.sleep(1.5)  # a look or two; nothing is to be told
            await ada.send(session, activate(1, 0, A))
            news = await stream.event()
            assert news["data"]["page_now"]["url"] == A
        async with watching(api, ada, session, **{"Last-Event-ID": "12x"}) as stream:
            assert (await stream.event())["id"] == news["id"]


async def test_a_watcher_who_comes_back_after_the_end_is_told_of_it(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.stop(session, 1_000, 0)
        await run_jobs(db)
        async with watching(api, ada, session) as stream:
            seen = (await stream.event())["id"]
        async with watching(api, ada, session, **{"Last-Event-ID": seen}) as stream:
            end = await stream.event()
            assert (end["event"], end["data"]) == ("end", {"status": "completed"})


async def test_a_session_that_is_deleted_ends_its_watchers(db: Database, api: Api) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        async with watching(api, ada.records, session) as stream:
            await stream.event()
            assert (await ada.browser.delete(f"/v1/sessions/{session}")).status_code == 204
            end = await stream.event()
            assert (end["event"], end["data"]) == ("end", {"status": "deleted"})
            assert await stream.event() == {}


async def test_a_watcher_outlives_the_connections_to_the_database(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        async with watching(api, ada, session) as stream:
            await stream.event()
            await fetch(
                db,
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'mindhit api'",
            )
            await ada.send(session, activate(1, 0, A))
            assert (await stream.event())["data"]["page_now"]["url"] == A


async def test_a_server_with_watchers_stops_at_once(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        async with watching(api, ada, session) as one, watching(api, ada, session) as other:
            await one.event()
            await other.event()
            await asyncio.to_thread(api.stop)
            assert await one.event() == {}  # no end: they may come back
    assert "graceful" not in api.log.read_text()  # nothing had to be cut off


async def test_a_watcher_who_leaves_is_gone(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        async with watching(api, ada, session) as stream:
            await stream.event()
            busy = await fetch(
                db,
                "select from pg_stat_activity"
                " where application_name = 'mindhit api' and state like 'idle in transaction%'",
            )
            assert busy == []
            assert "/progress" not in api.log.read_text()
        async with asyncio.timeout(SOON_S):
            while "/progress" not in api.log.read_text():  # the request is over
                await asyncio.sleep(0.05)


async def test_a_head_request_does_not_watch(db: Database, api: Api) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        key = {"Authorization": f"Bearer {await token_of(db, ada.person, Scope.EXTENSION)}"}
        async with httpx2.AsyncClient(base_url=api.url, headers=key, timeout=SOON_S) as client:
            for _ in range(2):  # over one connection, which the first has to leave free
                answer = await client.head(f"/v1/sessions/{session}/progress")
                assert (answer.status_code, answer.content) == (200, b"")


async def test_a_quiet_line_is_kept_alive(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "POLL_S", 0.01)
    monkeypatch.setattr(progress, "HEARTBEAT_S", 0.02)
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        path = f"/v1/sessions/{session}/progress"
        watched = asyncio.ensure_future(ada.client.get(path))
        await asyncio.sleep(0.5)
        await ada.stop(session, 1_000, 0)
        await run_jobs(db)
        text = (await watched).text
    assert text.count(": alive\n\n") >= 2
    assert text.startswith("retry: 2000\n\nevent: progress\n")
    assert text.endswith('event: end\ndata: {"status":"completed"}\n\n')


async def test_a_long_watch_ends_so_that_the_key_is_asked_for_again(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "POLL_S", 0.01)
    monkeypatch.setattr(progress, "LONGEST_S", 0.2)
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        answer = await ada.client.get(f"/v1/sessions/{session}/progress")
    assert "event: progress" in answer.text
    assert "event: end" not in answer.text


@pytest.mark.parametrize("way", ["revoked", "signed out"])
async def test_whoever_is_signed_out_meanwhile_hears_nothing_further(
    db: Database, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(progress, "POLL_S", 0.01)
    # A clock that goes twenty times as fast: the five seconds that are promised, and not a shorter
    # time of this test's own. The stream's own ten minutes are half a minute by it.
    monkeypatch.setattr(progress, "monotonic", lambda: time.monotonic() * 20)
    async with reader(db) as ada, browser_of(db, ada.records.person) as elsewhere:
        session = await ada.records.start(started_at=START)
        watched = asyncio.ensure_future(ada.browser.get(f"/v1/sessions/{session}/progress"))
        await asyncio.sleep(0.3)
        assert not watched.done()
        if way == "revoked":
            device = (await ada.browser.get("/v1/me")).json()["device"]["id"]
            assert (await elsewhere.delete(f"/v1/devices/{device}")).status_code == 204
        else:
            assert (await ada.browser.post("/v1/auth/sign-out")).status_code == 204
        async with asyncio.timeout(SOON_S):
            text = (await watched).text
    assert "event: progress" in text
    assert "event: end" not in text
