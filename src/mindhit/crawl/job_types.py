"""Kinds of jobs of the crawler."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.work import Lane, job


@job("crawl:tick", lane=Lane.CRITICAL, key="name", attempts=1, timeout_s=120)
@dataclass(frozen=True, slots=True)
class Tick:
    """Start what is due."""

    name: str = "all"


@job("crawl:relay", lane=Lane.CRITICAL, key="name", attempts=3, backoff_s=(2, 5), timeout_s=120)
@dataclass(frozen=True, slots=True)
class Relay:
    """Send what is in the outbox."""

    name: str = "all"


@job("crawl:execute", key="key", domain="domain", attempts=5, backoff_s=(10, 30, 60), timeout_s=120)
@dataclass(frozen=True, slots=True)
class Execute:
    """Fetch the page of a task, in a slot of its site. `key`: of one attempt."""

    user_id: UUID
    task_id: UUID
    key: str
    domain: str


@job(
    "crawl:apply",
    key=("user_id", "site", "item_key"),
    attempts=5,
    backoff_s=(5, 30, 120),
    timeout_s=180,
)
@dataclass(frozen=True, slots=True)
class Apply:
    """Apply what has arrived of one product."""

    user_id: UUID
    site: str
    item_key: str


@job("crawl:listed", key="task_id", attempts=5, timeout_s=120)
@dataclass(frozen=True, slots=True)
class Listed:
    """A listing was read to its end: what was not in it? `task_id`: the first of the run."""

    user_id: UUID
    scheduler_id: UUID
    task_id: UUID


@job("crawl:sweep", lane=Lane.LOW, key="name", attempts=1, timeout_s=300)
@dataclass(frozen=True, slots=True)
class Sweep:
    """Find what was left behind, and delete what is old."""

    name: str = "all"


@job("crawl:receive", lane=Lane.CRITICAL, key="queue", attempts=1, timeout_s=120)
@dataclass(frozen=True, slots=True)
class Receive:
    """Make jobs of the messages in a queue: `task` or `trigger`."""

    queue: str
