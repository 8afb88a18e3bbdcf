"""Erase a person: sessions, raw events, texts, and the URLs that only they have visited."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.tracking import store


async def erase(tx: Tx, user_id: UUID, _email: str, /) -> None:
    await tx.run(store.cleanup.LOCK_READER, user_id)
    await tx.run(store.erasing.DELETE_EVENTS, user_id)
    await tx.run(store.erasing.DELETE_SESSIONS, user_id)
    await tx.run(store.erasing.DELETE_DELETED_SESSIONS, user_id)
    await tx.run(store.erasing.DELETE_FORGOTTEN_RANGES, user_id)
    await tx.run(store.erasing.DELETE_TEXTS, user_id)
    await tx.run(store.use.DELETE, user_id)
    await tx.run(store.cleanup.LOCK_URLS)  # last: from here on everybody's batches wait
    await tx.run(store.erasing.DELETE_URLS, user_id)
    await tx.run(store.erasing.DELETE_READER_URLS, user_id)
