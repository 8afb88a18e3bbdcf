"""Importing files of bookmarks."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from typing import Annotated, Any, BinaryIO, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db, Disk
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, struct_response
from mindhit.db.disk_space import DiskFull
from mindhit.db.shares import PerPerson
from mindhit.library import (
    LARGEST_FILE,
    PART_BYTES,
    BadImport,
    FolderNotFound,
    ImportId,
    ImportNotFound,
    ImportOver,
    ImportTooLarge,
    TooManyImports,
    shapes,
)

router = APIRouter(tags=["library"], responses=SIGNED_IN)
_uploads: Final = PerPerson(2)  # each is a file of its own size on the disk
IMPORTS_PATH: Final = "/v1/imports"
FileName = Annotated[
    str | None, Query(max_length=255, pattern=r"^[^\x00-\x1f]*$", description="For the list.")
]
_FILE: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "Bookmarks as a browser (HTML), Karakeep, Linkwarden (JSON) or MindHit exports"
        f" them; at most {LARGEST_FILE // 1_000_000} MB.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post(
    "/imports",
    summary="Import bookmarks",
    status_code=202,
    response_class=Response,
    responses={
        **struct_response(shapes.Import, 202),
        **documented(FolderNotFound, BadImport, ImportTooLarge, DiskFull, TooManyImports),
    },
    openapi_extra=_FILE,
)
async def start(
    request: Request,
    db: Db,
    caller: PersonCaller,
    disk: Disk,
    folder_id: UUID | None = None,
    file_name: FileName = None,
) -> Response:
    """Into a folder, or to the top. Bookmarks that are there already are left as they are."""
    size = int(request.headers.get("content-length", "0"))
    disk.check(size=size)
    disk.check_file(size=size)
    async with _uploads.place(str(caller.user_id)):
        with tempfile.TemporaryFile() as file:
            await _receive(request, file)
            async with db.transaction() as tx:
                job = await library.receive(
                    tx, caller.user_id, _parts(file), file_name=file_name, folder_id=folder_id
                )
    return json_response(job, 202)


@router.get(
    "/imports",
    summary="List my imports",
    response_class=Response,
    responses=struct_response(shapes.ImportList),
)
async def list_imports(db: Db, caller: PersonCaller) -> Response:
    async with db.read() as tx:
        return json_response(shapes.ImportList(await library.list_imports(tx, caller.user_id)))


@router.get(
    "/imports/{import_id}",
    summary="Show an import and what failed in it",
    response_class=Response,
    responses={**struct_response(shapes.ImportDetail), **documented(ImportNotFound)},
)
async def show(db: Db, caller: PersonCaller, import_id: UUID) -> Response:
    async with db.read() as tx:
        return json_response(await library.show_failures(tx, caller.user_id, ImportId(import_id)))


@router.post(
    "/imports/{import_id}/cancel",
    summary="Cancel an import",
    response_class=Response,
    responses={**struct_response(shapes.Import), **documented(ImportNotFound, ImportOver)},
)
async def cancel(db: Db, caller: PersonCaller, import_id: UUID) -> Response:
    """What was imported so far stays."""
    async with db.transaction() as tx:
        job = await library.cancel_import(tx, caller.user_id, ImportId(import_id))
    return json_response(job)


async def _receive(request: Request, file: BinaryIO) -> None:
    """To a file first: no transaction is open while a slow client sends."""
    size, waiting = 0, bytearray()
    async for chunk in request.stream():
        size += len(chunk)
        if size > LARGEST_FILE:
            raise ImportTooLarge
        waiting += chunk
        if len(waiting) >= PART_BYTES:
            await asyncio.to_thread(file.write, bytes(waiting))
            waiting.clear()
    await asyncio.to_thread(file.write, bytes(waiting))
    file.seek(0)


async def _parts(file: BinaryIO) -> AsyncIterator[bytes]:
    while part := await asyncio.to_thread(file.read, PART_BYTES):
        yield part
