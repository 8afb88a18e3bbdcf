"""What other slices may hear of, by `publish`; `wiring` says who does."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SessionStopped:
    """A recording was stopped. Its last events may still be on their way."""

    session_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class TimelineChanged:
    """Events came after a session's timeline was closed, and it was folded again."""

    session_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class TextMissing:
    """A reader was on a page whose text the extension could not get.

    `address` is the page as the browser had it; the identity of a page is not promised to answer.
    """

    user_id: UUID
    url_id: UUID
    address: str
    domain: str
