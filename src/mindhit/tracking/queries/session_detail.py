"""One session: its summary, its whole timeline, its live progress.

A session that belongs to another person, was deleted or never existed is the same: `SessionNotFound`.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from msgspec import structs

from mindhit.db import Database, ReadTx
from mindhit.tracking import icons, shapes, store
from mindhit.tracking.model import (
    EPOCH,
    MILLISECOND,
    IconNotFound,
    PauseKind,
    SessionId,
    SessionNotFound,
)
from mindhit.tracking.queries.summaries import summaries, title_of
from mindhit.tracking.store.refolding import StoredHighlight, StoredVisit
from mindhit.tracking.store.session_detail import OpenVisit
from mindhit.tracking.timeline import state as states
from mindhit.tracking.timeline.holes import Log
from mindhit.tracking.timeline.state import Interval, IntervalKind, State


async def summarise(tx: ReadTx, user_id: UUID, session_id: SessionId) -> shapes.SessionSummary:
    found = await summaries(tx, user_id, [session_id])
    if not found:
        raise SessionNotFound
    return found[0]


async def show(tx: ReadTx, user_id: UUID, session_id: SessionId) -> shapes.SessionDetail:
    """A session with its whole timeline, including the visit or pause that has not ended."""
    summary = await summarise(tx, user_id, session_id)
    inside = await tx.one(store.session_detail.INSIDE, user_id, session_id)
    state = _state_of(inside.fold_state)
    stored = await tx.all(store.session_detail.VISITS, user_id, session_id, shapes.ICON_PATH)
    visits = [each if each.title is not None else _titled(each) for each in stored]
    pauses = await tx.all(store.session_detail.PAUSES, user_id, session_id)
    seq = None
    now = await _open_visit(tx, user_id, session_id, state)
    if now is not None and state.current is not None:
        visits.append(now)
        seq = state.current.opened_by_seq
    pauses += _open_pause(state)
    return shapes.SessionDetail(
        _head(summary, inside),
        visits,
        await tx.all(store.session_detail.HIGHLIGHTS, user_id, session_id, seq),
        pauses,
        [shapes.Hole(*each) for each in Log.of(inside).missing(inside.last_seq)],
    )


@dataclass(frozen=True, slots=True)
class StoredTimeline:
    """What a fold made of a session's log, as it is stored."""

    visits: list[StoredVisit]
    pauses: list[shapes.PauseItem]
    highlights: list[StoredHighlight]


async def stored_timeline(tx: ReadTx, user_id: UUID, session_id: SessionId) -> StoredTimeline:
    """Without what other sessions and slices know of the same pages."""
    return StoredTimeline(
        await tx.all(store.refolding.VISITS, session_id, user_id),
        await tx.all(store.session_detail.PAUSES, user_id, session_id),
        await tx.all(store.refolding.HIGHLIGHTS, session_id, user_id),
    )


async def find_icon(db: Database, user_id: UUID, icon: str) -> bytes:
    """The PNG that a visit's `favicon` names; from the reader's own contents or shared ones."""
    found = await db.alone(store.session_detail.ICON, user_id, icon)
    if not found:
        raise IconNotFound
    return icons.png_of(found[0])


async def version_of(db: Database, user_id: UUID, session_id: SessionId) -> int | None:
    """A number that grows with every change of a session; None if there is no such session."""
    found = await db.alone(store.session_detail.VERSION, user_id, session_id)
    return found[0] if found else None


async def show_progress(tx: ReadTx, user_id: UUID, session_id: SessionId) -> shapes.Progress:
    """What a watcher gets: the session without its timeline, and the current visit."""
    summary = await summarise(tx, user_id, session_id)
    inside = await tx.one(store.session_detail.INSIDE, user_id, session_id)
    state = _state_of(inside.fold_state)
    visit = await _open_visit(tx, user_id, session_id, state)
    now = None
    if visit is not None:
        now = shapes.PageNow(visit.url, visit.title, visit.entered_at, visit.is_focused)
    head = structs.asdict(_head(summary, inside))
    step = inside.progress and shapes.Step(**inside.progress)
    return shapes.Progress(**head, version=inside.version, page_now=now, processing=step)


def _state_of(packed: bytes | None) -> State:
    """What is open in a session; nothing if that is known only after the log is folded again."""
    return states.try_unpack(packed) or State()


def _head(
    summary: shapes.SessionSummary, inside: store.session_detail.Inside
) -> shapes.SessionHead:
    return shapes.SessionHead(
        **structs.asdict(summary),
        acked_seq=inside.next_seq - 1,
        event_count=inside.event_count,
        rejected_count=inside.rejected_count,
        error=inside.error,
    )


def _titled(visit: shapes.PageVisitItem) -> shapes.PageVisitItem:
    title = title_of(None, visit.url)
    return visit if title is None else structs.replace(visit, title=title)


async def _open_visit(
    tx: ReadTx, user_id: UUID, session_id: SessionId, state: State
) -> shapes.PageVisitItem | None:
    now = state.current
    if now is None or now.url_id is None:
        return None
    found = await tx.maybe(
        store.session_detail.OPEN_VISIT,
        OpenVisit(
            user_id=user_id,
            session_id=session_id,
            icon_path=shapes.ICON_PATH,
            opened_by_seq=now.opened_by_seq,
            visit_order=state.visits + 1,
            url_id=now.url_id,
            tab_id=now.tab_id,
            entered_ms=now.entered,
            duration_ms=_lasted(state, now),
            is_focused=now.kind is IntervalKind.FOCUSED,
            title=now.title,
            content_id=now.content_id,
            transition=now.transition,
            from_url_id=now.from_url_id,
            address=now.address,
        ),
    )
    return found if found is None or found.title is not None else _titled(found)


def _open_pause(state: State) -> list[shapes.PauseItem]:
    now = state.current
    if now is None or now.url_id is not None:
        return []
    kind = PauseKind.IDLE if now.kind is IntervalKind.IDLE else PauseKind.NO_PAGE
    entered = shapes.iso(EPOCH + now.entered * MILLISECOND)
    return [shapes.PauseItem(kind.value, entered, None, _lasted(state, now))]


def _lasted(state: State, now: Interval) -> int:
    """Up to the last event: nothing is known about the time after it."""
    return 0 if state.clock is None else state.clock - now.entered
