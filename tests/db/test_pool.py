"""Transactions, handles and the translation of the driver's errors."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from mindhit.db import (
    ConstraintBroken,
    Contended,
    Database,
    DatabaseUnavailable,
    Nothing,
    Query,
    StatementTimedOut,
    Write,
)
from mindhit.db.pool import MADE_AT_ONCE
from mindhit.errors import Broken

MAKE = Write(Nothing, "create table things (id int primary key, more jsonb)")
ADD = Write(Nothing, "insert into things (id) values ($1)")
COUNT = Query(int, "select count(*)::int as n from things")
SLEEP = Query(Nothing, "select pg_sleep(30)")


async def make(db: Database, *ids: int) -> None:
    async with db.transaction() as tx:
        await tx.run(MAKE)
        for each in ids:
            await tx.run(ADD, each)


async def count(db: Database) -> int:
    async with db.read() as tx:
        return await tx.one(COUNT)


async def test_a_block_commits_at_its_end(db: Database) -> None:
    await make(db, 1, 2)
    assert await count(db) == 2


async def test_an_error_in_the_block_undoes_all_of_it_and_passes_unchanged(db: Database) -> None:
    await make(db)
    with pytest.raises(TimeoutError, match="somebody else's"):
        async with db.transaction() as tx:
            await tx.run(ADD, 1)
            raise TimeoutError("somebody else's")
    assert await count(db) == 0


async def test_a_savepoint_fails_alone(db: Database) -> None:
    await make(db, 1)
    async with db.transaction() as tx:
        await tx.run(ADD, 2)
        with pytest.raises(ConstraintBroken):
            async with tx.savepoint():
                await tx.run(ADD, 1)
        await tx.run(ADD, 3)
    assert await count(db) == 3


async def test_the_server_itself_refuses_writes_through_a_read_handle(db: Database) -> None:
    await make(db)
    smuggled = Query(int, "insert into things (id) values (1) returning id")
    with pytest.raises(Exception, match="read-only transaction"):
        async with db.read() as tx:
            await tx.all(smuggled)
    assert await count(db) == 0


async def test_a_read_sees_one_moment(db: Database) -> None:
    await make(db, 1)
    async with db.read() as tx:
        before = await tx.one(COUNT)
        async with db.transaction() as other:
            await other.run(ADD, 2)
        assert await tx.one(COUNT) == before == 1
    assert await count(db) == 2


async def test_json_goes_in_and_comes_out_as_values(db: Database) -> None:
    await make(db)
    put = Write(Nothing, "insert into things (id, more) values ($1, $2)")
    get = Query(dict, "select more from things where id = $1")
    async with db.transaction() as tx:
        await tx.run(put, 1, {"이름": ["값", None, 1.5, True]})
        await tx.run(put, 2, b'{"raw": 1}')
        assert await tx.one(get, 1) == {"이름": ["값", None, 1.5, True]}
        assert await tx.one(get, 2) == {"raw": 1}


async def test_rows_stream_in_bounded_pieces(db: Database) -> None:
    numbers = Query(int, "select n::int from generate_series(1, 5000) n")
    async with db.read() as tx:
        seen = [n async for n in tx.stream(numbers)]
    assert seen == list(range(1, 5001))


async def test_one_insists_and_maybe_does_not(db: Database) -> None:
    nobody = Query(int, "select 1 as n where false")
    async with db.read() as tx:
        assert await tx.maybe(nobody) is None
        with pytest.raises(Broken):
            await tx.one(nobody)


async def test_run_tells_how_many_rows_it_touched(db: Database) -> None:
    await make(db, 1, 2, 3)
    async with db.transaction() as tx:
        assert await tx.run(Write(Nothing, "delete from things where id < 3")) == 2


async def test_a_deadlock_becomes_our_own_error(db: Database) -> None:
    await make(db, 1, 2)
    lock = Write(Nothing, "update things set more = null where id = $1")
    both = asyncio.Barrier(2)

    async def cross(first: int, second: int) -> None:
        async with db.transaction() as tx:
            await tx.run(lock, first)
            await both.wait()
            await tx.run(lock, second)

    results = await asyncio.gather(cross(1, 2), cross(2, 1), return_exceptions=True)
    assert [type(each) for each in results if each is not None] == [Contended]


async def test_a_lost_server_becomes_our_own_error(db: Database) -> None:
    end_me = Query(bool, "select pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(DatabaseUnavailable):
        async with db.read() as tx:
            await tx.all(end_me)
    assert await db.answers()


async def test_a_statement_that_takes_too_long_is_ended(db: Database) -> None:
    with pytest.raises(StatementTimedOut):
        async with db.transaction() as tx:
            await tx.run(Write(Nothing, "set local statement_timeout = '50ms'"))
            await tx.all(SLEEP)


async def test_a_refused_connection_becomes_our_own_error() -> None:
    with pytest.raises(DatabaseUnavailable):
        await Database.open("postgresql://mindhit:x@127.0.0.1:1/mindhit", patience_s=2)


async def test_answers_is_false_and_not_an_error_when_the_pool_is_closed(db: Database) -> None:
    assert await db.answers()
    await db.close()
    assert not await db.answers()


async def test_a_notification_is_received(db: Database) -> None:
    heard = asyncio.Event()
    listener = await db.listen("test_channel", heard.set)
    await db.alone(Write(Nothing, "select pg_notify('test_channel', '')"))
    async with asyncio.timeout(10):
        await heard.wait()
    await listener.close()


async def test_a_listener_notices_that_it_was_cut_off(db: Database) -> None:
    listener = await db.listen("test_channel", lambda: None)
    await db.alone(
        Write(
            Nothing,
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where application_name like 'mindhit listen%' and datname = current_database()",
        )
    )
    async with asyncio.timeout(10):
        await listener.lost.wait()
    await listener.close()


@pytest.mark.parametrize("steps", range(8))
async def test_a_request_cancelled_again_and_again_leaves_no_open_transaction(
    db: Database, steps: int
) -> None:
    """The web framework cancels the request of a client that has gone at every turn of the loop,
    beginning wherever the request happens to be."""
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    await make(db)

    async def request() -> None:
        async with db.transaction() as tx:
            await tx.run(ADD, 1)
            await tx.all(SLEEP)

    task = asyncio.create_task(request())
    for _ in range(steps):
        await asyncio.sleep(0.002)
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    assert task.cancelled()
    assert await count(db) == 0
    assert reported == []


@dataclass
class Made:
    """Knows in which turn of the loop it was made."""

    number: int
    turn: int = 0

    def __post_init__(self) -> None:
        self.turn = _turns[0]


_turns = [0]
MANY = Query(Made, "select n as number from generate_series(1, $1::int) n")


@pytest.mark.parametrize("is_alone", [False, True])
async def test_many_rows_are_made_in_turns_with_others(db: Database, is_alone: bool) -> None:
    async def others() -> None:
        while True:
            _turns[0] += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    number = 2 * MADE_AT_ONCE + 1
    if is_alone:
        made = await db.alone(MANY, number)
    else:
        async with db.read() as tx:
            made = await tx.all(MANY, number)
    task.cancel()
    assert [each.number for each in made] == list(range(1, number + 1))
    assert len({each.turn for each in made}) == 3
