"""A worker whose event loop is blocked is ended; one that was only frozen goes on."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mindhit.cli import processes
from mindhit.db import Database
from mindhit.wiring import load_settings, product
from mindhit.work import Options
from mindhit.work.leases.rescuer import MAX_RESCUES
from mindhit.work.running.watchdog import EXIT_CODE
from tests.work.kit import Plain, execute, job_row, put, rescue, soon, until, until_lease_is_over

ROOT = Path(__file__).resolve().parents[2]
WORKER = """
import asyncio, re, signal, sys, time, uvloop
from mindhit.db import Database
from mindhit.work import Options, Registry, Worker
from tests.work.kit import Plain

async def handle(work):
    if work.args.n == 1:
        while True:
            pass
    if work.args.n == 2:
        time.sleep(3600)
    if work.args.n == 3:
        re.match("(a+)+b", "a" * 60)

async def main():
    db = await Database.open(sys.argv[1])
    worker = Worker(db, Registry({Plain: handle}), Options(lease_s=1, poll_s=0.2, watchdog=True))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await worker.run()
    await db.close()

uvloop.run(main())
"""


@asynccontextmanager
async def process_of_its_own(url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        WORKER,
        url,
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("sort", [1, 2], ids=["spins", "sleeps"])
async def test_a_worker_that_a_handler_keeps_from_its_loop_is_ended_and_the_job_dies_in_the_end(
    db: Database, database_url: str, sort: int
) -> None:
    [id_] = await put(db, Plain(sort))
    await execute(db, f"update jobs set rescues = {MAX_RESCUES}")
    async with process_of_its_own(database_url) as process:
        said, _ = await soon(process.communicate())
    assert process.returncode == EXIT_CODE
    for word in ("event loop is blocked", "test:plain", "in handle"):  # the job, and where it was
        assert word in said.decode()
    await until_lease_is_over(db, id_)
    assert await rescue(db) == 1
    assert (await job_row(db, id_))["status"] == "dead"


@pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="there is no timer of CPU time")
async def test_a_handler_that_lets_no_thread_run_does_not_keep_its_worker_alive(
    db: Database, database_url: str
) -> None:
    await put(db, Plain(3))
    async with process_of_its_own(database_url) as process:
        said, _ = await soon(process.communicate())
    assert process.returncode == -signal.SIGPROF
    assert "in handle" in said.decode()


async def test_a_worker_that_was_frozen_as_a_whole_wakes_up_and_goes_on(
    db: Database, database_url: str
) -> None:
    async with process_of_its_own(database_url) as process:
        await done(db, await put(db, Plain()))
        process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(2.5)  # two leases
        process.send_signal(signal.SIGCONT)
        await done(db, await put(db, Plain()))
        await asyncio.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert await soon(process.wait()) == 0


async def done(db: Database, ids: list[Any]) -> None:
    await until(db, f"select status = 'succeeded' as is_so from jobs where id = {ids[0]}")


def test_only_the_real_process_has_a_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Options] = []

    def keep(**options: Any) -> Options:
        made.append(Options(**options))
        return made[0]

    monkeypatch.setattr(processes, "start_product", lambda **_: product(load_settings()))
    monkeypatch.setattr(processes, "Options", keep)
    monkeypatch.setattr(processes, "_run", lambda *_, **__: None)
    processes.worker()
    assert [each.watchdog for each in made] == [True]
    assert not Options().watchdog
