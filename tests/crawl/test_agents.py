"""User agents from a real Redis: present, absent, killed half-way, emptied."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr
from redis.asyncio import Redis
from redis.exceptions import BusyLoadingError, ConnectionError  # noqa: A004  Redis' own

from mindhit.accounts import Person
from mindhit.clock import utc_now
from mindhit.crawl import metrics, store
from mindhit.crawl.executing.agent_health import Reception
from mindhit.crawl.executing.agents import Agents
from mindhit.crawl.executing.redis_tokens import SLOW_S
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.store.agents import Taken
from mindhit.db import Database
from mindhit.fetching import FetchSettings
from tests import servers
from tests.crawl.farm import Shop
from tests.crawl.kit import config, open_shops, rows, run, states, watch, work_off
from tools.redis_server import find

PROGRAM = find()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no redis-server; see tools/redis_server.py"
)
NAMES = "one/1.0|two/1.0|three/1.0"


class Server:
    def __init__(self, folder: Path) -> None:
        self.port = servers.free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        self._start()
        async with Redis.from_url(self.url) as client:
            while True:
                try:
                    await client.ping()
                except (ConnectionError, BusyLoadingError):
                    continue
                return

    def _start(self) -> None:
        assert PROGRAM is not None
        where = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            [PROGRAM, *where, "--save", "", "--appendonly", "no"], stdout=subprocess.DEVNULL
        )

    def stop(self) -> None:
        """It listens on, and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[Server]:
    server = Server(tmp_path)
    await server.start()
    yield server
    server.kill()


@asynccontextmanager
async def agents(url: str | None) -> AsyncIterator[Agents]:
    made = Agents(
        CrawlSettings(
            crawl_user_agents=tuple(NAMES.split("|")),
            redis_url=None if url is None else SecretStr(url),
        ),
        FetchSettings(),
    )
    if made.tokens is not None:
        made.tokens.slow_s = 10.0  # a busy machine is no slow Redis
    try:
        yield made
    finally:
        await made.close()


async def taken(pool: Agents, db: Database, times: int) -> list[str]:
    found = []
    for _ in range(times):
        agent = await pool.take(db, "shop.example")
        assert agent is not None
        found.append(agent.user_agent)
    return found


@pytest.mark.parametrize("with_redis", [True, False])
async def test_agents_take_turns_and_one_that_is_turned_away_rests(
    db: Database, redis: Server, with_redis: bool
) -> None:
    async with agents(redis.url if with_redis else None) as pool:
        assert sorted(await taken(pool, db, 3)) == ["one/1.0", "three/1.0", "two/1.0"]
        bad = await pool.take(db, "shop.example")
        assert bad is not None
        for _ in range(3):
            await pool.report(db, "shop.example", bad, Reception.UNWELCOME, utc_now())
        assert bad.user_agent not in await taken(pool, db, 6)
        assert await rows(db, "select from site_breakers") == []
        elsewhere = [await pool.take(db, "other.example") for _ in range(3)]
        assert bad.user_agent in {each.user_agent for each in elsewhere if each is not None}


async def test_the_database_serves_while_redis_is_down_and_redis_again_after_it(
    db: Database, redis: Server
) -> None:
    async with agents(redis.url) as pool:
        assert pool.tokens is not None
        await taken(pool, db, 3)
        before = metrics.REDIS_FALLBACKS._value.get()
        redis.kill()
        assert len(set(await taken(pool, db, 3))) == 3
        assert metrics.REDIS_FALLBACKS._value.get() == before + 3
        await redis.start()  # empty: it knows nobody any more
        await taken(pool, db, 1)
        assert metrics.REDIS_FALLBACKS._value.get() == before + 4  # it was away a moment ago
        pool.tokens._away_until = 0.0  # half a minute later
        assert len(set(await taken(pool, db, 3))) == 3
        assert metrics.REDIS_FALLBACKS._value.get() == before + 4
        async with Redis.from_url(redis.url) as client:
            assert await client.zcard("mindhit:ua:shop.example") == 3


