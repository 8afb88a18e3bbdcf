"""The storm: a crawl of a farm while its workers are killed and PostgreSQL is restarted; `make storm`.

    python -m tests.crawl.storm [--quick] [--json FILE]

crawl_kills             workers killed with SIGKILL, nearly all while they held jobs (crawl_kills_at_work);
                        each runs everything: ticks, relay, executors, processors, sweep
crawl_database_restarts PostgreSQL killed, postmaster and all, and started again
crawl_rounds            crawls of all shops one after the other, with other prices and stock in each
crawl_tasks             pages that were to be fetched in these rounds
crawl_lost              rows that a calm crawl of the same rounds has and this one has not: products with
                        their options, history, notices, tasks
crawl_twice             rows that only this one has, and tasks that succeeded twice
crawl_stuck             messages, tasks, raws and jobs that nobody would have gone on with for longer than a
                        minute, or that were left when nothing went on for a minute; no time is skipped
crawl_longest_alone_s   the longest that anything was so left
crawl_jobs_given_up     jobs that the queue gave up because too many of their workers died; the sweep starts
                        others in their place

A worker is spared while it holds a job that was rescued as often as the queue allows: the next time, the queue
takes that job for what kills its workers, and a task that this happens to four times has failed, as it should.
Leases are 3 s instead of 30, so that a storm takes minutes; everything after the end of a lease
takes as long as in the product.
"""

# ruff: noqa: T201  a program that shows its progress

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import asyncpg

from bench.figures import Options, Report, exactly, read_options
from mindhit import log
from mindhit.accounts import Person
from mindhit.crawl import ScheduleBusy
from mindhit.crawl.model import Schedule
from mindhit.db import NOT_NOW, Database
from mindhit.db.failures import CONNECTION_ERRORS
from mindhit.work.leases.rescuer import MAX_RESCUES
from tests.accounts.kit import add
from tests.crawl.farm import Shop
from tests.crawl.kit import HISTORY, PRODUCTS, open_shops, rows, run, watch, work_off
from tests.crawl.storm_worker import Workers, workers
from tests.faults import harness
from tests.faults.storm import Storm, new_storm

WORKERS = 4
STUCK_S = 60.0
IDLE_S = 5.0  # after which a worker is killed that holds nothing
PROGRESS_S = (
    30.0  # for what has to be done between two kills: whoever is always killed never gets on
)
AWAY = (*NOT_NOW, asyncpg.PostgresError, *CONNECTION_ERRORS)
NOTICES = "select title, body from notices"
TASKS = "select type, item_key, status, count(*) from crawl_tasks group by 1, 2, 3"
# What is not done yet.
LEFT = """
select (select count(*) from crawl_tasks where finished_at is null)
     + (select count(*) from crawl_executions where status = 'RUNNING')
     + (select count(*) from crawled_raws where status in ('PENDING', 'FAILED'))
     + (select count(*) from crawl_task_outbox where status not in ('SENT', 'DEAD'))
     + (select count(*) from jobs where status in ('queued', 'running')
           and kind in ('crawl:execute', 'crawl:apply', 'crawl:listed'))"""
TWICE = """
select count(*) from (select from crawl_executions where status = 'SUCCESS'
                       group by task_id having count(*) > 1) e"""
# With nobody who would go on with them: tasks without a live job, messages that are due, raws without a
# job and without a task that would bring what they follow, jobs whose lease is over.
ALONE = """
select 'task ' || t.id from crawl_tasks t join crawl_task_outbox o on o.task_id = t.id
 where t.finished_at is null and o.status = 'SENT'
   and not exists (select from jobs j where j.kind = 'crawl:execute' and j.key = o.idempotency_key
                      and j.status in ('queued', 'running'))
union all
select 'message ' || id from crawl_task_outbox
 where status in ('PENDING', 'PROCESSING', 'FAILED') and available_at < now()
union all
select 'raw ' || r.id from crawled_raws r
 where r.status in ('PENDING', 'FAILED') and r.available_at < now()
   and not exists (select from jobs j where j.kind = 'crawl:apply' and j.status in ('queued', 'running')
                      and j.args->>'item_key' = r.item_key and j.args->>'site' = r.site)
   and not exists (select from crawl_tasks t where t.finished_at is null
                      and t.item_key = r.item_key and t.scheduler_id = r.scheduler_id)
union all
select 'job ' || id from jobs where status = 'running' and lease_until < now()"""
# Who would have gone on with them.
SWEEPERS = """
select kind, status, rescues, round(extract(epoch from run_after - now()))::int as due_in_s from jobs
 where kind in ('crawl:relay', 'crawl:sweep') and (status in ('queued', 'running')
       or finished_at > now() - interval '1 minute') order by id"""
