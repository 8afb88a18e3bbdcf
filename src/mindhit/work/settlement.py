"""How a claim ends: a handler's outcome becomes one write. Pure decisions, property-tested."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mindhit.work.model import Claimed, State
from mindhit.work.outcomes import Cancelled, Discard, Done, Retry, Setback, Snooze, Verdict
from mindhit.work.retry_policy import (
    JITTER,
    MOST_SETBACKS,
    Policy,
    backoff,
    bounded,
    setback_wait,
)

SNOOZED = "snoozed"
NO_REASON = "the handler gave no reason"
_LONGEST_ERROR = 4000


@dataclass(frozen=True, slots=True)
class Settlement:
    """The write that ends a claim. `refund` takes back the attempt that the claim counted. A queued
    job comes back after `after_s` seconds; None keeps its `run_after`. `setbacks` is the number in a
    row so far; None keeps it. `domain` is the one it comes back under; None keeps it."""

    status: State
    after_s: float | None = 0.0
    error: str | None = None
    refund: bool = False
    setbacks: int | None = 0
    domain: str | None = None

    @property
    def name(self) -> str:
        """Its label in metrics and logs."""
        if self.status is not State.QUEUED:
            return self.status.value
        if not self.refund:
            return "retried"
        if self.after_s is None:
            return "handed back"
        return "set back" if self.setbacks else SNOOZED


Ended = tuple[Claimed, Settlement]  # a claim, and the write that ends it
SUCCEEDED = Settlement(State.SUCCEEDED)
HANDED_BACK = Settlement(State.QUEUED, after_s=None, refund=True, setbacks=None)


def settle(
    outcome: Verdict,
    *,
    attempts: int,
    max_attempts: int,
    policy: Policy,
    chance: float,
    setbacks: int = 0,
) -> Settlement:
    """Turn an outcome into a write. `chance` in [0, 1) spreads retries."""
    match outcome:
        case Done():
            return SUCCEEDED
        case Snooze(for_s, reason, domain):
            # Always with a reason: ENQUEUE takes it as "not before `run_after`".
            said = clean(reason) or SNOOZED
            return Settlement(State.QUEUED, bounded(for_s), said, refund=True, domain=domain)
        case Setback(reason):
            wait = setback_wait(setbacks, chance)
            in_a_row = min(setbacks + 1, MOST_SETBACKS)
            return Settlement(State.QUEUED, wait, clean(reason), True, in_a_row)
        case Discard(reason):
            return Settlement(State.DEAD, error=clean(reason) or NO_REASON)
        case Cancelled(reason):
            return Settlement(State.CANCELED, error=clean(reason) or None)
        case Retry(reason, after_s):
            failed = Settlement(State.DEAD, error=clean(reason) or NO_REASON)
            if attempts < max_attempts:
                wait = backoff(policy, attempts) if after_s is None else after_s
                wait = bounded(wait) * (1 + JITTER * chance)
                failed = replace(failed, status=State.QUEUED, after_s=wait)
            return failed


def clean(reason: str) -> str:
    """A reason that can be stored: PostgreSQL rejects NUL and unpaired surrogates."""
    cut = reason[:_LONGEST_ERROR].replace("\0", "\N{REPLACEMENT CHARACTER}")
    return cut.encode("utf-8", "replace").decode()
