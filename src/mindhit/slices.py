"""A slice is one object: what a part of the product hands to the rest.

A slice (`tracking`, `accounts`, …) exports one `SLICE`; `wiring.py` lists them, highest first, and
makes a `Product` of them and the settings. Names are checked when that happens, so two slices that
both declare the job `x:sweep`, the export file `pages` or the setting `timeout` fail at start
instead of overwriting each other.

    SLICE = Slice(
        "reminders",
        settings=RemindersSettings,   # a section of the configuration
        jobs=jobs,                    # argument types and their handlers
        schedules=schedules,          # recurring jobs
        exports={"alarms": …},        # what a person gets in their export: file name → query
        erase=erase,                  # delete a person's rows, in one transaction
        leave=leave,                  # outside any transaction, before a person is erased
        events=(ReminderDue,),        # what it publishes
    )
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from mindhit.db import Database, Query, Tx
from mindhit.errors import Broken
from mindhit.settings import Section, Settings
from mindhit.work import Handler, Schedule, kind_of

Jobs: TypeAlias = Mapping[type[Any], Handler]
Exports: TypeAlias = Mapping[str, Query[Any]]


class Erase(Protocol):
    """Delete a person's rows, in a transaction of its own. Runs once per address of the person
    and again after a crash, so a second run must do no harm."""

    def __call__(self, tx: Tx, user_id: UUID, email: str, /) -> Awaitable[object]: ...


class Leave(Protocol):
    """What must be done elsewhere before a person is erased: cancel a subscription, say. Runs
    outside any transaction, and again until it and every other slice's has succeeded, so a second run
    must do no harm."""

    def __call__(self, db: Database, user_id: UUID, settings: Settings, /) -> Awaitable[object]: ...


class NameTaken(Broken):
    """Two slices use the same name."""


class UnknownEvent(Broken):
    """There is a subscription to an event that no slice declares."""


def _no_jobs(_: Product) -> Jobs:
    return {}


def _no_schedules(_: Product) -> Sequence[Schedule]:
    return ()


@dataclass(frozen=True, slots=True)
class Slice:
    name: str
    settings: type[Section] | None = None
    jobs: Callable[[Product], Jobs] = _no_jobs
    schedules: Callable[[Product], Sequence[Schedule]] = _no_schedules
    exports: Exports = field(default_factory=dict)
    erase: Erase | None = None
    leave: Leave | None = None
    events: tuple[type[Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Product:
    """All slices, highest first, with the settings they run under."""

    settings: Settings
    slices: tuple[Slice, ...]
    subscriptions: Mapping[type[Any], Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check("slice", ((each.name, [each.name]) for each in self.slices))
        _check(
            "job", ((s.name, [kind_of(args).name for args in s.jobs(self)]) for s in self.slices)
        )
        _check("schedule", ((s.name, [x.name for x in s.schedules(self)]) for s in self.slices))
        _check("export file", ((s.name, s.exports) for s in self.slices))
        _check("event", ((s.name, [event.__name__ for event in s.events]) for s in self.slices))
        for event in self.subscriptions.keys() - self.events:
            raise UnknownEvent(f"Nobody publishes {event.__name__}, but there is a subscription.")

    @property
    def jobs(self) -> Jobs:
        return {args: do for each in self.slices for args, do in each.jobs(self).items()}

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        return tuple(schedule for each in self.slices for schedule in each.schedules(self))

    @property
    def exports(self) -> Exports:
        return {name: query for each in self.slices for name, query in each.exports.items()}

    @property
    def events(self) -> frozenset[type[Any]]:
        return frozenset(event for each in self.slices for event in each.events)

    @property
    def erasers(self) -> tuple[Erase, ...]:
        return tuple(each.erase for each in self.slices if each.erase is not None)

    @property
    def leavers(self) -> tuple[Leave, ...]:
        return tuple(each.leave for each in self.slices if each.leave is not None)


def _check(what: str, used: Iterable[tuple[str, Iterable[str]]]) -> None:
    users: dict[str, list[str]] = defaultdict(list)
    for slice_name, names in used:
        for name in names:
            users[name].append(slice_name)
    for name, slices in users.items():
        if len(slices) > 1:
            raise NameTaken(f"The {what} {name!r} is declared by {' and by '.join(slices)}.")
