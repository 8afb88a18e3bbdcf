"""Everything about a person as a file."""

from __future__ import annotations

from typing import BinaryIO

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from mindhit import accounts
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db, Disk, ExportPlaces, Origin, Product
from mindhit.api.http.disk_space import DiskFull
from mindhit.api.http.exports import ExportRunning
from mindhit.api.http.files import file_response
from mindhit.api.http.problems import documented
from mindhit.clock import utc_now

router = APIRouter(tags=["me"], responses=SIGNED_IN)


@router.get(
    "/me/export",
    summary="Export all my data",
    response_class=Response,
    responses={
        200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}},
        **documented(DiskFull, ExportRunning),
    },
)
async def export(
    db: Db, caller: PersonCaller, product: Product, origin: Origin, disk: Disk, places: ExportPlaces
) -> StreamingResponse:
    """A ZIP archive of JSON files."""
    disk.check_file()
    now = utc_now()

    async def write(file: BinaryIO) -> None:
        await accounts.export_to(file, db, caller.user_id, product.exports, now)
        await accounts.note_export(db, caller.user_id, origin)

    with places.place(caller.user_id):
        return await file_response(write, "application/zip", f"mindhit-{now:%Y-%m-%d}.zip")
