"""Forgetting a reader: sessions, logs, texts, and the pages that only they have met."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.tracking import store


async def erase(tx: Tx, user_id: UUID, _email: str, /) -> None:
    await tx.run(store.sweeping.ALONE_WITH_READER, user_id)
    await tx.run(store.erasing.DROP_EVENTS, user_id)
    await tx.run(store.erasing.DROP_SESSIONS, user_id)
    await tx.run(store.erasing.DROP_TOMBSTONES, user_id)
    await tx.run(store.erasing.DROP_TEXTS, user_id)
    await tx.run(store.sweeping.ALONE_WITH_URLS)  # last: from here on everybody's batches wait
    await tx.run(store.erasing.DROP_URLS, user_id)
    await tx.run(store.erasing.DROP_PAGES, user_id)
