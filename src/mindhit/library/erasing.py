"""Erase a person's library, and what only they made known of links."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.library import store
from mindhit.work import erase_jobs


async def erase(tx: Tx, user_id: UUID, _email: str, /) -> None:
    await tx.run(store.erasing.DELETE_DOCS, user_id)
    await tx.run(store.erasing.DELETE_TOPICS, user_id)
    await tx.run(store.erasing.DELETE_SEARCHES, user_id)
    await tx.run(store.erasing.DELETE_PROGRESS, user_id)
    links = await tx.all(store.erasing.DELETE_LINKS, user_id)
    await erase_jobs(tx, [str(link) for link in links])
    await tx.run(store.erasing.DELETE_PAGES, user_id)
    await tx.run(store.erasing.DELETE_FOLDERS, user_id)
    await tx.run(store.erasing.DELETE_IMPORTS, user_id)
    await tx.run(store.erasing.DELETE_TOMBSTONES, user_id)
    await tx.run(store.erasing.DELETE_COUNTER, user_id)
