"""Single connections: how one is made, whether it still answers, how one parts from it; and those
that stand beside the pool, for hearing and for who asks all the time.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import asyncpg
import msgspec

from mindhit.db.failures import AWAY, DatabaseAway, StatementTimedOut, in_our_words
from mindhit.db.query import Query, Write

Row = TypeVar("Row")
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Pooled: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
_json = msgspec.json.Encoder()

ACQUIRE_S = 30.0  # for a free connection; longer only where all of them hang
PARTING_S = 3.0  # for the last words to a connection; then it is thrown away


@dataclass(frozen=True, slots=True)
class How:
    """How to connect: where to, and the options that the pool's connections and others share."""

    dsn: str
    options: dict[str, Any]


class Session:
    """One connection of its own, opened when it is first needed and again whenever it was lost.

    A pool's connection is taken and given back with every statement, which costs 85 to 110 µs of
    CPU where the statement itself costs 40: too much for who asks thousands of times a second.
    One caller at a time; the errors are those of `Database.alone`.
    """

    def __init__(self, how: How) -> None:
        self._how = how
        self._connection: Connection | None = None

    async def alone(
        self,
        statement: Query[Row] | Write[Row],
        *values: object,
        timeout_s: float | None = None,
    ) -> list[Row]:
        """One statement that is a whole transaction."""
        connection = self._connection
        if connection is None or connection.is_closed():
            connection = self._connection = await self._connect(timeout_s or ACQUIRE_S)
        try:
            with in_our_words():
                records = await connection.fetch(
                    statement.sql, *statement.arguments(values), timeout=timeout_s
                )
        except StatementTimedOut as error:
            if not await still_answers(connection):
                raise DatabaseAway(reason=f"{error.facts.get('reason')}, nor since") from error
            raise
        except DatabaseAway:
            connection.terminate()
            raise
        make = statement.make
        return [make(record) for record in records]

    async def close(self) -> None:
        if self._connection is not None:
            await part(self._connection)

    async def _connect(self, within_s: float) -> Connection:
        with in_our_words(is_connecting=True):
            connection = cast(
                "Connection",
                await asyncpg.connect(self._how.dsn, timeout=within_s, **self._how.options),
            )
            try:
                await prepare(connection)
            except BaseException:
                connection.terminate()
                raise
        return connection


class Listener:
    """A connection that hears notifications. `lost` is set when it can hear no more."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.lost = asyncio.Event()
        connection.add_termination_listener(lambda *_: self.lost.set())

    async def ping(self) -> None:
        """Make sure that the other end is there; a cut wire tells nobody by itself."""
        with in_our_words():
            await self._connection.fetchval("select 1", timeout=10)

    async def close(self) -> None:
        await part(self._connection)


async def prepare(connection: Connection) -> None:
    """jsonb as Python values both ways; a `bytes` that is already JSON goes as it is."""
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        encoder=_encode_jsonb,
        decoder=lambda data: msgspec.json.decode(data[1:]),
        format="binary",
    )


def _encode_jsonb(value: object) -> bytes:
    # jsonb's binary form is the JSON text behind a version byte.
    return b"\x01" + (value if isinstance(value, bytes) else _json.encode(value))


async def part(connection: Connection) -> None:
    """Close in order, or by force where nobody answers."""
    try:
        await connection.close(timeout=2)
    except (*AWAY, asyncpg.PostgresError):
        connection.terminate()


async def still_answers(connection: Pooled | Connection) -> bool:
    try:
        async with asyncio.timeout(PARTING_S):
            await connection.fetchval("select 1")
    except (*AWAY, asyncpg.PostgresError):
        with suppress(asyncpg.InterfaceError):  # the driver has given it up already
            connection.terminate()  # giving it back in order would wait once more
        return False
    return True
