"""Exporting everything about a person: a zip of JSON files."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Mapping
from datetime import datetime
from typing import Any, BinaryIO

import msgspec

from mindhit.accounts import audit
from mindhit.accounts.model import Event, Origin, UserId
from mindhit.db import Database, Query, ReadTx
from mindhit.slices import Exports


async def export_to(
    file: BinaryIO, db: Database, user_id: UserId, exports: Exports, now: datetime
) -> None:
    """Write everything about a person as a zip of JSON files, from one snapshot, in bounded memory."""
    async with db.read() as tx:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            counts = {
                name: await _write_rows(archive, name, tx, query, user_id)
                for name, query in exports.items()
            }
            archive.writestr("README.txt", _readme(counts, now))


async def note_export(db: Database, user_id: UserId, origin: Origin) -> None:
    async with db.transaction() as tx:
        await audit.note(tx, Event.EXPORTED, user_id, origin)


async def _write_rows(
    archive: zipfile.ZipFile, name: str, tx: ReadTx, query: Query[Any], user_id: UserId
) -> int:
    count = 0
    with archive.open(f"{name}.json", "w", force_zip64=True) as out:
        out.write(b"[")
        async for row in tx.stream(query, user_id):
            text = msgspec.json.format(msgspec.json.encode(row), indent=1)
            await asyncio.to_thread(out.write, b",\n" + text if count else b"\n" + text)
            count += 1
        out.write(b"\n]\n")
    return count


def _readme(counts: Mapping[str, int], now: datetime) -> str:
    files = "\n".join(f"  {name}.json  {count} rows" for name, count in counts.items())
    return f"""Everything MindHit stored about you as of {now:%Y-%m-%d %H:%M} UTC.

Each file is a JSON list that any text editor, browser or spreadsheet program can open.
Times are in UTC, as ISO 8601. Passwords and tokens are stored only as hashes and are not included.

{files}
"""
