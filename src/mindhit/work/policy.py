"""What becomes of a job after its handler answered: pure decisions, property-tested."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mindhit.work.kinds import Policy
from mindhit.work.model import (
    Cancelled,
    Claimed,
    Discard,
    Done,
    Retry,
    Setback,
    Snooze,
    State,
    Verdict,
)

MAX_RESCUES = 5
APART_S = 10.0  # so far apart, for each time before, do jobs come back that are rescued again
# An outage may cost a job several setbacks, for the engine's own connections can be well while its
# handler's are not. One that has more than this in a row is perhaps what causes them, and what it
# meets counts from then on.
MAX_SETBACKS = 5
SETBACK_S = 2.0  # doubled each time: a minute in all
JITTER = 0.1  # retries of one outage must not come back as one crowd
LONGEST_WAIT_S = 366 * 86_400.0
SNOOZED = "snoozed"
UNSAID = "the handler gave no reason"
_LONGEST_ERROR = 4000


@dataclass(frozen=True, slots=True)
class Settlement:
    """The write that ends a claim. `refund` takes back the attempt that the claim counted; one that
    is queued comes back `after_s` seconds, or, with None, keeps the place it had; `setbacks` are
    those in a row by now, or, with None, as many as before."""

    status: State
    after_s: float | None = 0.0
    error: str | None = None
    refund: bool = False
    setbacks: int | None = 0

    @property
    def name(self) -> str:
        """How metrics and logs call it."""
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
    """Turn an answer into a write. `chance` in [0, 1) spreads retries."""
    in_a_row = 0
    if isinstance(outcome, Setback) and setbacks >= MAX_SETBACKS:
        outcome = Retry(f"{outcome.reason} (more than {MAX_SETBACKS} times in a row)")
        in_a_row = setbacks
    match outcome:
        case Done():
            return SUCCEEDED
        case Snooze(for_s, reason):
            # Never without a word: by it an enqueue knows that somebody said "not before".
            return Settlement(State.QUEUED, _bounded(for_s), clean(reason) or SNOOZED, refund=True)
        case Setback(reason):
            wait = SETBACK_S * 2**setbacks * (0.25 + chance)
            return Settlement(State.QUEUED, wait, clean(reason), True, setbacks + 1)
        case Discard(reason):
            return Settlement(State.DEAD, error=clean(reason) or UNSAID)
        case Cancelled(reason):
            return Settlement(State.CANCELED, error=clean(reason) or None)
        case Retry(reason, after_s):
            failed = Settlement(State.DEAD, error=clean(reason) or UNSAID, setbacks=in_a_row)
            if attempts < max_attempts:
                wait = backoff(policy, attempts) if after_s is None else after_s
                wait = _bounded(wait) * (1 + JITTER * chance)
                failed = replace(failed, status=State.QUEUED, after_s=wait)
            return failed


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
