"""Politeness as sites see it: a farm on 127.0.0.x, and three worker processes that visit it."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

from aiohttp import web

from mindhit.db import Database
from mindhit.work import enqueue_many
from tests.fetching.farm_worker import Visit
from tests.fetching.kit import Site, html, redirect, serving
from tests.work.kit import rows

ROOT = Path(__file__).parents[2]
LIMIT = 2
RETRY_AFTER_S = 2
PAGES = 30
PATIENCE_S = 120


@asynccontextmanager
async def workers(dsn: str, count: int = 3) -> AsyncIterator[None]:
    program = [sys.executable, "-m", "tests.fetching.farm_worker", dsn]
    running = [await asyncio.create_subprocess_exec(*program, cwd=ROOT) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.terminate()
        codes = [await process.wait() for process in running]
    assert codes == [0] * count


async def until_done(db: Database) -> None:
    live = "select count(*)::int as n from jobs where status in ('queued', 'running')"
    async with asyncio.timeout(PATIENCE_S):
        while (await rows(db, live))[0]["n"]:
            await asyncio.sleep(0.1)


async def test_a_farm_is_visited_politely_by_three_workers(db: Database, database_url: str) -> None:
    draw = random.Random(7)
    farm = [Site(f"127.0.0.{20 + n}", robots="User-agent: *\nDisallow: /private") for n in range(5)]

    async def slow(_: web.Request) -> web.Response:
        await asyncio.sleep(draw.uniform(0.005, 0.03))
        return web.Response(text="<p>", content_type="text/html")

    refused_at: list[float] = []

    async def busy(request: web.Request) -> web.Response:
        if not refused_at or monotonic() - refused_at[0] < RETRY_AFTER_S:
            refused_at.append(monotonic())
            return web.Response(status=429, headers={"Retry-After": str(RETRY_AFTER_S)})
        return await slow(request)

    async with serving(*farm):
        jobs = []
        for number, site in enumerate(farm):
            site.pages["*"] = busy if number == 2 else slow
            jobs += [Visit(site.url(f"/{n}"), site.host) for n in range(PAGES)]
            jobs += [Visit(site.url(f"/private/{n}"), site.host) for n in range(3)]
            other = farm[(number + 1) % len(farm)]
            site.pages["/away"] = redirect(other.url("/here"))
            site.pages["/inward"] = redirect(other.url("/private/x"))
            jobs += [Visit(site.url("/away"), site.host)] * 5
            jobs += [Visit(site.url("/inward"), None)]  # without a domain: it finds its own
        draw.shuffle(jobs)
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs)
        async with workers(database_url):
            await until_done(db)
    assert max(site.most_in_flight for site in farm) == LIMIT
    assert not [path for site in farm for path in site.asked if path.startswith("/private")]
    assert [site.asked.count("/here") for site in farm] == [5] * len(farm)
    for number, site in enumerate(farm):
        once = Counter(path for path in site.asked if path.strip("/").isdigit())
        assert len(once) == PAGES
        if number != 2:  # where pages were asked for again
            assert set(once.values()) == {1}
    # The first, and what was under way beside it; nobody else before the time was over.
    assert 1 <= len(refused_at) <= LIMIT
    ended = await rows(db, "select status, attempts, args->>'url' as url, last_error from jobs")
    dead = [each for each in ended if each["status"] == "dead"]
    assert {each["status"] for each in ended} == {"succeeded", "dead"}
    assert len(dead) == 4 * len(farm)
    assert all("robots.txt" in each["last_error"] for each in dead)
    assert {each["attempts"] for each in ended} == {1}  # neither redirects nor waits count


async def test_rules_on_another_domain_are_read_in_a_slot_of_that_domain(
    db: Database, database_url: str
) -> None:
    here, there = Site("127.0.0.31"), Site("127.0.0.32")
    async with serving(here, there):
        here.robots = redirect(there.url("/rules.txt"))
        here.pages["*"] = html()
        there.pages["/rules.txt"] = html("User-agent: *\nDisallow: /no")
        async with db.transaction() as tx:
            await enqueue_many(tx, [Visit(here.url(path), here.host) for path in ("/no", "/yes")])
        async with workers(database_url, 1):
            await until_done(db)
    assert [path for path in here.asked if path != "/robots.txt"] == ["/yes"]
    assert "/rules.txt" in there.asked
    ended = await rows(db, "select status, domain, attempts from jobs order by args->>'url'")
    assert [each["status"] for each in ended] == ["dead", "succeeded"]
    assert {each["domain"] for each in ended} == {here.host}
    assert {each["attempts"] for each in ended} == {1}
