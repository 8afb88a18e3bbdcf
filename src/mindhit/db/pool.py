"""The way to the database: a pool, transactions, and two kinds of handles.

    async with db.transaction() as tx:      # Tx: reads and writes; commits at the end of the block
    async with db.read() as tx:             # ReadTx: the server itself refuses writes

Functions take a handle as their first parameter and never commit, so whoever opens the block
decides what belongs together.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any, ClassVar, TypeVar, cast

import asyncpg

from mindhit.db.connections import (
    ACQUIRE_S,
    CLOSE_TIMEOUT_S,
    Connection,
    How,
    Listener,
    Pooled,
    Session,
    prepare,
    still_answers,
)
from mindhit.db.failures import (
    CONNECTION_ERRORS,
    CommitUnconfirmed,
    DatabaseUnavailable,
    PoolExhausted,
    StatementTimedOut,
    TransactionOver,
    TransactionTimedOut,
    in_our_words,
)
from mindhit.db.query import Query, Statement, Write
from mindhit.db.shares import Shares
from mindhit.errors import Broken, MindHitError

Row = TypeVar("Row")
STREAMED_AT_ONCE = 500
MADE_AT_ONCE = 2_000


class ReadTx:
    """A handle for reading inside one snapshot of the database.

    The server ends a transaction that says nothing for `may_idle_s`. All that the driver knows of it
    is a connection that is gone when the next word is spoken; how long we were silent tells that
    from a server that went away. In the same way a handle that is used after its block has ended
    has to know that it did.
    """

    _may_write: ClassVar[bool] = False

    def __init__(self, connection: Pooled, may_idle_s: float) -> None:
        self._connection = connection
        self._may_idle_s = may_idle_s
        self._spoke_at = monotonic()
        self._is_over = False

    async def all(self, query: Query[Row], *values: object) -> list[Row]:
        return await self._all(query, values)

    async def maybe(self, query: Query[Row], *values: object) -> Row | None:
        record = await self._record(query, values)
        return None if record is None else query.make(record)

    async def one(self, query: Query[Row], *values: object) -> Row:
        return _the_one(query, await self._record(query, values))

    async def stream(self, query: Query[Row], *values: object) -> AsyncIterator[Row]:
        """Rows as they come, for exports: memory stays bounded however many there are.

        The server hears of us once for every `STREAMED_AT_ONCE` rows: whoever takes longer over as
        many than a transaction may be silent finds it ended.
        """
        make = query.make
        with self.speaking():
            cursor = await self._connection.cursor(query.sql, *query.arguments(values))
        while True:
            with self.speaking():
                records = await cursor.fetch(STREAMED_AT_ONCE)
            for record in records:
                yield make(record)
            if len(records) < STREAMED_AT_ONCE:
                return

    @contextmanager
    def speaking(self) -> Iterator[None]:
        if self._is_over:
            raise TransactionOver
        silent_s = monotonic() - self._spoke_at
        try:
            with in_our_words(may_write=self._may_write):
                yield
        except DatabaseUnavailable as error:
            if silent_s >= self._may_idle_s:
                raise TransactionTimedOut(silent_s=round(silent_s, 1)) from error
            raise
        finally:
            self._spoke_at = monotonic()

    def end(self) -> None:
        """Its block has ended; the connection may be somebody else's already."""
        self._is_over = True

    async def _all(self, statement: Statement[Row], values: Sequence[object]) -> list[Row]:
        make = statement.make
        with self.speaking():
            records = await self._connection.fetch(statement.sql, *statement.arguments(values))
        return await _made(make, records)

    async def _record(
        self, statement: Statement[Any], values: Sequence[object]
    ) -> asyncpg.Record | None:
        with self.speaking():
            return await self._connection.fetchrow(statement.sql, *statement.arguments(values))


class Tx(ReadTx):
    """A handle for reading and writing inside one transaction."""

    _may_write = True

    async def all(self, query: Query[Row] | Write[Row], *values: object) -> list[Row]:
        return await self._all(query, values)

    async def maybe(self, query: Query[Row] | Write[Row], *values: object) -> Row | None:
        record = await self._record(query, values)
        return None if record is None else query.make(record)

    async def one(self, query: Query[Row] | Write[Row], *values: object) -> Row:
        return _the_one(query, await self._record(query, values))

    async def run(self, statement: Write[Any], *values: object) -> int:
        """Execute and tell how many rows it touched."""
        with self.speaking():
            status = await self._connection.execute(statement.sql, *statement.arguments(values))
        last = status.rpartition(" ")[2]
        return int(last) if last.isdigit() else 0

    def savepoint(self) -> AbstractAsyncContextManager[Any]:
        """A block inside the transaction that can fail without failing the whole."""
        return _block(self, self._connection.transaction)


