"""Routes of notes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StringConstraints

from mindhit import notes
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, cut, decode_number, encode

router = APIRouter(prefix="/notes", tags=["notes"], responses=SIGNED_IN)


class NewNote(BaseModel):
    text: Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"^[^\x00]*$")]


class Note(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    text: str
    created_at: datetime


@router.get("", summary="List my notes")
async def list_notes(
    db: Db, caller: PersonCaller, cursor: Cursor = None, limit: Limit = 50
) -> ItemPage[Note]:
    """Oldest first."""
    after = decode_number(cursor) if cursor else 0
    async with db.read() as tx:
        found = await notes.list_notes(tx, caller.user_id, after, limit + 1)
    page, next_cursor = cut(found, limit, lambda last: encode(last.id))
    return ItemPage(items=[Note.model_validate(note) for note in page], next_cursor=next_cursor)


@router.post("", summary="Write a note", status_code=201)
async def write_note(db: Db, caller: PersonCaller, asked: NewNote) -> Note:
    async with db.transaction() as tx:
        return Note.model_validate(await notes.write_note(tx, caller.user_id, asked.text))
