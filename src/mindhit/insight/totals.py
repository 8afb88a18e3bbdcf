"""Active time by topic."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from mindhit.db import ReadTx
from mindhit.insight import store
from mindhit.insight.model import Shape
from mindhit.tracking import shapes


class TopicTotal(Shape, frozen=True):
    topic: str
    focused_ms: int
    visits: int
    pages: int


class TopicTotals(Shape, frozen=True):
    """Active time by topic, most first. The sums include topics that are not listed."""

    from_: shapes.Time = msgspec.field(name="from")
    to: shapes.Time
    focused_ms: int
    visits: int
    pages: int
    topics: list[TopicTotal]


async def total_by_topic(
    tx: ReadTx, user_id: UUID, since: datetime, until: datetime, limit: int
) -> TopicTotals:
    since, until = _whole_ms(since), _whole_ms(until)
    found = []
    if since < until:
        found = await tx.all(store.topics.TOTALS, user_id, since, until, limit)
    sums = (found[0].all_ms, found[0].all_visits, found[0].all_pages) if found else (0, 0, 0)
    topics = [TopicTotal(each.topic, each.focused_ms, each.visits, each.pages) for each in found]
    return TopicTotals(shapes.iso(since), shapes.iso(until), *sums, topics)


def _whole_ms(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
