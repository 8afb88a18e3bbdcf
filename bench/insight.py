"""How soon a stopped session has its summaries and its map, and what old sessions cost those of today.

A real server with one worker and no model provider: the built-in engine reads. The pages are the demo's,
English and Korean, their texts made unlike each other by a number, so that nothing was read before.

session_s_40        from stop to completed, a session of 40 pages, median; one was processed before
batch_ms_alone      a batch of 100 events while nothing else happens, median
batch_ms_beside     the same while sessions from before are given to insight
small_s_alone       from stop to completed, a session of 3 pages, median
small_s_beside      the same while sessions from before are given to insight
backfilled_per_min  sessions from before that were processed meanwhile
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import asyncio
import statistics
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import asyncpg

from bench.figures import Report, at_most, read_options
from mindhit.db import Database
from mindhit.insight import BackFill
from mindhit.tracking.demo.browser import _script
from mindhit.work import enqueue
from tests.e2e.web_stage import Recorder, connected, owner, owner_token, served

TEXTS = [page for session in _script() for page in session["pages"].values() if "text" in page]
STAY_MS = 20_000
NUMBERS = count(1)
# As they were before there was insight: closed, completed, without a map.
BEFORE = """
delete from mindmap_graphs;
delete from session_reports;
update insight_backfill set done_at = null;
update page_contents set summary = null, keywords = '{}', summarised_at = null, summarised_by = null"""
MAPS = "select count(*) from mindmap_graphs"


class Reader:
    """Somebody with a browser that records."""

    def __init__(self, url: str, database_url: str) -> None:
        self.url, self.database_url = url, database_url
        self.client = owner(url, asyncio.run(owner_token(url, database_url)))
        self.key = connected(self.client)

    def read(self, pages: int) -> Recorder:
        recorder = Recorder(self.url, self.key)
        began = int(time.time() * 1000) - pages * STAY_MS
        recorder.begin(began)
        for number in range(pages):
            page, at = TEXTS[number % len(TEXTS)], began + number * STAY_MS
            unlike = next(NUMBERS)
            url = f"{page['url']}?n={unlike}"
            recorder.go(url, page["title"], at + 1, noFetch=True)
            text = f"{page['text']}\n\nNote {unlike} of this page."
            payload = {"title": page["title"], "content": text, "extractionOk": True}
            recorder.say("CONTENT_EXTRACTED", at + 800, tabId=1, url=url, payload=payload)
        recorder.say("ALIVE", began + pages * STAY_MS)
        return recorder

    def completes(self, recorder: Recorder) -> float:
        """Seconds from its stop until it is completed."""
        started = time.perf_counter()
        recorder.stop()
        self.wait_for_all()
        return time.perf_counter() - started

    def wait_for_all(self, every_s: float = 0.02) -> None:
        while self.client.get("/v1/sessions?status=processing&limit=1").json()["total"]:
            time.sleep(every_s)

    def give_to_insight(self) -> None:
        async def given() -> None:
            db = await Database.open(self.database_url, size=1)
            async with db.transaction() as tx:
                await enqueue(tx, BackFill())
            await db.close()

        asyncio.run(given())

    def ask(self, sql: str) -> Any:
        async def asked() -> Any:
            connection = await asyncpg.connect(self.database_url)
            try:
                if sql.startswith("select"):
                    return await connection.fetchval(sql)
                return await connection.execute(sql)
            finally:
                await connection.close()

        return asyncio.run(asked())


def batches(reader: Reader, rounds: int) -> Iterator[float]:
    """Milliseconds of each batch of one recording."""
    recorder = Recorder(reader.url, reader.key)
    recorder.begin()
    for turn in range(rounds):
        at = time.time() * 1000
        pages = [(f"https://site.example/{turn}/{n}", f"Page {n}", at + n) for n in range(100)]
        started = time.perf_counter()
        recorder.go_through(pages)
        yield 1000 * (time.perf_counter() - started)
        time.sleep(0.05)
    recorder.stop()


def main() -> None:
    options = read_options("Sessions become maps")
    rounds, before = (2, 40) if options.quick else (5, 1_000)
    report = Report("Sessions become maps")
    with served() as (url, database_url):
        reader = Reader(url, database_url)
        reader.completes(reader.read(6))  # the worker and its language process are warm
        times = [reader.completes(reader.read(40)) for _ in range(rounds)]
        report.add("session_s_40", statistics.median(times), at_most(10))
        report.add("batch_ms_alone", statistics.median(batches(reader, 20 * rounds)))
        small = [reader.completes(reader.read(3)) for _ in range(rounds)]
        report.add("small_s_alone", statistics.median(small))
        _beside(report, reader, before, rounds)
    report.settings |= {"pages": 40, "old_sessions": before, "workers": 1}
    report.close(options)


def _beside(report: Report, reader: Reader, before: int, rounds: int) -> None:
    for _ in range(before):
        reader.read(4).stop()
    reader.wait_for_all(every_s=1)
    reader.ask(BEFORE)
    reader.give_to_insight()
    while not reader.ask(MAPS):
        time.sleep(0.1)
    started, first = time.perf_counter(), reader.ask(MAPS)
    report.add("batch_ms_beside", statistics.median(batches(reader, 20 * rounds)))
    small = [reader.completes(reader.read(3)) for _ in range(rounds)]
    report.add("small_s_beside", statistics.median(small))
    minutes = (time.perf_counter() - started) / 60
    report.add("backfilled_per_min", (reader.ask(MAPS) - first) / minutes)


if __name__ == "__main__":
    main()