class Database:
    """A pool of connections to one PostgreSQL database."""

    def __init__(
        self, pool: asyncpg.Pool[asyncpg.Record], how: How, *, idle_transaction_s: float
    ) -> None:
        self._pool = pool
        self._how = how
        self._idle_transaction_s = idle_transaction_s
        self._trusted_from = 0.0
        self._shares = Shares(pool.get_max_size())

    @classmethod
    async def open(
        cls,
        dsn: str,
        *,
        name: str = "mindhit",
        size: int = 10,
        statement_cache: int = 200,
        patience_s: float = 10,
        statement_s: float = 30,
        idle_transaction_s: float = 30,
    ) -> Database:
        """Connect, or raise `DatabaseUnavailable` when nobody answers within `patience_s`.

        No statement is waited for longer than `statement_s`. The server ends a transaction that
        has said nothing for `idle_transaction_s`: behind a wire that died, or a process that
        froze, its locks would otherwise be held for hours.
        """
        how = How(
            dsn,
            {
                "command_timeout": statement_s,
                "statement_cache_size": statement_cache,
                "server_settings": {
                    "application_name": name,
                    "timezone": "UTC",
                    "jit": "off",
                    "idle_in_transaction_session_timeout": f"{idle_transaction_s * 1000:.0f}",
                    # Ends before `statement_s`: who waits for a lock is not slow itself.
                    "lock_timeout": f"{statement_s * 900:.0f}",
                },
            },
        )
        with in_our_words(is_connecting=True):
            pool = await asyncpg.create_pool(
                dsn,
                min_size=0,
                max_size=size,
                init=prepare,
                connection_class=_Aging,
                reset=_leave,
                timeout=patience_s,
                **how.options,
            )
            try:
                async with pool.acquire(timeout=patience_s):
                    return cls(pool, how, idle_transaction_s=idle_transaction_s)
            except BaseException:
                pool.terminate()
                raise

    def session(self) -> Session:
        """A connection beside the pool, for one who asks all the time."""
        return Session(self._how)

    async def close(self, patience_s: float = 5) -> None:
        """Close every connection: in order where possible, by force after `patience_s`."""
        try:
            await asyncio.wait_for(self._pool.close(), patience_s)
        except (*CONNECTION_ERRORS, asyncpg.PostgresError):
            self._pool.terminate()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Tx]:
        async with self._connection() as connection:
            tx = Tx(connection, self._idle_transaction_s)
            try:
                async with _block(tx, connection.transaction):
                    yield tx
            finally:
                tx.end()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[ReadTx]:
        async with self._connection() as connection:
            tx = ReadTx(connection, self._idle_transaction_s)
            begin = partial(connection.transaction, isolation="repeatable_read", readonly=True)
            try:
                async with _block(tx, begin):
                    yield tx
            finally:
                tx.end()

    async def alone(
        self,
        statement: Query[Row] | Write[Row],
        *values: object,
        timeout_s: float | None = None,
    ) -> list[Row]:
        """One statement that is a whole transaction: half the round trips of a block."""
        async with self._connection(timeout_s or ACQUIRE_S) as connection:
            with in_our_words():
                records = await connection.fetch(
                    statement.sql, *statement.arguments(values), timeout=timeout_s
                )
        return await _made(statement.make, records)

    @asynccontextmanager
    async def _connection(self, acquire_s: float = ACQUIRE_S) -> AsyncIterator[Pooled]:
        """A connection of the pool. Giving it back never fails: one that does not answer is thrown
        away within `CLOSE_TIMEOUT_S`, and what was committed over it stays so.

        A statement that timed out was slow, or the wire is dead. Which of the two, the connection
        says: a server that is there stops what it was doing and answers the next question.
        """
        async with self._shares.turn(acquire_s), self._pooled(acquire_s) as connection:
            yield connection

    @asynccontextmanager
    async def _pooled(self, acquire_s: float) -> AsyncIterator[Pooled]:
        with in_our_words(is_connecting=True):
            try:
                connection = await self._acquire(acquire_s)
            except TimeoutError:
                if self._is_exhausted():
                    raise PoolExhausted(reason=f"none in {acquire_s:g} s") from None
                raise
        try:
            yield connection
        except TransactionTimedOut:
            raise
        except StatementTimedOut as error:
            if not await still_answers(connection):
                self._trusted_from = monotonic()
                raise DatabaseUnavailable(
                    reason=f"{error.facts.get('reason')}, nor since"
                ) from error
            raise
        except DatabaseUnavailable:
            self._trusted_from = monotonic()
            raise
        finally:
            with suppress(*CONNECTION_ERRORS, asyncpg.PostgresError):
                await self._pool.release(connection, timeout=CLOSE_TIMEOUT_S)

    async def _acquire(self, within_s: float) -> Pooled:
        """Where one connection failed, those of the same age are not tried one after the other: in
        a black hole each would take its whole time to say nothing."""
        while True:
            connection = await self._pool.acquire(timeout=within_s)
            if cast("_Aging", connection).opened_at >= self._trusted_from:
                return connection
            connection.terminate()

    def _is_exhausted(self) -> bool:
        pool = self._pool
        return pool.get_size() == pool.get_max_size() and pool.get_idle_size() == 0

    async def answers(self, within_s: float = 2) -> bool:
        """Is the database there, now? Never raises and never takes much longer than asked."""
        try:
            async with asyncio.timeout(within_s), self._connection(within_s) as connection:
                try:
                    await connection.fetchval("select 1")
                except BaseException:
                    connection.terminate()  # giving it back in order would wait once more
                    raise
        except (DatabaseUnavailable, PoolExhausted, *CONNECTION_ERRORS, asyncpg.PostgresError):
            return False
        return True

    async def listen(self, channel: str, hear: Callable[[], None]) -> Listener:
        """Call `hear` at each NOTIFY on `channel`, on a connection of its own."""
        with in_our_words(is_connecting=True):
            connection = await asyncpg.connect(
                self._how.dsn,
                timeout=10,
                command_timeout=10,
                server_settings={"application_name": f"mindhit listen {channel}"},
            )
            try:
                await connection.add_listener(channel, lambda *_: hear())
            except BaseException:
                connection.terminate()
                raise
        return Listener(connection)


