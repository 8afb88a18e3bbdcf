"""Putting work into the queue, in the caller's own transaction.

A job whose kind has a key exists at most once among those queued or running: enqueueing it while
it is queued changes nothing but its arguments, and while it runs marks it `again`. Doing nothing
in that second case would lose work that commits while the handler finishes (2 of 3,200 in a test).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mindhit.db import Tx
from mindhit.errors import Broken
from mindhit.work import store
from mindhit.work.kinds import Kind, Policy, kind_of
from mindhit.work.model import JobId

Subscriber = Callable[[Any], object]


class NotWired(Broken):
    """The wiring is not loaded: nobody would hear this event."""


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


async def enqueue(tx: Tx, job: object, *, after_s: float = 0) -> JobId:
    """Add one job; it exists when the transaction commits."""
    return (await enqueue_many(tx, [job], after_s=after_s))[0]


async def enqueue_many(tx: Tx, jobs: Iterable[object], *, after_s: float = 0) -> list[JobId]:
    """Add many jobs with one statement. Of several with the same key the last one counts."""
    rows = _rows(jobs, after_s)
    if not rows:
        return []
    columns = [list(column) for column in zip(*rows, strict=True)]
    notify = (_wires or _UNWIRED).notify and after_s <= 0
    return [JobId(id_) for id_ in await tx.all(store.ENQUEUE, *columns, notify)]


async def publish(tx: Tx, event: object) -> list[JobId]:
    """Tell every subscriber of this event: one job each, in this transaction.

    The publisher does not know who listens; `wiring` does. An event that is rolled back was
    never heard, and one that is committed is heard whatever is killed afterwards.
    """
    if _wires is None:
        raise NotWired
    subscribers = _wires.subscriptions.get(type(event), ())
    return await enqueue_many(tx, [subscriber(event) for subscriber in subscribers])


def _rows(jobs: Iterable[object], after_s: float) -> list[tuple[object, ...]]:
    policies = (_wires or _UNWIRED).policies
    rows: dict[object, tuple[object, ...]] = {}
    for number, job in enumerate(jobs):
        kind = kind_of(type(job))
        key = kind.key_of(job)
        rows[number if key is None else (kind.name, key)] = (
            kind.queue,
            kind.name,
            key,
            kind.lane.value,
            kind.domain_of(job),
            msgspec.json.encode(job),
            policies(kind).attempts,
            after_s,
        )
    return list(rows.values())
