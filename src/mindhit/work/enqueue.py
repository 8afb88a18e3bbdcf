"""Putting work into the queue, in the caller's own transaction.

A job whose kind has a key exists at most once among those queued or running. Enqueueing it while it
is queued replaces its arguments, domain, lane, queue and attempts with those of the last call. It
runs as early as any caller asked, but not before the time its handler set: enqueueing does not cut a
backoff or a snooze short. While it runs it is marked `again`; doing nothing then would lose work that
commits while the handler finishes (2 of 3,200 in a test).
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
from mindhit.work.job_types import Kind, kind_of
from mindhit.work.lanes import Lane
from mindhit.work.model import JobId
from mindhit.work.names import LONGEST_NAME, is_storable
from mindhit.work.retry_policy import Policy

Subscriber = Callable[[Any], object]
LONGEST_AFTER_S = 100 * 366 * 86_400.0
_SURROGATE = "Text with an unpaired surrogate"
_Name: TypeAlias = tuple[str, str, int]  # kind and key, or the index of a job without a key


class NotWired(Broken):
    """The wiring is not loaded: no subscriber would get this event."""


class UndeclaredEvent(Broken):
    """An event was published that its slice does not declare."""


class NotStorable(Broken):
    """A job contains something that the database cannot store."""


@dataclass(frozen=True, slots=True)
class Wires:
    """What `wiring` knows and the engine does not: subscriptions to events, and configuration."""

    subscriptions: Mapping[type[Any], Sequence[Subscriber]] = field(default_factory=dict)
    events: frozenset[type[Any]] | None = None  # what may be published; None: anything
    policies: Callable[[Kind], Policy] = lambda kind: kind.policy
    notify: bool = True


@dataclass(frozen=True, slots=True)
class _NewJob:
    kind: Kind
    key: str | None
    domain: str | None
    args: bytes


_UNWIRED = Wires()
_wires: Wires | None = None


def install(wires: Wires | None) -> None:
    """Load the wiring into this process; None unloads it."""
    global _wires  # noqa: PLW0603  one process has one wiring
    _wires = wires


def is_notifying() -> bool:
    """Are workers notified of work? Through a transaction pooler they can't be."""
    return (_wires or _UNWIRED).notify


async def enqueue(tx: Tx, job: object, *, after_s: float = 0, lane: Lane | None = None) -> JobId:
    """Add one job; it exists when the transaction commits. Raises as `enqueue_many` does."""
    return (await enqueue_many(tx, [job], after_s=after_s, lane=lane))[0]


async def enqueue_many(
    tx: Tx, jobs: Iterable[object], *, after_s: float = 0, lane: Lane | None = None
) -> list[JobId]:
    """Add many jobs with one statement. Of several with the same key the last one counts. `lane`:
    another than the kind's own.

    Returns the id of each job in the order given; those with the same key share one. Raises
    `NotStorable`, before anything is written, for numbers that are not finite, text with NUL or an
    unpaired surrogate, keys and domains that are empty or too long, and delays out of range.
    """
    if not 0 <= after_s <= LONGEST_AFTER_S:
        raise NotStorable(f"A job cannot be delayed by {after_s:g} seconds.")
    policies = (_wires or _UNWIRED).policies
    attempts: dict[str, int] = {}
    rows: dict[_Name, _NewJob] = {}
    names: list[_Name] = []
    for number, job in enumerate(jobs):
        kind = kind_of(type(job))
        if kind.name not in attempts:
            attempts[kind.name] = policies(kind).attempts
        key = _checked(kind, "key", kind.key_of(job))
        # Jobs without a key come first, in the order given.
        name: _Name = ("", "", number) if key is None else (kind.name, key, -1)
        names.append(name)
        domain = _checked(kind, "domain", kind.domain_of(job))
        rows[name] = _NewJob(kind, key, domain, _encoded(kind, job))
    if not rows:
        return []
    in_order = sorted(rows)  # so that two callers lock rows in the same order
    new = [rows[name] for name in in_order]
    ids = await tx.all(
        store.ENQUEUE,
        store.NewJobs(
            queues=[each.kind.queue for each in new],
            kinds=[each.kind.name for each in new],
            keys=[each.key for each in new],
            lanes=[(lane or each.kind.lane).value for each in new],
            domains=[each.domain for each in new],
            args=[each.args for each in new],
            max_attempts=[attempts[each.kind.name] for each in new],
            after_s=[after_s] * len(new),
            notify=is_notifying() and after_s <= 0,
        ),
    )
    by_name = dict(zip(in_order, ids, strict=True))
    return [JobId(by_name[name]) for name in names]


async def publish(tx: Tx, event: object) -> list[JobId]:
    """Enqueue one job for every subscriber of this event, in this transaction.

    The publisher does not know the subscribers; `wiring` does. An event that is rolled back reaches
    nobody, and one that is committed reaches them whatever is killed afterwards.
    """
    if _wires is None:
        raise NotWired
    if _wires.events is not None and type(event) not in _wires.events:
        raise UndeclaredEvent(f"No slice declares {type(event).__name__}.")
    subscribers = _wires.subscriptions.get(type(event), ())
    return await enqueue_many(tx, [subscriber(event) for subscriber in subscribers])


def _encoded(kind: Kind, job: object) -> bytes:
    """The arguments as JSON. The encoder silently writes null for NaN and infinity, and an escape for
    NUL: where the JSON contains one of these, the values themselves are checked."""
    try:
        encoded = msgspec.json.encode(job)
    except UnicodeEncodeError as error:
        raise NotStorable(f"{_SURROGATE}: {kind.name}", kind=kind.name) from error
    if (b"null" in encoded or b"\\u0000" in encoded) and not _is_storable(msgspec.to_builtins(job)):
        raise NotStorable(
            f"Arguments with NUL or a number that is not finite: {kind.name}", kind=kind.name
        )
    return encoded


def _is_storable(value: object) -> bool:
    match value:
        case float():
            return isfinite(value)
        case str():
            return "\0" not in value
        case dict():
            return all(map(_is_storable, value)) and all(map(_is_storable, value.values()))
        case list() | tuple() | set() | frozenset():
            return all(map(_is_storable, value))
    return True


def _checked(kind: Kind, what: str, name: str | None) -> str | None:
    """A key or a domain that fits into an index."""
    if name is None or is_storable(name):
        return name
    raise NotStorable(
        f"The {what} of {kind.name} must have 1 to {LONGEST_NAME} bytes of text without NUL"
        " and unpaired surrogates.",
        kind=kind.name,
    )
