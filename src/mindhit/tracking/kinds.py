"""The slice's kinds of jobs: their arguments and policies. `jobs.py` has what is done."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.work import Lane, job

_FOR_LONG = (5.0, 30.0, 300.0, 1800.0)


@job("tracking:close", attempts=10, backoff_s=_FOR_LONG, key="session_id")
@dataclass(frozen=True, slots=True)
class Close:
    """A stopped session: wait for its last events, then close its timeline."""

    session_id: UUID
    user_id: UUID


@job("tracking:refold", attempts=10, backoff_s=_FOR_LONG, key="session_id")
@dataclass(frozen=True, slots=True)
class Refold:
    """Fold a session again from its log."""

    session_id: UUID
    user_id: UUID


@job("tracking:forget", attempts=10, backoff_s=_FOR_LONG, lane=Lane.LOW, key="user_id")
@dataclass(frozen=True, slots=True)
class Forget:
    """Drop what a reader's sessions no longer refer to."""

    user_id: UUID


@job("tracking:sweep", lane=Lane.LOW, key="name")
@dataclass(frozen=True, slots=True)
class Sweep:
    """Holes that are too old, sessions that fell silent."""

    name: str = "minutely"


@job("tracking:tidy", lane=Lane.LOW, key="name")
@dataclass(frozen=True, slots=True)
class Tidy:
    """Partitions ahead, retention, pages and texts that nobody refers to."""

    name: str = "daily"
