"""Candidates as they are now: what they say, where; and as hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.library import store
from mindhit.library.search.indexing import readable_address
from mindhit.library.search.ranking import Field, Question, Rank, rank, shown
from mindhit.library.search.snippets import Shown, marked, snippet
from mindhit.library.shapes import Hit
from mindhit.library.store.search import (
    Alive,
    LiveBookmark,
    LiveHighlight,
    LivePage,
    LiveSession,
    Pages,
)

Fields = list[tuple[Field, str]]


@dataclass(frozen=True, slots=True)
class Loaded:
    candidate: Alive
    fields: Fields
    title: str | None
    url: str | None = None
    visit: int | None = None


async def load(tx: ReadTx, user_id: UUID, candidates: Sequence[Alive]) -> list[Loaded]:
    """Those that are still there."""
    by_kind: dict[str, list[Alive]] = {}
    for each in candidates:
        by_kind.setdefault(each.kind, []).append(each)
    return [
        *await _pages(tx, user_id, by_kind.get("page", [])),
        *await _sessions(tx, user_id, by_kind.get("session", [])),
        *await _highlights(tx, user_id, by_kind.get("highlight", [])),
        *await _bookmarks(tx, user_id, by_kind.get("bookmark", [])),
    ]


async def _pages(tx: ReadTx, user_id: UUID, candidates: list[Alive]) -> Iterator[Loaded]:
    kept = [
        (each, each.session_id, each.url_id)
        for each in candidates
        if each.session_id and each.url_id
    ]
    if not kept:
        return iter(())
    asked = Pages(
        user_id=user_id,
        session_ids=[session_id for _, session_id, _ in kept],
        url_ids=[url_id for _, _, url_id in kept],
        content_ids=[each.content_id for each, _, _ in kept],
    )
    found = await tx.all(store.search.PAGES, asked)
    return (_page(kept[page.number - 1][0], page) for page in found)


async def _sessions(tx: ReadTx, user_id: UUID, candidates: list[Alive]) -> Iterator[Loaded]:
    by_id = {each.id: each for each in candidates}
    found = await tx.all(store.search.SESSIONS, user_id, list(by_id)) if by_id else []
    return (_session(by_id[each.id], each) for each in found)


async def _highlights(tx: ReadTx, user_id: UUID, candidates: list[Alive]) -> Iterator[Loaded]:
    by_id = {each.id: each for each in candidates}
    found = await tx.all(store.search.HIGHLIGHTS, user_id, list(by_id)) if by_id else []
    return (_highlight(by_id[each.id], each) for each in found)


async def _bookmarks(tx: ReadTx, user_id: UUID, candidates: list[Alive]) -> Iterator[Loaded]:
    by_id = {each.id: each for each in candidates}
    found = await tx.all(store.search.BOOKMARKS, user_id, list(by_id)) if by_id else []
    return (_bookmark(by_id[each.id], each) for each in found)


def _page(candidate: Alive, page: LivePage) -> Loaded:
    titles = list(dict.fromkeys([*page.titles, page.content_title or ""]))
    fields: Fields = [
        *((Field.TITLE, title) for title in titles),
        (Field.KEYWORDS, " · ".join(page.keywords or ())),
        (Field.SUMMARY, page.summary or ""),
        (Field.ADDRESS, readable_address(page.address)),
        (Field.TEXT, page.text or ""),
    ]
    title = next((title for title in titles if title), None)
    return Loaded(candidate, fields, title, page.address, page.visit)


def _session(candidate: Alive, session: LiveSession) -> Loaded:
    fields: Fields = [
        (Field.TITLE, session.title or ""),
        (Field.KEYWORDS, " · ".join(session.keywords)),
        (Field.TOPICS, " · ".join(session.topics or ())),
    ]
    return Loaded(candidate, fields, session.title or session.main_title)


def _highlight(candidate: Alive, highlight: LiveHighlight) -> Loaded:
    fields: Fields = [(Field.HIGHLIGHT, highlight.text), (Field.NOTE, highlight.note or "")]
    return Loaded(candidate, fields, highlight.title, highlight.address, highlight.visit)


def _bookmark(candidate: Alive, page: LiveBookmark) -> Loaded:
    fields: Fields = [
        (Field.TITLE, page.title or ""),
        (Field.TITLE, page.link_title or ""),
        (Field.NOTE, page.note or ""),
        (Field.TAGS, " · ".join(page.tags)),
        (Field.KEYWORDS, " · ".join(page.keywords or ())),
        (Field.DESCRIPTION, " ".join(filter(None, (page.site_name, page.description)))),
        (Field.SUMMARY, page.summary or ""),
        (Field.ADDRESS, readable_address(page.address)),
    ]
    return Loaded(candidate, fields, page.title or page.link_title, page.address)


class Behind(NamedTuple):
    """Where the hits of a block go on: behind that with the key `last`, or after so many."""

    skipped: int = 0
    last: UUID | None = None


@dataclass(frozen=True, slots=True)
class Hits:
    """`last` is the key of the last one, and `shown` how many came up to it, where there are more."""

    hits: list[Hit]
    shown: int = 0
    last: UUID | None = None


Ranked = list[tuple[Loaded, Rank]]


def ranked(question: Question, loaded: Sequence[Loaded]) -> Ranked:
    """Those that answer."""
    return [(each, found) for each in loaded if (found := rank(question, each.fields))]


def hits(question: Question, answers: Ranked, behind: Behind, room: int) -> Hits:
    """The best first, and what has all words before what has some; the newer one of two that are as good."""
    asked, best = shown(question), dict[UUID, tuple[Loaded, Rank]]()
    order = sorted(
        answers,
        key=lambda each: (each[1].has_all, round(each[1].score, 1), each[0].candidate.at),
        reverse=True,
    )
    for each in order:
        best.setdefault(each[0].candidate.key, each)
    numbers = {key: number for number, key in enumerate(best, 1)}
    start = behind.skipped
    if behind.last is not None:
        # Of those that were shown, at least it is gone where it is not found.
        start = numbers.get(behind.last, max(behind.skipped - 1, 0))
    end, kept = start + room, list(best.values())
    some = [_hit(each, found, asked) for each, found in kept[start:end]]
    if len(kept) <= end or not some:
        return Hits(some)
    return Hits(some, end, kept[end - 1][0].candidate.key)


def _hit(loaded: Loaded, found: Rank, asked: Shown | None) -> Hit:
    one = loaded.candidate
    said = _shown(loaded.fields, found)
    is_bookmark = one.kind == "bookmark"
    return Hit(
        one.kind,
        one.id,
        one.session_id,
        loaded.visit,
        one.page_id if is_bookmark else None,
        None if is_bookmark else one.url_id,
        loaded.title,
        loaded.url,
        one.domain,
        one.at,
        found.found_in.value if found.found_in else None,
        (snippet if len(said) > 300 else marked)(said, asked),
    )


def _shown(fields: Fields, found: Rank) -> str:
    """Where it was found; of what was found by its title, what it says."""
    if found.found_in not in {None, Field.TITLE, Field.ADDRESS}:
        return next((text for field, text in fields if field is found.found_in and text), "")
    saying = (
        Field.SUMMARY,
        Field.DESCRIPTION,
        Field.NOTE,
        Field.TEXT,
        Field.TOPICS,
        Field.KEYWORDS,
    )
    by_field = {field: text for field, text in reversed(fields) if text}
    return next((by_field[field] for field in saying if field in by_field), "")
