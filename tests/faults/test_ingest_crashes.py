"""Promised: what a recording was told is stored is stored, whatever is killed; and an extension
that sends the rest again ends with the timeline of one batch."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import httpx2

from mindhit.accounts import Scope
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from tests import servers
from tests.accounts.kit import add, token_of
from tests.faults import harness
from tests.tracking.kit import (
    START,
    Json,
    Outbox,
    Recorder,
    browsing,
    recorder,
    stored_seqs,
    timeline,
    work_off,
)

KILLS = 6
CONNECTIONS = 4
CRASHES = 3


@contextmanager
def apis(
    folder: Path, database_url: str, count: int
) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Servers that are ready to be killed one after the other: their addresses and processes."""
    ready = {}
    for number in range(count):
        port = servers.free_port()
        ready[f"http://127.0.0.1:{port}"] = servers.start(
            folder / f"log-{number}",
            "api",
            database_url=database_url,
            port=port,
            data_dir=folder / "data",
            rate_limit=0,
        )
    try:
        for url in ready:
            servers.wait_for(f"{url}/healthz")
        yield ready
    finally:
        for process in ready.values():
            process.kill()
            process.wait()


class Extension:
    """Posts what it holds over several connections, to whatever server there is, until it holds
    nothing. An answer that does not come is a request to send it again, and nothing else."""

    def __init__(self, headers: dict[str, str], seed: int) -> None:
        self.headers = headers
        self.rng = Random(seed)
        self.unanswered = 0
        self.answers = 0

    async def empty(self, session: str, outbox: Outbox, address: dict[str, str]) -> None:
        await asyncio.gather(*(self._post(session, outbox, address) for _ in range(CONNECTIONS)))

    async def _post(self, session: str, outbox: Outbox, address: dict[str, str]) -> None:
        async with httpx2.AsyncClient(headers=self.headers, timeout=20) as client:
            while outbox.held:
                held = [*outbox.held.values()]
                some = self.rng.sample(held, self.rng.randint(1, min(12, len(held))))
                url = f"{address['now']}/v1/sessions/{session}/events:batch"
                try:
                    answer = await client.post(url, json={"events": some})
                except httpx2.TransportError:
                    self.unanswered += 1
                    await asyncio.sleep(0.02)
                    continue
                assert answer.status_code == 200, answer.text
                self.answers += 1
                outbox.apply(answer.json())


async def call(client: httpx2.AsyncClient, path: str, body: Json) -> Json:
    answer = await client.post(f"/v1/sessions/{path}", json=body)
    assert answer.is_success, answer.text
    answered: Json = answer.json()
    return answered


async def begin(client: httpx2.AsyncClient) -> str:
    body = {"session_id": str(uuid.uuid4()), "started_at": START}
    return str((await call(client, "start", body))["session_id"])


async def one_batch(client: httpx2.AsyncClient, events: Sequence[Json]) -> str:
    session = await begin(client)
    await call(client, f"{session}/events:batch", {"events": events})
    return session


async def test_servers_killed_while_they_are_posted_to_lose_nothing(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    draw = Random()
    person = await add(db)
    headers = {"Authorization": f"Bearer {await token_of(db, person, Scope.EXTENSION)}"}
    logs = [browsing(400 + n, 190) for n in range(3)]
    with apis(tmp_path, database_url, KILLS + 1) as ready:
        address = {"now": next(iter(ready))}
        async with httpx2.AsyncClient(base_url=[*ready][-1], headers=headers) as client:
            whole = [await one_batch(client, log) for log in logs]
            sessions = [await begin(client) for _ in logs]
            extension = Extension(headers, draw.randrange(10**6))
            outboxes = [Outbox(log) for log in logs]
            posting = asyncio.gather(
                *(
                    extension.empty(session, outbox, address)
                    for session, outbox in zip(sessions, outboxes, strict=True)
                )
            )
            killed = 0
            for url, following in zip([*ready], [*ready][1:], strict=False):
                answered = extension.answers
                while extension.answers - answered < draw.randint(1, 8) and not posting.done():
                    await asyncio.sleep(draw.uniform(0, 0.01))
                os.kill(ready[url].pid, signal.SIGKILL)
                killed += not posting.done()
                address["now"] = following
            await posting
            for each in (*whole, *sessions):
                await call(client, f"{each}/stop", {"ended_at": START, "last_seq": 190})
    await work_off(db)
    assert killed == KILLS
    assert extension.unanswered > 0  # or nothing was put to the test
    for session, one in zip(sessions, whole, strict=True):
        assert await stored_seqs(db, session) == list(range(1, 191))
        assert await timeline(db, session) == await timeline(db, one)


@asynccontextmanager
async def recording(server: Server) -> AsyncIterator[tuple[Database, Recorder]]:
    await migrate.migrate(server.url)
    db = await Database.open(server.url, name="test", size=8)
    try:
        async with recorder(db) as ada:
            yield db, ada
    finally:
        await db.close()


async def test_what_was_acknowledged_outlives_a_database_that_crashes_right_after(
    folder: Path,
) -> None:
    draw = Random()
    events = browsing(500, 190)
    with harness.own_server(folder / "data") as server:
        async with recording(server) as (db, ada):
            whole = await ada.start(started_at=START)
            await ada.send(whole, *events)
            session = await ada.start(started_at=START)
            outbox = Outbox(events)
            for _ in range(CRASHES):
                told = await _until_crash(draw, server, ada, session, outbox)
                server.restart()
                stored = set(await stored_seqs(db, session))
                assert told - stored == set()
            assert len(outbox.held) > 0  # or the later crashes were of nothing
            while outbox.held:
                outbox.apply(await ada.send(session, *outbox.held.values()))
            for each in (whole, session):
                await ada.stop(each, 0, len(events))
            await work_off(db)
            assert await timeline(db, session) == await timeline(db, whole)


async def _until_crash(
    draw: Random, server: Server, ada: Recorder, session: str, outbox: Outbox
) -> set[int]:
    """Post over several connections, and crash the database in the moment of an answer. Returns
    what the extension was allowed to forget."""
    before = set(outbox.held)
    left = draw.randint(2, 8)  # answers until then
    is_over = False

    async def post() -> None:
        nonlocal left, is_over
        while not is_over:
            held = [*outbox.held.values()]
            some = held[: draw.randint(1, 6)]
            answer = await ada.post(session, some)
            if answer.status_code != 200:
                assert is_over, answer.text
                return
            outbox.apply(answer.json())
            left -= 1
            if left <= 0 and not is_over:
                is_over = True
                harness.kill_database(server)

    await asyncio.gather(*(post() for _ in range(3)))
    return before - set(outbox.held)
