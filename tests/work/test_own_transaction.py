"""A handler that settles in its own transaction: effect and completion together, or neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mindhit.db import Database, Nothing, Write
from mindhit.work import Discard, Registry, Work, enqueue
from mindhit.work.model import LeaseLost
from mindhit.work.running.executor import Executor
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    Hosted,
    Keyed,
    Plain,
    claimer,
    execute,
    job_row,
    put,
    rescue,
    rows,
    slots,
    statuses,
)

EFFECT = Write(Nothing, "insert into effects values ($1)")


@pytest.fixture
async def effects(db: Database) -> Callable[[], Any]:
    await execute(db, "create table effects (n int)")

    async def look() -> list[int]:
        return [each["n"] for each in await rows(db, "select n from effects")]

    return look


async def test_effect_and_completion_commit_together(
    db: Database, effects: Callable[[], Any]
) -> None:
    [id_] = await put(db, Hosted("a.example", 7))

    async def handle(work: Work[Hosted]) -> None:
        async with work.settling() as tx:
            await tx.run(EFFECT, work.args.n)
            assert await effects() == []
        assert await effects() == [7]
        assert (await job_row(db, id_))["status"] == "succeeded"
        assert work.settled_as == "succeeded"

    assert await drain(db, {Hosted: handle}) == 1
    assert await slots(db) == []


async def test_an_effect_without_completion_is_rolled_back(
    db: Database, effects: Callable[[], Any]
) -> None:
    [id_] = await put(db, Plain(7))

    async def handle(work: Work[Plain]) -> None:
        async with work.settling() as tx:
            await tx.run(EFFECT, work.args.n)
            raise RuntimeError("in the middle")

    await drain(db, {Plain: handle})
    assert await effects() == []
    assert (await job_row(db, id_))["status"] == "queued"


async def test_a_lease_lost_inside_rolls_the_effect_back(
    db: Database, effects: Callable[[], Any]
) -> None:
    [id_] = await put(db, Plain(7))
    lost: list[bool] = []

    async def handle(work: Work[Plain]) -> None:
        try:
            async with work.settling() as tx:
                await tx.run(EFFECT, work.args.n)
                await pass_time(db, 31)
                await rescue(db)
        except LeaseLost:
            lost.append(True)
            raise

    [claim] = await claimer(db).claim(1)
    executor = Executor(db, Registry({Plain: handle}))
    assert await executor.run(claim) is None
    assert lost == [True]
    assert await effects() == []
    assert (await job_row(db, id_))["status"] == "queued"


async def test_a_handler_whose_job_somebody_else_has_locked_for_too_long_is_not_at_fault(
    db: Database, database_url: str, effects: Callable[[], Any]
) -> None:
    await put(db, Keyed("a"))
    [claim] = await claimer(db).claim(1)
    hasty = await Database.open(database_url, statement_s=0.1)

    async def handle(work: Work[Keyed]) -> None:
        async with work.settling() as tx:
            await tx.run(EFFECT, 7)

    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        settlement = await Executor(hasty, Registry({Keyed: handle})).run(claim)
    await hasty.close()
    assert settlement is not None
    assert (settlement.status, settlement.refund) == ("queued", True)
    assert await effects() == []


async def test_a_handlers_own_slow_statement_inside_is_its_fault(
    db: Database, database_url: str
) -> None:
    await put(db, Plain())
    [claim] = await claimer(db).claim(1)
    hasty = await Database.open(database_url, statement_s=0.1)

    async def handle(work: Work[Plain]) -> None:
        async with work.settling() as tx:
            await tx.run(Write(Nothing, "select pg_sleep(60)"))

    settlement = await Executor(hasty, Registry({Plain: handle})).run(claim)
    await hasty.close()
    assert settlement is not None
    assert not settlement.refund


async def test_what_was_settled_stays_settled_whatever_the_handler_does_afterwards(
    db: Database,
) -> None:
    [id_] = await put(db, Plain())

    async def handle(work: Work[Plain]) -> Discard:
        async with work.settling():
            pass
        raise RuntimeError("too late")

    await drain(db, {Plain: handle})
    assert (await job_row(db, id_))["status"] == "succeeded"


async def test_a_job_enqueued_inside_its_own_settling_runs_once_more(db: Database) -> None:
    ran: list[int] = []

    async def handle(work: Work[Keyed]) -> None:
        async with work.settling() as tx:
            ran.append(work.args.value)
            if work.args.value < 3:
                await enqueue(tx, Keyed("a", work.args.value + 1))

    [id_] = await put(db, Keyed("a", 1))
    assert await drain(db, {Keyed: handle}) == 3
    assert ran == [1, 2, 3]
    assert await statuses(db) == {id_: "succeeded"}
