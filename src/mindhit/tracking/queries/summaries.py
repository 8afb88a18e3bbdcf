"""Sessions as lists show them: counted and named by one rule, wherever they are shown.

Pages are distinct URLs with a focused visit, the one that is open included. A session without a title is named after what was read longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from mindhit import urls
from mindhit.db import Database, Query, ReadTx
from mindhit.tracking import shapes, store
from mindhit.tracking.store.session_detail import Summary
from mindhit.tracking.timeline import state as states
from mindhit.tracking.timeline.state import State, open_page


class _Ask(Protocol):
    async def __call__(self, query: Query[UUID], /, *values: object) -> list[UUID]: ...


async def summaries(
    db: Database | ReadTx, user_id: UUID, ids: Sequence[UUID]
) -> list[shapes.SessionSummary]:
    """Newest first; ids that are not this person's sessions are left out."""
    if not ids:
        return []
    if isinstance(db, Database):
        found = await db.alone(store.session_detail.SUMMARIES, user_id, ids)
        return await _counted(db.alone, user_id, found)
    found = await db.all(store.session_detail.SUMMARIES, user_id, ids)
    return await _counted(db.all, user_id, found)


async def _counted(
    ask: _Ask, user_id: UUID, found: Sequence[Summary]
) -> list[shapes.SessionSummary]:
    """With the page that is open now, which is no row yet."""
    opened: dict[UUID, UUID] = {}
    for each in found:
        if each.fold_state is not None:
            url_id = open_page(states.try_unpack(each.fold_state) or State())
            if url_id is not None:
                opened[each.id] = url_id
    if opened:
        before = await ask(store.session_detail.SEEN_BEFORE, user_id, [*opened], [*opened.values()])
        opened = {id_: url_id for id_, url_id in opened.items() if id_ not in before}
    return [_shape(each, each.page_count + (each.id in opened)) for each in found]


def title_of(title: str | None, address: str) -> str | None:
    """A page's title; that of a document without one is made of its address."""
    return title or urls.title_from(address)


def _shape(found: Summary, page_count: int) -> shapes.SessionSummary:
    return shapes.SessionSummary(
        found.id,
        found.title,
        found.title_by,
        _named_after(found, page_count),
        found.status,
        found.started_at,
        found.ended_at,
        found.last_event_at,
        found.total_duration_ms,
        page_count,
        found.highlight_count,
        found.top_keywords,
        found.top_domains,
        found.device_id,
        found.is_incomplete,
        found.is_over_limit,
        found.expires_at,
    )


def _named_after(found: Summary, page_count: int) -> shapes.NamedAfter | None:
    if found.title is not None or found.main_address is None:
        return None
    address = found.main_address
    title = title_of(found.main_title, address) or address.partition("://")[2].rstrip("/")
    return shapes.NamedAfter(title, max(page_count - 1, 0))
