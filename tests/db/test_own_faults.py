"""Faults of whoever uses the database are never taken for its absence, nor the other way around."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg
import pytest

from mindhit.db import (
    Database,
    DatabaseReadOnly,
    DatabaseUnavailable,
    Nothing,
    PoolExhausted,
    Query,
    TransactionOver,
    TransactionTimedOut,
    Write,
)
from mindhit.db.pool import STREAMED_AT_ONCE
from tests.db.test_failures import END, MY_PID, ONE, opened, pid_of, until_gone

NUMBERS = Query(int, "select n::int from generate_series(1, $1::int) n")
MAKE = Write(Nothing, "create table things (id int)")


async def test_a_stream_whose_reader_takes_too_long_over_its_rows_is_no_absence(
    db: Database, database_url: str
) -> None:
    """Also where it takes a row now and then: the server hears of those that it sends."""
    async with opened(database_url, idle_transaction_s=0.2) as hasty:
        with pytest.raises(TransactionTimedOut):
            async with hasty.read() as tx:
                pid = await pid_of(tx)
                async for number in tx.stream(NUMBERS, STREAMED_AT_ONCE + 1):
                    if number in {1, STREAMED_AT_ONCE}:
                        await asyncio.sleep(0.15)
                    if number == STREAMED_AT_ONCE:
                        await until_gone(db, pid)


async def test_a_stream_whose_session_was_ended_is_an_absence(
    db: Database, database_url: str
) -> None:
    async with opened(database_url) as other:
        with pytest.raises(DatabaseUnavailable):
            async with other.read() as tx:
                pid = await pid_of(tx)
                async for number in tx.stream(NUMBERS, STREAMED_AT_ONCE + 1):
                    if number == 1:
                        await db.alone(END, pid)
                        await until_gone(db, pid)


async def test_a_stream_gives_every_row_once(db: Database) -> None:
    async with db.read() as tx:
        for rows in (0, 1, STREAMED_AT_ONCE, STREAMED_AT_ONCE + 1):
            assert [n async for n in tx.stream(NUMBERS, rows)] == list(range(1, rows + 1))


async def test_a_transaction_that_is_used_after_its_block_is_no_absence(db: Database) -> None:
    async with db.transaction() as written:
        pass
    async with db.read() as read:
        pass
    for tx in (written, read):
        with pytest.raises(TransactionOver):
            await tx.one(ONE)
    with pytest.raises(TransactionOver):
        async with written.savepoint():
            pass
    with suppress(LookupError):
        async with db.transaction() as failed:
            raise LookupError
    with pytest.raises(TransactionOver):
        await failed.one(ONE)


async def test_a_savepoint_after_too_long_a_silence_is_no_absence(
    db: Database, database_url: str
) -> None:
    async with opened(database_url, idle_transaction_s=0.2) as hasty:
        with pytest.raises(TransactionTimedOut):
            async with hasty.transaction() as tx:
                await until_gone(db, await pid_of(tx))
                async with tx.savepoint():
                    pass
        with pytest.raises(TransactionTimedOut):
            async with hasty.transaction() as tx, tx.savepoint():
                await until_gone(db, await pid_of(tx))


async def test_a_savepoint_whose_session_was_ended_is_an_absence(
    db: Database, database_url: str
) -> None:
    async with opened(database_url) as other:
        with pytest.raises(DatabaseUnavailable):
            async with other.transaction() as tx, tx.savepoint():
                pid = await pid_of(tx)
                await db.alone(END, pid)
                await until_gone(db, pid)


async def test_a_pool_that_is_all_in_use_is_no_absence_and_says_so(database_url: str) -> None:
    async with opened(database_url) as db:
        async with db.transaction():
            with pytest.raises(PoolExhausted):
                await db.alone(ONE, timeout_s=0.05)
            assert not await db.answers(0.05)
        assert await db.alone(ONE) == [1]


async def test_connections_as_old_as_one_that_failed_are_not_tried(
    db: Database, database_url: str
) -> None:
    two = await Database.open(database_url, size=2)
    try:
        with pytest.raises(DatabaseUnavailable):
            async with two.transaction() as tx:
                lost = await pid_of(tx)
                async with two.transaction() as other:
                    as_old = await pid_of(other)
                await db.alone(END, lost)
                await until_gone(db, lost)
                await tx.one(ONE)
        assert (await two.alone(MY_PID))[0] not in {lost, as_old}
        await until_gone(db, as_old)
    finally:
        await two.close()


@asynccontextmanager
async def read_only(url: str) -> AsyncIterator[None]:
    """A database that takes no writes, as a standby does, for sessions that begin now."""
    connection = await asyncpg.connect(url)
    try:
        name = await connection.fetchval("select current_database()")
        await connection.execute(f"alter database {name} set default_transaction_read_only = on")
        try:
            yield
        finally:
            await connection.execute(f"alter database {name} reset default_transaction_read_only")
    finally:
        await connection.close()


async def test_a_database_that_takes_no_writes_is_an_absence_until_it_does(
    database_url: str,
) -> None:
    async with read_only(database_url), opened(database_url) as db:
        session = db.session()
        for alone in (db.alone, session.alone):
            with pytest.raises(DatabaseReadOnly):
                await alone(MAKE)
        with pytest.raises(DatabaseReadOnly):
            async with db.transaction() as tx:
                await tx.run(MAKE)
        assert await db.alone(ONE) == [1]
        await session.close()
    async with opened(database_url) as db:
        await db.alone(MAKE)


async def test_a_write_through_a_read_handle_is_a_mistake_and_no_absence(db: Database) -> None:
    smuggled = Query(int, "update jobs set rescues = 0 returning id")
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        async with db.read() as tx:
            await tx.all(smuggled)
