"""The words in which every part of MindHit says that something went wrong.

    MindHitError
    ├─ Refused       the caller's fault: Invalid, NotFound, Forbidden, Conflict,
    │                QuotaReached, TooLarge, TooMany, Unauthenticated
    ├─ Upstream      someone else's fault, worth another try
    └─ Broken        ours: logged with its trace, answered with 500

An error's docstring is its message, so that a class says in one place what it means; a sentence
about the case at hand may replace it. Facts are attributes and travel into logs and problem
documents. `way_out` tells a person what to do next. Nothing here knows of HTTP.
"""

from __future__ import annotations

import inspect


class MindHitError(Exception):
    """Something went wrong."""

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
    """This cannot be done as asked."""


class Invalid(Refused):
    """What was sent is not valid."""


class NotFound(Refused):
    """There is nothing here by that name."""


class Forbidden(Refused):
    """You may not do this."""


class Unauthenticated(Refused):
    """Sign in first."""


class Conflict(Refused):
    """This does not fit the present state."""


class QuotaReached(Refused):
    """The plan's limit is reached."""


class TooLarge(Refused):
    """What was sent is larger than this server takes."""


class TooMany(Refused):
    """Too many requests; wait a little."""

    def __init__(self, retry_after_s: int, message: str | None = None) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.retry_after_s = retry_after_s


class Upstream(MindHitError):
    """Something that MindHit depends on did not answer as it should."""


class Broken(MindHitError):
    """MindHit made a mistake."""


def summary(error: type[MindHitError]) -> str:
    """What a kind of error says when nothing more is known: its docstring."""
    text = inspect.getdoc(error) or error.__name__
    return " ".join(text.split("\n\n", 1)[0].split())
