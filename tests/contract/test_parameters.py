"""Statements with a dataclass of parameters: the fields have the types that the server expects."""

from __future__ import annotations

import re
import types
import typing
import uuid
from collections.abc import AsyncIterator
from dataclasses import make_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import asyncpg
import pytest

from mindhit.db import Query, Statement
from mindhit.db.query import parameters_of
from tests.contract import rules

MANY = 8
STATEMENTS = dict(rules.statements())
NAMED = {name: each for name, each in STATEMENTS.items() if each.params is not None}
TYPES: dict[str, object] = {
    "bool": bool,
    "int4": int,
    "int8": int,
    "float8": float,
    "text": str,
    "tsquery": str,  # as text, which the server reads
    "bytea": bytes,
    "numeric": Decimal,
    "uuid": uuid.UUID,
    "date": date,
    "time": time,
    "timestamptz": datetime,
    "uuid[]": list[uuid.UUID],
    "text[]": list[str],
    "int4[]": list[int],
    "float8[]": list[float],
    "bytea[]": list[bytes],
    "jsonb[]": list[bytes],
    "timestamptz[]": list[datetime],
}


def _field(params: type[Any], path: str) -> object:
    for name in path.split("."):
        params = typing.get_type_hints(params)[name]
    return params


def _without_none(hint: object) -> object:
    """`int | None` is int; `list[str | None]` is list[str]; an id is what it is made of."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        [hint] = [each for each in typing.get_args(hint) if each is not type(None)]
    if isinstance(hint, typing.NewType):
        return hint.__supertype__
    if typing.get_origin(hint) is list:
        [item] = typing.get_args(hint)
        return types.GenericAlias(list, (_without_none(item),))
    return hint


def _faults(statement: Statement[Any], expected: list[str]) -> list[str]:
    assert statement.params is not None
    paths = parameters_of(statement.params)
    faults = [] if len(paths) == len(expected) else [f"{len(paths)} fields for {expected}"]
    for path, name in zip(paths, expected, strict=False):
        hint = _without_none(_field(statement.params, path))
        is_json = name == "jsonb" or (name == "jsonb[]" and hint == list[Any])
        if not is_json and hint != TYPES.get(name):
            faults.append(f"{path} is {hint}, but the server expects {name}")
    return faults


async def _expected(connection: asyncpg.Connection, sql: str) -> list[str]:
    prepared = await connection.prepare(sql)
    return [each.name for each in prepared.get_parameters()]


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def test_fields_have_the_types_that_the_server_expects(
    connection: asyncpg.Connection,
) -> None:
    assert "mindhit.tracking.store.ingesting.WRITE" in NAMED
    faults = []
    for name, statement in NAMED.items():
        expected = await _expected(connection, statement.sql)
        faults += [f"{name}: {fault}" for fault in _faults(statement, expected)]
    assert faults == []


async def test_a_field_of_another_type_is_found(connection: asyncpg.Connection) -> None:
    planted = make_dataclass("Planted", [("low", int), ("name", int)])
    wrong = Query(int, "select $low::int + length($name::text)", params=planted)
    assert _faults(wrong, await _expected(connection, wrong.sql)) == [
        "name is <class 'int'>, but the server expects text"
    ]


def test_many_parameters_are_passed_by_name() -> None:
    by_position = [
        name
        for name, statement in STATEMENTS.items()
        if statement.params is None and len(set(re.findall(r"\$\d+", statement.sql))) > MANY
    ]
    assert by_position == []
