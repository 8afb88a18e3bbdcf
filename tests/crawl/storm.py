"""The storm: a crawl of a farm while its workers are killed and PostgreSQL is restarted; `make storm`.

    python -m tests.crawl.storm [--quick] [--json FILE]

Workers are processes of the product that are killed with SIGKILL a moment after they were started. At the
end everything is worked off in peace, and compared with a calm crawl of the same shops: what is missing is
lost, what is there twice happened twice, what is left is stuck.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from bench.figures import Options, Report, exactly, read_options
from mindhit.accounts import Person
from mindhit.crawl.executing.results import message_key
from mindhit.crawl.job_types import Execute
from mindhit.db import Database
from mindhit.db.failures import CONNECTION_ERRORS
from mindhit.errors import MindHitError
from mindhit.work import enqueue_many
from mindhit.work.leases.rescuer import Rescuer
from tests.accounts.kit import add
from tests.crawl.farm import Shop
from tests.crawl.kit import HISTORY, PRODUCTS, later, open_shops, rows, run, sweep, watch, work_off
from tests.faults import harness
from tests.faults.storm import Storm, new_storm

ROOT = Path(__file__).resolve().parents[2]
SHOPS = 4
WORKERS = 3
REPEATED_AT_ONCE = 500
LEFT = """
select (select count(*) from crawl_tasks where finished_at is null)
     + (select count(*) from crawl_executions where status = 'RUNNING')
     + (select count(*) from crawled_raws where status in ('PENDING', 'FAILED'))
     + (select count(*) from crawl_task_outbox where status <> 'SENT')"""
TWICE = """
select (select count(*) from (select from crawl_executions where status = 'SUCCESS'
                               group by task_id having count(*) > 1) e)
     + (select count(*) from (select from crawled_raws group by task_id, type, item_key
                               having count(*) > 1) r)"""


def shops(things: int) -> list[Shop]:
    made = [Shop(f"127.0.0.{61 + number}", per_page=20) for number in range(SHOPS)]
    for shop in made:
        shop.add(*(f"thing-{number}" for number in range(things)))
    return made


def start_worker(dsn: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crawl.storm_worker", dsn],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


async def finish(db: Database) -> None:
    """In peace: leases run out, and everything that waits gets its turn."""
    for _ in range(8):
        await Rescuer(db).run_once()
        await later(db, hours=3)
        await sweep(db)


async def crawl_all(db: Database, ada: Person, farm: list[Shop]) -> None:
    for shop in farm:
        for url, site in ((shop.listing, None), (shop.collection, "shopify")):
            await run(db, ada, await watch(db, ada, url, site=site))


async def tables(db: Database) -> list[list[tuple[Any, ...]]]:
    return [[tuple(each) for each in await rows(db, sql)] for sql in (PRODUCTS, HISTORY)]


async def kill_and_restart(storm: Storm, url: str, kills: int, restarts: int) -> int:
    """How many processes were killed."""
    workers = [start_worker(url) for _ in range(WORKERS)]
    restart_at = {int(kills * (n + 1) / (restarts + 1)) for n in range(restarts)}
    for number in range(kills):
        await asyncio.sleep(random.uniform(0.2, 1.5))
        victim = workers.pop(random.randrange(len(workers)))
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        workers.append(start_worker(url))
        if number in restart_at:
            harness.kill_database(storm.server)
            storm.server.restart()
        if number % 10 == 9:
            await let_time_pass(url)
    for worker in workers:
        worker.kill()
        worker.wait()
    return kills + len(workers)


async def let_time_pass(url: str) -> None:
    """Leases of 30 s run out at once: else a storm takes hours."""
    try:
        db = await Database.open(url, size=1)
        await later(db, seconds=31)
        await db.close()
    except (MindHitError, asyncpg.PostgresError, *CONNECTION_ERRORS):
        return


async def repeat_messages(db: Database, user_id: UUID, count: int) -> bool:
    """So many messages of a crawl that is over, of its own attempts and of others, in any order: do
    they leave the tables as they are?"""
    before = await tables(db)
    tasks = await rows(db, "select id, domain from crawl_tasks")
    for _ in range(0, count, REPEATED_AT_ONCE):
        messages = []
        for each in random.choices(tasks, k=REPEATED_AT_ONCE):
            key = message_key(each["id"], random.randint(1, 3))
            messages.append(Execute(user_id, each["id"], key, each["domain"]))
        async with db.transaction() as tx:
            await enqueue_many(tx, messages)
        await work_off(db)
    return await tables(db) == before


async def storm_of(
    storm: Storm, *, kills: int, restarts: int, things: int, repeated: int = 0
) -> dict[str, float]:
    farm = shops(things)
    async with open_shops(*(farm)):
        ends = []
        killed = 0
        for name in ("calm", "wild"):
            url = await storm.database(name)
            db = await Database.open(url, size=4)
            ada = await add(db)
            await crawl_all(db, ada, farm)
            if name == "wild":
                killed = await kill_and_restart(storm, url, kills, restarts)
                await db.close()
                db = await Database.open(url, size=4)
            await finish(db)
            ends.append(await tables(db))
            left = (await rows(db, LEFT))[0][0]
            twice = (await rows(db, TWICE))[0][0]
            tasks = (await rows(db, "select count(*) from crawl_tasks"))[0][0]
            if name == "wild" and repeated and not await repeat_messages(db, ada.id, repeated):
                twice += 1
            await db.close()
    lost = sum(len(set(calm) - set(wild)) for calm, wild in zip(*ends, strict=True))
    more = sum(len(wild) - len(calm) for calm, wild in zip(*ends, strict=True))
    return {
        "killed": killed,
        "tasks": tasks,
        "lost": lost,
        "twice": twice + max(more, 0),
        "left": left,
    }


async def main(options: Options) -> None:
    began = time.monotonic()
    size = (30, 1, 10, 1000) if options.quick else (1000, 20, 400, 100_000)
    with new_storm() as storm:
        found = await storm_of(
            storm, kills=size[0], restarts=size[1], things=size[2], repeated=size[3]
        )
    report = Report("Crawl storm")
    report.settings |= {"shops": SHOPS, "things": size[2], "workers": WORKERS}
    report.settings["minutes"] = round((time.monotonic() - began) / 60, 1)
    report.add("crawl_kills", found["killed"])
    report.add("crawl_database_restarts", size[1])
    report.add("crawl_tasks", found["tasks"])
    report.add("crawl_repeated_messages", size[3])
    report.add("crawl_lost", found["lost"], exactly(0))
    report.add("crawl_twice", found["twice"], exactly(0))
    report.add("crawl_stuck", found["left"], exactly(0))
    report.close(options)


if __name__ == "__main__":
    asyncio.run(main(read_options(__doc__ or "")))
