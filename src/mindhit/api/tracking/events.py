"""Batches of events: the one route that reads its body itself.

Its body is decoded by `tracking.decode`, which accepts the valid events of a batch that is partly
broken; validation by the framework would refuse all of it for one event, and take five times as long.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, RecorderCaller
from mindhit.api.http.dependencies import AppSettings, Db, Disk
from mindhit.api.http.problems import documented
from mindhit.db.disk_space import DiskFull
from mindhit.db.shares import PerPerson
from mindhit.errors import TooLarge
from mindhit.tracking import (
    BadBatch,
    BatchTooLarge,
    DailyLimit,
    SentEvent,
    SessionId,
    SessionNotFound,
    SessionOver,
    StorageLimit,
    TrackingSettings,
    UnreadableEvent,
)
from mindhit.tracking.protocol import BATCH_LIMIT

router = APIRouter(
    tags=["recording"],
    responses={
        **SIGNED_IN,
        **documented(BadBatch, BatchTooLarge, TooLarge, SessionNotFound, SessionOver),
        **documented(DailyLimit, StorageLimit, DiskFull),
    },
)
BATCH_PATHS: Final = ("/events:batch", "/events/batch")  # how they end
LARGE: Final = 512 * 1024  # bytes; a larger body is decoded in a thread
SMALL: Final = (
    4 * 1024
)  # bytes; gzip makes at most a thousand of one, and a larger body goes to a thread
_large_bodies: Final = PerPerson(3)
_camel = ConfigDict(alias_generator=to_camel, populate_by_name=True)
_encode = msgspec.json.Encoder().encode


class RejectedEvent(BaseModel):
    index: int = Field(description="Its index in the batch, from 0.")
    seq: int | None
    reason: str


class BatchReceipt(BaseModel):
    model_config = _camel
    acked_seq: int = Field(
        description="The client may delete its events up to here, except those in `missing`."
    )
    accepted: int
    duplicates: int
    rejected: list[RejectedEvent]
    missing: list[tuple[int, int]] = Field(description="Ranges of events that have not arrived.")
    page_count: int | None = Field(
        description="Pages of the session, the present one included; null where nothing changed, or"
        " the batch was of several sessions."
    )


def _body_schema() -> dict[str, Any]:
    """The schema of the type that decodes a batch. Without references: it is not part of the
    framework's components. Without `default: null`, which says nothing about a request."""
    definitions = msgspec.json.schema(tracking.EventBatch)["$defs"]

    def resolve(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return resolve(definitions[node["$ref"].rsplit("/", 1)[1]])
            return {key: resolve(each) for key, each in node.items() if key != "default"}
        return [resolve(each) for each in node] if isinstance(node, list) else node

    resolved: dict[str, Any] = resolve(definitions["EventBatch"])
    return resolved


_BODY: Final = {
    "requestBody": {
        "required": True,
        "description": f"Up to {BATCH_LIMIT} events (`MINDHIT_BATCH_LIMIT`), optionally gzipped.",
        "content": {"application/json": {"schema": _body_schema()}},
    }
}


@router.post(
    "/sessions/{session_id}/events:batch",
    summary="Record a batch of events",
    response_model=BatchReceipt,
    openapi_extra=_BODY,
)
async def record(
    request: Request,
    db: Db,
    settings: AppSettings,
    caller: RecorderCaller,
    disk: Disk,
    session_id: UUID,
) -> Response:
    disk.check()
    sent = await _read(request, caller.user_id, settings[TrackingSettings].batch_limit)
    quotas = settings[TrackingSettings].quotas
    async with db.transaction() as tx:
        receipt = await tracking.ingest_batch(
            tx, caller.user_id, SessionId(session_id), sent, quotas
        )
    return _answer(receipt)


@router.post(
    "/events/batch",
    summary="Record a batch of events of several sessions",
    response_model=BatchReceipt,
    openapi_extra=_BODY,
)
async def record_named(
    request: Request, db: Db, settings: AppSettings, caller: RecorderCaller, disk: Disk
) -> Response:
    disk.check()
    sent = await _read(request, caller.user_id, settings[TrackingSettings].batch_limit)
    quotas = settings[TrackingSettings].quotas
    return _answer(await tracking.ingest_mixed_batch(db, caller.user_id, sent, quotas))


async def _read(request: Request, user_id: UUID, limit: int) -> list[SentEvent | UnreadableEvent]:
    """A body that is large, or may become so, is read when there is a place for it: a person who sends two
    hundred of them would take all memory."""
    declared = request.headers.get("content-length", "")
    is_plain = "content-encoding" not in request.headers
    if is_plain and declared.isdigit() and int(declared) <= LARGE:
        return await _decode(request, limit)
    async with _large_bodies.place(str(user_id)):
        return await _decode(request, limit)


async def _decode(request: Request, limit: int) -> list[SentEvent | UnreadableEvent]:
    body = await request.body()
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"gzip", "x-gzip"}:
        if len(body) > SMALL:
            body = await asyncio.to_thread(tracking.decompress, body)
        else:
            body = tracking.decompress(body)
    elif encoding not in {"", "identity"}:
        raise BadBatch("Send a batch uncompressed or gzipped.")
    if len(body) > LARGE:
        sent = await asyncio.to_thread(tracking.decode, body, limit)
    else:
        sent = tracking.decode(body, limit)
    if len(sent) > limit:
        raise BatchTooLarge(f"A batch may have at most {limit} events; send several batches.")
    return sent


def _answer(receipt: tracking.Receipt) -> Response:
    return Response(
        _encode(
            {
                "ackedSeq": receipt.acked_seq,
                "accepted": receipt.accepted,
                "duplicates": receipt.duplicates,
                "rejected": receipt.rejected,
                "missing": receipt.missing,
                "pageCount": receipt.page_count,
            }
        ),
        media_type="application/json",
    )
