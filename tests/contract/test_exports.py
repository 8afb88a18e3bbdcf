"""An export holds everything there is of a person: every table, every column, every row.

What a slice leaves out, it names with the reason in its tests/<slice>/contract.py.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from mindhit.db import Database
from tests.accounts.kit import add, browser_of, export, product, rows, unpack
from tests.contract import plans, rules
from tests.contract.schema import OWNER, PEOPLE, Connection, Schema
from tests.contract.schema import read as read_schema
from tests.contract.slices import contracts, live

CANARY, OTHER = "of-ada-alone", "of-grace-alone"


async def columns_of(connection: Connection, schema: Schema, sql: str) -> Counter[tuple[str, str]]:
    """Table and column of everything that a query answers as it is stored."""
    answered = len((await connection.prepare(sql)).get_attributes())
    plan = await plans.plan_of(connection, sql)
    scans = plans.read(plan, schema).scans
    found: Counter[tuple[str, str]] = Counter()
    for expression in plan["Output"][:answered]:  # behind them is what only sorts
        alias, _, column = expression.replace('"', "").rpartition(".")
        table = _table(scans, alias)
        if column in schema.columns.get(table, ()):
            found[table, column] += 1
    return found


def _table(scans: dict[str, str], alias: str) -> str:
    """Partitions of a table `e` are scanned as `e_1`, `e_2` …; without an alias there is one table."""
    partitions = (table for name, table in scans.items() if name.rpartition("_")[0] == alias)
    return scans.get(alias) or next(partitions if alias else iter(scans.values()), "")


async def exported(db: Database) -> dict[str, Counter[tuple[str, str]]]:
    """Name of a file → what its query answers."""
    async with db.transaction() as tx:
        schema = await rules.prepare(tx._connection)
        return {
            name: await columns_of(tx._connection, schema, query.sql)
            for name, query in product().exports.items()
        }


def test_no_column_is_left_out_without_a_reason(
    personal: dict[str, list[str]], given: set[tuple[str, str]], reasons: dict[str, str]
) -> None:
    missing = {
        f"{table}.{column}"
        for table, columns in personal.items()
        for column in columns
        if (table, column) not in given and column not in {"", OWNER} and table not in reasons
    }
    assert missing - set(reasons) == set(), (
        "add them to the slice's export, or to `not_exported` in its tests/<slice>/contract.py"
    )


def test_no_reason_is_given_for_what_is_exported_or_gone(
    personal: dict[str, list[str]], given: set[tuple[str, str]], reasons: dict[str, str]
) -> None:
    tables = {table for table, _ in given}
    left_out = {f"{table}.{column}" for table, found in personal.items() for column in found}
    left_out -= {f"{table}.{column}" for table, column in given}
    left_out |= {table for table in personal if table not in tables}
    assert set(reasons) <= left_out
    assert all(reasons.values())


async def test_every_row_of_a_person_is_in_their_export_and_nobody_elses(db: Database) -> None:
    ada, grace = await add(db, f"ada-{CANARY}@example.org"), await add(db, "grace@example.org")
    await live(db, ada, CANARY)
    await live(db, grace, OTHER)
    async with db.read() as tx:
        schema = await read_schema(tx._connection)
    async with browser_of(db, ada) as browser:
        files = unpack(await export(db, browser))
    for name, columns in (await exported(db)).items():
        assert columns, f"{name}.json: no column of a table is known"
        main = Counter(table for table, _ in columns).most_common(1)[0][0]
        [[count]] = await rows(
            db, f"select count(*) from {main} t where {schema.owned(main)}", ada.id
        )
        # Downloading it is itself an event, written after it.
        expected = count - 1 if main == "security_events" else count
        assert len(files[name]) == expected > 0, f"{name}.json has not as many rows as {main}"
    text = json.dumps(files)
    assert CANARY in text
    assert OTHER not in text
    assert "grace" not in text
    assert "argon2" not in text


async def test_an_export_can_be_read_without_this_program(db: Database) -> None:
    ada = await add(db, f"ada-{CANARY}@example.org")
    await live(db, ada, CANARY)
    async with browser_of(db, ada) as browser:
        files = unpack(await export(db, browser))
    assert files["account"][0]["email"] == ada.email
    assert files["settings"][0]["excluded_domains"] == [f"{CANARY}.example"]
    assert sum(device["tokens"] for device in files["devices"]) == len(
        await rows(db, "select from tokens where user_id = $1", ada.id)
    )
    assert {each["event"] for each in files["security_events"]} >= {"signed_in", "token_made"}
    assert {each["type"] for each in files["raw_events"]} >= {"NAV_COMMITTED", "HIGHLIGHT", "ALIVE"}
    assert {each["text"] for each in files["highlights"]} == {CANARY}
    assert files["page_contents"][0]["favicon"].startswith("data:image/png")
    assert files["sessions"][0]["device_id"] in {each["id"] for each in files["devices"]}


async def test_partitions_are_read_as_the_table_they_belong_to(db: Database) -> None:
    async with db.transaction() as tx:
        for year in (1990, 1991):
            await tx._connection.execute(
                f"create table raw_events_of_{year} partition of raw_events"
                f" for values from ('{year}-01-01') to ('{year}-02-01')"
            )
        schema = await rules.prepare(tx._connection)
        found = await columns_of(
            tx._connection,
            schema,
            "select e.seq, e.type from sessions s join raw_events e on e.session_id = s.id"
            " where s.user_id = $1",
        )
    assert found == {("raw_events", "seq"): 1, ("raw_events", "type"): 1}


async def test_what_a_query_answers_is_read_from_its_plan(db: Database) -> None:
    async with db.transaction() as tx:
        schema = await rules.prepare(tx._connection)
        found = await columns_of(
            tx._connection,
            schema,
            "select s.id, s.error is null as is_right, u.url from sessions s"
            " join page_visits v on v.session_id = s.id join urls u on u.id = v.url_id"
            " where s.user_id = $1 order by v.visit_order",
        )
        alone = await columns_of(
            tx._connection, schema, "select at from security_events order by id"
        )
    assert set(found) == {("sessions", "id"), ("urls", "url")}
    assert set(alone) == {("security_events", "at")}


@pytest.fixture
async def personal(db: Database) -> dict[str, list[str]]:
    """Columns of every table that holds people's data."""
    async with db.read() as tx:
        schema = await read_schema(tx._connection)
    return {table: schema.columns[table] for table in {*schema.personal, PEOPLE}}


@pytest.fixture
async def given(db: Database) -> set[tuple[str, str]]:
    """Table and column of everything that is in some file."""
    return {each for columns in (await exported(db)).values() for each in columns}


@pytest.fixture
def reasons() -> dict[str, str]:
    return {name: why for each in contracts().values() for name, why in each.not_exported.items()}
