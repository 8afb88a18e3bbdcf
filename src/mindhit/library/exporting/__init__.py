"""The library as a file that browsers, spreadsheets and MindHit itself can read.

walking.py   everything in the order of the tree, a few hundred rows at a time
formats.py   how each format writes it
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.library.exporting.formats import MEDIA_TYPES, ExportFormat, writer_of
from mindhit.library.exporting.walking import walk

__all__ = ["MEDIA_TYPES", "ExportFormat", "export_library"]


async def export_library(tx: ReadTx, user_id: UUID, format_: ExportFormat) -> AsyncIterator[bytes]:
    """Pieces of the file, of a few hundred kilobytes at most."""
    writer = writer_of(format_)
    yield writer.begin()
    async for steps in walk(tx, user_id):
        yield writer.write(steps)
    yield writer.end()
