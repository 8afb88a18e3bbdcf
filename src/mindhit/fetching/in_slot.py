"""Fetching in a job: each request in a slot of the domain it goes to, and in no other.

A redirect to another domain sends the job back to the queue under that domain, without an attempt; its
address is kept in `fetch_redirects`. So does a job that runs under a domain which is not its page's: it
was enqueued without one, or again under the old one. A site that answers 429 or 503 with Retry-After,
for a page, its robots.txt or its icon, is left alone for that time by all jobs of all workers (`fetch_waits`).

    async def enrich_link(work: Work[EnrichLink]) -> Outcome | None:
        try:
            page = await fetch_in_slot(work, fetcher, work.args.url)
        except FetchFailed as error:
            return outcome_of(error)
        if isinstance(page, Snooze):
            return page
        ...
"""

from __future__ import annotations

import asyncio
from typing import Any

from mindhit.fetching import store
from mindhit.fetching.addresses import domain_of
from mindhit.fetching.fetcher import NOTHING_KNOWN, Fetcher
from mindhit.fetching.model import (
    Blocked,
    FetchFailed,
    FetchingOff,
    Moved,
    Page,
    Permanent,
    Throttled,
    Transient,
    Unchanged,
    Validators,
)
from mindhit.fetching.waits import leave_alone
from mindhit.urls import NotAPage
from mindhit.work import Discard, Outcome, Retry, Snooze, Work


async def fetch_in_slot(
    work: Work[Any],
    fetcher: Fetcher,
    url: str,
    *,
    known: Validators = NOTHING_KNOWN,
    user_agent: str | None = None,
) -> Page | Unchanged | Snooze:
    """The page that a job asks for, or the `Snooze` to answer with. Raises `FetchFailed`."""
    kept = await fetcher.lookups.whereabouts(work.db, work.id, work.domain)
    at, hops = url, 0
    if kept.asked == url and kept.url is not None:  # else it is of an earlier request
        at, hops = kept.url, kept.hops or 0
    if kept.wait_s is not None:
        return Snooze(kept.wait_s, f"{work.domain} asked for time")
    try:
        home = domain_of(at)
    except NotAPage as error:
        raise Permanent(reason=str(error.reason)) from None
    if work.domain != home:
        if work.domain is not None:
            await _continue_rules(work, fetcher, at, work.domain)
        return Snooze(0, f"to be fetched from {home}", home)
    try:
        fetched = await fetcher.fetch(
            at, known=known, within=home, hops=hops, user_agent=user_agent
        )
    except Throttled as throttled:
        await leave_alone(work.db, home, throttled)
        raise
    if not isinstance(fetched, Moved):
        return fetched
    if fetched.url != at:
        async with work.db.transaction() as tx:
            await tx.run(store.KEEP_REDIRECT, work.id, url, fetched.url, fetched.hops)
    return Snooze(0, f"redirected to {fetched.domain}", fetched.domain)


async def _continue_rules(work: Work[Any], fetcher: Fetcher, at: str, domain: str) -> None:
    """A robots.txt may be redirected to another domain: the job has that one's slot now."""
    if not fetcher.settings.fetching:
        raise FetchingOff
    try:
        async with asyncio.timeout(fetcher.settings.fetch_timeout):
            await fetcher.robots.continue_for(at, domain)
    except TimeoutError:
        raise Transient(reason="robots.txt took too long") from None
    except Throttled as throttled:
        await leave_alone(work.db, domain, throttled)
        raise


def outcome_of(error: FetchFailed) -> Outcome:
    """What becomes of a job whose page could not be fetched."""
    match error:
        case Throttled():
            return Snooze(error.retry_after_s, error.reason)
        case Permanent() | Blocked():
            return Discard(error.reason)
    return Retry(error.reason)
