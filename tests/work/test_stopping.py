"""A worker that is stopped, broken or cancelled ends, and holds no job afterwards."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mindhit.db import Database
from mindhit.log import reports
from mindhit.work import Options, Registry, Work, Worker
from mindhit.work import worker as worker_module
from mindhit.work.model import LeaseLost
from mindhit.work.running.runners import Runner
from mindhit.work.running.threads import Threads
from tests.work.kit import (
    FAR_AWAY_S,
    Bundle,
    Critical,
    Gate,
    Hasty,
    Hosted,
    Plain,
    Tally,
    claimer,
    execute,
    job_row,
    put,
    rows,
    slots,
    soon,
    working,
)

ROOT = Path(__file__).resolve().parents[2]


async def test_stopping_hands_back_what_has_not_begun_and_what_outlasts_its_grace(
    db: Database,
) -> None:
    ids = await put(db, *(Hosted(f"{n}.example") for n in range(6)))
    gate = Gate()
    async with working(db, {Hosted: gate}, concurrency=2, claim_size=6, grace_s=0.05) as worker:
        await soon(gate.began.get())
        await soon(gate.began.get())
        assert len(worker._held_claims) == 6
    assert gate.stopped.qsize() == 2
    stored = await rows(db, "select * from jobs order by id")
    assert [each["id"] for each in stored] == ids
    assert {(each["status"], each["attempts"], each["rescues"]) for each in stored} == {
        ("queued", 0, 0)
    }
    assert await slots(db) == []
    assert len(await claimer(db).claim(10)) == 6  # at once, not after a lease


async def test_stopping_lets_handlers_finish_within_their_grace(db: Database) -> None:
    [id_] = await put(db, Plain())
    gate = Gate()
    async with working(db, {Plain: gate}, grace_s=FAR_AWAY_S) as worker:
        await soon(gate.began.get())
        worker.stop()
        gate.opened.set()
    assert (await job_row(db, id_))["status"] == "succeeded"
    assert gate.stopped.empty()


async def test_a_worker_whose_task_is_cancelled_ends_and_hands_back(db: Database) -> None:
    ids = await put(db, *(Plain(n) for n in range(3)))
    gate = Gate()
    worker = Worker(db, Registry({Plain: gate}), Options(concurrency=2))
    running = asyncio.create_task(worker.run())
    await soon(gate.began.get())
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(running)
    assert gate.stopped.qsize() > 0
    stored = await rows(db, "select id, status, attempts from jobs order by id")
    assert stored == [{"id": id_, "status": "queued", "attempts": 0} for id_ in ids]


async def test_a_part_that_breaks_ends_the_whole_worker_loudly(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    [id_] = await put(db, Plain())
    worker = Worker(db, Registry({Plain: gate}), Options(grace_s=0.05, lease_s=0.6))
    running = asyncio.create_task(worker.run())
    await soon(gate.began.get())
    [held] = worker._held_claims._held.values()
    monkeypatch.setattr(worker._renewer, "_lease_s", "long")  # nothing foresees that
    with pytest.raises(TypeError):
        await soon(running)
    assert held.runner is None
    assert (await job_row(db, id_))["status"] == "queued"


class Unstoppable:
    """A handler that ignores that it is stopped."""

    def __init__(self) -> None:
        self.began = asyncio.Event()

    async def __call__(self, _: Work[Any]) -> None:
        self.began.set()
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()


async def test_a_stop_comes_to_its_end_though_a_handler_ignores_it(db: Database) -> None:
    [id_] = await put(db, Hosted("a.example"))
    unstoppable = Unstoppable()
    before = asyncio.all_tasks()
    async with working(db, {Hosted: unstoppable}, grace_s=0.05, cancel_again_s=0.05):
        await soon(unstoppable.began.wait())
    assert asyncio.all_tasks() == before  # nobody is left for whom the process would wait
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"]) == ("queued", 0)
    assert await slots(db) == []


async def test_a_handler_that_ignores_its_time_limit_is_given_up(
    db: Database,
) -> None:
    unstoppable, tally = Unstoppable(), Tally(1)
    [id_] = await put(db, Hasty())
    async with working(
        db, {Hasty: unstoppable, Critical: tally}, concurrency=1, claim_size=1, cancel_again_s=0.05
    ) as worker:
        await soon(unstoppable.began.wait())
        await put(db, Critical())  # there is a runner for it, instead of the lost one
        await soon(tally.all.wait())
        assert len(worker._runners.given_up) == 1
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"]) == ("queued", 1)
    assert stored["last_error"] == "ran longer than 0.05 s and ignores that it was stopped"
    assert worker._held_claims.counts.by_outcome == {"retried": 1, "succeeded": 1}


async def test_a_handler_that_ignores_its_stop_and_lost_its_lease_keeps_no_runner(
    db: Database,
) -> None:
    """Long before its time is over, which may be hours. Of a batch, the others are handed back."""
    unstoppable, tally = Unstoppable(), Tally(1)
    [lost, kept] = await put(db, Bundle(1), Bundle(2))
    async with working(
        db,
        {Bundle: unstoppable, Critical: tally},
        concurrency=1,
        lease_s=0.6,
        cancel_again_s=0.02,
        rescue_s=FAR_AWAY_S,
    ) as worker:
        await soon(unstoppable.began.wait())
        await execute(db, "update jobs set lease_id = gen_random_uuid() where id = $1", lost)
        await execute(
            db, "update jobs set run_after = now() + interval '1 hour' where id = $1", kept
        )
        await put(db, Critical())
        await soon(tally.all.wait())
        assert len(worker._runners.given_up) == 1
    stored = await job_row(db, kept)
    assert (stored["status"], stored["attempts"]) == ("queued", 0)
    assert (await job_row(db, lost))["status"] == "running"  # by whoever has the new lease


BLOCKED = """
import asyncio, os, signal, sys, threading, uvloop
from mindhit.db import Database
from mindhit.work import Options, Registry, Worker
from tests.work.kit import Plain

