"""Batches of events: the one route that reads its body itself.

Its body is decoded by `tracking.wire`, which takes what it can of a batch that is not all right;
validation by the framework would refuse all of it for one event, and take five times as long.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, RecorderCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.problems import documented
from mindhit.db import Database
from mindhit.errors import TooLarge
from mindhit.tracking import BadBatch, BatchTooLarge, SessionId, SessionNotFound, SessionOver, wire

router = APIRouter(
    tags=["recording"],
    responses={
        **SIGNED_IN,
        **documented(BadBatch, BatchTooLarge, TooLarge, SessionNotFound, SessionOver),
    },
)
LARGE: Final = 512 * 1024  # a body that is worth a thread of its own
_camel = ConfigDict(alias_generator=to_camel, populate_by_name=True)
_encode = msgspec.json.Encoder().encode


class PageMeta(BaseModel):
    model_config = _camel
    title: str | None = None
    description: str | None = None
    og_image: str | None = None
    og_title: str | None = None
    language: str | None = None
    canonical: str | None = None
    favicon: str | None = None


class EventPayload(BaseModel):
    model_config = _camel
    title: str | None = None
    redirect: bool | None = None
    transition: str | None = None
    opener_tab_id: int | None = None
    content: str | None = Field(default=None, description="The page's text; 10,000 characters.")
    extraction_ok: bool | None = None
    meta: PageMeta | None = None
    focused: bool | None = None
    state: Literal["active", "idle", "locked"] | None = None
    threshold_ms: int | None = None
    text: str | None = None
    restart: bool | None = Field(
        default=None, description="First event of a browser that was started anew."
    )


class TrackingEvent(BaseModel):
    model_config = _camel
    session_id: UUID | None = None
    seq: Annotated[int, Field(ge=1, le=2**31 - 2, description="1, 2, 3 … with no holes.")]
    t: Annotated[float, Field(ge=0, description="Milliseconds since 1970.")]
    type: Literal[
        "TAB_ACTIVATED",
        "NAV_COMMITTED",
        "CONTENT_EXTRACTED",
        "WINDOW_FOCUS_CHANGED",
        "IDLE_STATE_CHANGED",
        "HIGHLIGHT",
        "TAB_REMOVED",
        "ALIVE",
    ]
    tab_id: int | None = None
    window_id: int | None = None
    url: str | None = Field(default=None, description="Absent: a page that is not recorded.")
    payload: EventPayload | None = None


class EventBatch(BaseModel):
    events: list[TrackingEvent]


class RejectedEvent(BaseModel):
    index: int = Field(description="Its place in the batch, from 0.")
    seq: int | None
    reason: str


class BatchReceipt(BaseModel):
    model_config = _camel
    acked_seq: int = Field(
        description="All that the client holds up to here may be deleted, but for `missing`."
    )
    accepted: int
    duplicates: int
    rejected: list[RejectedEvent]
    missing: list[tuple[int, int]] = Field(description="Ranges that have not come.")


def _inline(model: type[BaseModel]) -> dict[str, Any]:
    """The model's schema without references: it is no part of what the framework collects."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.pop("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return resolve(definitions[node["$ref"].rsplit("/", 1)[1]])
            return {key: resolve(each) for key, each in node.items()}
        return [resolve(each) for each in node] if isinstance(node, list) else node

    resolved: dict[str, Any] = resolve(schema)
    return resolved


_BODY: Final = {
    "requestBody": {
        "required": True,
        "description": "Up to 200 events (`MINDHIT_BATCH_LIMIT`), in the clear or gzipped.",
        "content": {"application/json": {"schema": _inline(EventBatch)}},
    }
}


@router.post(
    "/sessions/{session_id}/events:batch",
    summary="Record a batch of events",
    response_model=BatchReceipt,
    openapi_extra=_BODY,
)
async def record(
    request: Request, db: Db, settings: AppSettings, caller: RecorderCaller, session_id: UUID
) -> Response:
    sent = await _read(request, settings.batch_limit)
    return await _ingest(db, caller.user_id, SessionId(session_id), sent)


@router.post(
    "/events/batch",
    summary="Record a batch of events of the sessions that they name",
    response_model=BatchReceipt,
    openapi_extra=_BODY,
)
async def record_named(
    request: Request, db: Db, settings: AppSettings, caller: RecorderCaller
) -> Response:
    sent = await _read(request, settings.batch_limit)
    return _answer(await tracking.ingest_named(db, caller.user_id, sent))


async def _read(request: Request, limit: int) -> list[wire.Sent | wire.Unread]:
    body = await request.body()
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"gzip", "x-gzip"}:
        body = wire.unzip(body)
    elif encoding not in {"", "identity"}:
        raise BadBatch("A batch comes in the clear or gzipped.")
    if len(body) > LARGE:
        sent = await asyncio.to_thread(wire.read, body, limit)
    else:
        sent = wire.read(body, limit)
    if len(sent) > limit:
        raise BatchTooLarge(f"A batch may have {limit} events here; send them in several.")
    return sent


async def _ingest(
    db: Database, user_id: UUID, session_id: SessionId, sent: list[wire.Sent | wire.Unread]
) -> Response:
    async with db.transaction() as tx:
        receipt = await tracking.ingest(tx, user_id, session_id, sent)
    return _answer(receipt)


def _answer(receipt: tracking.Receipt) -> Response:
    return Response(
        _encode(
            {
                "ackedSeq": receipt.acked_seq,
                "accepted": receipt.accepted,
                "duplicates": receipt.duplicates,
                "rejected": receipt.rejected,
                "missing": receipt.missing,
            }
        ),
        media_type="application/json",
    )
