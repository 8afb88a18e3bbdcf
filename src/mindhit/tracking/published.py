"""What this slice publishes for other slices; `wiring.py` lists who subscribes."""

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
    """Events arrived after a session's timeline was closed, and it was folded again."""

    session_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class TextMissing:
    """A person was on a page whose text the extension could not extract.

    `address` is the URL as the browser had it; a normalised URL may not work as an address.
    """

    user_id: UUID
    url_id: UUID
    address: str
    domain: str
