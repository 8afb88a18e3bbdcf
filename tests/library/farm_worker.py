"""A worker process of the product that may read pages on this machine.

python -m tests.library.farm_worker DSN     until SIGTERM
"""

from __future__ import annotations

import asyncio
import dataclasses
import signal
import sys

import uvloop

from mindhit import log, wiring
from mindhit.db import Database
from mindhit.library.job_types import EnrichLink, ImportFile, QueueLinks
from mindhit.work import Options, Policy, Registry, Worker, kind_of

RETRY_S = 1.0  # instead of 5 minutes


def registry() -> Registry:
    settings = wiring.make_settings(
        allowed_networks=("127.0.0.0/8",),
        fetch_first_byte_timeout=5.0,
        fetch_timeout=10.0,
        fetch_body_limit=200_000,
        secret_key="a key for tests, long enough to be one",
    )
    jobs = wiring.product(settings).jobs
    known = {kind: jobs[kind] for kind in (EnrichLink, QueueLinks, ImportFile)}

    def policy(kind: object) -> Policy:
        declared = kind_of(kind.args).policy  # type: ignore[attr-defined]
        return dataclasses.replace(declared, backoff_s=(RETRY_S,))

    return Registry(known, policy)


async def main(dsn: str) -> None:
    log.configure("json", "info")
    wiring.install(wiring.product(wiring.make_settings()))
    db = await Database.open(dsn, size=12)
    worker = Worker(db, registry(), Options(concurrency=10, poll_s=0.2))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    try:
        await worker.run()
    finally:
        await db.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
