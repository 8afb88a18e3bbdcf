"""Every statement of the product by name, as the server gets it, with its plan.

A statement is a `Query` or a `Write` at the top level of a module. Its full name is the first module
that has it and its constant (`mindhit.work.store.CLAIM`). People write `work.CLAIM`, or leave out
`mindhit.` where a slice has two statements with the same constant.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import asyncpg

import mindhit
from mindhit.db.failures import in_our_words
from mindhit.db.query import Statement, parameters_of
from mindhit.errors import NotFound

SUGGESTIONS = 5


class StatementNotFound(NotFound):
    """There is no statement with that name."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A statement, the types of its parameters in order, its generic plan, line by line, and the
    parameters' names where it has any."""

    name: str
    sql: str
    parameters: list[str]
    plan: list[str]
    names: list[str] = field(default_factory=list)


def statements() -> Iterator[tuple[str, Statement[Any]]]:
    """Every statement under its full name. Imports every module of the product."""
    seen: set[int] = set()
    for info in pkgutil.walk_packages(mindhit.__path__, "mindhit."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if isinstance(value, Statement) and id(value) not in seen:
                seen.add(id(value))
                yield f"{info.name}.{name}", value


def listed(full_names: Iterable[str]) -> list[str]:
    """The shortest unambiguous name of each statement, sorted."""
    full_names = list(full_names)
    counts = Counter(map(_in_slice, full_names))
    return sorted(
        _in_slice(name) if counts[_in_slice(name)] == 1 else _without_root(name)
        for name in full_names
    )


def find(name: str) -> tuple[str, Statement[Any]]:
    """The statement with this full name, listed name or, where it is the only one, constant."""
    everything = dict(statements())
    wanted = name.casefold()
    for spelling in (str, _without_root, _in_slice, _constant):
        found = [full for full in everything if spelling(full).casefold() == wanted]
        if len(found) == 1:
            return found[0], everything[found[0]]
        if found:
            raise StatementNotFound(
                f"{name} is the name of {len(found)} statements.",
                way_out=f"Write one of these: {', '.join(listed(found))}.",
            )
    near = _close_names(wanted, everything)
    raise StatementNotFound(
        f"There is no statement named {name}.",
        way_out=f"Did you mean {', '.join(near)}?" if near else "`mindhit db statement` lists all.",
    )


async def explain(url: str, name: str, statement: Statement[Any]) -> Explained:
    """Ask a server for the types of a statement's parameters and its plan; nothing is run."""
    with in_our_words(is_connecting=True):
        connection = await asyncpg.connect(
            url, timeout=10, server_settings={"application_name": "mindhit db statement"}
        )
    try:
        with in_our_words():
            prepared = await connection.prepare(statement.sql)
            parameters = [each.name for each in prepared.get_parameters()]
            # Not `explain (generic_plan)`, which PostgreSQL 15 does not have.
            await connection.execute("set plan_cache_mode = force_generic_plan")
            await connection.execute(f"prepare explained as {statement.sql}")
            nulls = f"({', '.join(['null'] * len(parameters))})" if parameters else ""
            lines = await connection.fetch(f"explain execute explained{nulls}")
    finally:
        await connection.close()
    names = [] if statement.params is None else parameters_of(statement.params)
    return Explained(name, statement.sql.strip(), parameters, [line[0] for line in lines], names)


def pasteable(explained: Explained) -> str:
    """A PREPARE that can be pasted into psql, with the plan in comments."""
    types = f" ({', '.join(explained.parameters)})" if explained.parameters else ""
    prepared = _in_slice(explained.name).replace(".", "_").lower()
    numbered = [
        " ".join(filter(None, (f"${n}", name, type_)))
        for n, (name, type_) in enumerate(
            zip_longest(explained.names, explained.parameters, fillvalue=""), 1
        )
    ]
    return "\n".join(
        [
            f"-- {explained.name}",
            f"-- parameters: {', '.join(numbered) or 'none'}",
            f"prepare {prepared}{types} as",
            f"{explained.sql};",
            "",
            *(f"-- {line}" for line in explained.plan),
        ]
    )


def _without_root(full_name: str) -> str:
    return full_name.removeprefix("mindhit.")


def _in_slice(full_name: str) -> str:
    """`work.CLAIM` of `mindhit.work.store.CLAIM`: the slice and the constant."""
    _, slice_, *_, constant = full_name.split(".")
    return f"{slice_}.{constant}"


def _constant(full_name: str) -> str:
    return full_name.rpartition(".")[2]


def _close_names(wanted: str, names: Iterable[str]) -> list[str]:
    """Short names that are near to what was typed, as a whole or in their constant."""
    near: list[str] = []
    by_spelling: dict[str, list[str]] = {}
    for full in names:
        for spelling in (_in_slice(full), _constant(full)):
            by_spelling.setdefault(spelling.casefold(), []).append(_in_slice(full))
    for spelling in difflib.get_close_matches(wanted, by_spelling, 2 * SUGGESTIONS):
        near += [name for name in by_spelling[spelling] if name not in near]
    return near[:SUGGESTIONS]
