"""A database that answers and takes no writes is noticed, and is not asked all the time."""

from __future__ import annotations

import pytest

from mindhit.db import Database, DatabaseNotWritable, Nothing, Query, Write, WriteCheck, write_check
from tests.conftest import execute

CHECKED_AT = Query(float, "select extract(epoch from checked_at)::float8 as at from write_checks")
LOCK = Write(Nothing, "lock table write_checks in share mode")
NAME = Query(str, "select current_database()::text as name")


async def test_a_database_that_takes_writes_is_asked_only_now_and_then(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = WriteCheck(db)
    await check.run()
    [first] = await db.alone(CHECKED_AT)
    await check.run()
    assert await db.alone(CHECKED_AT) == [first]
    monkeypatch.setattr(write_check, "EVERY_S", 0.0)
    often = WriteCheck(db)
    await often.run()
    await often.run()
    [second] = await db.alone(CHECKED_AT)
    assert second > first


async def test_a_read_only_database_answers_and_fails_the_check(
    db: Database, database_url: str
) -> None:
    [name] = await db.alone(NAME)
    await execute(database_url, f"alter database {name} set default_transaction_read_only = on")
    reader = await Database.open(database_url)
    try:
        assert await reader.answers()
        with pytest.raises(DatabaseNotWritable) as failed:
            await WriteCheck(reader).run()
    finally:
        await reader.close()
    assert "read-only" in str(failed.value.facts["reason"])


async def test_a_write_that_hangs_fails_the_check_until_one_succeeds(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = WriteCheck(db)
    async with db.transaction() as tx:
        await tx.run(LOCK)
        with pytest.raises(DatabaseNotWritable):
            await check.run(within_s=0.2)
        assert await db.answers()
    with pytest.raises(DatabaseNotWritable):  # it is not asked again at once
        await check.run()
    monkeypatch.setattr(write_check, "FAILED_S", 0.0)
    other = WriteCheck(db)
    async with db.transaction() as tx:
        await tx.run(LOCK)
        with pytest.raises(DatabaseNotWritable):
            await other.run(within_s=0.2)
    await other.run()
