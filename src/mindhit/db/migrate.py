"""Migrations: numbered SQL files, forward only, applied once each, never changed afterwards.

Each file runs in a transaction of its own together with the row that records it, so a crash
leaves it done or not begun. Only one process migrates at a time (an advisory lock). A file that
was edited after it was applied is refused by its checksum, and a program refuses a schema newer
than itself. `schema.sql` beside this file is what the migrations add up to;
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
    """The database needs to be migrated to this version of MindHit."""


class MigrationChanged(Refused):
    """A migration was edited after it was applied."""


class MigrationFailed(Refused):
    """A migration failed; the database is unchanged."""


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
    """The migrations of this program, in order and without gaps."""
    found = [
        Migration(int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for file in files("mindhit.db").joinpath("migrations").iterdir()
        if (match := _NAME.match(file.name))
    ]
    found.sort(key=lambda migration: migration.version)
    return tuple(found)


async def status(dsn: str) -> Status:
    """Compare the database with the program; raises if they are incompatible."""
    connection = await _connect(dsn)
    try:
        return await _status(connection)
    finally:
        await connection.close()


async def check(dsn: str) -> None:
    """Raise unless the schema is exactly that of this program."""
    if pending := (await status(dsn)).pending:
        raise SchemaTooOld(
            f"The database needs {len(pending)} migration{'' if len(pending) == 1 else 's'} for this version of MindHit.",
            way_out="Run `mindhit db migrate`, then start again.",
        )


async def migrate(
    dsn: str,
    *,
    migrations: tuple[Migration, ...] | None = None,
    lock_wait_s: float = 60,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Migration]:
    """Apply pending migrations and return them. Safe to call from several processes at once."""
    wanted = known() if migrations is None else migrations
    connection = await _connect(dsn)
    try:
        with in_our_words():
            # Waiting for the other migrator is bounded; so is each lock a migration takes,
            # so that one long read can't make every later statement queue behind it.
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
            " The database is unchanged.",
            way_out="Fix what the message says and run `mindhit db migrate` again.",
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
            f"The database has schema version {max(applied)}; this MindHit supports up to {newest}.",
            way_out="Run the newer MindHit, or restore a backup made by this version.",
        )
    for migration in wanted:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise MigrationChanged(
                f"Migration {migration.version:04d}_{migration.name} was edited after it was applied.",
                way_out="Restore the file as it was, and put the change into a new migration.",
            )
    return Status(sorted(applied), [m for m in wanted if m.version not in applied])


async def _connect(dsn: str) -> asyncpg.Connection[asyncpg.Record]:
    with in_our_words(is_connecting=True):
        return await asyncpg.connect(
            dsn, timeout=10, server_settings={"application_name": "mindhit migrate"}
        )
