"""Reading sessions: lists, a whole timeline, what a watcher is told, totals of a range.

What another person has, what was deleted and what never was are the same: `SessionNotFound`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final, NamedTuple
from uuid import UUID

from msgspec import structs

from mindhit import urls
from mindhit.db import Database, ReadTx
from mindhit.tracking import icons, shapes, store
from mindhit.tracking.ingest.decoding import storable
from mindhit.tracking.model import (
    EPOCH,
    MILLISECOND,
    IconNotFound,
    PauseKind,
    SessionId,
    SessionNotFound,
    Status,
)
from mindhit.tracking.timeline import state as states
from mindhit.tracking.timeline.holes import Log
from mindhit.tracking.timeline.state import Interval, IntervalKind, State
from mindhit.urls import NotAPage

_META: Final = re.compile(r"([\\%_])")

_FIRST: Final = UUID(int=0)


class SessionKey(NamedTuple):
    """What a list of sessions is ordered by."""

    started_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions to list: those that started in [from, to), with these words, of this site."""

    search: str | None = None
    status: Status | None = None
    started_from: datetime | None = None
    started_to: datetime | None = None
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """Some sessions of a list; `next_key` is the last one's where more follow."""

    sessions: list[shapes.SessionSummary]
    next_key: SessionKey | None
    total: int | None


async def list_sessions(
    db: Database,
    user_id: UUID,
    wanted: SessionFilter,
    *,
    limit: int,
    after: SessionKey | None = None,
    offset: int = 0,
) -> Listed:
    """Newest first. A word is found in titles of sessions and pages and in domains, in any case.
    `total` is counted where the list is read from its start: a count with every page would cost
    more than the page.

    A few statements and no transaction around them, which would be four round trips: a session
    that is deleted between them is missing, and nothing is wrong.
    """
    span = (
        wanted.started_from,
        wanted.started_to,
        *(after or (None, None)),
        offset,
        limit + 1,
    )
    words = wanted.status, _pattern(wanted.search), _site(wanted.domain)
    if any(each is not None for each in words):
        visits = await _open_visits(db, user_id)
        [found] = await db.alone(store.reading.SEARCH, user_id, *span, *words, *visits)
    else:
        [found] = await db.alone(store.reading.LIST, user_id, *span)
    ids = found.ids[:limit]
    sessions = await db.alone(store.reading.SUMMARIES, user_id, ids) if ids else []
    next_key = None
    if len(found.ids) > limit and found.last_started_at is not None:
        next_key = SessionKey(found.last_started_at, ids[-1])
    return Listed(sessions, next_key, found.total)


async def summarise(tx: ReadTx, user_id: UUID, session_id: SessionId) -> shapes.SessionSummary:
    found = await tx.maybe(store.reading.SUMMARIES, user_id, [session_id])
    if found is None:
        raise SessionNotFound
    return found


async def show(tx: ReadTx, user_id: UUID, session_id: SessionId) -> shapes.SessionDetail:
    """A session with its whole timeline, what has not ended yet at the end of it."""
    summary = await summarise(tx, user_id, session_id)
    inside = await tx.one(store.reading.INSIDE, user_id, session_id)
    state = _state_of(inside.fold_state)
    summary = await _with_page_now(tx, user_id, summary, state)
    visits = await tx.all(store.reading.VISITS, user_id, session_id)
    pauses = await tx.all(store.reading.PAUSES, user_id, session_id)
    seq = None
    now = await _open_visit(tx, user_id, session_id, state)
    if now is not None and state.current is not None:
        visits.append(now)
        seq = state.current.opened_by_seq
    pauses += _open_pause(state)
    return shapes.SessionDetail(
        _head(summary, inside),
        visits,
        await tx.all(store.reading.HIGHLIGHTS, user_id, session_id, seq),
        pauses,
        [shapes.Hole(*each) for each in Log.of(inside).missing(inside.last_seq)],
    )


async def find_icon(db: Database, user_id: UUID, icon: str) -> bytes:
    """The PNG that a visit's `favicon` names; of a text that is the reader's own or nobody's."""
    found = await db.alone(store.reading.ICON, user_id, icon)
    if not found:
        raise IconNotFound
    return icons.png_of(found[0])


async def version_of(db: Database, user_id: UUID, session_id: SessionId) -> int | None:
    """What grows with every change of a session; None where there is no such session."""
    found = await db.alone(store.reading.VERSION, user_id, session_id)
    return found[0] if found else None


async def look(tx: ReadTx, user_id: UUID, session_id: SessionId) -> shapes.Progress:
    """What a watcher is told: the session without its timeline, and the page it is at."""
    summary = await summarise(tx, user_id, session_id)
    inside = await tx.one(store.reading.INSIDE, user_id, session_id)
    state = _state_of(inside.fold_state)
    summary = await _with_page_now(tx, user_id, summary, state)
    visit = await _open_visit(tx, user_id, session_id, state)
    page = None
    if visit is not None:
        page = shapes.PageNow(visit.url, visit.title, visit.entered_at, visit.is_focused)
    head = structs.asdict(_head(summary, inside))
    return shapes.Progress(**head, version=inside.version, page_now=page)


