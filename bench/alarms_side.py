"""One process of bench/alarms.py: it takes due alarms, or sends them, as the product does.

Reads one line of JSON (`role`, `dsn`, `at_once`, …), says `{"ready": true}`, waits for a line, and works.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

import asyncio
import json
import signal
import time
from typing import Any

import uvloop

from mindhit import log, reminders, wiring
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.reminders.job_types import Remind
from mindhit.work import Options, Registry, Worker


def say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def go() -> None:
    say(ready=True)
    await asyncio.to_thread(sys.stdin.readline)


async def take(db: Database, task: dict[str, Any]) -> None:
    """Several takers, each until nothing is due."""

    async def one() -> int:
        taken = 0
        while True:
            done = await reminders.run(
                db, fetch_limit=task["fetch_limit"], concurrency=10, now=utc_now()
            )
            taken += done.claimed
            if not done.claimed:
                return taken

    await go()
    began = time.time()
    taken = await asyncio.gather(*(one() for _ in range(task["at_once"])))
    say(taken=sum(taken), began=began, ended=time.time())


async def send(db: Database, task: dict[str, Any]) -> None:
    jobs = wiring.product(_settings()).jobs
    registry = Registry({Remind: jobs[Remind]})
    worker = Worker(db, registry, Options(concurrency=task["at_once"], claim_size=100))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await go()
    await worker.run()


def _settings() -> Any:
    return wiring.make_settings(
        delivery_hosts=("127.0.0.1",), secret_key="a key of the benchmark, long enough for one"
    )


async def main() -> None:
    log.configure("json", "error")
    task = json.loads(sys.stdin.readline())
    wiring.install(wiring.product(_settings()))
    db = await Database.open(task["dsn"], size=task["at_once"] + 2)
    try:
        await {"take": take, "send": send}[task["role"]](db, task)
    finally:
        await db.close()


if __name__ == "__main__":
    uvloop.run(main())
