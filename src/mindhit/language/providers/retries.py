"""When a call is made again, by what went wrong. Pure."""

from __future__ import annotations

from typing import Final

from mindhit.language.providers.model import ModelFailed, Reason

LONGEST_WAIT_S: Final = 30.0  # a provider that says later than this is given up for now
# How often a call is made in all.
ATTEMPTS: Final = {
    Reason.RATE_LIMITED: 4,
    Reason.UNAVAILABLE: 3,
    Reason.UNREACHABLE: 2,
    Reason.CONNECTION_CUT: 2,
}


def wait_s(failed: ModelFailed, attempt: int) -> float | None:
    """How long until the next attempt, after `attempt` of them; None to give up."""
    if attempt >= ATTEMPTS.get(failed.reason, 1):
        return None
    asked = failed.retry_after_s
    wait = float(2 ** (attempt - 1)) if asked is None else max(0.0, asked)
    return wait if wait <= LONGEST_WAIT_S else None
