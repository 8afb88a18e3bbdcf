"""What is in the index, made again from what there is now. Killed anywhere, the next run makes the same.

Lexemes of texts are made in a thread: those of a long session would hold the event loop for a second.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar
from urllib.parse import unquote
from uuid import UUID

from mindhit.db import Database, Tx
from mindhit.library import store
from mindhit.library.model import PageKind
from mindhit.library.search.lexemes import Document, lexemes, month
from mindhit.library.search.pace import AT_FULL_PACE, Pace
from mindhit.library.store.indexing import (
    BookmarkWords,
    Docs,
    HighlightWords,
    PageWords,
    SessionWords,
    TextWords,
)

AT_ONCE: Final = 100  # documents in one statement
TEXTS_AT_ONCE: Final = 25
BOOKMARKS_AT_ONCE: Final = 500
LONGEST_ADDRESS: Final = 300  # characters of an address that are indexed
_FIRST, _LAST = UUID(int=0), UUID(int=2**128 - 1)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Doc:
    id: UUID
    at: datetime
    words: Document
    session_id: UUID | None = None
    page_id: UUID | None = None
    text_id: UUID | None = None
    content_id: UUID | None = None
    url_id: UUID | None = None


async def index_session(
    db: Database, user_id: UUID, session_id: UUID, pace: Pace = AT_FULL_PACE
) -> None:
    """A session whose timeline is closed, its pages, highlights and texts."""
    async with db.read() as tx:
        session = await tx.maybe(store.indexing.SESSION, user_id, session_id)
        pages = await tx.all(store.indexing.PAGES, user_id, session_id)
        highlights = await tx.all(store.indexing.HIGHLIGHTS, user_id, session_id)
    if session is None or not session.is_closed:
        return
    docs = [
        _session_doc(session_id, session),
        *(doc for page in pages for doc in _page_docs(session_id, page)),
        *(_highlight_doc(session_id, each) for each in highlights),
    ]
    async with pace.portion(), db.transaction() as tx:
        await _put(tx, user_id, docs)
        await tx.run(store.indexing.DROP_OTHERS, user_id, session_id, [each.id for each in docs])
    await index_texts(db, user_id, {id_ for page in pages for id_ in page.content_ids}, pace)


async def index_description(db: Database, user_id: UUID, session_id: UUID) -> None:
    """The session itself: its title, keywords or topics have changed."""
    async with db.transaction() as tx:
        session = await tx.maybe(store.indexing.SESSION, user_id, session_id)
        if session is not None and session.is_closed:
            await _put(tx, user_id, [_session_doc(session_id, session)])


async def index_highlights(db: Database, user_id: UUID, session_id: UUID) -> None:
    """A note on one of them has changed; those of an open session are indexed when it is closed."""
    async with db.transaction() as tx:
        session = await tx.maybe(store.indexing.SESSION, user_id, session_id)
        if session is not None and session.is_closed:
            found = await tx.all(store.indexing.HIGHLIGHTS, user_id, session_id)
            await _put(tx, user_id, [_highlight_doc(session_id, each) for each in found])


async def index_texts(
    db: Database, user_id: UUID, content_ids: Iterable[UUID], pace: Pace = AT_FULL_PACE
) -> None:
    """Texts that a page in the index has; others are indexed with their session."""
    for some in _in_parts(sorted(content_ids), TEXTS_AT_ONCE):
        async with pace.portion(), db.transaction() as tx:
            found = await tx.all(store.indexing.TEXTS, user_id, some)
            await _put(tx, user_id, [_text_doc(user_id, each) for each in found])


async def index_text(db: Database, user_id: UUID, content_id: UUID) -> None:
    """One that was summarised, or that the server fetched after its session was closed."""
    for session_id in await db.alone(store.indexing.SESSIONS_OF_TEXT, user_id, content_id):
        await index_session(db, user_id, session_id)
    await index_texts(db, user_id, [content_id])


async def index_public_text(db: Database, content_id: UUID) -> None:
    """One that the server fetched, for everybody who was there."""
    for user_id in await db.alone(store.indexing.READERS, content_id):
        await index_texts(db, user_id, [content_id])


async def index_bookmarks(db: Database, user_id: UUID) -> bool:
    """Some of those that changed since the last time; whether there may be more.

    Whatever has a number of the counter up to the largest that is seen is committed, so nothing is passed
    over (counter.py). One number may have more pages than are read at once: those are read on by their ids.
    """
    async with db.transaction() as tx:
        seq = await tx.maybe(store.indexing.PROGRESS, user_id) or 0
        last, count = (seq, _LAST), 0
        found = await tx.all(store.indexing.BOOKMARKS, user_id, *last, BOOKMARKS_AT_ONCE)
        while found:
            await _put(tx, user_id, [_bookmark_doc(each) for each in found if _has_words(each)])
            without = [each.id for each in found if not _has_words(each)]
            await tx.run(store.indexing.DROP, user_id, without)
            count, last = count + len(found), (found[-1].seq, found[-1].id)
            rest = await tx.all(store.indexing.BOOKMARKS, user_id, *last, BOOKMARKS_AT_ONCE)
            # Stop between two numbers, never inside one.
            found = (
                [each for each in rest if each.seq == last[0]]
                if count >= BOOKMARKS_AT_ONCE
                else rest
            )
        if count:
            await tx.run(store.indexing.ADVANCE, user_id, last[0])
    return count >= BOOKMARKS_AT_ONCE


async def _put(tx: Tx, user_id: UUID, docs: Sequence[Doc]) -> None:
    # In the order of ids: two jobs may write the same texts.
    for some in _in_parts(sorted(docs, key=lambda each: each.id), AT_ONCE):
        await tx.run(store.indexing.PUT, await asyncio.to_thread(_columns, user_id, some))


def _columns(user_id: UUID, docs: Sequence[Doc]) -> Docs:
    return Docs(
        user_id=user_id,
        ids=[each.id for each in docs],
        kinds=["text" if each.text_id else each.words.kind for each in docs],
        session_ids=[each.session_id for each in docs],
        page_ids=[each.page_id for each in docs],
        text_ids=[each.text_id for each in docs],
        content_ids=[each.content_id for each in docs],
        url_ids=[each.url_id for each in docs],
        domains=[each.words.domain for each in docs],
        at=[each.at for each in docs],
        lexemes=[lexemes(user_id, each.words) for each in docs],
    )


def _session_doc(session_id: UUID, session: SessionWords) -> Doc:
    words = Document(
        "session",
        None,
        [month(session.started_at)],
        [session.title or ""],
        [*session.keywords, *(session.topics or ())],
    )
    return Doc(session_id, session.started_at, words, session_id=session_id)


def _page_docs(session_id: UUID, page: PageWords) -> list[Doc]:
    """One for each text that was read there: a page may say something else a minute later."""
    address = readable_address(page.address or page.url)
    words = Document("page", page.domain, [month(page.at)], page.titles, [address])
    contents: list[UUID | None] = [*page.content_ids] or [None]
    return [
        Doc(
            _hash(session_id, page.url_id, content_id),
            page.at,
            words,
            session_id=session_id,
            content_id=content_id,
            url_id=page.url_id,
        )
        for content_id in contents
    ]


def _highlight_doc(session_id: UUID, highlight: HighlightWords) -> Doc:
    said = [highlight.text, highlight.note or ""]
    words = Document("highlight", highlight.domain, [month(highlight.created_at)], said=said)
    return Doc(
        highlight.id, highlight.created_at, words, session_id=session_id, url_id=highlight.url_id
    )


def _text_doc(user_id: UUID, text: TextWords) -> Doc:
    """Found as the page it is of. Its months are all in which it was read: it is asked for by any."""
    said = [text.summary or "", *(text.keywords or ()), text.domain]
    words = Document("page", text.domain, text.months, [text.title or ""], said, text.text)
    return Doc(_hash(user_id, text.id), text.at, words, text_id=text.id, url_id=text.url_id)


def _bookmark_doc(page: BookmarkWords) -> Doc:
    # The short ones first: there is room for 20,000 characters, and a note may take it all.
    said = [
        *(*page.tags, *(page.keywords or ()), page.site_name or "", readable_address(page.address)),
        *(page.summary or "", page.description or "", page.note or ""),
    ]
    title = [page.title or "", page.link_title or ""]
    words = Document("bookmark", page.domain, [month(page.created_at)], title, said)
    return Doc(page.id, page.created_at, words, page_id=page.id, url_id=page.url_id)


def _has_words(page: BookmarkWords) -> bool:
    return page.kind != PageKind.SEPARATOR


def readable_address(address: str) -> str:
    """Its words: without a scheme, and with letters for escapes."""
    return unquote(address.partition("://")[2] or address)[:LONGEST_ADDRESS]


def _in_parts(items: Sequence[Item], size: int) -> Iterator[list[Item]]:
    return (list(items[start : start + size]) for start in range(0, len(items), size))


def _hash(*parts: UUID | None) -> UUID:
    whole = b"".join(_FIRST.bytes if part is None else part.bytes for part in parts)
    return UUID(bytes=hashlib.sha256(whole).digest()[:16])
