"""The errors of MindHit.

    MindHitError
    ├─ Refused       the caller's fault: Invalid, NotFound, Gone, Forbidden, Conflict,
    │                QuotaReached, NoSpace, TooLarge, TooMany, Unauthenticated
    ├─ Upstream      someone else's fault, worth a retry
    └─ Broken        ours: logged with its trace, answered with 500

An error's docstring is its default message; a sentence about the specific case may replace it.
Facts go into logs; those that a class names in `shown` are for the caller too. `way_out` is a hint:
what to do about it. Nothing here knows about HTTP.
"""

from __future__ import annotations

import inspect
from typing import ClassVar


class MindHitError(Exception):
    """Something went wrong."""

    shown: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, message: str | None = None, *, way_out: str | None = None, **facts: object
    ) -> None:
        self.message = message or summary(type(self))
        self.way_out = way_out
        self.facts = facts
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class Refused(MindHitError):
    """This can't be done."""


class Invalid(Refused):
    """The request is not valid."""


class NotFound(Refused):
    """Not found."""


class Gone(Refused):
    """This no longer exists."""


class Forbidden(Refused):
    """You are not allowed to do this."""


class Unauthenticated(Refused):
    """Sign in first."""


class Conflict(Refused):
    """This conflicts with the current state."""


class QuotaReached(Refused):
    """Your plan's limit is reached."""


class NoSpace(Refused):
    """There is no space left for this. Nothing was stored."""


class TooLarge(Refused):
    """The request is too large."""


class TooMany(Refused):
    """Too many requests. Wait a moment and try again."""

    def __init__(self, retry_after_s: int, message: str | None = None) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.retry_after_s = retry_after_s


class Upstream(MindHitError):
    """A service that MindHit depends on failed."""


class Broken(MindHitError):
    """Something went wrong in MindHit."""


def summary(error: type[MindHitError]) -> str:
    """The default message of an error: its docstring."""
    text = inspect.getdoc(error) or error.__name__
    return " ".join(text.split("\n\n", 1)[0].split())
