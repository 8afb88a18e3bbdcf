"""Applying what has arrived of one product, in order, under its lock.

Raws are read first, in processes and without a transaction; then the product is locked, and those that
still wait are applied in one transaction. Whatever is killed, a raw is applied once: its state
changes with the product. One that waits for another stays as it is; the arrival of that one runs this
again. One that the database refuses is put aside like one that can't be read, or it would hold up the
others for ever.
"""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit import log
from mindhit.clock import utc_now
from mindhit.crawl import failure_path, metrics, store
from mindhit.crawl.executing.failing import backoff_s
from mindhit.crawl.job_types import Apply
from mindhit.crawl.model import OptionId, Stage
from mindhit.crawl.products import merging
from mindhit.crawl.products.alerts import alerts_of
from mindhit.crawl.products.gone import is_there_again, miss_one
from mindhit.crawl.products.merging import OptionState
from mindhit.crawl.products.order import Applied, Turn, in_order, turn_of
from mindhit.crawl.products.saving import facts_of, save, save_option, state_of
from mindhit.crawl.products.telling import rules_for, tell
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.sites.api import Page, Parsed
from mindhit.crawl.sites.reading import Reader, ReadRaw
from mindhit.crawl.sites.storable import storable_text
from mindhit.crawl.store.products import Locked
from mindhit.crawl.store.raws import Pending
from mindhit.db import NOT_NOW, Tx
from mindhit.work import Outcome, Snooze, Work

AT_ONCE: Final = 20
RETRY_S: Final = (60.0, 600.0, 3600.0)
LARGEST_BODY: Final = 64 * 2**20
LAYOUT: Final = "layout:"  # how the errors begin that another version of the plug-in may not have
_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class _Read:
    raw: Pending
    read: ReadRaw


class _NotApplied(Exception):
    """The transaction has failed at this raw."""

    def __init__(self, raw: Pending, reason: str) -> None:
        super().__init__(reason)
        self.raw = raw
        self.reason = reason


async def apply(settings: CrawlSettings, reader: Reader, work: Work[Apply]) -> Outcome | None:
    asked = work.args
    pending = await work.db.alone(
        store.raws.PENDING, asked.user_id, asked.site, asked.item_key, AT_ONCE
    )
    if not pending:
        return None
    read = [_Read(raw, await _read(reader, asked.site, raw)) for raw in pending]
    try:
        async with work.db.transaction() as tx:
            applied = await apply_all(tx, settings, asked, read, utc_now())
    except _NotApplied as failure:
        with failure_path.counted("apply", raw_id=failure.raw.id):
            async with work.db.transaction() as tx:
                await _put_aside(tx, settings, asked, failure)
        return Snooze(0, "the others are still to be applied")
    if applied and len(pending) == AT_ONCE:
        return Snooze(0, "there is more")
    return None


async def _read(reader: Reader, site: str, raw: Pending) -> ReadRaw:
    try:
        body = await asyncio.to_thread(_unpacked, raw.body)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        return ReadRaw(problem=f"{type(error).__name__}: {error}")
    return await reader.read(site, Stage(raw.type), Page(raw.url, body))


def _unpacked(body: bytes) -> bytes:
    plain = gzip.decompress(body)
    if len(plain) > LARGEST_BODY:
        raise ValueError("too large")
    return plain


async def apply_all(
    tx: Tx, settings: CrawlSettings, asked: Apply, read: Sequence[_Read], now: datetime
) -> int:
    """How many raws came to an end."""
    first = read[0].raw
    await tx.run(
        store.products.MAKE,
        asked.user_id,
        first.scheduler_id,
        asked.site,
        asked.item_key,
        first.url,
    )
    product = await tx.one(store.products.LOCK, asked.user_id, asked.site, asked.item_key)
    waiting = set(
        await tx.all(store.raws.STILL_PENDING, asked.user_id, [each.raw.id for each in read])
    )
    by_id = {each.raw.id: each.read for each in read}
    applied = Applied(product.mini_shop_at, product.detail_at, product.option_at)
    ended = 0
    for raw in in_order(each.raw for each in read if each.raw.id in waiting):
        turn = turn_of(raw, applied)
        if turn == Turn.WAITS:
            continue
        found = by_id[raw.id]
        if found.parsed is None:
            with failure_path.counted("apply", raw_id=raw.id):
                await _not_read(tx, settings, asked, raw, found, now)
        else:
            if turn == Turn.NOW:
                applied.apply(raw)
                product = await _apply_now(tx, asked, product, raw, found.parsed, applied, now)
            await tx.run(store.raws.PROCESSED, asked.user_id, raw.id)
            metrics.RAWS.labels("PROCESSED").inc()
        ended += 1
    return ended


