"""One page with all that was recorded of it, in all of a person's sessions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final
from uuid import UUID

from msgspec import structs

from mindhit.db import Query, ReadTx
from mindhit.tracking import shapes, store
from mindhit.tracking.model import PageNotVisited
from mindhit.tracking.queries.highlights import list_highlights
from mindhit.tracking.queries.seen import seen
from mindhit.tracking.queries.summaries import title_of

MOST_VISITS: Final = 200  # the newest; a search engine may have thousands
MOST_HIGHLIGHTS: Final = 200
MOST_LINKED: Final = 30


async def show_visited(tx: ReadTx, user_id: UUID, url_id: UUID) -> shapes.VisitedPage:
    """Visits that have ended; the one that is open is in its session. Raises `PageNotVisited`."""
    page = await tx.maybe(store.visited.PAGE, user_id, url_id, shapes.ICON_PATH)
    if page is None:
        raise PageNotVisited
    visits = await tx.all(store.visited.VISITS, user_id, url_id, MOST_VISITS)
    sums = await seen(tx, user_id, url_id)
    marked = await list_highlights(tx, user_id, limit=MOST_HIGHLIGHTS, url_id=url_id)
    known = asdict(page)
    latest = next((each.title for each in visits if each.title), None)
    known["title"] = title_of(latest or page.title, page.url)
    return shapes.VisitedPage(
        **known,
        first_at=None if sums is None else shapes.iso(sums.first_at),
        last_at=None if sums is None else shapes.iso(sums.last_at),
        focused_ms=0 if sums is None else sums.focused_ms,
        visit_count=0 if sums is None else sums.visits,
        visits=[shapes.VisitOfPage(**asdict(each)) for each in visits],
        highlights=marked.highlights,
        reached_from=await _linked(tx, user_id, url_id, store.visited.REACHED_FROM),
        opened=await _linked(tx, user_id, url_id, store.visited.OPENED),
    )


async def _linked(
    tx: ReadTx, user_id: UUID, url_id: UUID, query: Query[shapes.LinkedPage]
) -> list[shapes.LinkedPage]:
    found = await tx.all(query, user_id, url_id, MOST_LINKED, shapes.ICON_PATH)
    return [structs.replace(each, title=title_of(each.title, each.url)) for each in found]
