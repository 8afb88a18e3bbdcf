"""The slice's job types: their arguments and how they are retried. `jobs.py` runs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.tracking import TextMissing, TimelineClosed
from mindhit.work import Lane, job

# Sessions from before, of which a few at a time are processed: the engine limits jobs of one domain.
BACKFILL_DOMAIN: Final = "back-fill.insight"


@job(
    "ai:processing",
    attempts=5,
    backoff_s=(10, 60, 300, 1800),
    timeout_s=900,
    key="session_id",
    domain="domain",
)
@dataclass(frozen=True, slots=True)
class ProcessSession:
    """Summaries, map, title, keywords and report of a session whose timeline is closed."""

    session_id: UUID
    user_id: UUID
    domain: str | None = None


@job("ai:tag", attempts=4, backoff_s=(10, 60, 600), lane=Lane.LOW, key="content_id")
@dataclass(frozen=True, slots=True)
class TagText:
    """Summary and keywords of one text that came after its session was completed."""

    content_id: UUID
    user_id: UUID


@job("crawl:url", attempts=3, backoff_s=(60, 600), key=("user_id", "url_id"), domain="domain")
@dataclass(frozen=True, slots=True)
class CrawlPage:
    """Fetch a page of which the browser gave no text."""

    user_id: UUID
    url_id: UUID
    domain: str


@job("email:report", attempts=6, backoff_s=(30, 120, 600, 1800, 7200), key="session_id")
@dataclass(frozen=True, slots=True)
class MailReport:
    session_id: UUID
    user_id: UUID


@job("insight:backfill", lane=Lane.LOW, key="name", attempts=5)
@dataclass(frozen=True, slots=True)
class BackFill:
    """Give sessions and pages from before to insight, once."""

    name: str = "once"


def process(closed: TimelineClosed) -> ProcessSession:
    return ProcessSession(closed.session_id, closed.user_id)


def crawl(missing: TextMissing) -> CrawlPage:
    return CrawlPage(missing.user_id, missing.url_id, missing.domain)