DONE = """
select (select count(*) from crawl_tasks where status = 'SUCCESS')
     + (select count(*) from crawled_raws where status = 'PROCESSED')"""
MOST_DONE = 6  # between two kills
AT_WORK = """
select locked_by, max(rescues) from jobs where status = 'running' and locked_by is not null group by 1"""
GIVEN_UP = "select count(*) from jobs where status = 'dead'"


@dataclass
class Ended:
    """What a crawl of several rounds left."""

    rounds: int = 0
    kills: int = 0
    kills_at_work: int = 0
    ended_by_themselves: int = 0
    left: int = 0
    twice: int = 0
    given_up: int = 0
    stuck: set[str] = field(default_factory=set)
    longest_alone_s: float = 0.0
    rows: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    tasks: int = 0

    async def look(self, db: Database) -> None:
        for sql in (PRODUCTS, HISTORY, NOTICES, TASKS):
            self.rows += Counter((sql, *each) for each in await rows(db, sql))
        self.twice = (await rows(db, TWICE))[0][0]
        self.given_up = (await rows(db, GIVEN_UP))[0][0]
        self.tasks = (await rows(db, "select count(*) from crawl_tasks"))[0][0]


def shops(count: int, things: int) -> list[Shop]:
    made = [Shop(f"127.0.0.{61 + number}", per_page=5) for number in range(count)]
    for shop in made:
        shop.add(*(f"thing-{number}" for number in range(things)))
    return made


def change(farm: Sequence[Shop], turn: int) -> None:
    """Prices and stock of one round."""
    for shop in farm:
        for at, thing in enumerate(shop.things.values()):
            thing.price = Decimal(2000 - (turn * 7 + at) % 40 * 10) / 100
            thing.stock = (turn + at) % 4 != 0


async def watch_all(db: Database, farm: Sequence[Shop]) -> tuple[Person, list[Schedule]]:
    ada = await add(db)
    return ada, [
        await watch(db, ada, url, site=site)
        for shop in farm
        for url, site in ((shop.listing, None), (shop.collection, "shopify"))
    ]


class Rounds:
    """One crawl of all shops after the other."""

    def __init__(self, url: str, farm: Sequence[Shop]) -> None:
        self._url = url
        self._farm = farm
        self.ended = Ended()
        self.is_last = False
        self._alone_since: dict[str, float] = {}

    async def run(self) -> None:
        """Until it is told that this one is the last, or nothing has gone on for a minute."""
        db = await Database.open(self._url, size=2)
        ada, schedules = await watch_all(db, self._farm)
        while not self.ended.left:
            is_last = self.is_last
            change(self._farm, self.ended.rounds)
            self.ended.rounds += 1
            for each in schedules:
                await self._start(db, ada, each)
            await self._finish(db)
            kills, left, stuck = self.ended.kills, self.ended.left, len(self.ended.stuck)
            print(
                f"  round {self.ended.rounds}: {kills} kills, {left} left, {stuck} stuck",
                flush=True,
            )
            if is_last:
                break
        await self.ended.look(db)
        await db.close()

    def _look_for_stuck(self, alone: set[str], sweepers: Sequence[Any]) -> None:
        now = time.monotonic()
        self._alone_since = {each: self._alone_since.get(each, now) for each in alone}
        for each, since in self._alone_since.items():
            self.ended.longest_alone_s = max(self.ended.longest_alone_s, now - since)
            if now - since > STUCK_S and each not in self.ended.stuck:
                self.ended.stuck.add(each)
                print(f"  stuck: {each}", *map(tuple, sweepers), flush=True)

    async def _start(self, db: Database, ada: Person, schedule: Schedule) -> None:
        """Once, also where the answer was lost with the database."""
        while True:
            with suppress(ScheduleBusy):
                try:
                    await run(db, ada, schedule)
                except AWAY:
                    await asyncio.sleep(0.2)
                    continue
            return

    async def _finish(self, db: Database) -> None:
        left, done, deadline = 0, 0, time.monotonic() + STUCK_S
        while time.monotonic() < deadline:
            with suppress(*AWAY):
                left = (await rows(db, LEFT))[0][0]
                alone = {each[0] for each in await rows(db, ALONE)}
                self._look_for_stuck(alone, await rows(db, SWEEPERS) if alone else ())
                if not left:
                    return
                if (now_done := (await rows(db, DONE))[0][0]) > done:
                    done, deadline = now_done, time.monotonic() + STUCK_S
            await asyncio.sleep(0.2)
        self.ended.left = left


