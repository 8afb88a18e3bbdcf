"""What a handler's answer means: pure decisions. Nonsense for an answer is one, too.

What comes out of here is made of plain words and numbers: a subclass of `str` or `float` may do anything
when it is cut or compared, and has to do it before somebody else relies on it.
"""

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
        case Discard(str(reason)):
            return Discard(_text(reason))
        case Cancelled(str(reason)):
            return Cancelled(_text(reason))
        case Retry(str(reason), None | int() | float() as after_s):
            return Retry(_text(reason), None if after_s is None else _number(after_s))
        case Snooze(int() | float() as for_s, str(reason)):
            return Snooze(_number(for_s), _text(reason))
    return _nonsense(answer)


_text = str.__str__  # str() itself would ask the subclass


def _number(number: float) -> float:
    return int.__int__(number) if isinstance(number, int) else float.__float__(number)


def _nonsense(answer: object) -> Outcome:
    return Discard(f"the handler answered {words(repr, answer):.200}, which is no outcome")


def words(say: Callable[[object], str], thing: object) -> str:
    """What a thing says of itself; even that may fail, in any way."""
    try:
        return _text(say(thing))
    except BaseException:  # noqa: BLE001
        return "(no words for it)"
