"""Sessions: listing, showing, renaming, deleting, reprocessing and exporting them."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Response
from msgspec import structs
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
)

from mindhit import insight, tracking
from mindhit.accounts import Scope
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, decode_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, long_response, struct_response
from mindhit.api.tracking.fields import From, Title, To
from mindhit.errors import Invalid
from mindhit.tracking import (
    SessionFilter,
    SessionId,
    SessionKey,
    SessionNotFound,
    Status,
    TitleChanged,
    shapes,
)
from mindhit.tracking.rendering import MEDIA_TYPES, Format

router = APIRouter(tags=["sessions"], responses=SIGNED_IN)
_ONE = documented(SessionNotFound)
_TEXT = {"type": "string"}
LONGEST_SEARCH: Final = 200
Words = Annotated[str | None, Query(max_length=LONGEST_SEARCH, pattern=r"^[^\x00]*$")]
Page = Annotated[
    int | None,
    Query(
        ge=1,
        le=100_000,
        description="Number of a page, in place of a cursor. Sessions that are added or deleted while"
        " paging may be repeated or skipped.",
    ),
]


class SessionChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: Title | None
    was: str | None = Field(
        default=None,
        description="The title that is replaced. If it was changed in the meantime, the answer is 409.",
    )


@router.get(
    "/sessions",
    summary="List my sessions",
    response_class=Response,
    responses=struct_response(shapes.SessionList),
)
async def list_sessions(
    db: Db,
    caller: PersonCaller,
    cursor: Cursor = None,
    page: Page = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Most sessions on a page.")] = 20,
    search: Words = None,
    status: Status | None = None,
    from_: From = None,
    to: To = None,
    domain: Words = None,
) -> Response:
    """Newest first. `search` matches titles of sessions and pages, and domains. `from` and `to` filter by when a
    session started. `domain` includes its subdomains."""
    if cursor and page:
        raise Invalid("Give a cursor or a page, not both.")
    found = await tracking.list_sessions(
        db,
        caller.user_id,
        SessionFilter(search, status, from_, to, domain),
        limit=limit,
        after=SessionKey(*decode_time(cursor)) if cursor else None,
        offset=((page or 1) - 1) * limit,
    )
    next_cursor = encode_time(*found.next_key) if found.next_key else None
    drawn = await insight.thumbnails(db, caller.user_id, [each.id for each in found.sessions])
    small = {str(session_id): lines for session_id, lines in drawn.items()}
    listed = shapes.SessionList(found.sessions, next_cursor, found.total, thumbnails=small)
    if not cursor:
        numbered = shapes.Pagination(found.total or 0, page or 1, limit, next_cursor is not None)
        listed = structs.replace(listed, pagination=numbered)
    return json_response(listed)


@router.get(
    "/sessions/{session_id}",
    summary="Show a session and its timeline",
    response_class=Response,
    responses={**struct_response(shapes.SessionDetail), **_ONE},
)
async def show(db: Db, caller: PersonCaller, session_id: UUID) -> Response:
    async with db.read() as tx:
        found = await tracking.show(tx, caller.user_id, SessionId(session_id))
    return await long_response(found)


@router.patch(
    "/sessions/{session_id}",
    summary="Rename a session",
    response_class=Response,
    responses={
        **struct_response(shapes.SessionSummary),
        **documented(SessionNotFound, TitleChanged),
    },
)
async def rename(db: Db, caller: PersonCaller, session_id: UUID, asked: SessionChange) -> Response:
    id_ = SessionId(session_id)
    async with db.transaction() as tx:
        if "was" in asked.model_fields_set:
            await tracking.rename_from(tx, caller.user_id, id_, asked.was, asked.title)
        else:
            await tracking.rename(tx, caller.user_id, id_, asked.title)
        return json_response(await tracking.summarise(tx, caller.user_id, id_))


@router.delete(
    "/sessions/{session_id}",
    summary="Delete a session",
    status_code=204,
    responses=_ONE,
)
async def delete(db: Db, caller: RecorderCaller, session_id: UUID) -> None:
    """With its events and its timeline. An extension may delete only what it recorded itself; other
    sessions do not exist for it."""
    async with db.transaction() as tx:
        if not {Scope.WEB, Scope.API}.intersection(caller.scopes):
            session = await tracking.summarise(tx, caller.user_id, SessionId(session_id))
            if session.device_id != caller.device_id:
                raise SessionNotFound
        await tracking.delete(tx, caller.user_id, SessionId(session_id))


@router.get(
    "/sessions/{session_id}/export",
    summary="Export a session",
    response_class=Response,
    responses={
        200: {
            "content": {
                **{kind.partition(";")[0]: {"schema": _TEXT} for kind in MEDIA_TYPES.values()},
                **struct_response(shapes.SessionDetail)[200]["content"],
            }
        },
        **_ONE,
    },
)
async def export(
    db: Db,
    caller: PersonCaller,
    session_id: UUID,
    format_: Annotated[Format, Query(alias="format")],
) -> Response:
    """Times in Markdown and CSV are in the person's time zone."""
    file = await tracking.export(db, caller.user_id, SessionId(session_id), format_)
    disposition = f'attachment; filename="{file.name}"'
    headers = {"Content-Disposition": disposition, "Content-Type": MEDIA_TYPES[format_]}
    return Response(file.body, headers=headers)
