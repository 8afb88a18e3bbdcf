"""Failures of the database count no attempt, however many; failures of the handler do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.db import (
    CommitUnconfirmed,
    Contended,
    Database,
    DatabaseUnavailable,
    Nothing,
    PoolExhausted,
    Query,
    Write,
)
from mindhit.errors import MindHitError
from mindhit.work import Policy, Retry, Snooze, State, Work
from mindhit.work.outcomes import Setback
from mindhit.work.retry_policy import LONGEST_SETBACK_S, MOST_SETBACKS
from mindhit.work.settlement import HANDED_BACK, settle
from mindhit.work.testing import drain, pass_time
from tests.work.kit import Plain, answering, claimer, execute, fail, job_row, put
from tests.work.kit import settle as end

ONE = Query(int, "select 1 as n")


@pytest.mark.parametrize(
    "error", [DatabaseUnavailable, Contended, PoolExhausted, CommitUnconfirmed]
)
async def test_however_often_the_database_fails_a_job_it_is_no_attempt(
    db: Database, error: type[MindHitError]
) -> None:
    [id_] = await put(db, Plain())
    for setbacks in range(1, 21):
        assert await drain(db, {Plain: answering(lambda: fail(error(reason="no luck")))}) == 1
        stored = await job_row(db, id_)
        assert (stored["status"], stored["attempts"]) == ("queued", 0)
        assert (stored["setbacks"], stored["last_error"]) == (setbacks, f"{error()} (no luck)")
        await pass_time(db, 3600)
    await drain(db, {Plain: answering(lambda: None)})
    assert (await job_row(db, id_))["status"] == "succeeded"


async def test_more_setbacks_than_the_column_can_count_go_on_all_the_same(db: Database) -> None:
    [id_] = await put(db, Plain())
    await execute(db, "update jobs set setbacks = $1", MOST_SETBACKS)
    await drain(db, {Plain: answering(lambda: fail(DatabaseUnavailable()))})
    stored = await job_row(db, id_)
    assert (stored["status"], stored["setbacks"]) == ("queued", MOST_SETBACKS)


async def test_a_full_table_space_that_only_handlers_write_to_kills_no_job(
    db: Database, database_url: str
) -> None:
    """As the server reports it, by its own error code, from the handler's statement alone."""
    await execute(db, "create table full_up (n int)")
    await execute(
        db,
        """create function refuse() returns trigger language plpgsql as $$ begin
           raise exception 'could not extend file' using errcode = 'disk_full'; end $$""",
    )
    await execute(
        db,
        "create trigger refuse before insert on full_up for each row execute function refuse()",
    )

    async def write(work: Work[Plain]) -> None:
        async with work.settling() as tx:
            await tx.run(Write(Nothing, "insert into full_up values (1)"))

    [id_] = await put(db, Plain())
    for _ in range(8):
        await drain(db, {Plain: write})
        await pass_time(db, 3600)
    assert (await job_row(db, id_))["attempts"] == 0
    await execute(db, "drop trigger refuse on full_up")
    await drain(db, {Plain: write})
    assert (await job_row(db, id_))["status"] == "succeeded"


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


@given(st.integers(0, MOST_SETBACKS), st.floats(0, 1, exclude_max=True))
def test_each_setback_waits_longer_than_the_one_before_up_to_a_limit(
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
    assert (how.status, how.refund) == (State.QUEUED, True)
    assert how.setbacks == min(setbacks + 1, MOST_SETBACKS)
    assert how.after_s is not None
    assert how.after_s == pytest.approx(min(2 * 2**setbacks, LONGEST_SETBACK_S) * (0.25 + chance))
