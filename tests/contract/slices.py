"""What each slice says of itself for the contract tests: one `CONTRACT` in `tests/<slice>/contract.py`.

The tests of isolation, of erasing and of exports find these files by themselves: a new slice adds its
own and edits none of the others'.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mindhit.accounts import Person, Scope
from mindhit.db import Database

TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "clients" / "ts" / "openapi.json"

Ids = dict[str, str]
Life = Callable[[Database, Person, str], Awaitable[Ids]]


async def _no_life(_db: Database, _person: Person, _canary: str) -> Ids:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """Routes are named as in `POST /v1/tokens`, columns as in `sessions.title`."""

    paths: tuple[str, ...] = ()
    """How the paths of this slice's routes begin; of two contracts the longer beginning counts."""
    bodies: Mapping[str, Any] = field(default_factory=dict)
    """What a route is sent where it wants a body: valid, so that only the rights can stop it."""
    queries: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """And in its query, where it requires one."""
    public: frozenset[str] = frozenset()
    """Routes that answer anybody, and have nothing of a person's."""
    scopes: Mapping[Scope, frozenset[str]] = field(default_factory=dict)
    """Routes that a token of this scope opens, of somebody who is not the owner."""
    last: frozenset[str] = frozenset()
    """Routes after which the key that called them is good for nothing."""
    life: Life = _no_life
    """Leaves rows of a person in every table of the slice that can hold them, with the canary in
    every text; answers one id of each kind that a path can name."""
    spent: frozenset[str] = frozenset()
    """Routes that do not know the id of that life any more, for anybody."""
    no_ids: Mapping[str, str] = field(default_factory=dict)
    """An id of each of those kinds that names nothing."""
    not_exported: Mapping[str, str] = field(default_factory=dict)
    """Tables and columns that a person's export leaves out → the reason."""
    outlives: Mapping[str, str] = field(default_factory=dict)
    """Tables that keep rows of a person's life, without a trace of the person → the reason."""


@dataclass(frozen=True, slots=True)
class Route:
    name: str
    method: str
    path: str
    ids: tuple[str, ...]
    has_body: bool

    def at(self, ids: Ids) -> str:
        return self.path.format(**{name: ids[name] for name in self.ids})


def contracts() -> dict[str, Contract]:
    """Slice → its contract, for every file there is."""
    names = sorted(file.parent.name for file in TESTS.glob("*/contract.py"))
    found = {name: importlib.import_module(f"tests.{name}.contract").CONTRACT for name in names}
    assert all(isinstance(contract, Contract) for contract in found.values())
    return found


def routes() -> list[Route]:
    """Every route of the OpenAPI document."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    return [
        Route(
            f"{method.upper()} {path}",
            method.upper(),
            path,
            tuple(re.findall(r"{(\w+)}", path)),
            "requestBody" in operation,
        )
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]


def slice_of(route: Route, of: Mapping[str, Contract]) -> str | None:
    """The slice whose contract speaks for a route."""
    fitting = [
        (len(path), name)
        for name, contract in of.items()
        for path in contract.paths
        if route.path == path or route.path.startswith((f"{path}/", f"{path}:"))
    ]
    return max(fitting)[1] if fitting else None


def route_faults(of: Mapping[str, Contract], all_routes: list[Route]) -> Iterator[str]:
    """Routes that no contract speaks for, or not in full; and words for routes that are gone."""
    yield from _unspoken(of, all_routes)
    known = {route.name: route for route in all_routes}
    for name, contract in of.items():
        where = f"tests/{name}/contract.py"
        for word, named in _named_routes(contract):
            if named not in known:
                yield f"{named} is no route, but `{word}` in {where} names it"
            elif slice_of(known[named], of) != name:
                yield f"{named} is another slice's, but `{word}` in {where} names it"
        for path in contract.paths:
            if not any(path in {route.path, *_beginnings(route.path)} for route in all_routes):
                yield f"no route begins with {path}, which `paths` in {where} names"


def _unspoken(of: Mapping[str, Contract], all_routes: list[Route]) -> Iterator[str]:
    for route in all_routes:
        name = slice_of(route, of)
        if name is None:
            yield f"{route.name}: add its path to `paths` in the tests/<slice>/contract.py it is of"
            continue
        where = f"in tests/{name}/contract.py"
        if route.has_body and route.name not in of[name].bodies:
            yield f"{route.name}: say {where} what it is sent (`bodies`)"
        for id_ in set(route.ids) - set(of[name].no_ids):
            yield f"{route.name}: say {where} what {id_} is (`life` and `no_ids`)"


def _named_routes(contract: Contract) -> Iterator[tuple[str, str]]:
    for word, names in (
        ("bodies", contract.bodies),
        ("queries", contract.queries),
        ("public", contract.public),
        ("last", contract.last),
        ("spent", contract.spent),
    ):
        yield from ((word, name) for name in names)
    for scope, names in contract.scopes.items():
        yield from ((f"scopes[{scope}]", name) for name in names)


def _beginnings(path: str) -> Iterator[str]:
    for index, letter in enumerate(path):
        if letter in "/:" and index:
            yield path[:index]


async def live(db: Database, person: Person, canary: str) -> Ids:
    """A full life: something of this person in every table that can hold it."""
    ids: Ids = {}
    found = contracts()
    # Forgetting, which is part of tracking's, takes along what these have made of a history.
    late = {"accounts", "insight", "language"}
    for name in sorted(found, key=lambda each: (each in late, each)):
        ids |= await found[name].life(db, person, canary)
    return ids
