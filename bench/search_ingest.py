"""Ingest while texts are indexed, and how soon a new text is found. Part of `bench/search.py`."""

import asyncio
import statistics
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import httpx2

from bench.figures import Report, at_most
from mindhit import wiring
from mindhit.db import Database
from mindhit.library.job_types import BACKFILL_DOMAIN, Index, Indexed
from mindhit.work import Lane, enqueue_many
from tests import servers

_WORDS = "a page that was read for a while and says what it says in a few hundred words"


def _batch(first: int, at: int, word: str) -> list[dict[str, Any]]:
    """Eighty events: 39 pages with a text each, as a browser sends them."""
    events: list[dict[str, Any]] = [
        {"type": "TAB_ACTIVATED", "tabId": 1, "windowId": 1, "payload": {}},
        {"type": "ALIVE", "payload": {}},
    ]
    for number in range(39):
        url = f"https://new.example.org/{word}/{first + number}"
        where = {"tabId": 1, "windowId": 1, "url": url}
        text = " ".join([*[_WORDS] * 20, word, str(first + number)])
        events += [
            {"type": "NAV_COMMITTED", **where, "payload": {"title": f"{word} {number}"}},
            {
                "type": "CONTENT_EXTRACTED",
                **where,
                "payload": {"content": text, "extractionOk": True, "title": word},
            },
        ]
    return [
        {"seq": first + n, "t": at + 1_000 * n, **event} for n, event in enumerate(events, start=1)
    ]


def _record(client: httpx2.Client, word: str, batches: int) -> tuple[list[float], str, int]:
    """Milliseconds of each batch; the session and its last event."""
    now = int(time.time() * 1000) - 3_600_000
    began = client.post("/v1/sessions/start", json={"started_at": now})
    session = began.json()["session_id"]
    taken = []
    for number in range(batches):
        events = _batch(number * 80, now + number * 80_000, word)
        sent = time.perf_counter()
        answer = client.post(f"/v1/sessions/{session}/events:batch", json={"events": events})
        taken.append((time.perf_counter() - sent) * 1000)
        assert answer.status_code == 200, answer.text
    return taken, session, batches * 80


async def _give_work(url: str, user_id: uuid.UUID, sessions: Sequence[uuid.UUID]) -> None:
    """Sessions that are to be indexed again, from nothing."""
    wiring.install(wiring.product(wiring.make_settings(fetching=False)))
    connection = await asyncpg.connect(url)
    await connection.execute(
        "delete from search_docs where text_id in (select content_id from search_docs"
        " where session_id = any ($1))",
        sessions,
    )
    await connection.execute("delete from search_docs where session_id = any ($1)", sessions)
    await connection.close()
    db = await Database.open(url, size=2)
    try:
        async with db.transaction() as tx:
            await enqueue_many(
                tx,
                [Index(Indexed.SESSION, each, user_id, BACKFILL_DOMAIN) for each in sessions],
                lane=Lane.LOW,
            )
    finally:
        await db.close()


def _until_found(client: httpx2.Client, word: str) -> float:
    began = time.perf_counter()
    while not client.get("/v1/search", params={"q": word, "kind": "page"}).json()["hits"]:
        if time.perf_counter() - began > 30:
            raise TimeoutError(f"{word} is not found")
        time.sleep(0.05)
    return time.perf_counter() - began


class Documents:
    """How many there are, asked beside everything else."""

    def __init__(self, url: str) -> None:
        self._url = url

    def count(self) -> int:
        return asyncio.run(self._count())

    async def _count(self) -> int:
        connection = await asyncpg.connect(self._url)
        try:
            return int(await connection.fetchval("select count(*) from search_docs"))
        finally:
            await connection.close()

    def wait_for_more(self, than: int) -> int:
        """Until a worker is at it."""
        began = time.perf_counter()
        while (count := self.count()) <= than:
            if time.perf_counter() - began > 30:
                raise TimeoutError("nothing is indexed")
            time.sleep(0.05)
        return count


def measure(
    report: Report,
    client: httpx2.Client,
    folder: Path,
    url: str,
    user_id: uuid.UUID,
    sessions: Sequence[uuid.UUID],
    *,
    is_short: bool,
) -> None:
    batches = 40 if is_short else 300
    settings = {"database_url": url, "data_dir": folder / "data", "fetching": "false"}
    worker = servers.start(folder / "worker.log", "worker", **settings)
    try:
        _, session, last = _record(client, "zyzzyva", 2)
        client.post(f"/v1/sessions/{session}/stop", json={"last_seq": last})
        report.add("first_result_s", _until_found(client, "zyzzyva"), at_most(5))
        time.sleep(5)  # until what else is made of that session is made
        idle, _, _ = _record(client, "quokka", batches)
        asyncio.run(_give_work(url, user_id, sessions[: 40 if is_short else 300]))
        documents = Documents(url)
        before, began = documents.wait_for_more(documents.count()), time.perf_counter()
        busy, _, _ = _record(client, "wombat", batches)
        indexed, taken = documents.count() - before, time.perf_counter() - began
        report.add("backfilled_per_s", indexed / taken)
        report.add("ingest_p50_ms", statistics.median(busy), idle=statistics.median(idle))
        ratio = statistics.median(busy) / statistics.median(idle)
        report.add("ingest_p50_vs_idle", ratio, at_most(1.1))
        report.add("ingest_mean_vs_idle", statistics.fmean(busy) / statistics.fmean(idle))
    finally:
        servers.end(worker)
