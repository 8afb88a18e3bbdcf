"""Migrations: numbered SQL files, forward only, applied once each, never changed afterwards.

Each file runs in a transaction of its own together with the row that records it, so a crash
leaves it done or not begun. Only one process migrates at a time (an advisory lock). A file that
was applied and then edited is refused by its checksum, and a program refuses a schema newer than
itself rather than guess at it. `schema.sql` beside this file is what the migrations add up to;
a test compares the two.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import asyncpg

from mindhit.db import locks
from mindhit.db.failures import in_our_words
from mindhit.errors import Refused

_NAME = re.compile(r"^(\d{4})_([a-z0-9_]+)\.sql$")
_RECORD = """
create table if not exists schema_migrations (
  version    integer primary key,
  name       text not null,
  checksum   text not null,
  applied_at timestamptz not null default now(),
  took_ms    integer not null
);
comment on table schema_migrations is 'db: which migrations were applied, with their checksums';
"""


class SchemaTooNew(Refused):
    """The database was migrated by a newer version of MindHit."""


class SchemaTooOld(Refused):
    """The database is behind this version of MindHit."""


class MigrationChanged(Refused):
    """A migration that was already applied has been edited since."""


class MigrationFailed(Refused):
    """A migration did not go through; the database is as it was before it."""


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Status:
    applied: list[int]
    pending: list[Migration]

    @property
    def current(self) -> int:
        return max(self.applied, default=0)


@cache
def known() -> tuple[Migration, ...]:
    """The migrations this program brings, in order and without holes."""
    found = [
        Migration(int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for file in files("mindhit.db").joinpath("migrations").iterdir()
        if (match := _NAME.match(file.name))
    ]
    found.sort(key=lambda migration: migration.version)
    return tuple(found)


async def status(dsn: str) -> Status:
    """Compare the database with the program; raises where they cannot go together."""
    connection = await _connect(dsn)
    try:
        return await _status(connection)
    finally:
        await connection.close()


async def check(dsn: str) -> None:
    """Raise unless the database is exactly as this program wants it."""
    if pending := (await status(dsn)).pending:
        raise SchemaTooOld(
            f"The database is {len(pending)} migration(s) behind this version of MindHit.",
            way_out="Run `mindhit db migrate`, then start again.",
        )


async def migrate(
    dsn: str,
    *,
    migrations: tuple[Migration, ...] | None = None,
    lock_wait_s: float = 60,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Migration]:
    """Apply what is pending and return it. Safe to call from any number of processes at once."""
    wanted = known() if migrations is None else migrations
    connection = await _connect(dsn)
    try:
        with in_our_words():
            # Waiting for the other migrator is bounded; so is each lock a migration takes,
            # lest one long read make every later statement queue behind it.
            await connection.execute(f"set lock_timeout = '{int(lock_wait_s * 1000)}ms'")
            await connection.execute("select pg_advisory_lock($1)", locks.MIGRATE)
            await connection.execute("set lock_timeout = '5s'")
            await connection.execute(_RECORD)
        pending = (await _status(connection, wanted)).pending
        for migration in pending:
            tell(f"migration {migration.version:04d} {migration.name.replace('_', ' ')}")
            await _apply(connection, migration)
        return pending
    finally:
        await connection.close()


async def _apply(connection: asyncpg.Connection[asyncpg.Record], migration: Migration) -> None:
    began = time.monotonic()
    try:
        async with connection.transaction():
            await connection.execute("set local statement_timeout = '10min'")
            await connection.execute(migration.sql)
            await connection.execute(
                "insert into schema_migrations (version, name, checksum, took_ms)"
                " values ($1, $2, $3, $4)",
                migration.version,
                migration.name,
                migration.checksum,
                int((time.monotonic() - began) * 1000),
            )
    except asyncpg.PostgresError as error:
        raise MigrationFailed(
            f"Migration {migration.version:04d}_{migration.name} failed: {error}."
            " The database is as it was before it.",
            way_out="Mend what the message names and run `mindhit db migrate` again.",
        ) from error


async def _status(
    connection: asyncpg.Connection[asyncpg.Record], wanted: tuple[Migration, ...] | None = None
) -> Status:
    wanted = known() if wanted is None else wanted
    if await connection.fetchval("select to_regclass('schema_migrations')") is None:
        return Status([], list(wanted))
    rows = await connection.fetch("select version, checksum from schema_migrations order by 1")
    applied = {row["version"]: row["checksum"] for row in rows}
    newest = max((migration.version for migration in wanted), default=0)
    if applied and max(applied) > newest:
        raise SchemaTooNew(
            f"The database is at version {max(applied)}; this MindHit knows versions up to {newest}.",
            way_out="Start the newer MindHit again, or restore a backup made by this one.",
        )
    for migration in wanted:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise MigrationChanged(
                f"Migration {migration.version:04d}_{migration.name} was applied in another form.",
                way_out="Bring the file back as it was; put the change into a new migration.",
            )
    return Status(sorted(applied), [m for m in wanted if m.version not in applied])


async def _connect(dsn: str) -> asyncpg.Connection[asyncpg.Record]:
    with in_our_words(is_connecting=True):
        return await asyncpg.connect(
            dsn, timeout=10, server_settings={"application_name": "mindhit migrate"}
        )
