"""Delete URLs and texts that no session refers to any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from mindhit.db import Database, Tx
from mindhit.tracking import missing_texts, store
from mindhit.work import erase_keys

# One cleanup for all the sessions that somebody deletes one after the other.
FORGET_AFTER_S: Final = 900.0
AT_ONCE: Final = 500  # URLs
_FIRST = UUID(int=0)


async def forget(db: Database, user_id: UUID) -> None:
    """Delete what this person's sessions no longer refer to; then, of the URLs, which are shared, those
    that nobody else has visited."""
    async with db.transaction() as tx:
        await tx.run(store.cleanup.LOCK_READER, user_id)
        dropped = await drop_unreferenced(tx, user_id)
    await delete_if_unvisited(db, dropped)
    await db.alone(store.cleanup.DELETE_PUBLIC_TEXTS)


async def drop_unreferenced(tx: Tx, user_id: UUID) -> list[UUID]:
    """The part of `forget` that is this person's alone. The caller holds `LOCK_READER`, and hands the
    URLs that it returns to `delete_if_unvisited` after the commit."""
    dropped = await tx.all(store.cleanup.FORGET_URLS, user_id)
    # Jobs about a reader's page have both ids as their key, and its site as their domain.
    await erase_keys(tx, [f"{user_id}/{url_id}" for url_id in dropped])
    pending = await tx.all(store.cleanup.RESTORE_TEXTS, user_id)
    await missing_texts.announce(tx, user_id, pending)
    await tx.run(store.cleanup.FORGET_TEXTS, user_id)
    return dropped


async def delete_if_unvisited(db: Database, url_ids: Sequence[UUID]) -> None:
    for start in range(0, len(url_ids), AT_ONCE):
        await _delete_unvisited(db, url_ids[start : start + AT_ONCE])


async def forget_everywhere(db: Database) -> None:
    for user_id in await db.alone(store.cleanup.READERS):
        await forget(db, user_id)
    await delete_unvisited(db)


async def delete_unvisited(db: Database) -> None:
    """Search all URLs for those that nobody has visited: what an interrupted cleanup left behind."""
    after = _FIRST
    while found := await db.alone(store.cleanup.UNVISITED, after):
        await _delete_unvisited(db, found)
        after = found[-1]


async def _delete_unvisited(db: Database, url_ids: Sequence[UUID]) -> None:
    """A few hundred at a time, since batches wait meanwhile."""
    async with db.transaction() as tx:
        await tx.run(store.cleanup.LOCK_URLS)
        await tx.run(store.cleanup.DELETE_UNVISITED, url_ids)
