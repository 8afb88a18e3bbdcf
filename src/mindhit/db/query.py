"""Statements: plain SQL with the type of its rows, and of its parameters where there are many.

A row is a dataclass, or a struct where it is sent as JSON unchanged, or the value of its only column.
A `Query` reads and a `Write` changes; a read handle accepts only the former, so the type checker
stops a write through it. Rows are filled by position, which is fast but unchecked: a contract test
PREPAREs every statement against the migrated schema and compares the columns' names, order and types
with the row's fields.

    BY_ID = Query(Claimed, "select id, kind from jobs where id = $1")
    FINISH = Write(Nothing, "update jobs set … where id = $1")

Few parameters are `$1`, `$2` …, passed by position. A statement with many takes a dataclass, and
its SQL names the fields, so that no two can be swapped. A field that is itself a dataclass
contributes its own fields:

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Progress:
        id: UUID
        next_seq: int
        max_seq: int

    KEEP = Write(
        Nothing,
        "update sessions set next_seq = $next_seq, max_seq = $max_seq where id = $id",
        params=Progress,
    )
    await tx.run(KEEP, Progress(id=…, next_seq=…, max_seq=…))

`statement.sql` is what the server gets, with the names replaced by `$1`, `$2` … in the order of the
fields.
"""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar, cast

import msgspec

Row = TypeVar("Row")
_NAME: Final = re.compile(r"\$([a-z_]\w*)")


class Nothing:
    """The rows of a statement that returns none."""


class Statement(Generic[Row]):
    """What `Query` and `Write` share: SQL, the types of its rows and parameters.

    `across_users` is the reason why a statement on people's data is not limited to one person's rows
    by a compared `user_id` (a sweep, for example). Without one, the contract test requires it.
    """

    def __init__(
        self, row: type[Row], sql: str, *, params: type[Any] | None = None, across_users: str = ""
    ) -> None:
        self.row: Final = row
        self.params: Final = params
        paths = [] if params is None else parameters_of(params)
        self.sql: Final = sql if params is None else _numbered(sql, paths, params)
        self.across_users: Final = across_users
        self.make: Final[Callable[[Any], Row]] = _maker(row)
        self._values_of: Final = attrgetter(*paths) if len(paths) > 1 else None

    def arguments(self, values: Sequence[object]) -> Sequence[object]:
        """The values of `$1`, `$2` …, from what a caller passed."""
        if self.params is None:
            return values
        if len(values) != 1 or type(values[0]) is not self.params:
            raise TypeError(f"{self!r} takes one {self.params.__name__}")
        assert self._values_of is not None
        return cast("Sequence[object]", self._values_of(values[0]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({' '.join(self.sql.split())[:60]}…)"


class Query(Statement[Row]):
    """A statement that only reads."""


class Write(Statement[Row]):
    """A statement that changes something, and may return rows."""


def parameters_of(params: type[Any], prefix: str = "") -> list[str]:
    """The fields of a dataclass of parameters, in order; those of nested ones as `field.field`."""
    hints = typing.get_type_hints(params)
    found: list[str] = []
    for field in dataclasses.fields(params):
        path, hint = prefix + field.name, hints[field.name]
        nested = isinstance(hint, type) and dataclasses.is_dataclass(hint)
        found += parameters_of(hint, f"{path}.") if nested else [path]
    return found


def _numbered(sql: str, paths: Sequence[str], params: type[Any]) -> str:
    """`$name` becomes `$n`. Raises where names and fields differ: a statement that cannot run should
    not be imported."""
    names = [path.rpartition(".")[2] for path in paths]
    written = set(_NAME.findall(sql))
    faults = [
        *(f"{name} is no field" for name in sorted(written - set(names))),
        *(f"{name} is not used" for name in names if name not in written),
        *(f"{name} is there twice" for name in sorted({n for n in names if names.count(n) > 1})),
    ]
    if faults or len(names) < 2:
        raise TypeError(f"{params.__name__}: {', '.join(faults) or 'too few fields'}")
    numbers = {name: number for number, name in enumerate(names, 1)}
    return _NAME.sub(lambda found: f"${numbers[found[1]]}", sql)


def _maker(row: type[Row]) -> Callable[[Any], Row]:
    if dataclasses.is_dataclass(row) or (isinstance(row, type) and issubclass(row, msgspec.Struct)):
        return lambda record: row(*record)
    return lambda record: cast("Row", record[0])
