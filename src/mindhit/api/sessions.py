"""Sessions as their reader sees them: listed, shown, named, deleted, taken along as a file."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from msgspec import structs
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
)

from mindhit import tracking
from mindhit.accounts import Scope
from mindhit.api import access
from mindhit.api.access import ACCESS, Db
from mindhit.api.fields import Title
from mindhit.api.paging import Cursor, decode_time, encode_time
from mindhit.api.problems import documented
from mindhit.api.shaped import answer, described
from mindhit.clock import utc_now
from mindhit.errors import Invalid
from mindhit.tracking import (
    SessionFilter,
    SessionId,
    SessionKey,
    SessionNotFound,
    Status,
    StillRecording,
    TitleChanged,
    shapes,
)
from mindhit.tracking.rendering import MEDIA_TYPES, Format

router = APIRouter(tags=["sessions"], responses=ACCESS)
_ONE = documented(SessionNotFound)
_TEXT = {"type": "string"}
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
WEEK = timedelta(days=7)
_RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def _is_written(value: object) -> object:
    """A number of seconds is no moment here; nor is a date alone."""
    if isinstance(value, str) and not _RFC_3339.fullmatch(value):
        raise ValueError("a moment is written as in 2026-01-31T22:00:00+09:00")
    return value


def _in_utc(at: datetime) -> datetime:
    """Within a day of the first or the last moment there is, the zone leads out of the calendar."""
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return FIRST if at.year == 1 else LAST


Words = Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$")]
Moment = Annotated[AwareDatetime, BeforeValidator(_is_written), AfterValidator(_in_utc)]
From = Annotated[Moment | None, Query(alias="from", description="ISO 8601, with a time zone.")]
Page = Annotated[
    int | None,
    Query(
        ge=1,
        le=100_000,
        description="Number of a page, in place of a cursor. Sessions that are added or deleted while"
        " paging may be repeated or skipped.",
    ),
]
To = Annotated[Moment | None, Query(description="ISO 8601; the moment itself is left out.")]


class SessionChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: Title | None
    was: str | None = Field(
        default=None,
        description="The title that this one takes the place of; where it is another by now, 409.",
    )


@router.get(
    "/sessions",
    summary="My sessions, newest first",
    response_class=Response,
    responses=described(shapes.SessionList),
)
async def list_sessions(
    db: Db,
    caller: access.Me,
    cursor: Cursor = None,
    page: Page = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Most sessions on a page.")] = 20,
    search: Words = None,
    status: Status | None = None,
    from_: From = None,
    to: To = None,
    domain: Words = None,
) -> Response:
    """`search` matches titles of sessions and pages, and domains. `from` and `to` filter by when a
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
    listed = shapes.SessionList(found.sessions, next_cursor, found.total)
    if page:
        numbered = shapes.Pagination(found.total or 0, page, limit, next_cursor is not None)
        listed = structs.replace(listed, pagination=numbered)
    return answer(listed)


@router.get(
    "/sessions/{session_id}",
    summary="One session with its timeline",
    response_class=Response,
    responses={**described(shapes.SessionDetail), **_ONE},
)
async def show(db: Db, caller: access.Me, session_id: UUID) -> Response:
    async with db.read() as tx:
        return answer(await tracking.show(tx, caller.user_id, SessionId(session_id)))


@router.get(
    "/sessions/{session_id}/mindmap",
    summary="The mind map of a session",
    response_class=Response,
    responses={**described(shapes.Mindmap), **_ONE},
)
async def mindmap(db: Db, caller: access.Me, session_id: UUID) -> Response:
    async with db.read() as tx:
        await tracking.summarise(tx, caller.user_id, SessionId(session_id))
    return answer(shapes.Mindmap(None))


@router.patch(
    "/sessions/{session_id}",
    summary="Name a session",
    response_class=Response,
    responses={**described(shapes.SessionSummary), **documented(SessionNotFound, TitleChanged)},
)
async def rename(db: Db, caller: access.Me, session_id: UUID, asked: SessionChange) -> Response:
    id_ = SessionId(session_id)
    async with db.transaction() as tx:
        if "was" in asked.model_fields_set:
            await tracking.rename_from(tx, caller.user_id, id_, asked.was, asked.title)
        else:
            await tracking.rename(tx, caller.user_id, id_, asked.title)
        return answer(await tracking.summarise(tx, caller.user_id, id_))


@router.delete(
    "/sessions/{session_id}",
    summary="Delete a session with its log and its timeline",
    status_code=204,
    responses=_ONE,
)
async def delete(db: Db, caller: access.Recorder, session_id: UUID) -> None:
    """A connected extension may delete what it has recorded itself: of others it knows nothing."""
    async with db.transaction() as tx:
        if not {Scope.WEB, Scope.API}.intersection(caller.scopes):
            session = await tracking.summarise(tx, caller.user_id, SessionId(session_id))
            if session.device_id != caller.device_id:
                raise SessionNotFound
        await tracking.delete(tx, caller.user_id, SessionId(session_id))


@router.post(
    "/sessions/{session_id}/reprocess",
    summary="Make again what is made of a stopped session",
    status_code=202,
    response_class=Response,
    responses={
        **described(shapes.SessionSummary, 202),
        **documented(SessionNotFound, StillRecording),
    },
)
async def reprocess(db: Db, caller: access.Me, session_id: UUID) -> Response:
    async with db.transaction() as tx:
        await tracking.reprocess(tx, caller.user_id, SessionId(session_id))
        summary = await tracking.summarise(tx, caller.user_id, SessionId(session_id))
    return answer(summary, 202)


@router.get(
    "/sessions/{session_id}/export",
    summary="One session as a file",
    response_class=Response,
    responses={
        200: {
            "content": {
                **{kind.partition(";")[0]: {"schema": _TEXT} for kind in MEDIA_TYPES.values()},
                **described(shapes.SessionDetail)[200]["content"],
            }
        },
        **_ONE,
    },
)
async def export(
    db: Db, caller: access.Me, session_id: UUID, format_: Annotated[Format, Query(alias="format")]
) -> Response:
    """Times in Markdown and CSV are in the time zone that I have chosen."""
    async with db.read() as tx:
        file = await tracking.export(tx, caller.user_id, SessionId(session_id), format_)
    disposition = f'attachment; filename="{file.name}"'
    headers = {"Content-Disposition": disposition, "Content-Type": MEDIA_TYPES[format_]}
    return Response(file.body, headers=headers)


@router.get(
    "/totals",
    summary="Time in the foreground by domain",
    response_class=Response,
    responses=described(shapes.Totals),
    tags=["totals"],
)
async def total(
    db: Db,
    caller: access.Me,
    from_: From = None,
    to: To = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Response:
    """Of the week before `to` where `from` is not given; `to` is now where it is not."""
    until = to or utc_now()
    since = from_ or max(until, FIRST + WEEK) - WEEK
    async with db.read() as tx:
        return answer(await tracking.total(tx, caller.user_id, since, until, limit))
