"""A worker process that visits pages.

python -m tests.fetching.farm_worker DSN     until SIGTERM
"""

from __future__ import annotations

import asyncio
import signal
import sys
from dataclasses import dataclass

import uvloop

from mindhit import log
from mindhit.db import Database
from mindhit.fetching import (
    Fetcher,
    FetchFailed,
    FetchSettings,
    Guard,
    fetch_in_slot,
    outcome_of,
)
from mindhit.work import Options, Outcome, Registry, Snooze, Work, Worker, job


@job("test:visit", domain="domain", attempts=3, backoff_s=(0.2,))
@dataclass(frozen=True, slots=True)
class Visit:
    url: str
    domain: str | None


def visiting(fetcher: Fetcher) -> Registry:
    async def visit(work: Work[Visit]) -> Outcome | None:
        try:
            fetched = await fetch_in_slot(work, fetcher, work.args.url)
        except FetchFailed as error:
            return outcome_of(error)
        if isinstance(fetched, Snooze):
            return fetched
        async with work.settling():
            return None

    return Registry({Visit: visit})


async def main(dsn: str) -> None:
    log.configure("json", "warning")
    db = await Database.open(dsn, size=12)
    fetcher = Fetcher(db, FetchSettings(), guard=Guard(["127.0.0.0/8"]))
    worker = Worker(db, visiting(fetcher), Options(concurrency=10, poll_s=0.2))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    try:
        await worker.run()
    finally:
        await db.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
