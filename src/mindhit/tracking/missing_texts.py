"""Pages that were read and have no text: who may fetch them hears of them, unless nobody may.

A page waits for a text (`pending`) when the browser could not extract it, and when its timeline is
closed and it was in focus for `READ_MS` without ever having given one. It is `failed` at once where the
server must not fetch it: the browser said so, the person does not want it, the domain is excluded, or
the address is private or a key (`urls.may_be_fetched`). Whoever fetches asks `may_fetch` again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from mindhit import urls
from mindhit.db import ReadTx, Tx
from mindhit.tracking import store
from mindhit.tracking.published import TextMissing
from mindhit.tracking.store.reader_urls import Missing
from mindhit.work import publish

READ_MS: Final = 3_000  # in focus for so long without a text, a page was read
NOT_FETCHED: Final = "the server does not fetch this page"


async def announce(
    tx: Tx, user_id: UUID, url_ids: Sequence[UUID], allowed: Collection[str] = ()
) -> None:
    """Publish `TextMissing` for those of these pages that wait for a text and may be fetched; the
    others have failed. `allowed`: as of `urls.may_be_fetched`."""
    if not url_ids:
        return
    missing = await tx.all(store.reader_urls.MISSING, user_id, url_ids)
    refused = [each.url_id for each in missing if not _may_be_fetched(each, allowed)]
    if refused:
        await tx.all(store.reader_urls.FAIL, user_id, refused, NOT_FETCHED)
    for each in missing:
        if each.url_id not in refused:
            await publish(tx, TextMissing(user_id, each.url_id, each.address, each.domain))


async def may_fetch(
    tx: ReadTx, user_id: UUID, url_id: UUID, allowed: Collection[str] = ()
) -> str | None:
    """The address of a page that still waits for a text and may still be fetched; else None."""
    found = await tx.maybe(store.reader_urls.MISSING, user_id, [url_id])
    return found.address if found is not None and _may_be_fetched(found, allowed) else None


def _may_be_fetched(page: Missing, allowed: Collection[str]) -> bool:
    return (
        page.server_fetch
        and not page.no_fetch
        and not urls.matches_domain(page.domain, page.excluded_domains)
        and urls.may_be_fetched(page.address, allowed)
    )
