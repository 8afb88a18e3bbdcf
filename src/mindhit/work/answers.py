"""What a handler's answer means: pure decisions. Nonsense for an answer is one, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from mindhit.work.model import Cancelled, Discard, Done, Outcome, Retry, Snooze, Verdict

DONE = Done()


class Failed:
    """No answer: how the handler failed, or None where the lease is lost and nothing may be said."""

    def __init__(self, outcome: Verdict | None) -> None:
        self.outcome = outcome


def outcome_of(answer: object) -> Verdict | None:
    if answer is None:
        return DONE
    return answer.outcome if isinstance(answer, Failed) else _checked(answer)


def outcomes_of(answer: object, expected: int) -> Sequence[Verdict | None]:
    """The same for a batch: one answer for each job, or none for all."""
    if isinstance(answer, Failed):
        if answer.outcome is None and expected > 1:
            # Perhaps one lease is lost; the others go back, and the lost one settles nothing.
            return [Snooze(0, "a lease of its batch was lost")] * expected
        return [answer.outcome] * expected
    if answer is None:
        return [DONE] * expected
    if not isinstance(answer, Sequence) or len(answer) != expected:
        return [_nonsense(answer)] * expected
    checked = [_checked(each) for each in islice(answer, expected + 1)]
    return checked if len(checked) == expected else [_nonsense(answer)] * expected


def _checked(answer: object) -> Outcome:
    match answer:
        case None | Done():
            return DONE
        case Discard(str()) | Cancelled(str()):
            return answer
        case Retry(str(), None | int() | float()) | Snooze(int() | float(), str()):
            return answer
    return _nonsense(answer)


def _nonsense(answer: object) -> Outcome:
    return Discard(f"the handler answered {words(repr, answer):.200}, which is no outcome")


def words(say: Callable[[object], str], thing: object) -> str:
    """What a thing says of itself; even that may fail."""
    try:
        return say(thing)
    except Exception:  # noqa: BLE001
        return "(no words for it)"
