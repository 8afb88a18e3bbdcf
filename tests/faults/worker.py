"""A nursery: it forks the processes that the tests kill, and ends them with itself.

    python -m tests.faults.worker         takes orders from stdin, one JSON object a line

Each child is a process of its own with its own connections, like a worker started by hand; forking
from a program that has everything imported makes a thousand of them affordable. When stdin ends,
by order or because the tests were killed, every child is killed and the nursery ends too.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import uvloop

from mindhit import log
from mindhit.db import Contended, Database, DatabaseUnavailable, StatementTimedOut
from mindhit.work import Options, Registry, Worker, enqueue_many
from tests.faults import releases, storm_jobs


async def run_worker(task: dict[str, Any]) -> None:
    """What `mindhit worker` does, with kinds of our own."""
    if task.get("spans"):
        storm_jobs.spans = os.open(task["spans"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    db = await _open(task)
    jobs = releases.RELEASES[task["release"]] if task.get("release") else storm_jobs.JOBS
    worker = Worker(db, Registry(jobs), Options(**task["options"]))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    try:
        await worker.run()
    finally:
        await db.close()


async def run_enqueuer(task: dict[str, Any]) -> None:
    """Enqueue in transactions of 1 to 10 jobs and write down, in a file, what was committed.

    What failed to commit may still have been committed: its tokens are never used again. Every
    twentieth transaction is rolled back on purpose: its tokens may never take effect.
    """
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    notes = os.open(task["notes"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    draw = random.Random(task["seed"])
    token, made = task["first_token"], 0
    db = await _open(task)
    while made < task["jobs"] and not stop.is_set():
        tokens = range(token, token + draw.randint(1, 10))
        token = tokens.stop
        key = draw.choice(task["keys"])
        jobs = [storm_jobs.one_of_each_sort(each, draw) for each in tokens]
        is_void = draw.random() < 0.05
        try:
            async with db.transaction() as tx:
                await enqueue_many(tx, jobs)
                await tx.run(storm_jobs.SET_FACT, key, token)
                await enqueue_many(tx, [storm_jobs.Refresh(key, draw.choice((0, 5, 20)))])
                if is_void:
                    raise _Void
        except _Void:
            os.write(notes, _lines("void", tokens))
        except (DatabaseUnavailable, Contended, StatementTimedOut):
            await asyncio.sleep(0.1)
        else:
            os.write(notes, _lines("made", tokens) + f"fact {key} {token}\n".encode())
            made += len(tokens)
        await asyncio.sleep(len(tokens) / task["per_s"])
    await db.close()


class _Void(Exception):
    """Rolls back on purpose."""


def _lines(word: str, tokens: range) -> bytes:
    return "".join(f"{word} {token}\n" for token in tokens).encode()


async def _open(task: dict[str, Any]) -> Database:
    """Connect; a database that does not respond is waited for, as a supervisor would by restarting us."""
    while True:
        try:
            return await Database.open(task["dsn"], size=task.get("pool", 10), **task["database"])
        except DatabaseUnavailable:
            await asyncio.sleep(0.1)


ROLES: dict[str, Callable[[dict[str, Any]], Coroutine[Any, Any, None]]] = {
    "worker": run_worker,
    "enqueuer": run_enqueuer,
}


def fork(task: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        output = os.open(task["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        nothing = os.open(os.devnull, os.O_RDWR)
        for mine, other in ((0, nothing), (1, nothing), (2, output)):
            os.dup2(other, mine)
        log.configure("json", "warning")
        uvloop.run(ROLES[task["role"]](task))
        code = 0
    except BaseException:  # noqa: BLE001  a fork may never return into its parent's program
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def reap(pid: int, within_s: float) -> int | None:
    """The exit code (negative: the signal), or None while it lives on."""
    deadline = time.monotonic() + within_s
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.005)


def main() -> None:
    living: set[int] = set()
    try:
        for line in sys.stdin:
            order = json.loads(line)
            answer: int | None = None
            match order:
                case {"start": task}:
                    answer = fork(task)
                    living.add(answer)
                case {"signal": number, "pid": pid} if pid in living:
                    os.kill(pid, number)
                case {"reap": within_s, "pid": pid} if pid in living:
                    answer = reap(pid, within_s)
                    if answer is not None:
                        living.discard(pid)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    finally:
        for pid in living:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    main()
