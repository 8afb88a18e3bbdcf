"""Whose fault it was: an unreachable database, or one that is there and was asked too much."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
import pytest

from mindhit.db import (
    Database,
    DatabaseUnavailable,
    Query,
    ReadTx,
    StatementTimedOut,
    TransactionTimedOut,
    Write,
)
from mindhit.db.failures import is_away
from tests.faults.proxy import bad_network

SLOW = Query(object, "select pg_sleep(60)")
MY_PID = Query(int, "select pg_backend_pid()")
IS_THERE = Query(bool, "select exists (select from pg_stat_activity where pid = $1)")
END = Write(bool, "select pg_terminate_backend($1)")
ONE = Query(int, "select 1 as n")


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[Database]:
    database = await Database.open(url, size=1, **options)
    try:
        yield database
    finally:
        await database.close()


async def until_gone(db: Database, pid: int) -> None:
    async with asyncio.timeout(20):
        while (await db.alone(IS_THERE, pid))[0]:
            await asyncio.sleep(0.01)


async def pid_of(tx: ReadTx) -> int:
    return await tx.one(MY_PID)


async def test_a_slow_statement_is_no_absence_and_costs_no_connection(database_url: str) -> None:
    async with opened(database_url, statement_s=0.2) as db:
        [before] = await db.alone(MY_PID)
        with pytest.raises(StatementTimedOut):
            await db.alone(SLOW)
        with pytest.raises(StatementTimedOut):
            async with db.transaction() as tx:
                await tx.all(SLOW)
        assert await db.alone(MY_PID) == [before]


async def test_a_transaction_that_was_silent_for_too_long_is_no_absence(
    db: Database, database_url: str
) -> None:
    async with opened(database_url, idle_transaction_s=0.2) as hasty:
        with pytest.raises(TransactionTimedOut):
            async with hasty.transaction() as tx:
                await until_gone(db, await pid_of(tx))
                await asyncio.sleep(0.2)  # by our clock too, which began a little later
                await tx.one(ONE)
        with pytest.raises(TransactionTimedOut):
            async with hasty.transaction() as tx:
                await until_gone(db, await pid_of(tx))
                await asyncio.sleep(0.2)
        assert await hasty.alone(ONE) == [1]


async def test_a_session_that_was_ended_is_an_absence_however_patient_we_are(
    db: Database, database_url: str
) -> None:
    async with opened(database_url) as other:
        with pytest.raises(DatabaseUnavailable):
            async with other.transaction() as tx:
                pid = await pid_of(tx)
                await db.alone(END, pid)
                await until_gone(db, pid)
                await tx.one(ONE)


async def test_a_statement_into_a_black_hole_is_an_absence(database_url: str) -> None:
    """Nobody answers, and nobody heeds the wish to stop either: that tells it from a slow one."""
    async with bad_network(database_url) as proxy, opened(proxy.url, statement_s=0.2) as db:
        assert await db.alone(ONE) == [1]
        hole = asyncio.create_task(proxy.swallow(60))
        with pytest.raises(DatabaseUnavailable):
            await db.alone(ONE)
        hole.cancel()


async def test_the_driver_used_wrongly_is_no_absence(db: Database) -> None:
    with pytest.raises(asyncpg.InterfaceError, match="another operation"):
        async with db.transaction() as tx:
            await asyncio.gather(tx.one(ONE), tx.one(ONE))


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(),
        ConnectionResetError(),
        BrokenPipeError(),
        TimeoutError(errno.ETIMEDOUT, "the wire is dead"),
        asyncpg.AdminShutdownError(),
        asyncpg.CannotConnectNowError(),
        asyncpg.ConnectionDoesNotExistError(),
        asyncpg.InterfaceError("pool is closed"),
    ],
    ids=repr,
)
def test_who_is_not_there_is_away(error: Exception) -> None:
    assert is_away(error)


def test_a_time_that_ran_out_is_an_absence_only_while_connecting() -> None:
    assert is_away(TimeoutError(), is_connecting=True)
    assert not is_away(TimeoutError())


async def test_a_session_has_one_connection_and_another_after_it_was_cut(
    db: Database, database_url: str
) -> None:
    async with opened(database_url) as other:
        session = other.session()
        [first] = await session.alone(MY_PID)
        assert await session.alone(MY_PID) == [first]
        await db.alone(END, first)
        await until_gone(db, first)
        async with asyncio.timeout(20):
            while True:
                with suppress(DatabaseUnavailable):  # unless the driver has seen the end coming
                    [second] = await session.alone(MY_PID)
                    break
        assert second != first
        await session.close()
        await until_gone(db, second)


async def test_a_sessions_slow_statement_is_no_absence_and_costs_no_connection(
    database_url: str,
) -> None:
    async with opened(database_url) as db:
        session = db.session()
        [before] = await session.alone(MY_PID)
        with pytest.raises(StatementTimedOut):
            await session.alone(SLOW, timeout_s=0.2)
        assert await session.alone(MY_PID) == [before]
        await session.close()


async def test_a_session_in_a_black_hole_is_an_absence_and_ends(database_url: str) -> None:
    async with bad_network(database_url) as proxy, opened(proxy.url) as db:
        session = db.session()
        await session.alone(ONE)
        hole = asyncio.create_task(proxy.swallow(60))
        with pytest.raises(DatabaseUnavailable):
            await session.alone(ONE, timeout_s=0.2)
        with pytest.raises(DatabaseUnavailable):
            await session.alone(ONE, timeout_s=0.2)
        await session.close()
        hole.cancel()


async def test_nobody_at_the_address_of_a_session_is_an_absence(database_url: str) -> None:
    async with bad_network(database_url) as proxy, opened(proxy.url) as db:
        session = db.session()
        cut = asyncio.create_task(proxy.cut(60))
        await asyncio.sleep(0)
        with pytest.raises(DatabaseUnavailable):
            await session.alone(ONE, timeout_s=0.2)
        cut.cancel()
        await session.close()
