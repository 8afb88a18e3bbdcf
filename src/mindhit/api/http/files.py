"""Answers that are files: written to disk first, so that a slow reader holds no connection of the pool."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import BinaryIO, Final

from fastapi.responses import StreamingResponse

CHUNK_BYTES: Final = 256 * 1024


async def file_response(
    write: Callable[[BinaryIO], Awaitable[None]], media_type: str, name: str | None = None
) -> StreamingResponse:
    """What `write` writes, with its length; saved under `name` where there is one."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  closed when the last chunk is out
    try:
        await write(file)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    headers = {"Content-Length": str(size)}
    if name is not None:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return StreamingResponse(_chunks(file), media_type=media_type, headers=headers)


async def write_pieces(file: BinaryIO, pieces: AsyncIterator[bytes]) -> None:
    async for piece in pieces:
        await asyncio.to_thread(file.write, piece)


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk
