"""How often a job is tried, how long it waits in between, and how long one run may take.

`Policy` is what each kind of job declares (`@job(attempts=…)`) and an operator may override; the
other numbers apply to all kinds.
"""

from __future__ import annotations

from dataclasses import dataclass

ATTEMPTS = 3
BACKOFF_S = (30.0, 300.0, 1800.0)
TIMEOUT_S = 600.0  # of one run of a handler
JITTER = 0.1  # so that the retries after one outage don't all come back at once
LONGEST_WAIT_S = 366 * 86_400.0
# Setbacks are failures of the database, not of the job, and no number of them is an attempt: a table
# space that only handlers write to can be full for days while everything else works.
SETBACK_S = 2.0  # doubled with each one in a row
LONGEST_SETBACK_S = 120.0
MOST_SETBACKS = 1000  # that are counted


@dataclass(frozen=True, slots=True)
class Policy:
    """The attempts, backoff and time limit of one kind of job."""

    attempts: int = ATTEMPTS
    backoff_s: tuple[float, ...] = BACKOFF_S
    timeout_s: float = TIMEOUT_S


def backoff(policy: Policy, attempts: int) -> float:
    """Seconds to wait after the `attempts`-th failure; the last step repeats."""
    if not policy.backoff_s:
        return 0.0
    return policy.backoff_s[min(max(attempts, 1), len(policy.backoff_s)) - 1]


def setback_wait(setbacks: int, chance: float) -> float:
    """Seconds to wait after a setback that follows `setbacks` others."""
    return min(SETBACK_S * 2.0 ** min(setbacks, 20), LONGEST_SETBACK_S) * (0.25 + chance)


def bounded(seconds: float) -> float:
    """A wait that the database can add to a time: not negative, infinite or NaN."""
    return min(seconds, LONGEST_WAIT_S) if seconds > 0 else 0.0
