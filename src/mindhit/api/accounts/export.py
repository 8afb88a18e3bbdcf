"""Everything about a person as a file."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from typing import BinaryIO, Final

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from mindhit import accounts
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db, Origin, Product
from mindhit.clock import utc_now

router = APIRouter(tags=["me"], responses=SIGNED_IN)
CHUNK_BYTES: Final = 256 * 1024


@router.get(
    "/me/export",
    summary="Export all my data",
    response_class=Response,
    responses={
        200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def export(
    db: Db, caller: PersonCaller, product: Product, origin: Origin
) -> StreamingResponse:
    """A ZIP archive of JSON files."""
    now = utc_now()
    file = tempfile.TemporaryFile()  # noqa: SIM115  closed when the last chunk is out
    try:
        await accounts.export_to(file, db, caller.user_id, product.exports, now)
        await accounts.note_export(db, caller.user_id, origin)
    except BaseException:
        file.close()
        raise
    size = file.tell()
    file.seek(0)
    name = f"mindhit-{now:%Y-%m-%d}.zip"
    return StreamingResponse(
        _chunks(file),
        media_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(size),
        },
    )


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk
