"""Syncing by WatermelonDB's protocol."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, BinaryIO, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.files import file_response, write_pieces
from mindhit.api.http.problems import documented
from mindhit.library import BadSync, SyncConflict, SyncTooLarge, SyncTooOld

router = APIRouter(tags=["sync"], responses=SIGNED_IN)
PUSH_PATH: Final = "/sync/push"
_MOST: Final = 2**53
_RECORDS: Final = {
    "type": ["array", "null"],
    "items": {"type": "object", "additionalProperties": True},
}
_TABLE: Final = {
    "type": ["object", "null"],
    "properties": {
        "created": _RECORDS,
        "updated": _RECORDS,
        "deleted": {"type": ["array", "null"], "items": {"type": "string"}},
    },
}
_CHANGES: Final[dict[str, Any]] = {
    "type": "object",
    "description": "By table. Other tables are ignored.",
    "properties": {"folders": _TABLE, "pages": _TABLE},
    "additionalProperties": True,
}
_PULLED: Final = {
    "type": "object",
    "properties": {"changes": _CHANGES, "timestamp": {"type": "integer"}},
    "required": ["changes", "timestamp"],
}
LastPulled = Annotated[
    str | None,
    Query(
        pattern=r"^(\d{1,16}|null)?$",
        description="`timestamp` of the last pull; 0, `null` or left out for everything.",
    ),
]


@router.get(
    "/sync/pull",
    summary="Pull changes",
    response_class=Response,
    responses={
        200: {"content": {"application/json": {"schema": _PULLED}}},
        **documented(SyncTooOld, BadSync),
    },
)
async def pull(
    db: Db,
    caller: PersonCaller,
    last_pulled_at: LastPulled = None,
    schema_version: Annotated[str | None, Query(max_length=20)] = None,  # noqa: ARG001
    migration: Annotated[str | None, Query(max_length=10_000)] = None,
) -> StreamingResponse:
    """All changes since the last pull, in one snapshot. Any `schema_version` gets what there is."""
    added = library.read_migration(migration)

    async def write(file: BinaryIO) -> None:
        async with db.read() as tx:
            changes = library.pull(tx, caller.user_id, _number(last_pulled_at), added)
            await write_pieces(file, changes)

    return await file_response(write, "application/json")


@router.post(
    PUSH_PATH,
    summary="Push changes",
    responses=documented(SyncConflict, BadSync, SyncTooLarge),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _CHANGES}},
        }
    },
)
async def push(
    request: Request, db: Db, caller: PersonCaller, last_pulled_at: LastPulled = None
) -> dict[str, Any]:
    """All of it or, where something was changed elsewhere since the last pull, nothing."""
    changes = await asyncio.to_thread(library.read_changes, await request.body())
    async with db.transaction() as tx:
        await library.push(tx, caller.user_id, changes, _number(last_pulled_at))
    return {}


def _number(last_pulled_at: str | None) -> int | None:
    if last_pulled_at in {None, "", "null"}:
        return None
    return min(int(last_pulled_at or 0), _MOST)
