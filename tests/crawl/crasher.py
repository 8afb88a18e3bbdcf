"""Processes that work off the queue and are killed at a commit.

    python -m tests.crawl.crasher         takes orders from stdin, one JSON object a line

Each order forks a process that drains the queue of a database: `{"dsn": …, "at": n, "when": "before"}` kills
it (SIGKILL, by itself) right before or after its n-th commit; without `at` it ends when nothing is left,
and tells how many commits that took. Forking from a program that has everything imported makes dozens of
them affordable.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from typing import Any

import asyncpg.transaction
import uvloop

from mindhit import log, wiring
from mindhit.crawl.job_types import Relay
from mindhit.db import Database
from mindhit.work import enqueue
from mindhit.work.testing import drain
from tests.crawl.kit import config


class Commits:
    """Counts them, and ends the process at one."""

    def __init__(self, at: int | None, when: str) -> None:
        self.at = at
        self.when = when
        self.count = 0
        self._leave = asyncpg.transaction.Transaction.__aexit__
        self._alone = Database.alone

    def install(self) -> None:
        counter = self

        async def leave(transaction: Any, kind: Any, error: Any, trace: Any) -> None:
            if kind is not None:  # a rollback
                await counter._leave(transaction, kind, error, trace)
                return
            counter.reached("before")
            await counter._leave(transaction, None, None, None)
            counter.done()

        async def alone(db: Any, statement: Any, *values: object, **how: Any) -> Any:
            counter.reached("before")
            found = await counter._alone(db, statement, *values, **how)
            counter.done()
            return found

        asyncpg.transaction.Transaction.__aexit__ = leave  # type: ignore[method-assign, assignment]
        Database.alone = alone  # type: ignore[method-assign, assignment]

    def reached(self, when: str) -> None:
        if self.when == when and self.at is not None and self.count + 1 == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def done(self) -> None:
        self.count += 1
        if self.when == "after" and self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


async def work(order: dict[str, Any]) -> int:
    product = wiring.product(config(**order.get("settings", {})))
    wiring.install(product)
    db = await Database.open(order["dsn"], size=4)
    async with db.transaction() as tx:
        await enqueue(tx, Relay())
    commits = Commits(order.get("at"), order.get("when", "before"))
    commits.install()
    await drain(db, product.jobs)
    await db.close()
    return commits.count


def fork(order: dict[str, Any]) -> dict[str, Any]:
    told, telling = os.pipe()
    pid = os.fork()
    if not pid:
        code = 1
        try:
            log.configure("json", "error")
            os.write(telling, json.dumps(uvloop.run(work(order))).encode())
            code = 0
        except BaseException:  # noqa: BLE001  a fork may never return into its parent's program
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(telling)
    with os.fdopen(told) as reading:
        text = reading.read()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {"code": code, "commits": json.loads(text) if text else None}


def main() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(fork(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
