"""Processes that work off the queue and are killed or stopped at a commit.

    python -m tests.crawl.crasher         takes orders from stdin, one JSON object a line

Each order forks a process that drains the queue of a database: `{"dsn": …, "at": n, "when": "before"}` kills
it (SIGKILL, by itself) right before or after its n-th commit; without `at` it ends when nothing is left,
and tells how many commits that took. With `since` they are counted from a statement on (SINCE). With `"stop": true` it is stopped instead (SIGSTOP), and the answer is
its process id; `{"continue": pid}` lets it go on. Forking from a program that has everything imported makes
dozens of them affordable.
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
from mindhit.crawl import store
from mindhit.crawl.job_types import Relay
from mindhit.db import Database
from mindhit.fetching.store import WHEREABOUTS
from mindhit.work import enqueue
from mindhit.work.testing import drain
from tests.crawl.kit import config

SINCE = {"agent": store.agents.TAKE, "lookup": WHEREABOUTS}


class Commits:
    """Counts them, and ends or stops the process at one."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.at = order.get("at")
        self.when = order.get("when", "before")
        self.sent = signal.SIGSTOP if order.get("stop") else signal.SIGKILL
        self.since = SINCE.get(order.get("since", ""))
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
            if statement is counter.since:
                counter.since, counter.count = None, 0
            counter.reached("before")
            found = await counter._alone(db, statement, *values, **how)
            counter.done()
            return found

        asyncpg.transaction.Transaction.__aexit__ = leave  # type: ignore[method-assign, assignment]
        Database.alone = alone  # type: ignore[method-assign, assignment]

    def reached(self, when: str) -> None:
        if self.when == when and self.since is None and self.count + 1 == self.at:
            os.kill(os.getpid(), self.sent)

    def done(self) -> None:
        self.count += 1
        if self.when == "after" and self.since is None and self.count == self.at:
            os.kill(os.getpid(), self.sent)


async def work(order: dict[str, Any]) -> int:
    product = wiring.product(config(**order.get("settings", {})))
    wiring.install(product)
    db = await Database.open(order["dsn"], size=4)
    async with db.transaction() as tx:
        await enqueue(tx, Relay())
    commits = Commits(order)
    commits.install()
    await drain(db, product.jobs)
    await db.close()
    return commits.count


def fork(order: dict[str, Any], reports: dict[int, int]) -> int:
    """Its process id. What it reports at its end can be read from the file in `reports`."""
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
    reports[pid] = told
    return pid


def wait(pid: int, reports: dict[int, int]) -> dict[str, Any]:
    """Until it ends or is stopped."""
    status = os.waitpid(pid, os.WUNTRACED)[1]
    if os.WIFSTOPPED(status):
        return {"stopped": pid}
    with os.fdopen(reports.pop(pid)) as reading:
        text = reading.read()
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "commits": json.loads(text) if text else None}


def main() -> None:
    reports: dict[int, int] = {}
    for line in sys.stdin:
        order = json.loads(line)
        pid = order.get("continue") or fork(order, reports)
        if "continue" in order:
            os.kill(pid, signal.SIGCONT)
        sys.stdout.write(json.dumps(wait(pid, reports)) + "\n")
        sys.stdout.flush()
    for pid in reports:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
