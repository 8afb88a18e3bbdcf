"""Active time by domain, in one period or in several that follow each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.tracking import shapes, store


async def total(
    tx: ReadTx, user_id: UUID, since: datetime, until: datetime, limit: int
) -> shapes.Totals:
    """Active time by domain; a visit that crosses the start or the end counts up to it."""
    since, until = _whole_ms(since), _whole_ms(until)
    if until <= since:
        return shapes.Totals(shapes.iso(since), shapes.iso(until), 0, 0, 0, [])
    [sums] = await total_by_period(tx, user_id, [since, until], limit)
    return sums


async def total_by_period(
    tx: ReadTx, user_id: UUID, edges: Sequence[datetime], limit: int
) -> list[shapes.Totals]:
    """The same for each period between one edge and the next; edges are whole milliseconds."""
    by_period = defaultdict[int, list[store.totals.DomainSum]](list)
    for each in await tx.all(store.totals.DOMAINS, user_id, edges, limit):
        by_period[each.period].append(each)
    return [
        _totals(since, until, by_period[number])
        for number, (since, until) in enumerate(pairwise(edges), 1)
    ]


async def total_of_periods(
    tx: ReadTx, user_id: UUID, edges: Sequence[datetime]
) -> list[store.totals.PeriodSum]:
    """Without domains, for many periods; one in which nothing was read is left out. The first is 1."""
    return await tx.all(store.totals.PERIODS, user_id, edges)


def _totals(
    since: datetime, until: datetime, found: Sequence[store.totals.DomainSum]
) -> shapes.Totals:
    sums = (found[0].all_ms, found[0].all_visits, found[0].all_pages) if found else (0, 0, 0)
    domains = [shapes.DomainTotal(d.domain, d.focused_ms, d.visits, d.pages) for d in found]
    return shapes.Totals(shapes.iso(since), shapes.iso(until), *sums, domains)


def _whole_ms(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
