"""Highlights of all sessions, and the notes on them."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.fields import storable
from mindhit.api.http.paging import Cursor, Limit, decode_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, struct_response
from mindhit.tracking import HighlightKey, HighlightNotFound, shapes
from mindhit.tracking.highlight_notes import LONGEST_NOTE
from mindhit.tracking.protocol import MAX_URL

router = APIRouter(tags=["highlights"], responses=SIGNED_IN)
PAGE: Final = 50
MOST_ON_A_PAGE: Final = 200
Note = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_NOTE, pattern=r"^[^\x00]*$"),
    AfterValidator(storable),
]


class HighlightUpdate(BaseModel):
    model_config = ConfigDict(extra="forbid")

    note: Note | None = Field(description="Null or empty deletes the note.")


class HighlightedAddress(BaseModel):
    model_config = ConfigDict(extra="forbid")

    address: Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL)]


@router.get(
    "/highlights",
    summary="List my highlights",
    response_class=Response,
    responses=struct_response(shapes.HighlightList),
)
async def list_highlights(
    db: Db, caller: PersonCaller, cursor: Cursor = None, limit: Limit = PAGE
) -> Response:
    """Of all sessions, newest first, with the notes on them."""
    after = HighlightKey(*decode_time(cursor)) if cursor else None
    async with db.read() as tx:
        found = await tracking.list_highlights(tx, caller.user_id, limit=limit, after=after)
    next_cursor = encode_time(*found.next_key) if found.next_key else None
    return json_response(shapes.HighlightList(found.highlights, next_cursor))


@router.post(
    "/highlights/lookup",
    summary="Look up my highlights on a page",
    response_class=Response,
    responses=struct_response(shapes.HighlightedTexts),
)
async def look_up_highlights(db: Db, caller: RecorderCaller, asked: HighlightedAddress) -> Response:
    """For an extension that marks them in the page again. The address is in the body, so that no log has it."""
    async with db.read() as tx:
        found = await tracking.texts_highlighted(tx, caller.user_id, asked.address, MOST_ON_A_PAGE)
    return json_response(shapes.HighlightedTexts(found))


@router.patch(
    "/highlights/{highlight_id}",
    summary="Write a note on a highlight",
    response_class=Response,
    responses={**struct_response(shapes.ListedHighlight), **documented(HighlightNotFound)},
)
async def write_note(
    db: Db, caller: PersonCaller, highlight_id: UUID, asked: HighlightUpdate
) -> Response:
    async with db.transaction() as tx:
        await tracking.write_note(tx, caller.user_id, highlight_id, asked.note or None)
        found = await tracking.show_highlight(tx, caller.user_id, highlight_id)
    return json_response(found)
