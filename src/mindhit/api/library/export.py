"""The library as a file."""

from __future__ import annotations

from typing import Any, BinaryIO, Final

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db, Disk, ExportPlaces
from mindhit.api.http.exports import ExportRunning
from mindhit.api.http.files import file_response, write_pieces
from mindhit.api.http.problems import documented
from mindhit.clock import utc_now
from mindhit.db.disk_space import DiskFull
from mindhit.library import MEDIA_TYPES, ExportFormat

router = APIRouter(tags=["library"], responses=SIGNED_IN)
_SCHEMAS: Final[dict[ExportFormat, dict[str, Any]]] = {
    ExportFormat.HTML: {"type": "string"},
    ExportFormat.JSON: {"type": "object"},
    ExportFormat.CSV: {"type": "string"},
}


@router.get(
    "/library/export",
    summary="Export my library",
    response_class=Response,
    responses={
        200: {"content": {MEDIA_TYPES[each]: {"schema": _SCHEMAS[each]} for each in ExportFormat}},
        **documented(DiskFull, ExportRunning),
    },
)
async def export(
    db: Db,
    caller: PersonCaller,
    disk: Disk,
    places: ExportPlaces,
    format: ExportFormat = ExportFormat.HTML,  # noqa: A002
) -> StreamingResponse:
    """`html` is what browsers import; `json` and `csv` have all there is. MindHit imports each."""
    disk.check_file()

    async def write(file: BinaryIO) -> None:
        async with db.read() as tx:
            await write_pieces(file, library.export_library(tx, caller.user_id, format))

    name = f"mindhit-bookmarks-{utc_now():%Y-%m-%d}.{format}"
    with places.place(caller.user_id):
        return await file_response(write, MEDIA_TYPES[format], name)
