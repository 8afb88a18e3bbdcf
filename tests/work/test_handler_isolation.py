"""What one run does to its task or its context does not affect the next."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Any

import pytest

from mindhit import log
from mindhit.db import Database
from mindhit.work import Work
from tests.work.kit import Bundle, Critical, Plain, Tally, job_row, put, soon, statuses, working

whose: ContextVar[str] = ContextVar("whose")
before: ContextVar[str] = ContextVar("before")


async def test_a_variable_that_a_handler_sets_is_not_set_for_the_next_one(db: Database) -> None:
    found: list[str] = []
    everything = asyncio.Event()

    async def handle(work: Work[Plain]) -> None:
        assert log.bound()["job_id"] == work.id
        found.append(whose.get("nobody's"))
        assert before.get() == "the test's"
        if work.args.n == 1:
            before.set("changed")
        else:
            whose.set(f"{work.id}'s")
        if len(found) == 4:
            everything.set()

    before.set("the test's")
    await put(db, *(Plain(n) for n in range(4)))
    async with working(db, {Plain: handle}, concurrency=1) as worker:
        await soon(everything.wait())
    assert found == ["nobody's"] * 4
    assert set((await statuses(db)).values()) == {"succeeded"}
    assert worker._held_claims.counts.by_outcome == {"succeeded": 4}


async def test_a_runner_whose_handlers_leave_no_trace_goes_on(db: Database) -> None:
    runners: set[object] = set()
    tally = Tally(5)

    async def handle(work: Work[Plain]) -> None:
        runners.add(asyncio.current_task())
        with log.bind(more="of it"):
            token = whose.set("for a while")
            await asyncio.sleep(0)
            whose.reset(token)
        await tally(work)

    await put(db, *(Plain(n) for n in range(5)))
    async with working(db, {Plain: handle}, concurrency=1):
        await soon(tally.all.wait())
    assert len(runners) == 1


@pytest.mark.parametrize("kind", [Plain, Bundle])
async def test_a_handler_that_cancels_its_own_task_has_failed_and_costs_no_runner(
    db: Database, kind: type[Any]
) -> None:
    """Before it waits for something, and before it ends, when the cancellation is yet to come."""

    async def cancel_and_wait(_: object) -> None:
        myself().cancel()
        await asyncio.Event().wait()

    async def cancel_and_end(_: object) -> None:
        myself().cancel()
        myself().cancel()

    def myself() -> asyncio.Task[Any]:
        task = asyncio.current_task()
        assert task is not None
        return task

    tally = Tally(1)
    ids = []
    for handler in (cancel_and_wait, cancel_and_end):
        ids += await put(db, kind())
        async with working(db, {kind: handler, Critical: tally}, concurrency=1, claim_size=1):
            async with asyncio.timeout(20):
                while (await job_row(db, ids[-1]))["status"] != "succeeded":
                    if (await job_row(db, ids[-1]))["attempts"] and handler is cancel_and_wait:
                        break
                    await asyncio.sleep(0.01)
            tally.all.clear()
            await put(db, Critical())
            await soon(tally.all.wait())
    stored = [await job_row(db, id_) for id_ in ids]
    assert [(each["status"], each["attempts"]) for each in stored] == [
        ("queued", 1),
        ("succeeded", 1),
    ]
    assert stored[0]["last_error"] == "CancelledError: "
