"""The slice's job types: their arguments and how they are retried. `jobs.py` runs them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.work import Lane, job

_BACKOFF_S = (5.0, 30.0, 300.0, 1800.0)


@job("tracking:close", attempts=10, backoff_s=_BACKOFF_S, key="session_id")
@dataclass(frozen=True, slots=True)
class Close:
    """Wait for the last events of a stopped session, then close its timeline."""

    session_id: UUID
    user_id: UUID


@job("tracking:refold", attempts=10, backoff_s=_BACKOFF_S, key="session_id")
@dataclass(frozen=True, slots=True)
class Refold:
    """Fold a session again from its raw events."""

    session_id: UUID
    user_id: UUID


@job("tracking:forget", attempts=10, backoff_s=_BACKOFF_S, lane=Lane.LOW, key="user_id")
@dataclass(frozen=True, slots=True)
class Forget:
    """Delete the URLs and texts that none of a person's sessions refers to any more."""

    user_id: UUID


@job("tracking:redact", attempts=10, backoff_s=_BACKOFF_S, key="id")
@dataclass(frozen=True, slots=True)
class Redact:
    """Redact the logs of what a person wants forgotten."""

    id: UUID
    user_id: UUID


@job("tracking:sweep", lane=Lane.LOW, key="name")
@dataclass(frozen=True, slots=True)
class Sweep:
    """Give up old holes, close and stop silent sessions; runs every minute."""

    name: str = "minutely"


@job("tracking:measure", lane=Lane.LOW, key="name", timeout_s=600)
@dataclass(frozen=True, slots=True)
class Measure:
    """Measure what those have stored who are near their limit; runs every ten minutes."""

    name: str = "all"


@job("tracking:expire", lane=Lane.LOW, key="name", timeout_s=600)
@dataclass(frozen=True, slots=True)
class Expire:
    """Announce and delete what plans don't keep; runs every day."""

    name: str = "daily"


@job("tracking:tidy", lane=Lane.LOW, key="name")
@dataclass(frozen=True, slots=True)
class Tidy:
    """Partitions, retention, and URLs and texts that nobody refers to; runs every day."""

    name: str = "daily"
