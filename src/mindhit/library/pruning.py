"""What time alone makes necessary: old tombstones go, links whose jobs died are dead."""

from __future__ import annotations

from typing import Final

from mindhit.db import Database
from mindhit.library import store
from mindhit.library.links import lock_and_stamp

PRUNE_EVERY_S: Final = 3600.0
TOMBSTONE_DAYS: Final = 90


async def prune(db: Database) -> None:
    async with db.transaction() as tx:
        for user_id in await tx.all(store.syncing.WITH_OLD_TOMBSTONES, TOMBSTONE_DAYS):
            await tx.run(store.syncing.DELETE_OLD_TOMBSTONES, user_id, TOMBSTONE_DAYS)
    for link in await db.alone(store.links.ABANDONED):
        async with db.transaction() as tx:
            await lock_and_stamp(tx, link.url_id)
            await tx.run(store.links.BURY, link.url_id, link.reason, link.attempts)
