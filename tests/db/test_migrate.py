"""Migrations: once each, by one at a time, never half, never over a newer schema."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

import mindhit.db
from mindhit.db import DatabaseUnavailable, migrate
from mindhit.db.migrate import (
    Migration,
    MigrationChanged,
    MigrationFailed,
    SchemaTooNew,
    SchemaTooOld,
)
from tests.conftest import drop, execute, with_database

ONE = Migration(1, "one", "create table one (n int);")
TWO = Migration(2, "two", "create table two (n int); insert into two values (1);")
BAD = Migration(2, "bad", "create table half (n int); select 1 / 0;")


@pytest.fixture
async def empty_url(server_url: str) -> AsyncIterator[str]:
    name = f"empty_{uuid.uuid4().hex[:12]}"
    await execute(server_url, f"create database {name}")
    yield with_database(server_url, name)
    await drop(server_url, name)


async def tables(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch("select tablename from pg_tables where schemaname = 'public'")
        return {row["tablename"] for row in rows}
    finally:
        await connection.close()


async def test_each_is_applied_once(empty_url: str) -> None:
    assert await migrate.migrate(empty_url, migrations=(ONE,)) == [ONE]
    assert await migrate.migrate(empty_url, migrations=(ONE, TWO)) == [TWO]
    assert await migrate.migrate(empty_url, migrations=(ONE, TWO)) == []
    assert await tables(empty_url) == {"one", "two", "schema_migrations"}


async def test_many_at_once_apply_each_once(empty_url: str) -> None:
    results = await asyncio.gather(
        *(migrate.migrate(empty_url, migrations=(ONE, TWO)) for _ in range(6))
    )
    assert sorted(len(each) for each in results) == [0, 0, 0, 0, 0, 2]


async def test_one_that_fails_leaves_nothing_and_can_be_fixed(empty_url: str) -> None:
    with pytest.raises(MigrationFailed, match="division by zero") as failed:
        await migrate.migrate(empty_url, migrations=(ONE, BAD))
    assert failed.value.way_out
    assert await tables(empty_url) == {"one", "schema_migrations"}
    await migrate.migrate(empty_url, migrations=(ONE, TWO))
    assert "two" in await tables(empty_url)


async def test_one_that_was_edited_after_it_was_applied_is_refused(empty_url: str) -> None:
    await migrate.migrate(empty_url, migrations=(ONE,))
    edited = Migration(1, "one", "create table one (n bigint);")
    with pytest.raises(MigrationChanged, match="0001_one"):
        await migrate.migrate(empty_url, migrations=(edited,))


async def test_a_newer_schema_is_refused(database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute(
        "insert into schema_migrations (version, name, checksum, took_ms)"
        " values (9999, 'from_the_future', '', 0)"
    )
    await connection.close()
    with pytest.raises(SchemaTooNew, match="9999"):
        await migrate.check(database_url)
    with pytest.raises(SchemaTooNew):
        await migrate.migrate(database_url)


async def test_an_older_schema_is_refused_with_the_way_out(empty_url: str) -> None:
    with pytest.raises(SchemaTooOld) as refused:
        await migrate.check(empty_url)
    assert "mindhit db migrate" in (refused.value.way_out or "")


async def test_a_lock_that_somebody_holds_is_not_waited_for_without_end(empty_url: str) -> None:
    await migrate.migrate(empty_url, migrations=(ONE,))
    connection = await asyncpg.connect(empty_url)
    await connection.execute("select pg_advisory_lock($1)", 0x6D696E64)
    with pytest.raises(mindhit.db.Contended):
        await migrate.migrate(empty_url, migrations=(ONE, TWO), lock_wait_s=0.2)
    await connection.close()


async def test_a_refused_connection_is_reported(empty_url: str) -> None:
    with pytest.raises(DatabaseUnavailable):
        await migrate.status("postgresql://mindhit:x@127.0.0.1:1/mindhit")


def test_versions_have_no_holes_and_files_say_what_they_do() -> None:
    versions = [migration.version for migration in migrate.known()]
    assert versions == list(range(1, len(versions) + 1))
    for migration in migrate.known():
        for word in ("why", "locks", "takes", "when"):
            assert re.search(rf"^-- {word}: ", migration.sql, re.MULTILINE), migration.name


def test_the_snapshot_names_every_table(database_url: str) -> None:
    snapshot = (Path(mindhit.db.__file__).parent / "schema.sql").read_text(encoding="utf-8")
    named = set(re.findall(r"CREATE (?:UNLOGGED )?TABLE public\.(\w+)", snapshot))
    assert named == asyncio.run(tables(database_url))