@asynccontextmanager
async def _block(
    tx: ReadTx, begin: Callable[[], asyncpg.transaction.Transaction]
) -> AsyncIterator[None]:
    """One transaction, or one within. The body's own errors pass as they are; only ours are
    translated."""
    with tx.speaking():
        transaction = begin()
        # Entered, not just started: cancelled here, it is rolled back by the pool without a report.
        await transaction.__aenter__()
    try:
        yield
    except BaseException as error:
        await _to_its_end(_roll_back(tx, transaction, error))
        raise
    try:
        with tx.speaking():
            await transaction.__aexit__(None, None, None)
    except TransactionTimedOut:
        raise
    except StatementTimedOut as error:
        raise CommitUnconfirmed(reason=error.facts.get("reason")) from error


async def _roll_back(
    tx: ReadTx, transaction: asyncpg.transaction.Transaction, error: BaseException
) -> None:
    with suppress(MindHitError, *CONNECTION_ERRORS, asyncpg.PostgresError):
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            with tx.speaking():
                await transaction.__aexit__(type(error), error, error.__traceback__)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for `work` however often we are cancelled meanwhile. The web framework cancels a request
    whose client has gone again and again; a rollback that is cut short gives a connection with an
    open transaction back to the pool."""
    task = asyncio.ensure_future(work)
    was_cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            was_cancelled = True
    task.result()
    if was_cancelled:
        raise asyncio.CancelledError


class _Aging(asyncpg.Connection):
    """A pool's connection, which knows since when it is open."""

    __slots__ = ("opened_at",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opened_at = monotonic()


async def _leave(_connection: Connection) -> None:
    """Nothing more on the way back to the pool than asyncpg's own rollback of an open transaction.

    Its default resets settings, cursors, listeners and session locks, a round trip with every
    statement; ours leave none of these behind.
    """


async def _made(make: Callable[[Any], Row], records: Sequence[asyncpg.Record]) -> list[Row]:
    """Many rows are made in turns with whatever else the loop has to do."""
    rows: list[Row] = []
    for at in range(0, len(records), MADE_AT_ONCE):
        if at:
            await asyncio.sleep(0)
        rows += [make(record) for record in records[at : at + MADE_AT_ONCE]]
    return rows


def _the_one(statement: Statement[Row], record: asyncpg.Record | None) -> Row:
    if record is None:
        raise Broken(f"{statement!r} gave no row where there is always one")
    return statement.make(record)


__all__ = ["Database", "DatabaseUnavailable", "Listener", "ReadTx", "Session", "Tx"]
