"""Mind maps of sessions, their edits and files; processing again; reports; unsubscribing."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from fastapi import APIRouter, Body, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from mindhit import billing, insight, tracking
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, struct_response
from mindhit.api.http.unsubscribe_page import HTML, Token, unsubscribe_page
from mindhit.billing import Flag, NotInPlan
from mindhit.clock import utc_now
from mindhit.insight import (
    MEDIA_TYPES,
    BadEdit,
    BadUnsubscribeLink,
    MapChanged,
    MapFormat,
    MapNotFound,
    MindmapResponse,
    Report,
)
from mindhit.insight.mindmap.edits import FARTHEST, LONGEST_LABEL, MOST_AT_ONCE, Op
from mindhit.insight.report import unsubscribing
from mindhit.process_pool import ProcessPool
from mindhit.tracking import SessionId, SessionNotFound, StillRecording, shapes

router = APIRouter(tags=["mind maps"], responses=SIGNED_IN)
open_router = APIRouter(tags=["mind maps"])
_ONE = documented(SessionNotFound)
_MAP = documented(SessionNotFound, MapNotFound)
_BINARY: Final = {"type": "string", "format": "binary"}
PICTURES_AT_ONCE: Final = 2
# A person's own data is never part of a plan.
DATA_FORMATS: Final = frozenset({MapFormat.JSON, MapFormat.MD})
_drawing = asyncio.Semaphore(PICTURES_AT_ONCE)

NodeId = Annotated[str, Field(min_length=1, max_length=64)]
Label = Annotated[str, Field(min_length=1, max_length=4 * LONGEST_LABEL)]
Coordinate = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]


class _Operation(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AddNode(_Operation):
    op: Literal["add"]
    id: NodeId = Field(description="Made by the client: letters, digits, - and _.")
    parent: NodeId
    label: Label


class RenameNode(_Operation):
    op: Literal["rename"]
    id: NodeId
    label: Label


class MoveNode(_Operation):
    op: Literal["move"]
    id: NodeId
    parent: NodeId


class DeleteNode(_Operation):
    """Its children and pages go to its parent."""

    op: Literal["delete"]
    id: NodeId


class ConnectNodes(_Operation):
    op: Literal["connect"]
    source: NodeId
    target: NodeId


class DisconnectNodes(_Operation):
    op: Literal["disconnect"]
    source: NodeId
    target: NodeId


class PlaceNode(_Operation):
    op: Literal["place"]
    id: NodeId
    x: Coordinate
    y: Coordinate


class UndoEdit(_Operation):
    op: Literal["undo"]
    number: int = Field(ge=1, le=1_000_000)


Operation = Annotated[
    AddNode
    | RenameNode
    | MoveNode
    | DeleteNode
    | ConnectNodes
    | DisconnectNodes
    | PlaceNode
    | UndoEdit,
    Field(discriminator="op"),
]


class MapEdit(BaseModel):
    model_config = ConfigDict(extra="forbid")

    revision: str = Field(max_length=64, description="Of the map that is edited.")
    ops: list[Operation] = Field(min_length=1, max_length=MOST_AT_ONCE)


class OperationCost(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    operation: str
    calls: int
    at_most: int = Field(description="Tokens: an upper bound.")


class SessionCost(BaseModel):
    """What processing a session again would cost."""

    model_config = ConfigDict(from_attributes=True)

    engine: str = Field(
        description="Who would read: a provider, or `builtin`, which costs nothing."
    )
    model: str
    payer: Literal["plan", "own"] | None = Field(description="Null: nobody, it costs nothing.")
    limitation: str | None = Field(
        description="Why the built-in engine would, if a model could.", examples=["not-in-plan"]
    )
    operations: list[OperationCost]
    at_most: int = Field(description="Tokens of all operations: an upper bound.")
    left: int | None = Field(description="Of your plan's tokens; null: no limit.")
    is_enough: bool = Field(
        description="Otherwise the built-in engine serves when the tokens are used up."
    )


class ReprocessRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    again: list[Literal["summaries", "map"]] = Field(
        default=[], max_length=2, description="What to redo even if it already exists."
    )


@router.get(
    "/sessions/{session_id}/mindmap",
    summary="Show the mind map of a session",
    response_class=Response,
    responses={**struct_response(MindmapResponse), **_ONE},
)
async def show(db: Db, caller: PersonCaller, session_id: UUID) -> Response:
    """With the reader's edits."""
    async with db.read() as tx:
        found = await insight.show_map(tx, caller.user_id, SessionId(session_id))
    return json_response(MindmapResponse(found))


@router.patch(
    "/sessions/{session_id}/mindmap",
    summary="Edit the mind map of a session",
    response_class=Response,
    responses={
        **struct_response(MindmapResponse),
        **documented(SessionNotFound, MapNotFound, MapChanged, BadEdit),
    },
)
async def edit(db: Db, caller: PersonCaller, session_id: UUID, asked: MapEdit) -> Response:
    """All operations are applied, or none."""
    ops: list[Op] = [msgspec.convert(each.model_dump(), Op) for each in asked.ops]
    async with db.transaction() as tx:
        found = await insight.edit_map(
            tx, caller.user_id, SessionId(session_id), asked.revision, ops
        )
    return json_response(MindmapResponse(found))


