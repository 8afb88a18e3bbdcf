"""Workers of the product that may fetch on this machine, each a process that can be killed.

    python -m tests.crawl.storm_worker DSN         a line on stdin starts one, its process id is the answer

They are forked from a program that has everything imported, and nine in ten read pages themselves instead of
in processes of a pool, which take a second to start: that makes a thousand of them affordable. When stdin
ends, by order or because whoever started them was killed, all of them are killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

import asyncpg
import uvloop

from mindhit import crawl, log, wiring
from mindhit.crawl.job_types import Apply, Execute, Listed, Relay, Sweep, Tick
from mindhit.crawl.sites import reading
from mindhit.db import NOT_NOW, Database
from mindhit.db.failures import CONNECTION_ERRORS
from mindhit.work import Options, Registry, Scheduler, Worker
from tests.crawl.kit import config

ROOT = Path(__file__).resolve().parents[2]
KINDS = (Tick, Relay, Execute, Apply, Listed, Sweep)
POOLED_EVERY = 10  # of so many workers one reads pages as the product does
LEASE_S = 3.0  # short, so that a storm takes minutes; what comes after it is as in the product
OPTIONS = Options(concurrency=6, poll_s=0.5, lease_s=LEASE_S, rescue_s=0.5)


class Workers:
    """The storm's side: starts workers and kills them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._orders = cast("IO[str]", process.stdin)
        self._answers = cast("IO[str]", process.stdout)
        self.alive: list[int] = []
        self.ended_by_themselves = 0

    def start(self) -> None:
        print("start", file=self._orders, flush=True)
        self.alive.append(int(self._answers.readline()))

    def kill(self, pid: int) -> None:
        self.alive.remove(pid)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            self.ended_by_themselves += 1

    def kill_all(self) -> None:
        for pid in list(self.alive):
            self.kill(pid)


@contextmanager
def workers(dsn: str) -> Iterator[Workers]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.crawl.storm_worker", dsn],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what is logged of databases that are killed
        cwd=ROOT,
        text=True,
    )
    try:
        yield Workers(process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


class Here:
    """Instead of a pool: the work is done by whoever asks."""

    async def run(self, function: Any, *arguments: Any, timeout_s: float) -> Any:  # noqa: ARG002
        return function(*arguments)

    async def close(self) -> None:
        """Nothing is open."""


async def work(dsn: str, *, is_pooled: bool) -> None:
    log.configure("json", "error")
    if not is_pooled:
        reading.make_reader = lambda: reading.Reader(cast("Any", Here()))
    product = wiring.product(config())
    wiring.install(product)
    db = await _open(dsn)
    scheduling = asyncio.create_task(Scheduler(db, crawl.SLICE.schedules(product)).run())
    jobs = {kind: product.jobs[kind] for kind in KINDS}
    await Worker(db, Registry(jobs), OPTIONS).run()
    scheduling.cancel()


async def _open(dsn: str) -> Database:
    while True:
        with suppress(*NOT_NOW, asyncpg.PostgresError, *CONNECTION_ERRORS):
            return await Database.open(dsn, size=8)
        await asyncio.sleep(0.1)


def fork(dsn: str, *, is_pooled: bool) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(0)
        os.close(1)
        os.open(os.devnull, os.O_RDONLY)
        os.open(os.devnull, os.O_WRONLY)
        uvloop.run(work(dsn, is_pooled=is_pooled))
        code = 0
    except BaseException:  # noqa: BLE001  a fork may never return into its parent's program
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def main(dsn: str) -> None:
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for number, _ in enumerate(sys.stdin):
        sys.stdout.write(f"{fork(dsn, is_pooled=number % POOLED_EVERY == 0)}\n")
        sys.stdout.flush()
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1])