async def total(
    tx: ReadTx, user_id: UUID, since: datetime, until: datetime, limit: int
) -> shapes.Totals:
    """Time in the foreground by domain; a visit that reaches over an edge counts up to it."""
    since, until = _whole_ms(since), _whole_ms(until)
    if until <= since:
        return shapes.Totals(shapes.iso(since), shapes.iso(until), 0, 0, 0, [])
    [sums] = await total_by_stretch(tx, user_id, [since, until], limit)
    return sums


async def total_by_stretch(
    tx: ReadTx, user_id: UUID, edges: Sequence[datetime], limit: int
) -> list[shapes.Totals]:
    """The same for each stretch between one edge, which are whole milliseconds, and the next."""
    by_stretch = defaultdict[int, list[store.reading.DomainSum]](list)
    for each in await tx.all(store.reading.DOMAINS, user_id, edges, limit):
        by_stretch[each.stretch].append(each)
    return [
        _totals(since, until, by_stretch[number])
        for number, (since, until) in enumerate(pairwise(edges), 1)
    ]


def _totals(
    since: datetime, until: datetime, found: Sequence[store.reading.DomainSum]
) -> shapes.Totals:
    sums = (found[0].all_ms, found[0].all_visits, found[0].all_pages) if found else (0, 0, 0)
    domains = [shapes.DomainTotal(d.domain, d.focused_ms, d.visits, d.pages) for d in found]
    return shapes.Totals(shapes.iso(since), shapes.iso(until), *sums, domains)


async def owner_of(tx: ReadTx, session_id: SessionId) -> UUID:
    """Whose a session is: for whoever runs the server, never for an answer to somebody."""
    found = await tx.maybe(store.reading.OWNER, session_id)
    if found is None:
        raise SessionNotFound
    return found.user_id


async def every_session(db: Database, user_id: UUID | None) -> list[store.reading.Owned]:
    """All sessions of a person, or of everybody."""
    every: list[store.reading.Owned] = []
    while more := await db.alone(store.reading.EVERY, every[-1].id if every else _FIRST, user_id):
        every += more
    return every


async def _open_visits(
    db: Database, user_id: UUID
) -> tuple[list[UUID], list[UUID], list[str | None]]:
    """Sessions with a visit that is no row yet, as it has not ended; its url and its title."""
    sessions: list[UUID] = []
    visited: list[UUID] = []
    titles: list[str | None] = []
    for each in await db.alone(store.reading.UNCLOSED, user_id):
        now = _state_of(each.fold_state).current
        if now is not None and now.url_id is not None:
            sessions.append(each.id)
            visited.append(now.url_id)
            titles.append(now.title)
    return sessions, visited, titles


def _state_of(packed: bytes | None) -> State:
    """What is open in a session; nothing, where that will be known only when it is folded again."""
    return states.try_unpack(packed) or State()


def _pattern(search: str | None) -> str | None:
    """Words as they were written: nothing in them is a wildcard."""
    text = unicodedata.normalize("NFC", storable(search or "")).strip()
    return "%" + _META.sub(r"\\\1", text) + "%" if text else None


def _site(domain: str | None) -> str | None:
    """A domain in the spelling that pages have; what is none is no page's."""
    if domain is None:
        return None
    try:
        return urls.clean_domain(domain)
    except NotAPage:
        return "."


def _head(summary: shapes.SessionSummary, inside: store.reading.Inside) -> shapes.SessionHead:
    return shapes.SessionHead(
        **structs.asdict(summary),
        acked_seq=inside.next_seq - 1,
        event_count=inside.event_count,
        rejected_count=inside.rejected_count,
        error=inside.error,
    )


async def _with_page_now(
    tx: ReadTx, user_id: UUID, summary: shapes.SessionSummary, state: State
) -> shapes.SessionSummary:
    """The page in the foreground is one of the session's pages, though its visit is no row yet."""
    now = state.current
    if now is None or now.url_id is None or now.kind is not IntervalKind.FOCUSED:
        return summary
    if await tx.one(store.reading.WAS_SEEN, user_id, summary.id, now.url_id):
        return summary
    return structs.replace(summary, page_count=summary.page_count + 1)


async def _open_visit(
    tx: ReadTx, user_id: UUID, session_id: SessionId, state: State
) -> shapes.PageVisitItem | None:
    now = state.current
    if now is None or now.url_id is None:
        return None
    return await tx.maybe(
        store.reading.OPEN_VISIT,
        user_id,
        session_id,
        now.opened_by_seq,
        state.visits + 1,
        now.url_id,
        now.tab_id,
        now.entered,
        _lasted(state, now),
        now.kind is IntervalKind.FOCUSED,
        now.title,
        now.content_id,
        now.transition,
        now.from_url_id,
    )


def _open_pause(state: State) -> list[shapes.PauseItem]:
    now = state.current
    if now is None or now.url_id is not None:
        return []
    kind = PauseKind.IDLE if now.kind is IntervalKind.IDLE else PauseKind.NO_PAGE
    entered = shapes.iso(EPOCH + now.entered * MILLISECOND)
    return [shapes.PauseItem(kind.value, entered, None, _lasted(state, now))]


def _lasted(state: State, now: Interval) -> int:
    """Up to the last event: what came after it, nobody knows yet."""
    return 0 if state.clock is None else state.clock - now.entered


def _whole_ms(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
