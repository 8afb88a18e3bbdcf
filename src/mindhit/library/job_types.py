"""The slice's job types: their arguments and how they are retried. `jobs.py` runs them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from mindhit.tracking import HighlightNoted, SessionDescribed, TextDescribed, TimelineClosed
from mindhit.work import Lane, job

_BACKOFF_S = (5.0, 30.0, 300.0, 1800.0)
IMPORT_TIMEOUT_S = 6 * 3600.0  # a file of 200 MB takes minutes; a slow disk, hours


@job("library:enrich", attempts=2, backoff_s=(300.0,), key="link_id", domain="domain")
@dataclass(frozen=True, slots=True)
class EnrichLink:
    """Read the page of a saved link. Says nothing of who saved it."""

    link_id: UUID
    domain: str


@job("library:queue", attempts=10, backoff_s=_BACKOFF_S, key="user_id")
@dataclass(frozen=True, slots=True)
class QueueLinks:
    """Put the new links of a person into the queue, a few hundred at a time: an import does not wait for
    that."""

    user_id: UUID


@job(
    "library:import",
    attempts=5,
    backoff_s=_BACKOFF_S,
    timeout_s=IMPORT_TIMEOUT_S,
    key="import_id",
)
@dataclass(frozen=True, slots=True)
class ImportFile:
    import_id: UUID
    user_id: UUID


@job("library:prune", lane=Lane.LOW, key="name")
@dataclass(frozen=True, slots=True)
class Prune:
    """Delete old tombstones, give up links whose jobs died; runs every hour."""

    name: str = "hourly"


class Indexed(StrEnum):
    SESSION = "session"  # with its pages, highlights and texts
    DESCRIPTION = "description"  # a session's title, keywords and topics
    HIGHLIGHTS = "highlights"  # of a session: a note on one of them has changed
    TEXT = "text"
    BOOKMARKS = "bookmarks"  # a person's, those that changed


# What was there before, of which a few at a time are indexed: the engine limits jobs of one domain.
BACKFILL_DOMAIN = "back-fill.search"


@job(
    "library:index",
    attempts=10,
    backoff_s=_BACKOFF_S,
    timeout_s=600,
    key=("what", "id"),
    domain="domain",
)
@dataclass(frozen=True, slots=True)
class Index:
    """Have search know of a change. `id` is of the session, the text or the person; nobody's text is one
    that the server fetched."""

    what: Indexed
    id: UUID
    user_id: UUID | None
    domain: str | None = None


@job("library:backfill", lane=Lane.LOW, key="name", attempts=5)
@dataclass(frozen=True, slots=True)
class BackFill:
    """Have search index what was there before it, once."""

    name: str = "once"


def index_session(closed: TimelineClosed) -> Index:
    return Index(Indexed.SESSION, closed.session_id, closed.user_id)


def index_description(described: SessionDescribed) -> Index:
    return Index(Indexed.DESCRIPTION, described.session_id, described.user_id)


def index_highlights(noted: HighlightNoted) -> Index:
    return Index(Indexed.HIGHLIGHTS, noted.session_id, noted.user_id)


def index_text(described: TextDescribed) -> Index:
    return Index(Indexed.TEXT, described.content_id, described.user_id)