async def _apply_now(
    tx: Tx,
    asked: Apply,
    product: Locked,
    raw: Pending,
    parsed: Parsed,
    applied: Applied,
    now: datetime,
) -> Locked:
    """Raises `_NotApplied`, unless it is the database that does not work."""
    try:
        return await _apply_one(tx, asked.user_id, product, raw, parsed, applied, now)
    except NOT_NOW:
        raise
    except Exception as error:
        raise _NotApplied(raw, f"{type(error).__name__}: {error}") from error


async def _put_aside(tx: Tx, settings: CrawlSettings, asked: Apply, failure: _NotApplied) -> None:
    _log.error("raw not applied", raw_id=str(failure.raw.id), reason=failure.reason)
    if await tx.all(store.raws.STILL_PENDING, asked.user_id, [failure.raw.id]):
        found = ReadRaw(problem=storable_text(failure.reason))
        await _not_read(tx, settings, asked, failure.raw, found, utc_now())


async def _not_read(
    tx: Tx, settings: CrawlSettings, asked: Apply, raw: Pending, found: ReadRaw, now: datetime
) -> None:
    """Not there any more: that is an answer. Another layout: dead until there is another version. Else
    tried again, and at the limit dead."""
    problem = (found.problem or "it could not be read")[:400]
    if found.is_missing:
        await tx.run(store.raws.PROCESSED, asked.user_id, raw.id)
        await miss_one(tx, asked.user_id, asked.site, asked.item_key, now)
        metrics.RAWS.labels("PROCESSED").inc()
    elif found.is_layout:
        await tx.run(store.raws.DEAD, asked.user_id, raw.id, f"{LAYOUT} {problem}")
        metrics.RAWS.labels("DEAD").inc()
    elif raw.retry_count >= settings.crawl_raw_retries:
        await tx.run(store.raws.DEAD, asked.user_id, raw.id, problem)
        metrics.RAWS.labels("DEAD").inc()
    else:
        wait_s = backoff_s(raw.retry_count + 1, RETRY_S)
        await tx.run(store.raws.FAILED, asked.user_id, raw.id, problem, wait_s)
        metrics.RAWS.labels("FAILED").inc()


async def _apply_one(
    tx: Tx,
    user_id: UUID,
    product: Locked,
    raw: Pending,
    parsed: Parsed,
    applied: Applied,
    now: datetime,
) -> Locked:
    facts = merging.merge_facts(facts_of(product), parsed)
    stored = await tx.all(store.products.OPTIONS_OF, user_id, product.id)
    known = {each.option_key: state_of(each) for each in stored}
    ids = {each.option_key: each.id for each in stored}
    changed = [
        merging.merge_option(known.get(each.key), each, parsed.currency or facts.currency)
        for each in parsed.variants
    ]
    changed += [
        replace(known[key], gone_at=raw.created_at)
        for key in merging.gone_keys(known.values(), parsed)
    ]
    for option in changed:
        await save_option(tx, user_id, product, raw, known.get(option.option_key), option, ids)
    after = known | {each.option_key: each for each in changed}
    saved = replace(
        is_there_again(product, raw),
        scheduler_id=raw.scheduler_id,
        url=_url(parsed, product, raw),
        title=facts.title,
        brand=facts.brand,
        image=facts.image,
        sku=facts.sku,
        gtin=facts.gtin,
        currency=facts.currency,
    )
    await save(
        tx, user_id, saved, merging.summary_of(list(after.values()), facts.currency), applied
    )
    await _tell(tx, user_id, saved, known, [e for e in changed if e.gone_at is None], ids, now)
    return saved


async def _tell(
    tx: Tx,
    user_id: UUID,
    product: Locked,
    before: dict[str, OptionState],
    after: list[OptionState],
    ids: dict[str, OptionId],
    now: datetime,
) -> None:
    if not before:
        return
    rules = await rules_for(tx, user_id, product.scheduler_id)
    title = product.title or product.url
    for alert in alerts_of(before, after, rules):
        if await tell(tx, user_id, product.id, title, product.url, alert, now):
            moved = [ids[key] for key in alert.option_keys]
            await tx.run(store.products.SET_BASELINES, user_id, product.id, moved)


def _url(parsed: Parsed, product: Locked, raw: Pending) -> str:
    """Where people look at it: as the page says, else where it was fetched, if that is a page."""
    if parsed.url and len(parsed.url) <= 2000:
        return parsed.url
    return raw.url if raw.type == Stage.DETAIL else product.url
