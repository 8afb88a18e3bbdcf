"""Pages that another slice refers to: they stay while it holds them, whether a session met them or not.

`urls` and `reader_urls` are written here alone. A holder is the name of a slice; it releases a page when
nothing of a person's in it refers to the page any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from mindhit import urls
from mindhit.db import Tx
from mindhit.tracking import store
from mindhit.tracking.job_types import Forget
from mindhit.tracking.maintenance.cleanup import FORGET_AFTER_S
from mindhit.tracking.store import array_literals as literals
from mindhit.tracking.store.columns import UrlColumns
from mindhit.tracking.store.reader_urls import HoldWrite
from mindhit.tracking.timeline import rows
from mindhit.urls import Url
from mindhit.work import enqueue


async def hold(tx: Tx, user_id: UUID, holder: str, addresses: Sequence[str]) -> list[UUID]:
    """Hold the pages at these addresses; their ids, in the same order. Raises `NotAPage`.

    Takes the locks of a batch: call it before other statements that lock the person's pages.
    """
    found = [(urls.normalise(address), urls.shown(address)) for address in addresses]
    await hold_pages(tx, user_id, holder, found)
    return [url.id for url, _ in found]


async def hold_pages(tx: Tx, user_id: UUID, holder: str, pages: Sequence[tuple[Url, str]]) -> None:
    """The same for many whose addresses are normalised already: each with `urls.shown` of its address."""
    if not pages:
        return
    by_id = {url.id: (url, None if seen == url.href else seen) for url, seen in pages}
    ids = rows.in_order(by_id)
    await tx.run(store.reader_urls.LOCK_SHARED, user_id)
    await tx.run(
        store.reader_urls.HOLD,
        HoldWrite(
            user_id=user_id,
            holder=holder,
            urls=UrlColumns(
                url_ids=literals.uuids(ids),
                url_hrefs=literals.texts([by_id[id_][0].href for id_ in ids]),
                url_domains=literals.texts([by_id[id_][0].domain for id_ in ids]),
            ),
            addresses=literals.texts([by_id[id_][1] for id_ in ids]),
        ),
    )


async def release(tx: Tx, user_id: UUID, holder: str, url_ids: Sequence[UUID]) -> None:
    """Let go of pages; those that no session met and nobody else holds are deleted soon."""
    if url_ids:
        await tx.run(store.reader_urls.RELEASE, user_id, holder, url_ids)
        await enqueue(tx, Forget(user_id), after_s=FORGET_AFTER_S)
