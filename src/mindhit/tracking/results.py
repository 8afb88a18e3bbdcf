"""What other slices found out about sessions, texts and pages, put where readers see it.

Verbs with `tx` first. What they change is published for search (`SessionDescribed`, `TextDescribed`).
A result names the version of the timeline it was made of; where that has moved on, it has no effect, and
the answer says so: the next `TimelineClosed` is already on its way.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from mindhit.db import Tx
from mindhit.tracking import store
from mindhit.tracking.ingest import contents
from mindhit.tracking.model import ContentId, SessionId, SessionNotFound
from mindhit.tracking.published import SessionDescribed, TextDescribed
from mindhit.work import publish

MAX_KEYWORDS: Final = 5  # of a session
MAX_REASON: Final = 500  # characters


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """A page as the server fetched it, without cookies."""

    title: str | None
    text: str
    meta: contents.Meta = field(default_factory=contents.Meta)


async def put_summary(
    tx: Tx,
    user_id: UUID | None,
    content_id: ContentId,
    summary: str,
    keywords: Sequence[str],
    by: str,
) -> bool:
    """Summarise a person's text, or a public one (None). False where there is no such text."""
    found = await tx.maybe(store.results.PUT_SUMMARY, user_id, content_id, summary, [*keywords], by)
    if found is None:
        return False
    await publish(tx, TextDescribed(content_id, user_id))
    return True


async def put_keywords(tx: Tx, user_id: UUID, session_id: SessionId, words: Sequence[str]) -> None:
    """The words that say what a session is about, the most fitting first. Raises `SessionNotFound`."""
    kept = list(dict.fromkeys(words))[:MAX_KEYWORDS]
    if await tx.maybe(store.results.PUT_KEYWORDS, session_id, user_id, kept) is None:
        raise SessionNotFound
    await publish(tx, SessionDescribed(session_id, user_id))


async def suggest_title(tx: Tx, user_id: UUID, session_id: SessionId, title: str) -> bool:
    """Give a session a generated title. False where the reader has given it one, or it is gone."""
    title = unicodedata.normalize("NFC", " ".join(title.split()))
    if await tx.maybe(store.results.SUGGEST_TITLE, session_id, user_id, title) is None:
        return False
    await publish(tx, SessionDescribed(session_id, user_id))
    return True


async def put_crawled(tx: Tx, user_id: UUID, url_id: UUID, page: CrawledPage) -> bool:
    """Give a page that waits for a text what the server fetched. False where it no longer waits."""
    waiting = await tx.maybe(store.reader_urls.LOCK_WAITING, user_id, url_id)
    if waiting is None:
        return False
    made = contents.make(None, waiting.domain, page.title, page.text, page.meta)
    await tx.run(
        store.reader_urls.ADD_PUBLIC_CONTENT,
        made.id,
        made.title,
        made.text,
        made.meta,
        made.favicon,
    )
    await tx.run(store.reader_urls.PUT_CRAWLED, user_id, url_id, made.id)
    await publish(tx, TextDescribed(made.id, user_id))
    return True


async def put_crawl_failed(tx: Tx, user_id: UUID, url_id: UUID, reason: str) -> bool:
    """The server could not fetch a page. False where it no longer waits for a text."""
    return bool(await tx.all(store.reader_urls.FAIL, user_id, [url_id], reason[:MAX_REASON]))


async def note_progress(
    tx: Tx, user_id: UUID, session_id: SessionId, step: str, done: int, total: int
) -> None:
    """Who watches the session live sees how far its processing has come."""
    progress = {"step": step, "done": done, "total": total}
    await tx.run(store.results.NOTE_PROGRESS, session_id, user_id, progress)


async def complete(tx: Tx, user_id: UUID, session_id: SessionId, timeline_version: int) -> bool:
    """Everything was made of this version of the timeline. False where it has moved on."""
    found = await tx.maybe(store.results.COMPLETE, session_id, user_id, timeline_version)
    return found is not None


async def fail(
    tx: Tx, user_id: UUID, session_id: SessionId, timeline_version: int, reason: str
) -> bool:
    """Processing this version of the timeline failed; one that was completed before stays so. False
    where it has moved on."""
    found = await tx.maybe(
        store.results.FAIL, session_id, user_id, timeline_version, reason[:MAX_REASON]
    )
    return found is not None
