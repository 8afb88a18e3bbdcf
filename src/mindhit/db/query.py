"""Statements: plain SQL with the type of the rows it gives.

A row is a dataclass, or a struct where it goes out as JSON as it is, or the one value of its column.
A `Query` reads and a `Write` changes; a read handle takes only the former, so the type checker
stops a write through it. The SQL stands as it would in psql, with `$1` parameters. Rows are
filled by position, which is fast and blind: a contract test PREPAREs every statement against the
migrated schema and compares the columns' names, order and types with the row's fields.

    BY_ID = Query(Claimed, "select id, kind from jobs where id = $1")
    FINISH = Write(Nothing, "update jobs set … where id = $1")
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, cast

import msgspec

Row = TypeVar("Row")


class Nothing:
    """The rows of a statement that gives none."""


class Statement(Generic[Row]):
    """What `Query` and `Write` share: SQL, the type of its rows, and how a record becomes one.

    `across_users` is the reason why a statement on people's data is not limited to one person's
    rows by a compared `user_id` (a sweep, say). Without one, the contract test wants the comparison.
    """

    def __init__(self, row: type[Row], sql: str, *, across_users: str = "") -> None:
        self.row: Final = row
        self.sql: Final = sql
        self.across_users: Final = across_users
        self.make: Final[Callable[[Any], Row]] = _maker(row)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({' '.join(self.sql.split())[:60]}…)"


class Query(Statement[Row]):
    """A statement that only reads."""


class Write(Statement[Row]):
    """A statement that changes something, and perhaps tells what."""


def _maker(row: type[Row]) -> Callable[[Any], Row]:
    if dataclasses.is_dataclass(row) or (isinstance(row, type) and issubclass(row, msgspec.Struct)):
        return lambda record: row(*record)
    return lambda record: cast("Row", record[0])
