"""What a person means, and what of it there is: a visit, the moment of forgetting, counts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.tracking import store
from mindhit.tracking.forgetting import redacting
from mindhit.tracking.forgetting.model import VisitNotFound, What, until
from mindhit.tracking.forgetting.ranges import Forgotten
from mindhit.tracking.model import EPOCH, MILLISECOND, SessionId, SessionNotFound
from mindhit.tracking.store.forgetting import Selected
from mindhit.tracking.timeline import state as states

# A longer log is not read for a preview: the count is that of the timeline.
MOST_EVENTS_READ: Final = 20_000


@dataclass(frozen=True, slots=True)
class Preview:
    sessions: int
    visits: int
    pages: int
    highlights: int


async def find_visit(
    tx: ReadTx, user_id: UUID, session_id: SessionId, seq: int, end: datetime
) -> What:
    """One visit: its page in its session, for as long as it lasted; up to `end` where it still does."""
    inside = await tx.maybe(store.session_detail.INSIDE, user_id, session_id)
    if inside is None:
        raise SessionNotFound
    ended = await tx.maybe(store.forgetting.VISIT, user_id, session_id, seq)
    if ended is not None:
        return What(ended.entered_at, ended.left_at, url_id=ended.url_id, session_id=session_id)
    state = states.try_unpack(inside.fold_state)
    now = None if state is None else state.current
    if now is None or now.url_id is None or now.opened_by_seq != seq:
        raise VisitNotFound
    entered = EPOCH + now.entered * MILLISECOND
    return What(entered, max(end, entered + MILLISECOND), url_id=now.url_id, session_id=session_id)


async def moment(tx: ReadTx, user_id: UUID, now: datetime, clock: datetime | None) -> datetime:
    """The moment of forgetting. A browser whose clock is ahead says so itself (`clock`), or by what it
    has sent."""
    latest = await tx.maybe(store.forgetting.LATEST_EVENT, user_id)
    return until(now, clock, latest)


async def preview(tx: ReadTx, user_id: UUID, what: What) -> Preview:
    """What would go."""
    if what.session_id is not None:
        return await _preview_visit(tx, user_id, what.session_id, what)
    selected = await select(tx, user_id, what)
    ended = await tx.one(store.forgetting.PREVIEW, selected)
    still = await _open_pages(tx, user_id, what)
    return Preview(
        max(ended.sessions, len({session_id for session_id, _ in still})),
        ended.visits + len(still),
        max(ended.pages, len({url_id for _, url_id in still})),
        ended.highlights,
    )


async def select(tx: ReadTx, user_id: UUID, what: What) -> Selected:
    url_ids: list[UUID] | None = None
    if what.domain is not None:
        url_ids = await tx.all(store.forgetting.OWN_URLS_OF_SITE, user_id, what.domain)
    elif what.url_id is not None:
        url_ids = [what.url_id]
    session_ids = None if what.session_id is None else [what.session_id]
    return Selected(
        user_id=user_id,
        from_at=what.from_at,
        to_at=what.to_at,
        url_ids=url_ids,
        session_ids=session_ids,
    )


async def _preview_visit(tx: ReadTx, user_id: UUID, session_id: UUID, what: What) -> Preview:
    """Exactly: visits that are known only through this one go with it."""
    session = await tx.maybe(store.refolding.BY_ID, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.event_count > MOST_EVENTS_READ:
        selected = await select(tx, user_id, what)
        shown = await tx.one(store.forgetting.PREVIEW, selected)
        return Preview(1, max(1, shown.visits), max(1, shown.pages), shown.highlights)
    loss = await redacting.estimate(tx, user_id, session, [what.range_of(user_id)])
    return Preview(1, max(1, loss.visits), max(1, loss.pages), loss.highlights)


async def _open_pages(tx: ReadTx, user_id: UUID, what: What) -> list[tuple[UUID, UUID]]:
    """Session and page of visits that have not ended: they are in no row yet."""
    found = []
    range_ = what.range_of(user_id)
    for session in await tx.all(store.session_list.UNCLOSED, user_id):
        state = states.try_unpack(session.fold_state)
        now = None if state is None else state.current
        if now is None or now.url_id is None:
            continue
        known = await tx.maybe(store.forgetting.DOMAINS, [now.url_id])
        domain = None if known is None else known.domain
        forgotten = Forgotten(user_id, session.id, [range_])
        if forgotten.has_visit(now.entered, max(range_.end, now.entered + 1), now.url_id, domain):
            found.append((session.id, now.url_id))
    return found