async def test_a_redis_that_was_emptied_hears_of_all_agents_and_not_only_of_the_last_that_was_used(
    db: Database, redis: Server
) -> None:
    async with agents(redis.url) as pool:
        agent = await pool.take(db, "shop.example")
        assert agent is not None
        async with Redis.from_url(redis.url) as client:
            await client.flushall()
        await pool.report(db, "shop.example", agent, Reception.WELCOME, utc_now())
        assert len(set(await taken(pool, db, 3))) == 3


async def test_what_redis_missed_while_it_was_away_is_not_forgotten(
    db: Database, redis: Server
) -> None:
    async with agents(redis.url) as pool, agents(None) as without:
        await taken(pool, db, 3)
        [bad, good, other] = [
            Taken(each.id, each.user_agent)
            for each in await db.alone(store.agents.ALL_AT, "shop.example")
        ]
        for _ in range(3):
            await without.report(db, "shop.example", bad, Reception.UNWELCOME, utc_now())
        assert set(await taken(pool, db, 6)) == {good.user_agent, other.user_agent}
        for each in (good, other):
            for _ in range(3):
                await pool.report(db, "shop.example", each, Reception.UNWELCOME, utc_now())
        assert await pool.take(db, "shop.example") is None
        await rows(db, "update user_agent_health set suspended_until = null")
        assert await pool.take(db, "shop.example") is not None


async def test_a_redis_that_hangs_is_not_waited_for(db: Database, redis: Server) -> None:
    async with agents(redis.url) as pool:
        assert pool.tokens is not None
        await taken(pool, db, 1)
        before = metrics.REDIS_FALLBACKS._value.get()
        redis.stop()
        pool.tokens.slow_s = SLOW_S
        async with asyncio.timeout(60):
            await taken(pool, db, 1)
        assert metrics.REDIS_FALLBACKS._value.get() == before + 1


@pytest.mark.parametrize("with_redis", [True, False])
async def test_where_few_are_left_the_site_is_left_alone_and_all_return_with_it(
    db: Database, redis: Server, with_redis: bool
) -> None:
    async with agents(redis.url if with_redis else None) as pool:
        for _ in range(12):
            agent = await pool.take(db, "shop.example")
            if agent is None:
                break
            await pool.report(db, "shop.example", agent, Reception.UNWELCOME, utc_now())
        else:
            pytest.fail("agents that are turned away are still used")
        [breaker] = await rows(db, "select state from site_breakers")
        assert breaker[0] == "OPEN"
        [one, *_] = await db.alone(store.agents.ALL_AT, "shop.example")
        probe = Taken(one.id, one.user_agent)
        await pool.report(db, "shop.example", probe, Reception.WELCOME, utc_now())
        [breaker] = await rows(db, "select state from site_breakers")
        assert breaker[0] == "CLOSED"
        assert len(set(await taken(pool, db, 3))) == 3


async def test_a_crawl_goes_on_when_redis_is_killed_half_way(
    db: Database, ada: Person, redis: Server
) -> None:
    shop = Shop("127.0.0.41").add(*"abcd")
    settings = config(redis_url=redis.url, crawl_user_agents=NAMES)
    answer = shop.answer

    async def kill_then_answer(request: object) -> object:
        if len(shop.site.asked) == 4:
            redis.kill()
        return await answer(request)  # type: ignore[arg-type]

    shop.site.pages["*"] = kill_then_answer  # type: ignore[assignment]
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        await run(db, ada, schedule)
        await work_off(db, settings)
    assert await states(db) == {("SEARCH", "SUCCESS"): 2, ("DETAIL", "SUCCESS"): 4}
    sent = {each.headers["User-Agent"] for each in shop.site.requests if each.path != "/robots.txt"}
    assert sent <= set(NAMES.split("|"))
    assert len(sent) > 1
