"""Quiet hours: what is due in them is put off to their end, whoever meets it. A run does, and so does a
job that waited: for a retry, behind a long queue, or while the server was off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from mindhit.db import Tx
from mindhit.delivery import quiet_until
from mindhit.library import PageId
from mindhit.reminders import metrics, store


def held_until(
    met: Iterable[store.running.Due | store.sending.Coming], now: datetime
) -> dict[PageId, datetime]:
    """Those that have to wait, and until when. A time that its person chose is kept at any hour."""
    return {
        each.page_id: end
        for each in met
        if not each.is_chosen and (end := quiet_until(each.preferences, now)) is not None
    }


async def hold(tx: Tx, ends: Mapping[PageId, datetime]) -> None:
    """They are no longer under way, and are taken again at that time."""
    if ends:
        await tx.run(store.running.HOLD, [*ends], [*ends.values()])
        metrics.HELD.inc(len(ends))
