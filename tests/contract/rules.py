"""The rules that every statement of the product keeps, as functions a test can also break.

A slice writes only its own tables and reads its own and those of slices below it; a statement on
people's data names whose it is; a row type has exactly the columns that the statement gives.
"""

from __future__ import annotations

import ast
import dataclasses
import tomllib
import types
import typing
import uuid
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

import mindhit
from mindhit.db import Nothing, Query, Statement
from mindhit.db import statements as db_statements
from tests.contract import plans
from tests.contract.schema import Connection, Schema
from tests.contract.schema import read as read_schema

Named = tuple[str, Statement[Any]]
statements = db_statements.statements

TYPES: dict[str, tuple[object, ...]] = {
    "bool": (bool,),
    "int2": (int,),
    "int4": (int,),
    "int8": (int,),
    "float8": (float,),
    "numeric": (Decimal,),
    "text": (str,),
    "bytea": (bytes,),
    "uuid": (uuid.UUID,),
    "timestamptz": (datetime,),
    "time": (time,),
    "date": (date,),
    "text[]": (list[str],),
    "int8[]": (list[int],),
    "float8[]": (list[float],),
    "uuid[]": (list[uuid.UUID],),
}


def sources() -> list[Path]:
    return sorted(Path(mindhit.__file__).parent.rglob("*.py"))


def hidden_statements(file: Path) -> list[str]:
    """Statements that are not a module's own variables, where `statements` would miss them."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    ours = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mindhit.db")
        for name in node.names
    }
    in_sight = {
        id(node.value) for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)
    }
    return [
        f"{file.name}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {*(ours & {"Query", "Write"}), "db.Query", "db.Write"}
        and id(node) not in in_sight
    ]


def layers() -> list[set[str]]:
    """The layers of the import contract, highest first."""
    root = Path(mindhit.__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    [contract] = [c for c in project["tool"]["importlinter"]["contracts"] if c["type"] == "layers"]
    return [{part.strip(" ()") for part in layer.split("|")} for layer in contract["layers"]]


def may_read(reader: str, owner: str) -> bool:
    height = {name: number for number, layer in enumerate(layers()) for name in layer}
    return reader == owner or height[reader] < height[owner]


async def owners(connection: Connection) -> dict[str, str]:
    """Table → slice, from the comment that every table carries: `work: what it is for`."""
    rows = await connection.fetch(
        "select c.relname, obj_description(c.oid, 'pg_class') from pg_class c"
        " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')"
        "   and not c.relispartition"
    )
    return {name: (comment or "").partition(":")[0] for name, comment in rows}


async def prepare(connection: Connection) -> Schema:
    """The schema as it is in use: the log has a month, without which a plan does not show it."""
    await connection.execute("select make_raw_events_partition('2025-06-01')")
    return await read_schema(connection)


async def ownership_faults(connection: Connection, schema: Schema, named: Named) -> list[str]:
    name, statement = named
    slice_ = name.split(".")[1]
    owner = await owners(connection)
    plan = await plans.plan_of(connection, statement.sql)
    reads, writes = plans.relations(plan, schema)
    faults = [
        f"{name} writes {table}, which is {owner[table]}'s"
        for table in writes
        if owner.get(table, slice_) != slice_
    ]
    faults += [
        f"{name} reads {table}, which is {owner[table]}'s, above it"
        for table in reads
        if table in owner and not may_read(slice_, owner[table])
    ]
    if writes and isinstance(statement, Query):
        faults.append(f"{name} is a Query and writes {', '.join(sorted(writes))}")
    return faults


async def privacy_faults(connection: Connection, schema: Schema, named: Named) -> list[str]:
    """Scans and inserts of people's data that are not limited to one person, without a reason; and
    reasons for which there is no need."""
    name, statement = named
    reading = plans.read(await plans.plan_of(connection, statement.sql), schema)
    limited = reading.limited()
    open_ = {
        table
        for scan, table in reading.scans.items()
        if table in schema.personal and scan not in limited
    }
    if open_ and not statement.across_users:
        tables = ", ".join(sorted(open_))
        return [f"{name} is not limited to one person's {tables}, and gives no reason"]
    if statement.across_users and not open_:
        return [f"{name} is limited to one person's rows: its across_users has no use"]
    return []


async def column_faults(connection: Connection, named: Named) -> list[str]:
    name, statement = named
    columns = (await connection.prepare(statement.sql)).get_attributes()
    if statement.row is Nothing:
        return []
    fields = _fields(statement.row)
    if not fields:
        return _type_faults(f"{name}", columns[0].type.name, statement.row)
    hints = typing.get_type_hints(statement.row)
    given = [column.name for column in columns]
    if fields != given:
        return [f"{name} gives {given}, but {statement.row.__name__} has {fields}"]
    return [
        fault
        for column in columns
        for fault in _type_faults(f"{name}.{column.name}", column.type.name, hints[column.name])
    ]


def _fields(row: Any) -> list[str]:
    """Of a dataclass or a struct; none where a row is one value."""
    if dataclasses.is_dataclass(row):
        return [field.name for field in dataclasses.fields(row)]
    is_struct = isinstance(row, type) and issubclass(row, msgspec.Struct)
    return list(row.__struct_fields__) if is_struct else []


def _type_faults(place: str, column: str, hint: object) -> list[str]:
    if column == "jsonb":
        return []
    wanted = TYPES.get(column)
    if wanted is None:
        return [f"{place} has the type {column}, for which there is no rule"]
    return [] if _plain(hint) in wanted else [f"{place} is {column}, but the row says {hint}"]


def _plain(hint: object) -> object:
    """`str | None` is str, a NewType is what it is made of, a StrEnum is read as text."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        [hint] = [part for part in typing.get_args(hint) if part is not type(None)]
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    return hint
