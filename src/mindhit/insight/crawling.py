"""The fallback crawl: a page of which the browser gave no text is fetched by the server, once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from mindhit import tracking
from mindhit.db import Database
from mindhit.fetching import FetchFailed, Page, Permanent, fetch_in_slot, outcome_of
from mindhit.insight import store
from mindhit.insight.job_types import CrawlPage, TagText
from mindhit.tracking import CrawledPage, Meta
from mindhit.tracking.missing_texts import NOT_FETCHED
from mindhit.work import Discard, Outcome, Retry, Snooze, Work, enqueue

if TYPE_CHECKING:
    from mindhit.fetching.fetcher import Fetcher
    from mindhit.fetching.page_reader import PageReader
    from mindhit.fetching.text import Extracted

NO_TEXT: Final = "the page has no text"


async def crawl(
    work: Work[CrawlPage],
    fetcher: Fetcher,
    reader: PageReader,
    allowed: Collection[str] = (),
) -> Outcome | None:
    """Fetch a page that still waits and may still be fetched. What it failed of is on the page; the
    job itself has done what it could. `allowed`: as of `urls.may_be_fetched`."""
    args = work.args
    async with work.db.read() as tx:
        address = await tracking.may_fetch(tx, args.user_id, args.url_id, allowed)
    if address is None:
        await _fail(work.db, args, NOT_FETCHED)
        return None
    try:
        fetched = await fetch_in_slot(work, fetcher, address)
        if isinstance(fetched, Snooze):
            return fetched
        if not isinstance(fetched, Page):
            raise Permanent(reason="nothing was sent")
        text = await reader.read(fetched)
    except FetchFailed as error:
        return await _outcome(work, error)
    if text.text.strip():
        await _keep(work.db, args, text)
    else:
        await _fail(work.db, args, NO_TEXT)
    return None


async def _outcome(work: Work[CrawlPage], error: FetchFailed) -> Outcome | None:
    outcome = outcome_of(error)
    if isinstance(outcome, Discard) or (isinstance(outcome, Retry) and work.is_last_attempt):
        await _fail(work.db, work.args, error.reason)
        return None
    return outcome


async def _fail(db: Database, args: CrawlPage, reason: str) -> None:
    async with db.transaction() as tx:
        await tracking.put_crawl_failed(tx, args.user_id, args.url_id, reason)


async def _keep(db: Database, args: CrawlPage, found: Extracted) -> None:
    meta = found.meta
    page = CrawledPage(
        meta.title,
        found.text,
        Meta(
            description=meta.description,
            og_image=meta.image,
            language=meta.language,
            canonical=meta.canonical,
        ),
    )
    async with db.transaction() as tx:
        if not await tracking.put_crawled(tx, args.user_id, args.url_id, page):
            return
        content_id = await tx.maybe(store.processing.CONTENT_OF_PAGE, args.user_id, args.url_id)
        if content_id is not None:
            await enqueue(tx, TagText(content_id, args.user_id))
