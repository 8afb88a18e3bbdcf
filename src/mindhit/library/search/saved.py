"""Searches that a person keeps."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from mindhit.db import ReadTx, Tx
from mindhit.library import store
from mindhit.library.ids import new_id
from mindhit.library.model import SavedSearchNotFound, TooManySearches
from mindhit.library.shapes import SavedSearch

MOST: Final = 200


async def list_searches(tx: ReadTx, user_id: UUID) -> list[SavedSearch]:
    return await tx.all(store.saved_searches.ALL, user_id)


async def save_search(tx: Tx, user_id: UUID, name: str, query: str) -> SavedSearch:
    """One that is saved already gets this name. Raises `TooManySearches`."""
    saved = await tx.one(store.saved_searches.PUT, new_id(), user_id, name, query)
    if await tx.one(store.saved_searches.COUNT, user_id) > MOST:
        raise TooManySearches
    return saved


async def delete_search(tx: Tx, user_id: UUID, id_: UUID) -> None:
    if await tx.maybe(store.saved_searches.DELETE, user_id, id_) is None:
        raise SavedSearchNotFound