async def block(work):
    waiting = asyncio.create_task(asyncio.to_thread(threading.Event().wait))
    await asyncio.to_thread(os.kill, os.getpid(), signal.SIGTERM)
    await waiting

async def main():
    db = await Database.open(sys.argv[1])
    worker = Worker(db, Registry({Plain: block}), Options(grace_s=0.05, cancel_again_s=0.05))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await worker.run()
    await db.close()

uvloop.run(main())
"""


async def test_a_process_ends_although_a_handler_waits_for_a_thread(
    db: Database, database_url: str
) -> None:
    [id_] = await put(db, Plain())
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", BLOCKED, database_url, cwd=ROOT
    )
    try:
        assert await soon(process.wait()) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"]) == ("queued", 0)


async def test_threads_for_handlers_answer_fail_and_are_as_many_as_may() -> None:
    threads = Threads(2)
    both = threading.Barrier(2)
    first, second = threads.submit(both.wait, 20), threads.submit(both.wait, 20)
    assert {await soon(asyncio.wrap_future(each)) for each in (first, second)} == {0, 1}
    names = [threads.submit(lambda: threading.current_thread().name) for _ in range(20)]
    assert len({await soon(asyncio.wrap_future(each)) for each in names}) <= 2
    with pytest.raises(ZeroDivisionError):
        await soon(asyncio.wrap_future(threads.submit(lambda: 1 // 0)))
    threads.shutdown()
    with pytest.raises(RuntimeError):
        threads.submit(int)


async def test_what_a_given_up_handler_still_does_is_fenced_off(db: Database) -> None:
    heard, lost = asyncio.Event(), asyncio.Event()
    tally = Tally(1)

    async def settle_late(work: Work[Hasty]) -> None:
        while not lost.is_set():
            with suppress(asyncio.CancelledError):
                await heard.wait()
                try:
                    async with work.settling():
                        pass
                except LeaseLost:
                    lost.set()

    [id_] = await put(db, Hasty())
    async with working(
        db, {Hasty: settle_late, Critical: tally}, concurrency=1, cancel_again_s=0.05
    ):
        async with asyncio.timeout(20):
            while (await job_row(db, id_))["last_error"] is None:
                await asyncio.sleep(0.01)
        heard.set()
        await soon(lost.wait())
        await put(db, Critical())
        await soon(tally.all.wait())
    assert (await job_row(db, id_))["status"] == "queued"


async def test_a_handler_that_stops_at_the_second_cancellation_keeps_its_runner(
    db: Database,
) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def stop_late(work: Work[Plain]) -> None:
        began.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    [id_] = await put(db, Plain())
    async with working(
        db, {Plain: stop_late}, concurrency=1, cancel_again_s=0.3, rescue_s=FAR_AWAY_S
    ) as worker:
        await soon(began.wait())
        [held] = worker._held_claims.all()
        runner = held.runner
        assert isinstance(runner, Runner)
        await execute(db, "update jobs set lease_id = gen_random_uuid() where id = $1", id_)
        worker._held_claims.lease_gone(held)
        await soon(ended.wait())
        assert (worker._runners.given_up, runner.task.done()) == (set(), False)


async def test_how_a_given_up_handler_ends_at_last_is_no_failure(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, reported = asyncio.Event(), list[BaseException]()
    monkeypatch.setattr(reports, "failure", lambda error, **_: reported.append(error))

    began = asyncio.Event()

    async def end_late(work: Work[Plain]) -> None:
        began.set()
        while not heard.is_set():
            with suppress(asyncio.CancelledError):
                await heard.wait()
        raise asyncio.CancelledError

    await put(db, Plain())
    async with working(
        db, {Plain: end_late}, concurrency=1, cancel_again_s=0.05, rescue_s=FAR_AWAY_S
    ) as worker:
        await soon(began.wait())
        [held] = worker._held_claims.all()
        worker._held_claims.lease_gone(held)  # its lease is lost
        async with asyncio.timeout(20):
            while not worker._runners.given_up:
                await asyncio.sleep(0.01)
            heard.set()
            while worker._runners.given_up:
                await asyncio.sleep(0.01)
    assert reported == []


async def test_a_part_that_breaks_ends_the_worker_though_the_error_cannot_be_logged(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Planted(Exception):
        pass

    def refuse(*_: object, **__: object) -> None:
        raise ValueError

    async def break_down() -> None:
        raise Planted

    worker = Worker(db, Registry({}), Options(notify=False))
    monkeypatch.setattr(worker._rescuer, "run", break_down)
    monkeypatch.setattr(worker_module._log, "error", refuse, raising=False)
    asyncio.get_running_loop().set_exception_handler(lambda _, __: None)
    with pytest.raises(Planted):
        await soon(worker.run())
