"""Failures of the database count no attempt, up to a limit; failures of the handler do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.db import Contended, Database, DatabaseUnavailable, PoolExhausted, Query
from mindhit.errors import MindHitError
from mindhit.work import Policy, Retry, Snooze, State, Work, retry
from mindhit.work.outcomes import Setback
from mindhit.work.retry_policy import MAX_SETBACKS
from mindhit.work.settlement import HANDED_BACK, settle
from mindhit.work.testing import drain, pass_time
from tests.work.kit import Plain, answering, claimer, execute, fail, job_row, put
from tests.work.kit import settle as end

ONE = Query(int, "select 1 as n")


async def runs_until_dead(db: Database, job_id: int, handler: Any) -> list[int]:
    """How many attempts were counted after each run."""
    counted: list[int] = []
    while (stored := await job_row(db, job_id))["status"] != "dead":
        assert len(counted) < 50, stored
        assert await drain(db, {Plain: handler}) == 1
        counted.append((await job_row(db, job_id))["attempts"])
        await pass_time(db, 3600)
    return counted


@pytest.mark.parametrize("error", [DatabaseUnavailable, Contended, PoolExhausted])
async def test_a_job_that_the_database_fails_again_and_again_counts_in_the_end_and_dies(
    db: Database, error: type[MindHitError]
) -> None:
    [id_] = await put(db, Plain())
    counted = await runs_until_dead(db, id_, answering(lambda: fail(error(reason="no luck"))))
    assert counted == [0] * MAX_SETBACKS + [1, 2, 3]
    stored = await job_row(db, id_)
    assert stored["last_error"] == f"{error()} (no luck) (more than {MAX_SETBACKS} times in a row)"
    async with db.transaction() as tx:
        await retry(tx, id_)
    assert (await job_row(db, id_))["setbacks"] == 0


async def test_setbacks_are_counted_in_a_row_and_an_answer_of_the_handler_resets_them(
    db: Database,
) -> None:
    [id_] = await put(db, Plain())

    async def run(answer: Any) -> tuple[int, int]:
        await drain(db, {Plain: answering(answer)})
        await pass_time(db, 3600)
        stored = await job_row(db, id_)
        return stored["setbacks"], stored["attempts"]

    def fail_once() -> None:
        raise DatabaseUnavailable

    assert await run(fail_once) == (1, 0)
    assert await run(fail_once) == (2, 0)
    await end(db, await claimer(db).claim(1), HANDED_BACK)  # says nothing about it
    assert await run(fail_once) == (3, 0)
    assert await run(lambda: Snooze(1)) == (0, 0)
    assert await run(fail_once) == (1, 0)
    assert await run(lambda: Retry("flaky")) == (0, 1)


async def test_a_handler_that_uses_a_transaction_after_its_block_has_failed(db: Database) -> None:
    async def be_late(work: Work[Plain]) -> None:
        async with work.db.transaction() as tx:
            pass
        await tx.one(ONE)

    [id_] = await put(db, Plain())
    await drain(db, {Plain: be_late})
    stored = await job_row(db, id_)
    assert (stored["attempts"], stored["setbacks"]) == (1, 0)
    assert stored["last_error"].startswith("TransactionOver: ")


async def test_a_handler_whose_session_is_ended_loses_no_attempt(db: Database) -> None:
    async def be_cut_off(work: Work[Plain]) -> None:
        async with work.db.transaction() as tx:
            pid = await tx.one(Query(int, "select pg_backend_pid()"))
            await execute(db, f"select pg_terminate_backend({pid})")
            await tx.one(ONE)

    [id_] = await put(db, Plain())
    await drain(db, {Plain: be_cut_off})
    stored = await job_row(db, id_)
    assert (stored["attempts"], stored["setbacks"]) == (0, 1)
    assert stored["last_error"].startswith("The database does not answer. (")


@given(st.integers(0, MAX_SETBACKS - 1), st.floats(0, 1, exclude_max=True))
def test_each_setback_waits_longer_than_the_one_before_on_average_and_never_long(
    setbacks: int, chance: float
) -> None:
    how = settle(
        Setback("no luck"),
        attempts=1,
        max_attempts=1,
        policy=Policy(),
        chance=chance,
        setbacks=setbacks,
    )
    assert (how.status, how.refund, how.setbacks) == (State.QUEUED, True, setbacks + 1)
    assert how.after_s is not None
    assert how.after_s == pytest.approx(2 * 2**setbacks * (0.25 + chance))
    assert how.after_s <= 40
