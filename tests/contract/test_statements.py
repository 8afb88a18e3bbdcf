"""Every statement of the product, against the migrated schema."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from mindhit.db import Nothing, Query, Write
from tests.contract import rules
from tests.contract.schema import OWNER, Schema

STATEMENTS = dict(rules.statements())


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.fixture
async def schema(connection: asyncpg.Connection) -> Schema:
    return await rules.prepare(connection)


def test_there_are_statements_to_check() -> None:
    assert "mindhit.work.store.CLAIM" in STATEMENTS


async def test_every_statement_prepares_and_fills_its_row(connection: asyncpg.Connection) -> None:
    faults = [
        f for named in STATEMENTS.items() for f in await rules.column_faults(connection, named)
    ]
    assert faults == []


async def test_slices_write_their_own_tables_and_read_downwards(
    connection: asyncpg.Connection, schema: Schema
) -> None:
    faults = []
    for named in STATEMENTS.items():
        faults += await rules.ownership_faults(connection, schema, named)
    assert faults == []


async def test_statements_on_peoples_data_are_limited_to_one_person(
    connection: asyncpg.Connection, schema: Schema
) -> None:
    faults = []
    for named in STATEMENTS.items():
        faults += await rules.privacy_faults(connection, schema, named)
    assert faults == []


async def test_tables_that_only_refer_to_people_are_personal_too(schema: Schema) -> None:
    derived = {table for table in schema.personal if OWNER not in schema.columns[table]}
    assert derived >= {"page_visits", "raw_events", "highlights", "session_pauses"}
    assert not schema.personal & {"urls", "jobs", "schema_migrations", "rate_limits"}


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
def test_a_statement_that_is_no_module_variable_is_found(tmp_path: Path, planted: str) -> None:
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
    schema = await rules.prepare(connection)
    upward = Query(int, "select id from visits")
    across = Write(int, "with w as (update visits set id = 1 returning id) select id from w")
    sneaky = Query(int, "with w as (delete from jobs returning id) select id from w")
    for name, statement in (("work", upward), ("insight", across), ("work", sneaky)):
        named = (f"mindhit.{name}.store.X", statement)
        assert await rules.ownership_faults(connection, schema, named)
    named = ("mindhit.insight.store.R", upward)
    assert await rules.ownership_faults(connection, schema, named) == []


async def test_a_statement_on_the_log_is_found_though_the_log_is_empty(
    connection: asyncpg.Connection, schema: Schema
) -> None:
    reading = Query(int, "select seq from raw_events where month = $1 and session_id = $2")
    [fault] = await rules.ownership_faults(connection, schema, ("mindhit.work.store.X", reading))
    assert fault == "mindhit.work.store.X reads raw_events, which is tracking's, above it"


@pytest.mark.parametrize(
    "sql",
    [
        "select id from sessions where user_id = $1",
        "select id from sessions where user_id is not distinct from $1",
        "select id from sessions where user_id = any ($1::uuid[])",
        "select id from page_contents where user_id = $1 or user_id is null",
        "select user_code from connections where user_code = $1 and user_id is null",
        "insert into deleted_sessions (user_id, session_id) values ($1, $2)",
        "update sessions set title = $3 where id = $1 and user_id = $2",
        "delete from devices d using users u where d.user_id = u.id and u.id = $1",
        # Without a user_id: through the session's.
        """select v.title from page_visits v join sessions s on s.id = v.session_id
        where s.user_id = $1""",
        """select v.title from page_visits v, sessions s
        where v.session_id = $2 and s.id = $2 and s.user_id = $1""",
        """select (select count(*) from highlights h where h.session_id = s.id)
        from sessions s where s.user_id = $1""",
        """select count(*) from raw_events where session_id in
        (select id from sessions where user_id = $1)""",
        """with gone as (delete from sessions where user_id = $1 returning id)
        delete from session_pauses p using gone where p.session_id = gone.id""",
        """insert into session_pauses (session_id, entered_at, left_at, kind)
        select s.id, $3, $4, 'idle' from sessions s where s.id = $1 and s.user_id = $2""",
        # What is nobody's.
        "select id from urls where url = $1",
    ],
)
async def test_a_statement_that_is_limited_to_one_person_passes(
    connection: asyncpg.Connection, schema: Schema, sql: str
) -> None:
    named = ("mindhit.tracking.store.X", Write(Nothing, sql))
    assert await rules.privacy_faults(connection, schema, named) == []


@pytest.mark.parametrize(
    ("table", "sql"),
    [
        ("sessions", "select id from sessions where id = $1"),
        # Mentioned, but not compared with anybody.
        ("sessions", "select id, user_id from sessions order by user_id"),
        ("sessions", "select id from sessions where user_id = user_id"),
        ("sessions", "select id from sessions where user_id is not null"),
        ("sessions", "select id from sessions where user_id <> $1"),
        ("sessions", "select id from sessions where id = $2 or user_id = $1"),
        ("sessions", "update sessions set user_id = $1 where id = $2"),
        ("devices", "select d.id from devices d join users u on u.id = d.user_id"),
        ("page_contents", "insert into page_contents (id, content) values ($1, $2)"),
        # One of two is limited, the other is not.
        (
            "devices",
            "select s.id from sessions s, devices d where s.user_id = $1 and d.id = $2",
        ),
        # Without a user_id, and with no way to somebody's session.
        ("page_visits", "select title from page_visits where session_id = $1"),
        (
            "page_visits, sessions",
            "select v.title from page_visits v join sessions s on s.id = v.session_id",
        ),
        (
            "page_visits",
            "select v.title from page_visits v, sessions s where s.user_id = $1",
        ),
        (
            "page_visits",
            """select v.title from page_visits v join sessions s on s.page_count = v.tab_id
            where s.user_id = $1""",
        ),
        (
            "page_visits",
            """select v.title from sessions s left join page_visits v on v.session_id = s.id
            or v.tab_id = 1 where s.user_id = $1""",
        ),
        (
            "page_visits",
            """select v.title from page_visits v
            left join sessions s on s.id = v.session_id and s.user_id = $1""",
        ),
        (
            "page_visits",
            """select v.title from page_visits v
            left join sessions s on s.id = $2 and s.user_id = $1 where v.session_id = $2""",
        ),
        (
            "page_visits",
            """select v.title from page_visits v where not exists
            (select from sessions s where s.id = v.session_id and s.user_id = $1)""",
        ),
        (
            "page_visits",
            """select (select s.title from sessions s where s.id = v.session_id and s.user_id = $1)
            from page_visits v""",
        ),
        (
            "highlights",
            """select exists (select from sessions where id = $1 and user_id = $2),
            (select count(*) from highlights where session_id = $1)""",
        ),
        (
            "highlights",
            """with gone as (delete from highlights where session_id = $1)
            delete from sessions where id = $1 and user_id = $2""",
        ),
        ("raw_events", "delete from raw_events where month = $1 and session_id = $2"),
        (
            "session_pauses",
            """insert into session_pauses (session_id, entered_at, left_at, kind)
            values ($1, $2, $3, 'idle')""",
        ),
    ],
)
async def test_a_statement_that_forgets_the_person_is_found(
    connection: asyncpg.Connection, schema: Schema, table: str, sql: str
) -> None:
    name = "mindhit.tracking.store.X"
    faults = await rules.privacy_faults(connection, schema, (name, Write(Nothing, sql)))
    assert faults == [f"{name} is not limited to one person's {table}, and gives no reason"]
    reasoned = Write(Nothing, sql, across_users="retention looks at everyone's")
    assert await rules.privacy_faults(connection, schema, (name, reasoned)) == []


async def test_a_reason_without_need_is_found(
    connection: asyncpg.Connection, schema: Schema
) -> None:
    sql = "select id from sessions where user_id = $1"
    needless = Write(Nothing, sql, across_users="retention looks at everyone's")
    assert await rules.privacy_faults(connection, schema, ("mindhit.tracking.store.X", needless))


async def test_a_new_table_of_peoples_data_is_known_by_its_columns(
    connection: asyncpg.Connection,
) -> None:
    await connection.execute("create table walks (id uuid primary key, user_id uuid not null)")
    await connection.execute("create table steps (walk_id uuid not null, length int)")
    await connection.execute("create table sounds (by uuid references walks)")
    schema = await rules.prepare(connection)
    assert {"walks", "steps", "sounds"} <= schema.personal
    forgetful = Query(int, "select length from steps")
    assert await rules.privacy_faults(connection, schema, ("mindhit.walking.store.X", forgetful))
