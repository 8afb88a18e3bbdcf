"""Threads that handlers left behind are replaced, up to a point."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any

import pytest

from mindhit.db import Database
from mindhit.work import Options, Registry, Work, Worker
from mindhit.work.running.threads import MOST, OutOfThreads, Threads
from tests.work.kit import Hasty, Plain, job_row, put, soon, until, working


class Hang:
    """Calls in threads that do not return before they are let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    async def __call__(self, _: Work[Any]) -> None:
        await asyncio.to_thread(self.let_go.wait)


async def test_handlers_whose_threads_hang_leave_threads_for_the_others(db: Database) -> None:
    hang = Hang()

    async def use_a_thread(work: Work[Plain]) -> None:
        assert await asyncio.to_thread(int, "7") == 7

    await put(db, *(Hasty(n) for n in range(MOST + 1)))
    try:
        async with working(db, {Hasty: hang, Plain: use_a_thread}, concurrency=3):
            await until(
                db, "select count(*) = 0 as is_so from jobs where last_error is null"
            )  # all of them ran longer than they may
            [id_] = await put(db, Plain())
            await until(db, f"select status = 'succeeded' as is_so from jobs where id = {id_}")
    finally:
        hang.let_go.set()


async def leave(threads: Threads, hang: Hang) -> None:
    """A call whose caller waits no longer."""
    began = threading.Event()

    def call() -> None:
        began.set()
        hang.let_go.wait()

    waiting = asyncio.ensure_future(asyncio.wrap_future(threads.submit(call)))
    async with asyncio.timeout(20):
        while not began.is_set():
            await asyncio.sleep(0.001)
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    await asyncio.sleep(0)


async def test_a_thread_that_comes_back_late_ends_and_counts_as_lost_no_more() -> None:
    hang, told = Hang(), list[str]()
    threads = Threads(1, most_lost=2, exhausted=lambda: told.append("exhausted"))
    for _ in range(3):
        await leave(threads, hang)
        await leave(threads, hang)
        assert told == []
        hang.let_go.set()
        async with asyncio.timeout(20):
            while threads._lost:
                await asyncio.sleep(0.001)
        hang.let_go.clear()
    names = [threads.submit(lambda: threading.current_thread().ident) for _ in range(20)]
    assert len({await soon(asyncio.wrap_future(each)) for each in names}) == 1
    for _ in range(3):
        await leave(threads, hang)
    assert told == ["exhausted"]
    hang.let_go.set()
    threads.shutdown()


async def test_there_are_as_many_threads_as_before_when_one_was_lost() -> None:
    hang, threads, both = Hang(), Threads(2), threading.Barrier(2)
    await leave(threads, hang)
    calls = [asyncio.wrap_future(threads.submit(both.wait, 20)) for _ in range(2)]
    assert {await soon(each) for each in calls} == {0, 1}
    hang.let_go.set()
    threads.shutdown()


async def test_a_worker_that_has_lost_too_many_threads_ends_loudly(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Threads.__init__, "__kwdefaults__", {
        **(Threads.__init__.__kwdefaults__ or {}), "most_lost": 2,
    })  # fmt: skip
    hang = Hang()
    ids = await put(db, *(Hasty(n) for n in range(3)))
    worker = Worker(db, Registry({Hasty: hang}), Options(grace_s=0.05, poll_s=0.5))
    try:
        with pytest.raises(OutOfThreads):
            await soon(worker.run())
    finally:
        hang.let_go.set()
    assert {(await job_row(db, id_))["status"] for id_ in ids} == {"queued"}