async def kill_and_restart(
    storm: Storm, url: str, running: Workers, ended: Ended, kills: int, restarts: int
) -> None:
    restart_at = {int(kills * (n + 1) / (restarts + 1)) for n in range(restarts)}
    db = await Database.open(url, size=1)
    done = 0
    for number in range(kills):
        if ended.left:
            break
        done = await until_done(db, done + random.randint(1, MOST_DONE))
        await asyncio.sleep(random.uniform(0, 0.2))
        victim, is_at_work = await a_victim(db, running)
        running.kill(victim)
        running.start()
        ended.kills += 1
        ended.kills_at_work += is_at_work
        if number in restart_at:
            harness.kill_database(storm.server)
            await asyncio.sleep(random.uniform(0, 1))
            storm.server.restart()
    await db.close()


async def until_done(db: Database, wanted: int) -> int:
    """How much is done, once it is so much or nothing more comes."""
    done, deadline = 0, time.monotonic() + PROGRESS_S
    while done < wanted and time.monotonic() < deadline:
        with suppress(*AWAY):
            done = (await rows(db, DONE))[0][0]
        await asyncio.sleep(0.02)
    return done


async def a_victim(db: Database, running: Workers) -> tuple[int, bool]:
    """One that holds jobs, none of them for the last time; after a while one that holds none."""
    deadline = time.monotonic() + IDLE_S
    while True:
        with suppress(*AWAY):
            rescues = {int(by.split(":")[-2]): most for by, most in await rows(db, AT_WORK)}
            if found := [
                each for each in running.alive if rescues.get(each, MAX_RESCUES) < MAX_RESCUES
            ]:
                return random.choice(found), True
            idle = [each for each in running.alive if each not in rescues]
            if idle and time.monotonic() > deadline:
                return random.choice(idle), False
        await asyncio.sleep(0.05)


async def wild(storm: Storm, farm: Sequence[Shop], kills: int, restarts: int) -> Ended:
    url = await storm.database("wild")
    rounds = Rounds(url, farm)
    with workers(url) as running:
        for _ in range(WORKERS):
            running.start()
        crawling = asyncio.create_task(rounds.run())
        await kill_and_restart(storm, url, running, rounds.ended, kills, restarts)
        rounds.is_last = True
        await crawling
        rounds.ended.ended_by_themselves = running.ended_by_themselves
        running.kill_all()
    return rounds.ended


async def calm(storm: Storm, farm: Sequence[Shop], rounds: int) -> Ended:
    db = await Database.open(await storm.database("calm"), size=4)
    ada, schedules = await watch_all(db, farm)
    ended = Ended(rounds)
    for turn in range(rounds):
        change(farm, turn)
        for each in schedules:
            await run(db, ada, each)
        await work_off(db)
    await ended.look(db)
    await db.close()
    return ended


@dataclass(frozen=True, slots=True)
class Size:
    kills: int
    restarts: int
    shops: int
    things: int


WHOLE = Size(1000, 20, shops=20, things=10)
QUICK = Size(15, 1, shops=4, things=5)


async def storm_of(storm: Storm, size: Size) -> tuple[Ended, int, int]:
    """The end, and how many rows were lost and how many are there that should not be."""
    farm = shops(size.shops, size.things)
    async with open_shops(*farm):
        ended = await wild(storm, farm, size.kills, size.restarts)
        peaceful = await calm(storm, farm, ended.rounds)
    lost = (peaceful.rows - ended.rows).total()
    twice = (ended.rows - peaceful.rows).total() + ended.twice
    return ended, lost, twice


async def main(options: Options) -> None:
    log.configure("console", "error")
    began = time.monotonic()
    size = QUICK if options.quick else WHOLE
    with new_storm() as storm:
        ended, lost, twice = await storm_of(storm, size)
    report = Report("Crawl storm")
    report.settings |= {"shops": size.shops, "things": size.things, "workers": WORKERS}
    report.settings["minutes"] = round((time.monotonic() - began) / 60, 1)
    report.add("crawl_kills", ended.kills)
    report.add("crawl_kills_at_work", ended.kills_at_work)
    report.add("crawl_database_restarts", size.restarts)
    report.add("crawl_rounds", ended.rounds)
    report.add("crawl_tasks", ended.tasks)
    report.add("crawl_lost", lost, exactly(0))
    report.add("crawl_twice", twice, exactly(0))
    report.add("crawl_stuck", len(ended.stuck) + ended.left, exactly(0))
    report.add("crawl_longest_alone_s", round(ended.longest_alone_s, 1))
    report.add("crawl_jobs_given_up", ended.given_up)
    report.add("crawl_workers_broken", ended.ended_by_themselves, exactly(0))
    report.close(options)


if __name__ == "__main__":
    asyncio.run(main(read_options(sys.modules[__name__].__doc__ or "")))
