"""Write a note, read them back."""

from __future__ import annotations

from uuid import UUID

from mindhit.notes import store
from mindhit.notes.model import Note

from mindhit.db import ReadTx, Tx
from mindhit.errors import Invalid

LONGEST = 200


async def write_note(tx: Tx, user_id: UUID, text: str) -> Note:
    if len(text) > LONGEST:
        raise Invalid(f"A note can have at most {LONGEST} characters.")
    return await tx.one(store.ADD, user_id, text)


async def list_notes(tx: ReadTx, user_id: UUID, after: int, limit: int) -> list[Note]:
    """Up to `limit` notes, oldest first, those after the given id."""
    return await tx.all(store.OF_USER, user_id, after, limit)
