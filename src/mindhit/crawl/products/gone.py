"""Products that are not there any more: missing in two whole listings, or 404 twice.

Two counts, as a listing often goes on showing what has no page any more."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.crawl import store
from mindhit.crawl.model import SchedulerId, Stage, TaskId
from mindhit.crawl.products.alerts import Alert, AlertKind
from mindhit.crawl.products.telling import rules_for, tell
from mindhit.crawl.store.products import Locked, Missed
from mindhit.crawl.store.raws import Pending
from mindhit.db import Tx

GONE_AFTER: Final = 2


def is_there_again(product: Locked, raw: Pending) -> Locked:
    """As a raw that was read leaves it. That a listing shows it says nothing of its own page. Pure."""
    is_own_page = raw.type == Stage.DETAIL or (
        raw.type == Stage.MINI_SHOP and not raw.is_listed and product.detail_at is None
    )
    not_found = 0 if is_own_page else product.not_found
    gone_at = product.gone_at if not_found >= GONE_AFTER else None
    return replace(product, missed=0, not_found=not_found, gone_at=gone_at)


async def miss_one(tx: Tx, user_id: UUID, site: str, item_key: str, now: datetime) -> None:
    """Its page says that it is not there."""
    missed = await tx.maybe(store.products.MISS_ONE, user_id, site, item_key, GONE_AFTER)
    if missed is not None:
        await _tell(tx, user_id, [missed], now)


async def miss_unlisted(
    tx: Tx, user_id: UUID, scheduler_id: SchedulerId, run_id: TaskId, now: datetime
) -> int:
    """What a listing that was read to its end did not show; counted once, whoever asks again."""
    if await tx.maybe(store.tasks.TAKE_LISTED, user_id, run_id) is None:
        return 0
    missed = await tx.all(store.products.MISS_UNLISTED, user_id, scheduler_id, run_id, GONE_AFTER)
    await _tell(tx, user_id, missed, now)
    return len(missed)


async def _tell(tx: Tx, user_id: UUID, missed: list[Missed], now: datetime) -> None:
    for each in missed:
        if each.gone_at is None or not (await rules_for(tx, user_id, each.scheduler_id)).gone:
            continue
        alert = Alert(AlertKind.GONE, ())
        await tell(tx, user_id, each.id, each.title or each.url, each.url, alert, now)
