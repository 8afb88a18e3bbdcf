"""Every statement of the product, against the migrated schema."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from mindhit.db import Query, Write
from tests.contract import rules

STATEMENTS = dict(rules.statements())


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


def test_there_are_statements_to_check() -> None:
    assert "mindhit.work.store.CLAIM" in STATEMENTS


async def test_every_statement_prepares_and_fills_its_row(connection: asyncpg.Connection) -> None:
    faults = [
        f for named in STATEMENTS.items() for f in await rules.column_faults(connection, named)
    ]
    assert faults == []


async def test_slices_write_their_own_tables_and_read_downwards(
    connection: asyncpg.Connection,
) -> None:
    faults = []
    for named in STATEMENTS.items():
        faults += await rules.ownership_faults(connection, named)
    assert faults == []


async def test_statements_on_peoples_data_name_the_person(connection: asyncpg.Connection) -> None:
    faults = []
    for named in STATEMENTS.items():
        faults += await rules.privacy_faults(connection, named)
    assert faults == []


async def test_every_table_has_an_owner_that_exists(connection: asyncpg.Connection) -> None:
    slices = set().union(*rules.layers())
    strays = {t: o for t, o in (await rules.owners(connection)).items() if o not in slices}
    assert strays == {}


def test_statements_stand_where_the_rules_find_them() -> None:
    assert [hidden for file in rules.sources() for hidden in rules.hidden_statements(file)] == []


@pytest.mark.parametrize(
    "planted",
    [
        "def f():\n    return Write(int, 'delete from jobs')",
        "ALL = (Query(int, 'select 1'),)",
        "class C:\n    Q = Query(int, 'select 1')",
        "f(db.Query(int, 'select 1'))",
    ],
)
def test_a_statement_in_hiding_is_found(tmp_path: Path, planted: str) -> None:
    file = tmp_path / "hiding.py"
    imports = "from mindhit.db import Query, Write\n"
    file.write_text(imports + planted)
    assert rules.hidden_statements(file)
    file.write_text(imports + "Q = Query(int, 'select 1')\nW: Final = Write(int, 'select 1')\n")
    assert rules.hidden_statements(file) == []


@dataclass(frozen=True, slots=True)
class WrongRow:
    id: str
    kind: str


async def test_a_row_with_other_columns_or_types_is_found(connection: asyncpg.Connection) -> None:
    swapped = Query(WrongRow, "select kind, id from jobs")
    mistyped = Query(WrongRow, "select id, kind from jobs")
    assert await rules.column_faults(connection, ("mindhit.work.store.X", swapped))
    assert await rules.column_faults(connection, ("mindhit.work.store.X", mistyped))


async def test_a_statement_on_a_strangers_table_is_found(connection: asyncpg.Connection) -> None:
    await connection.execute("create table visits (id int, user_id uuid)")
    await connection.execute("comment on table visits is 'tracking: planted'")
    upward = Query(int, "select id from visits")
    across = Write(int, "with w as (update visits set id = 1 returning id) select id from w")
    assert await rules.ownership_faults(connection, ("mindhit.work.store.UP", upward))
    assert await rules.ownership_faults(connection, ("mindhit.insight.store.X", across))
    assert await rules.ownership_faults(connection, ("mindhit.insight.store.R", upward)) == []
    sneaky = Query(int, "with w as (delete from jobs returning id) select id from w")
    assert await rules.ownership_faults(connection, ("mindhit.work.store.S", sneaky))


async def test_a_statement_that_forgets_the_person_is_found(connection: asyncpg.Connection) -> None:
    await connection.execute("create table visits (id int, user_id uuid)")
    forgetful = Query(int, "select id from visits")
    mindful = Query(int, "select id from visits where user_id = $1")
    sweep = Query(int, "select id from visits", across_users="retention looks at everyone's")
    assert await rules.privacy_faults(connection, ("mindhit.tracking.store.X", forgetful))
    assert await rules.privacy_faults(connection, ("mindhit.tracking.store.X", mindful)) == []
    assert await rules.privacy_faults(connection, ("mindhit.tracking.store.X", sweep)) == []