@router.delete(
    "/sessions/{session_id}/mindmap/edits",
    summary="Remove all edits of a mind map",
    response_class=Response,
    responses={**struct_response(MindmapResponse), **_MAP},
)
async def drop_edits(db: Db, caller: PersonCaller, session_id: UUID) -> Response:
    """Answers with the generated map."""
    async with db.transaction() as tx:
        found = await insight.drop_edits(tx, caller.user_id, SessionId(session_id))
    return json_response(MindmapResponse(found))


@router.get(
    "/sessions/{session_id}/mindmap/export",
    summary="Export the mind map of a session",
    response_class=Response,
    responses={
        200: {
            "content": {
                kind.partition(";")[0]: {"schema": _BINARY} for kind in MEDIA_TYPES.values()
            }
        },
        **documented(SessionNotFound, MapNotFound, NotInPlan),
    },
)
async def export(
    db: Db,
    caller: PersonCaller,
    session_id: UUID,
    format_: Annotated[MapFormat, Query(alias="format")],
) -> Response:
    """As it is shown, with the reader's edits: a picture, an outline, OPML 2.0, FreeMind or JSON."""
    if format_ not in DATA_FORMATS:
        async with db.read() as tx:
            await billing.require(tx, caller.user_id, Flag.MAP_FILES)
    async with _drawing, ProcessPool(1) as pool:
        file = await insight.export_map(db, pool, caller.user_id, SessionId(session_id), format_)
    disposition = f'attachment; filename="{file.name}"'
    headers = {"Content-Disposition": disposition, "Content-Type": MEDIA_TYPES[format_]}
    return Response(file.body, headers=headers)


@router.get(
    "/sessions/{session_id}/cost",
    summary="Show what reprocessing a session would cost",
    responses=_ONE,
)
async def show_cost(
    db: Db,
    settings: AppSettings,
    caller: PersonCaller,
    session_id: UUID,
    again: Annotated[
        list[Literal["summaries", "map"]] | None,
        Query(max_length=2, description="What would be made again; by default all of it."),
    ] = None,
) -> SessionCost:
    """Summaries; topics and title of the map. Each question is counted once."""
    async with db.read() as tx:
        found = await insight.cost_of(
            tx,
            settings,
            caller.user_id,
            SessionId(session_id),
            utc_now(),
            insight.PARTS if again is None else again,
        )
    return SessionCost.model_validate(found)


@router.post(
    "/sessions/{session_id}/reprocess",
    summary="Reprocess a session",
    status_code=202,
    response_class=Response,
    responses={
        **struct_response(shapes.SessionSummary, 202),
        **documented(SessionNotFound, StillRecording),
    },
)
async def reprocess(
    db: Db,
    caller: PersonCaller,
    session_id: UUID,
    asked: Annotated[ReprocessRequest, Body(default_factory=ReprocessRequest)],
) -> Response:
    """Starts again with the first step that is missing; what is in `again` is made again."""
    id_ = SessionId(session_id)
    async with db.transaction() as tx:
        await insight.reprocess(tx, caller.user_id, id_, asked.again)
        summary = await tracking.summarise(tx, caller.user_id, id_)
    return json_response(summary, 202)


@router.get(
    "/sessions/{session_id}/report",
    summary="Show the report of a session",
    response_class=Response,
    responses={**struct_response(Report), **_ONE},
)
async def report(db: Db, caller: PersonCaller, session_id: UUID) -> Response:
    """What the mail says, and whether it was sent."""
    async with db.read() as tx:
        found = await insight.show_report(tx, caller.user_id, SessionId(session_id))
    return json_response(found)


@open_router.get(
    "/unsubscribe/{token}",
    summary="Show the unsubscribe page for session reports",
    response_class=Response,
    responses={**HTML, **documented(BadUnsubscribeLink)},
)
async def ask_to_unsubscribe(db: Db, settings: AppSettings, token: Token) -> Response:
    """Changes nothing: programs that check mails open every link."""
    user_id = unsubscribing.read_token(unsubscribing.sealer(settings), token)
    async with db.read() as tx:
        language = await unsubscribing.language_of(tx, user_id)
    return unsubscribe_page(_WORDS, language, "ask")


@open_router.post(
    "/unsubscribe/{token}",
    summary="Unsubscribe from session reports",
    response_class=Response,
    responses={**HTML, **documented(BadUnsubscribeLink)},
)
async def unsubscribe(db: Db, settings: AppSettings, token: Token) -> Response:
    """One click (RFC 8058): no sign-in, and no body is needed."""
    user_id = unsubscribing.read_token(unsubscribing.sealer(settings), token)
    async with db.transaction() as tx:
        language = await unsubscribing.language_of(tx, user_id)
        await unsubscribing.unsubscribe(tx, user_id)
    return unsubscribe_page(_WORDS, language, "done")


_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "ask": "Stop session reports by email?",
        "button": "Stop these emails",
        "done": "You won’t get session reports by email any more.",
        "how": "You can turn them on again in your settings.",
    },
    "ko": {
        "ask": "세션 리포트 메일을 그만 받을까요?",
        "button": "그만 받기",
        "done": "이제 세션 리포트 메일을 보내지 않아요.",
        "how": "설정에서 다시 켤 수 있어요.",
    },
}
