"""Highlights in all of a person's sessions, newest first."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from mindhit import urls
from mindhit.db import ReadTx
from mindhit.tracking import shapes, store
from mindhit.tracking.model import HighlightNotFound
from mindhit.tracking.store.highlights import ListParams, OneParams


class HighlightKey(NamedTuple):
    """What a list of highlights is ordered by."""

    created_at: datetime
    id: UUID


class Listed(NamedTuple):
    """Some highlights of a list; `next_key` is the last one's where more follow."""

    highlights: list[shapes.ListedHighlight]
    next_key: HighlightKey | None


async def list_highlights(
    tx: ReadTx,
    user_id: UUID,
    *,
    limit: int,
    after: HighlightKey | None = None,
    url_id: UUID | None = None,
) -> Listed:
    """Of all pages, or of one."""
    asked = ListParams(
        user_id=user_id,
        url_id=url_id,
        after_created_at=after.created_at if after else None,
        after_id=after.id if after else None,
        icon_path=shapes.ICON_PATH,
        limit=limit + 1,
    )
    found = await tx.all(store.highlights.LIST, asked)
    next_key = None
    if len(found) > limit:
        last = found[limit - 1]
        next_key = HighlightKey(datetime.fromisoformat(last.created_at), last.id)
    return Listed(found[:limit], next_key)


async def texts_highlighted(tx: ReadTx, user_id: UUID, address: str, limit: int) -> list[str]:
    """On the page at an address, newest first; nothing on what is no page."""
    try:
        url = urls.normalise(address)
    except urls.NotAPage:
        return []
    return await tx.all(store.highlights.TEXTS, user_id, url.id, limit)


async def show_highlight(tx: ReadTx, user_id: UUID, id_: UUID) -> shapes.ListedHighlight:
    asked = OneParams(user_id=user_id, id=id_, icon_path=shapes.ICON_PATH)
    found = await tx.maybe(store.highlights.ONE, asked)
    if found is None:
        raise HighlightNotFound
    return found
