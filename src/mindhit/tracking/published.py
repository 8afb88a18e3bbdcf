"""What this slice publishes for other slices; `wiring.py` lists who subscribes."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class TimelineClosed:
    """The timeline of a session was closed, or a closed one was folded again. `version` grows each
    time: results that were made of an earlier one are out of date. Where nobody subscribes, a session
    is completed by closing it."""

    session_id: UUID
    user_id: UUID
    version: int


@dataclass(frozen=True, slots=True)
class SessionDescribed:
    """A session has another title, or other keywords."""

    session_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class HighlightNoted:
    """A note on a highlight of a session was written, changed or deleted."""

    session_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class TextDescribed:
    """A text was summarised, or the server fetched one for a person. No person: a public text."""

    content_id: UUID
    user_id: UUID | None


@dataclass(frozen=True, slots=True)
class TextMissing:
    """A person read a page of which there is no text, and the server may fetch it.

    `address` is the URL as the browser had it; a normalised URL may not work as an address.
    """

    user_id: UUID
    url_id: UUID
    address: str
    domain: str
