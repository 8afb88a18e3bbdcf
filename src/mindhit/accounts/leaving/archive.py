"""The archive of everything about a person: a zip of JSON files."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import IO, Any, BinaryIO, Final

import msgspec

from mindhit.accounts.model import UserId
from mindhit.db import Database, Query, ReadTx
from mindhit.slices import Exports

ROWS_AT_ONCE: Final = 100  # that are encoded and compressed in a thread
Progress = Callable[[int], Awaitable[None]]


async def _no_progress(_: int) -> None:
    pass


async def export_to(
    file: BinaryIO,
    db: Database,
    user_id: UserId,
    exports: Exports,
    now: datetime,
    progress: Progress = _no_progress,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Write everything about a person as a zip of JSON files, from one snapshot, in bounded memory.
    `progress` is told how many files are written, after each; `check` is called often, and may raise."""
    counts: dict[str, int] = {}
    async with db.read() as tx:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, query in exports.items():
                counts[name] = await _write_rows(archive, name, tx, query, user_id, check)
                await progress(len(counts))
            archive.writestr("README.txt", _readme(counts, now))


async def _write_rows(
    archive: zipfile.ZipFile,
    name: str,
    tx: ReadTx,
    query: Query[Any],
    user_id: UserId,
    check: Callable[[], None],
) -> int:
    count = 0
    waiting: list[Any] = []
    with archive.open(f"{name}.json", "w", force_zip64=True) as out:
        out.write(b"[")
        async for row in tx.stream(query, user_id):
            waiting.append(row)
            if len(waiting) == ROWS_AT_ONCE:
                await asyncio.to_thread(_encode_to, out, waiting, is_first=not count)
                count += len(waiting)
                waiting = []
                check()
        await asyncio.to_thread(_encode_to, out, waiting, is_first=not count)
        count += len(waiting)
        out.write(b"\n]\n")
    return count


def _encode_to(out: IO[bytes], rows: Sequence[object], *, is_first: bool) -> None:
    for row in rows:
        out.write(b"\n" if is_first else b",\n")
        out.write(msgspec.json.format(msgspec.json.encode(row), indent=1))
        is_first = False


def _readme(counts: Mapping[str, int], now: datetime) -> str:
    files = "\n".join(f"  {name}.json  {count} rows" for name, count in counts.items())
    return f"""Everything MindHit stored about you as of {now:%Y-%m-%d %H:%M} UTC.

Each file is a JSON list that any text editor, browser or spreadsheet program can open.
Times are in UTC, as ISO 8601. Passwords and tokens are stored only as hashes and are not included.

{files}
"""
