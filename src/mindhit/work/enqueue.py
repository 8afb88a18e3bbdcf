"""Putting work into the queue, in the caller's own transaction.

A job whose kind has a key exists at most once among those queued or running. Enqueueing it while it
is queued makes it the newest: arguments, domain, lane, queue and attempts are those of the last
call. It comes as early as any caller asked, but not before the time its handler named: neither a
backoff nor a snooze is cut short by somebody who knows nothing of the reason. While it runs it is
marked `again`; doing nothing then would lose work that commits while the handler finishes (2 of
3,200 in a test).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, TypeAlias

import msgspec

from mindhit.db import Tx
from mindhit.errors import Broken
from mindhit.work import store
from mindhit.work.kinds import Kind, Policy, kind_of
from mindhit.work.model import JobId

Subscriber = Callable[[Any], object]
LONGEST_NAME = 1000  # bytes of a key or a domain; an entry of an index has room for 2,700
LONGEST_AFTER_S = 100 * 366 * 86_400.0
_HALF = "A character that is only half of one"
_Name: TypeAlias = tuple[str, str, int]  # kind and key, or the place of a job without a key


class NotWired(Broken):
    """The wiring is not loaded: nobody would hear this event."""


class Unsayable(Broken):
    """A job says something that the database has no word for."""


@dataclass(frozen=True, slots=True)
class Wires:
    """What `wiring` knows and the engine does not: who hears which event, what was configured."""

    subscriptions: Mapping[type[Any], Sequence[Subscriber]] = field(default_factory=dict)
    policies: Callable[[Kind], Policy] = lambda kind: kind.policy
    notify: bool = True


_UNWIRED = Wires()
_wires: Wires | None = None


def install(wires: Wires | None) -> None:
    """Load the wiring into this process; None takes it out again."""
    global _wires  # noqa: PLW0603  one process has one wiring
    _wires = wires


def is_notifying() -> bool:
    """Are workers told when there is work? Through a transaction pooler they cannot be."""
    return (_wires or _UNWIRED).notify


async def enqueue(tx: Tx, job: object, *, after_s: float = 0) -> JobId:
    """Add one job; it exists when the transaction commits. Raises as `enqueue_many` does."""
    return (await enqueue_many(tx, [job], after_s=after_s))[0]


async def enqueue_many(tx: Tx, jobs: Iterable[object], *, after_s: float = 0) -> list[JobId]:
    """Add many jobs with one statement. Of several with the same key the last one counts.

    Returns the id of each job in the order given; those with the same key share one. Raises
    `Unsayable`, before anything is written, for numbers that are not finite, text with NUL or half
    a character in it, keys and domains that are empty or too long, and a time that is none.
    """
    if not 0 <= after_s <= LONGEST_AFTER_S:
        raise Unsayable(f"A job cannot be enqueued for {after_s:g} seconds from now.")
    policies = (_wires or _UNWIRED).policies
    rows: dict[_Name, tuple[object, ...]] = {}
    names: list[_Name] = []
    for number, job in enumerate(jobs):
        kind = kind_of(type(job))
        key = _checked(kind, "key", kind.key_of(job))
        # What has no key comes first, in the order given.
        name: _Name = ("", "", number) if key is None else (kind.name, key, -1)
        names.append(name)
        rows[name] = (
            kind.queue,
            kind.name,
            key,
            kind.lane.value,
            _checked(kind, "domain", kind.domain_of(job)),
            _encoded(kind, job),
            policies(kind).attempts,
            after_s,
        )
    if not rows:
        return []
    in_order = sorted(rows)  # two callers lock the rows of their keys in the same order
    columns = [list(column) for column in zip(*(rows[name] for name in in_order), strict=True)]
    ids = await tx.all(store.ENQUEUE, *columns, is_notifying() and after_s <= 0)
    by_name = dict(zip(in_order, ids, strict=True))
    return [JobId(by_name[name]) for name in names]


async def publish(tx: Tx, event: object) -> list[JobId]:
    """Tell every subscriber of this event: one job each, in this transaction.

    The publisher does not know who listens; `wiring` does. An event that is rolled back was
    never heard, and one that is committed is heard whatever is killed afterwards.
    """
    if _wires is None:
        raise NotWired
    subscribers = _wires.subscriptions.get(type(event), ())
    return await enqueue_many(tx, [subscriber(event) for subscriber in subscribers])


def _encoded(kind: Kind, job: object) -> bytes:
    """The arguments as JSON. The encoder writes null for NaN and infinity, and an escape for NUL, and
    would not tell: where there is one of these, it is looked for what it stands for."""
    try:
        encoded = msgspec.json.encode(job)
    except UnicodeEncodeError as error:
        raise Unsayable(f"{_HALF}: {kind.name}", kind=kind.name) from error
    if (b"null" in encoded or b"\\u0000" in encoded) and not _is_sayable(msgspec.to_builtins(job)):
        raise Unsayable(
            f"Arguments with NUL, or a number that is not finite: {kind.name}", kind=kind.name
        )
    return encoded


def _is_sayable(value: object) -> bool:
    match value:
        case float():
            return isfinite(value)
        case str():
            return "\0" not in value
        case dict():
            return all(map(_is_sayable, value)) and all(map(_is_sayable, value.values()))
        case list() | tuple() | set() | frozenset():
            return all(map(_is_sayable, value))
    return True


def _checked(kind: Kind, what: str, name: str | None) -> str | None:
    """A key or a domain as an index can hold it."""
    if name is None:
        return None
    try:
        length = len(name.encode())
    except UnicodeEncodeError as error:
        raise Unsayable(f"{_HALF}: the {what} of {kind.name}", kind=kind.name) from error
    if not 0 < length <= LONGEST_NAME or "\0" in name:
        raise Unsayable(
            f"The {what} of {kind.name} has {length} bytes, of 1 to {LONGEST_NAME} without NUL.",
            kind=kind.name,
        )
    return name
