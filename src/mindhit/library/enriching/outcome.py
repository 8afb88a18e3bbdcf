"""What becomes of a link whose page could not be read. Pure.

429, 503 with Retry-After     later, no attempt is counted
no answer, 5xx                another attempt after 5 minutes; dead after the second
404, 410, too large, no text  dead
403, robots.txt, captcha      dead, and the domain is noted as one that refuses
"""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.fetching import AddressForbidden, Blocked, FetchFailed, FetchingOff, outcome_of
from mindhit.work import Discard, Outcome, Retry


@dataclass(frozen=True, slots=True)
class Ended:
    """`outcome` is the job's. A link that is `dead` has `reason`; of a site that refuses, `is_block` is
    set."""

    outcome: Outcome
    is_dead: bool = False
    is_block: bool = False
    reason: str = ""


def ended(error: FetchFailed, *, is_last_attempt: bool) -> Ended:
    outcome = outcome_of(error)
    if isinstance(outcome, Retry) and not is_last_attempt:
        return Ended(outcome, reason=error.reason)
    if not isinstance(outcome, Retry | Discard):
        return Ended(outcome, reason=error.reason)
    is_ours = isinstance(error, AddressForbidden | FetchingOff)
    is_block = isinstance(error, Blocked) and not is_ours
    return Ended(outcome, is_dead=True, is_block=is_block, reason=error.reason)
