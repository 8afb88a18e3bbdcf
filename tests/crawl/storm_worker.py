"""A worker of the product that may fetch on this machine, for the storm: python -m tests.crawl.storm_worker DSN"""

from __future__ import annotations

import asyncio
import sys

import uvloop

from mindhit import log, wiring
from mindhit.crawl.job_types import Apply, Execute, Listed, Relay, Sweep, Tick
from mindhit.db import Database, DatabaseUnavailable
from mindhit.work import Options, Registry, Worker, enqueue
from tests.crawl.kit import config

KINDS = (Tick, Relay, Execute, Apply, Listed, Sweep)


async def main(dsn: str) -> None:
    log.configure("json", "error")
    product = wiring.product(config())
    wiring.install(product)
    while True:
        try:
            db = await Database.open(dsn, size=8)
            async with db.transaction() as tx:
                await enqueue(tx, Relay())
                await enqueue(tx, Sweep())
            break
        except DatabaseUnavailable:
            await asyncio.sleep(0.1)
    jobs = {kind: product.jobs[kind] for kind in KINDS}
    await Worker(db, Registry(jobs), Options(concurrency=6, poll_s=0.2, rescue_s=0.5)).run()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
