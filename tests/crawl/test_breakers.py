"""A site that turns everybody away: it is left alone, asked by one task now and then, and recovers, while
others go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from mindhit.accounts import Person
from mindhit.crawl import store
from mindhit.crawl.executing.breakers import (
    LONGEST_S,
    OPEN_S,
    PROBE_S,
    PROBED_DEFERRAL_S,
    deferral_s,
    open_breaker,
)
from mindhit.crawl.model import TaskId
from mindhit.db import Database
from tests.crawl.farm import Shop
from tests.crawl.kit import later, open_shops, relay, rows, run, watch

THINGS = "abcdefgh"
BREAKER = "select state, trips from site_breakers"
# How the tasks of a site stand, and how often each was tried.
TASKS = """
select t.status, t.retry_count, count(*), count(e.id)
  from crawl_tasks t
  left join lateral (select id from crawl_executions where task_id = t.id limit 1) e on true
 where t.domain = $1 group by 1, 2 order by 1, 2"""


class Market:
    """A shop that turns everybody away and one that does not, on one database."""

    def __init__(self, db: Database, ada: Person, bad: Shop, good: Shop) -> None:
        self._db = db
        self._ada = ada
        self.bad = bad
        self.good = good

    async def start(self) -> None:
        for name in THINGS:
            await run(self._db, self._ada, await watch(self._db, self._ada, self.bad.product(name)))
        self._listing = await watch(self._db, self._ada, self.good.listing)

    async def crawl(self) -> int:
        """What is due, beside a whole run of the good shop; how often the bad one was asked."""
        done = len(await self.succeeded(self.good))
        await run(self._db, self._ada, self._listing)
        asked = await self.work()
        assert len(await self.succeeded(self.good)) == done + 3 + len(THINGS)
        return asked

    async def work(self) -> int:
        """What is due; how often the bad shop was asked."""
        before = len(pages(self.bad))
        await relay(self._db)
        return len(pages(self.bad)) - before

    async def succeeded(self, shop: Shop) -> list[object]:
        sql = "select id from crawl_tasks where domain = $1 and status = 'SUCCESS'"
        return list(await rows(self._db, sql, shop.host))

    async def breaker(self) -> tuple[str, int]:
        [found] = await rows(self._db, BREAKER)
        return found["state"], found["trips"]

    async def tasks(self) -> list[tuple[object, ...]]:
        return [tuple(each) for each in await rows(self._db, TASKS, self.bad.host)]


def pages(shop: Shop) -> list[str]:
    return [each for each in shop.site.asked if each != "/robots.txt"]


@asynccontextmanager
async def market(db: Database, ada: Person, fault: str) -> AsyncIterator[Market]:
    bad = Shop("127.0.0.20", fault=fault).add(*THINGS)
    good = Shop("127.0.0.21").add(*THINGS)
    async with open_shops(bad, good):
        made = Market(db, ada, bad, good)
        await made.start()
        yield made


async def test_a_broken_site_is_left_alone_probed_and_recovers_while_another_goes_on(
    db: Database, ada: Person
) -> None:
    async with market(db, ada, "403") as both:
        # One agent with 100 points, 30 for each refusal: it is suspended by the third.
        assert await both.crawl() == 3
        assert await both.breaker() == ("OPEN", 1)
        untried = ("PUBLISHED", 0, 5, 0)
        assert await both.tasks() == [untried, ("RETRY", 1, 3, 3)]
        # Before its time nobody asks, however often the others run.
        assert await both.crawl() == 0
        # Half-open: one task asks, is turned away, and the site is left alone for twice as long.
        await later(db, seconds=OPEN_S + 1)
        assert await both.crawl() == 1
        assert await both.breaker() == ("OPEN", 2)
        assert sum(each[2] for each in await both.tasks() if each[:2] == ("PUBLISHED", 0)) >= 4  # type: ignore[misc]
        await later(db, seconds=OPEN_S + 1)
        assert await both.crawl() == 0
        # It answers: one probe closes the breaker, and all the others follow.
        both.bad.fault = None
        await later(db, seconds=OPEN_S)
        await both.crawl()
        assert await both.breaker() == ("CLOSED", 0)
        await later(db, hours=1)
        await both.crawl()
    assert {each[0] for each in await both.tasks()} == {"SUCCESS"}
    assert sum(each[2] for each in await both.tasks() if each[1] == 0) >= 4  # type: ignore[misc]


async def test_of_those_that_find_a_breaker_due_at_the_same_moment_one_asks(db: Database) -> None:
    async with db.transaction() as tx:
        await open_breaker(tx, "shop.example", "403")
    first, second = TaskId(uuid4()), TaskId(uuid4())
    probe = store.breakers.PROBE, "shop.example"
    assert await db.alone(*probe, first, PROBE_S) == []
    assert (await deferral_s(db, "shop.example", first) or 0) > PROBED_DEFERRAL_S
    await later(db, seconds=OPEN_S + 1)
    assert await db.alone(*probe, first, PROBE_S) == [first]
    assert await db.alone(*probe, second, PROBE_S) == []
    assert await deferral_s(db, "shop.example", second) == PROBED_DEFERRAL_S
    assert await db.alone(*probe, first, PROBE_S) == [first]  # killed, and run again
    await later(db, seconds=PROBE_S + 1)
    assert await db.alone(*probe, second, PROBE_S) == [second]


@pytest.mark.parametrize("fault", ["captcha", "challenge", "429"])
async def test_captchas_and_429_open_a_breaker_and_errors_of_the_site_do_not(
    db: Database, ada: Person, fault: str
) -> None:
    async with market(db, ada, fault) as both:
        for _ in range(4):
            await both.work()
            await later(db, seconds=61)
        assert (await both.breaker())[0] != "CLOSED"
        assert len(pages(both.bad)) < len(THINGS)
    await rows(
        db, "truncate crawl_tasks, crawl_schedulers, site_breakers, user_agent_health cascade"
    )
    async with market(db, ada, "500") as both:
        assert await both.work() == len(THINGS)
        assert await rows(db, BREAKER) == []


async def test_a_breaker_stays_open_for_an_hour_at_most_and_a_lost_probe_is_replaced(
    db: Database, ada: Person
) -> None:
    async with market(db, ada, "403") as both:
        await both.work()
        for trips in range(2, 7):  # the fifth would be open for 80 minutes
            await later(db, seconds=LONGEST_S + 1)
            assert await both.work() == 1
            assert await both.breaker() == ("OPEN", trips)
        # Whoever asked was killed: its site is not left alone for ever.
        await rows(
            db,
            "update site_breakers set state = 'HALF_OPEN', probe_task_id = gen_random_uuid(),"
            " probe_at = now() + interval '3 minutes'",
        )
        await later(db, seconds=60)
        assert await both.work() == 0
        both.bad.fault = None
        await later(db, seconds=LONGEST_S)
        await both.work()
        assert await both.breaker() == ("CLOSED", 0)
