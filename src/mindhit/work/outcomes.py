"""What a handler can answer, and how its answer is read.

Anything else a handler returns becomes a `Discard`. Strings and numbers are reduced to plain `str`,
`int` and `float` here: a subclass may run code of its own when it is cut or compared later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from mindhit.work.names import is_storable


@dataclass(frozen=True, slots=True)
class Done:
    """The work is done. The same as returning nothing."""


@dataclass(frozen=True, slots=True)
class Retry:
    """It may work another time: counts as an attempt, comes back after the kind's backoff."""

    reason: str
    after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Snooze:
    """Not yet: comes back later, and no attempt is counted. With a `domain` it comes back under that
    one, and the slot it had in the old one is free: a redirect to another site, say. If the job was
    enqueued again meanwhile, the domain it was enqueued with counts."""

    for_s: float
    reason: str = ""
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """It will never work: dead at once, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Nobody needs it any more."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Setback:
    """Not the job's fault: the database failed its handler, or this worker is too old to read it.
    The engine makes this one, no handler does. It never counts as an attempt, however often it
    happens; the wait grows (retry_policy.py)."""

    reason: str


Outcome = Done | Retry | Snooze | Discard | Cancelled
Verdict = Outcome | Setback
DONE = Done()


class Failed:
    """The handler gave no answer: the outcome of that, or None where the lease is lost and nothing
    may be written."""

    def __init__(self, outcome: Verdict | None) -> None:
        self.outcome = outcome


def outcome_of(answer: object) -> Verdict | None:
    if answer is None:
        return DONE
    return answer.outcome if isinstance(answer, Failed) else _checked(answer)


def outcomes_of(answer: object, expected: int) -> Sequence[Verdict | None]:
    """The same for a batch: one answer per job, or None for all of them."""
    if isinstance(answer, Failed):
        if answer.outcome is None and expected > 1:
            # At least one lease is lost. The others go back to the queue; settling a lost one writes nothing.
            return [Snooze(0, "a lease of its batch was lost")] * expected
        return [answer.outcome] * expected
    if answer is None:
        return [DONE] * expected
    if not isinstance(answer, Sequence) or len(answer) != expected:
        return [_not_an_outcome(answer)] * expected
    checked = [_checked(each) for each in islice(answer, expected + 1)]
    return checked if len(checked) == expected else [_not_an_outcome(answer)] * expected


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
        case Snooze(int() | float() as for_s, str(reason), domain) if _is_domain(domain):
            domain = None if domain is None else _text(domain)
            return Snooze(_number(for_s), _text(reason), domain)
    return _not_an_outcome(answer)


_text = str.__str__  # str() would call the subclass


def _number(number: float) -> float:
    return int.__int__(number) if isinstance(number, int) else float.__float__(number)


def _is_domain(domain: object) -> bool:
    return domain is None or (isinstance(domain, str) and is_storable(_text(domain)))


def _not_an_outcome(answer: object) -> Outcome:
    return Discard(f"the handler answered {described(repr, answer):.200}, which is no outcome")


def described(describe: Callable[[object], str], thing: object) -> str:
    """`str` or `repr` of something a handler made, which may raise anything."""
    try:
        return _text(describe(thing))
    except BaseException:  # noqa: BLE001
        return "(it cannot be shown)"
