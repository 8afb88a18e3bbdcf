"""What becomes of a job after its handler answered: pure decisions, property-tested."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.work.kinds import Policy
from mindhit.work.model import Cancelled, Discard, Done, Outcome, Retry, Snooze, State

MAX_RESCUES = 5
JITTER = 0.1  # retries of one outage must not come back as one crowd
LONGEST_WAIT_S = 366 * 86_400.0
SNOOZED = "snoozed"
_LONGEST_ERROR = 4000


@dataclass(frozen=True, slots=True)
class Settlement:
    """The write that ends a claim. `refund` takes back the attempt that the claim counted; one that
    is queued comes back `after_s` seconds, or, with None, keeps the place it had."""

    status: State
    after_s: float | None = 0.0
    error: str | None = None
    refund: bool = False

    @property
    def name(self) -> str:
        """How metrics and logs call it."""
        if self.status is not State.QUEUED:
            return self.status.value
        if not self.refund:
            return "retried"
        return "handed back" if self.after_s is None else "snoozed"


SUCCEEDED = Settlement(State.SUCCEEDED)
HANDED_BACK = Settlement(State.QUEUED, after_s=None, refund=True)


def settle(
    outcome: Outcome, *, attempts: int, max_attempts: int, policy: Policy, chance: float
) -> Settlement:
    """Turn an answer into a write. `chance` in [0, 1) spreads retries."""
    match outcome:
        case Done():
            return SUCCEEDED
        case Snooze(for_s, reason):
            # Never without a word: by it an enqueue knows that somebody said "not before".
            return Settlement(State.QUEUED, _bounded(for_s), clean(reason) or SNOOZED, refund=True)
        case Discard(reason):
            return Settlement(State.DEAD, error=clean(reason))
        case Cancelled(reason):
            return Settlement(State.CANCELED, error=clean(reason) or None)
        case Retry(reason, after_s):
            if attempts >= max_attempts:
                return Settlement(State.DEAD, error=clean(reason))
            wait = backoff(policy, attempts) if after_s is None else after_s
            return Settlement(State.QUEUED, _bounded(wait) * (1 + JITTER * chance), clean(reason))


def backoff(policy: Policy, attempts: int) -> float:
    """Seconds to wait after the `attempts`-th failure; the last step repeats."""
    if not policy.backoff_s:
        return 0.0
    return policy.backoff_s[min(max(attempts, 1), len(policy.backoff_s)) - 1]


def clean(reason: str) -> str:
    """A reason as it can be stored: PostgreSQL refuses NUL and lone surrogates, and a message
    may hold anything."""
    cut = reason[:_LONGEST_ERROR].replace("\0", "\N{REPLACEMENT CHARACTER}")
    return cut.encode("utf-8", "replace").decode()


def _bounded(seconds: float) -> float:
    """A wait that the database can add to a time: neither negative, nor infinite, nor NaN."""
    return min(seconds, LONGEST_WAIT_S) if seconds > 0 else 0.0
