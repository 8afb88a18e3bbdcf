"""Single connections: opening, checking and closing them; and those outside the pool, for listening
and for frequent statements.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import asyncpg
import msgspec

from mindhit.db.failures import (
    CONNECTION_ERRORS,
    DatabaseUnavailable,
    StatementTimedOut,
    in_our_words,
)
from mindhit.db.query import Query, Write

Row = TypeVar("Row")
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Pooled: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
_json = msgspec.json.Encoder()

ONE_PLAN = {"plan_cache_mode": "force_generic_plan"}
ACQUIRE_S = 30.0  # to wait for a free connection of the pool
CLOSE_TIMEOUT_S = 3.0  # for a connection to show that it still answers; then it is thrown away


@dataclass(frozen=True, slots=True)
class How:
    """Where and how to connect; shared by the pool and connections outside it."""

    dsn: str
    options: dict[str, Any]


class Session:
    """One connection outside the pool, opened when first needed and again whenever it was lost.

    Acquiring and releasing a pool's connection costs 85 to 110 µs of CPU, the statement itself 40:
    too much for thousands of statements a second. One caller at a time; errors as in
    `Database.alone`.

    Statements keep one plan for all parameters. Left to itself the server compares its cost with those
    of earlier executions, and after an ANALYZE of a table that has grown it may plan every single
    execution for minutes: a claim beside 50,000 blocked jobs then took four times as long.
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
                raise DatabaseUnavailable(
                    reason=f"{error.facts.get('reason')}, nor since"
                ) from error
            raise
        except DatabaseUnavailable:
            connection.terminate()
            raise
        make = statement.make
        return [make(record) for record in records]

    async def close(self) -> None:
        if self._connection is not None:
            await close(self._connection)

    async def _connect(self, within_s: float) -> Connection:
        options = dict(self._how.options)
        options["server_settings"] = options["server_settings"] | ONE_PLAN
        with in_our_words(is_connecting=True):
            connection = cast(
                "Connection",
                await asyncpg.connect(self._how.dsn, timeout=within_s, **options),
            )
            try:
                await prepare(connection)
            except BaseException:
                connection.terminate()
                raise
        return connection


class Listener:
    """A connection that receives notifications. `lost` is set when the connection is lost."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.lost = asyncio.Event()
        connection.add_termination_listener(lambda *_: self.lost.set())

    async def ping(self) -> None:
        """Make sure that the server still answers: a cut connection does not report itself."""
        with in_our_words():
            await self._connection.fetchval("select 1", timeout=10)

    async def close(self) -> None:
        await close(self._connection)


async def prepare(connection: Connection) -> None:
    """jsonb as Python values in both directions; `bytes` are sent as JSON unchanged."""
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


async def close(connection: Connection) -> None:
    """Close gracefully, or by force if the server does not answer."""
    try:
        await connection.close(timeout=2)
    except (*CONNECTION_ERRORS, asyncpg.PostgresError):
        connection.terminate()


async def still_answers(connection: Pooled | Connection) -> bool:
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await connection.fetchval("select 1")
    except (*CONNECTION_ERRORS, asyncpg.PostgresError):
        with suppress(asyncpg.InterfaceError):  # the driver has terminated it already
            connection.terminate()  # releasing it gracefully would wait again
        return False
    return True
