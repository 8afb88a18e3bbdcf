"""One shop turns every visit away: how much of their throughput the others keep.

others_keep         tasks per second of the other shops beside a broken one, divided by without it; the
                    median of the rounds
broken_requests     how often the broken shop was asked, of as many tasks as it has
broken_deferred     its tasks that wait without an attempt counted, as a share
breaker_open        1: the broken shop is left alone
recovered           then it answers again, its time is over, and the others are crawled once more beside it:
                    its tasks that succeed, as a share
breaker_closed      1: it is a shop like the others again
others_keep_while_it_recovers
                    tasks per second of the others in that crawl, divided by without it; it is crawled
                    too, so this says what its share is

Four shops with a listing each, a fifth whose products are watched one by one and answer 403. The whole
way through the product: schedules, outbox, relay, executors, products; one worker in a process of its
own, the farm here. Only the minutes for which a breaker is open are skipped.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import statistics
from dataclasses import dataclass
from time import monotonic

from bench.figures import Options, Report, at_least, at_most, exactly, read_options
from mindhit.accounts import Person
from mindhit.crawl.model import Schedule
from mindhit.db import Database
from tests.accounts.kit import add
from tests.crawl.farm import Shop
from tests.crawl.kit import later, open_shops, rows, run, watch
from tests.crawl.storm_worker import workers
from tests.faults.storm import Storm, new_storm

OTHERS = 4
BROKEN = "127.0.0.95"
LONGEST_S = 240
LEFT = "select count(*) from crawl_tasks where finished_at is null and domain <> $1"
LEFT_THERE = "select count(*) from crawl_tasks where finished_at is null and domain = $1"
SPEED = """
select count(*) / extract(epoch from max(e.finished_at) - min(e.started_at))::float8
  from crawl_executions e join crawl_tasks t on t.id = e.task_id
 where t.domain <> $1 and e.started_at > now() - make_interval(secs => $2)"""
DEFERRED = """
select avg((status = 'PUBLISHED' and retry_count = 0)::int)::float8 from crawl_tasks where domain = $1"""
SUCCEEDED = "select avg((status = 'SUCCESS')::int)::float8 from crawl_tasks where domain = $1"
OPEN = "select count(*)::int from site_breakers where domain = $1 and state <> 'CLOSED'"
SKIPPED_S = 1200  # more than any breaker is open here, and than tasks wait for their next attempt


@dataclass(frozen=True, slots=True)
class Crawled:
    tasks_per_s: float
    requests: int = 0
    deferred: float = 0.0
    is_open: int = 0
    recovered: float = 0.0
    is_closed: int = 0
    tasks_per_s_recovering: float = 0.0


async def crawl(storm: Storm, name: str, things: int, *, is_broken: bool) -> Crawled:
    others = [Shop(f"127.0.0.{90 + number}", per_page=20) for number in range(1, OTHERS + 1)]
    for shop in others:
        shop.add(*(f"thing-{number}" for number in range(things)))
    broken = Shop(BROKEN, fault="403").add(*(f"thing-{number}" for number in range(things)))
    url = await storm.database(name)
    db = await Database.open(url, size=4)
    try:
        async with open_shops(*others, broken):
            ada = await add(db)
            for handle in broken.things if is_broken else ():
                await run(db, ada, await watch(db, ada, broken.product(handle)))
            listings = [await watch(db, ada, shop.listing) for shop in others]
            for each in listings:
                await run(db, ada, each)
            await work_until(db, url, LEFT)
            speed = (await rows(db, SPEED, BROKEN, LONGEST_S))[0][0]
            if not is_broken:
                return Crawled(speed)
            return await recover(db, url, ada, listings, broken, speed)
    finally:
        await db.close()


async def recover(
    db: Database, url: str, ada: Person, listings: list[Schedule], broken: Shop, speed: float
) -> Crawled:
    """What the broken shop has come to, and how it goes on when it answers again."""
    requests = len([path for path in broken.site.asked if path != "/robots.txt"])
    deferred = (await rows(db, DEFERRED, BROKEN))[0][0] or 0.0
    is_open = (await rows(db, OPEN, BROKEN))[0][0]
    broken.fault = None
    await later(db, seconds=SKIPPED_S)
    for each in listings:
        await run(db, ada, each)
    began = monotonic()
    await work_until(db, url, LEFT, LEFT_THERE)
    return Crawled(
        speed,
        requests,
        deferred,
        is_open,
        (await rows(db, SUCCEEDED, BROKEN))[0][0],
        1 - (await rows(db, OPEN, BROKEN))[0][0],
        (await rows(db, SPEED, BROKEN, monotonic() - began))[0][0],
    )


async def work_until(db: Database, url: str, *left: str) -> None:
    """One worker, until these are none."""
    with workers(url) as running:
        running.start()
        async with asyncio.timeout(LONGEST_S):
            while any([(await rows(db, sql, BROKEN))[0][0] for sql in left]):
                await asyncio.sleep(0.1)


async def main(options: Options) -> None:
    things, rounds = (20, 1) if options.quick else (150, 3)
    alone: list[Crawled] = []
    beside: list[Crawled] = []
    with new_storm() as storm:
        for turn in range(rounds):
            for is_broken in (False, True) if turn % 2 else (True, False):
                name = f"round{turn}_{'beside' if is_broken else 'alone'}"
                one = await crawl(storm, name, things, is_broken=is_broken)
                (beside if is_broken else alone).append(one)
                print(f"{name}: {one.tasks_per_s:.0f} tasks/s of the others", file=sys.stderr)
    report = Report("One broken site")
    report.settings |= {"shops": OTHERS, "things": things, "rounds": rounds}
    kept = [b.tasks_per_s / a.tasks_per_s for a, b in zip(alone, beside, strict=True)]
    report.add("others_keep", statistics.median(kept), at_least(0.95))
    report.add("broken_requests", max(each.requests for each in beside), at_most(10))
    report.add("broken_deferred", min(each.deferred for each in beside))
    report.add("breaker_open", min(each.is_open for each in beside), exactly(1))
    report.add("recovered", min(each.recovered for each in beside), exactly(1))
    report.add("breaker_closed", min(each.is_closed for each in beside), exactly(1))
    recovering = [
        b.tasks_per_s_recovering / a.tasks_per_s for a, b in zip(alone, beside, strict=True)
    ]
    report.add("others_keep_while_it_recovers", statistics.median(recovering))
    report.add("tasks_per_s", statistics.median(each.tasks_per_s for each in beside))
    report.close(options)


if __name__ == "__main__":
    asyncio.run(main(read_options(__doc__ or "")))
