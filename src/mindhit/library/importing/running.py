"""The job of an import: reads its file part by part, and stores what it finds, 500 items a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Final, Protocol
from uuid import UUID

from mindhit.db import Database
from mindhit.library import store
from mindhit.library.importing.documents import DocumentReader, is_document
from mindhit.library.importing.entries import Entry, FolderEntry
from mindhit.library.importing.netscape import NetscapeReader, count_items, is_netscape
from mindhit.library.importing.progress import end_import
from mindhit.library.importing.storing import NotRunning, Storing
from mindhit.library.model import BadImport, ImportId, ImportNotFound, ImportStatus

ITEMS_AT_ONCE: Final = 500
_HEAD_BYTES: Final = 256 * 1024


class Reader(Protocol):
    """Turns the parts of a file into entries; what is long runs in a thread."""

    source_type: str

    def feed(self, part: bytes) -> list[Entry]: ...

    def close(self) -> list[Entry]: ...


async def read_file(db: Database, user_id: UUID, import_id: ImportId) -> None:
    """Store everything in the file that is not stored yet. Raises `BadImport` and `NotRunning`."""
    first = await _part(db, user_id, import_id, 0)
    if first is None:
        raise ImportNotFound
    reader = await asyncio.to_thread(_reader_of, first)
    total = await _count(db, user_id, import_id, reader)
    async with db.transaction() as tx:
        job = await tx.maybe(store.imports.START, user_id, import_id, reader.source_type, total)
    if job is None:
        raise ImportNotFound
    storing = Storing(user_id, import_id, job.folder_id, job.processed_items, job.failed_items)
    async with db.transaction() as tx:
        await storing.begin(tx)
    async for batch in _batches(db, user_id, import_id, reader):
        async with db.transaction() as tx:
            await storing.store(tx, batch)


async def run_import(db: Database, user_id: UUID, import_id: ImportId) -> None:
    """Read it to its end, as its job would. Of two that do at once, one finds itself out of turn and
    leaves it to the other."""
    try:
        await read_file(db, user_id, import_id)
    except (ImportNotFound, NotRunning):
        return
    except BadImport as bad:
        async with db.transaction() as tx:
            await end_import(tx, user_id, import_id, ImportStatus.FAILED, bad.message)
        return
    async with db.transaction() as tx:
        await end_import(tx, user_id, import_id, ImportStatus.SUCCEEDED)


async def _count(db: Database, user_id: UUID, import_id: ImportId, reader: Reader) -> int:
    """How many items there will be; of a file that is read whole, it is not known before."""
    if not isinstance(reader, NetscapeReader):
        return 0
    return sum([count_items(part) async for part in _parts(db, user_id, import_id)])


async def _batches(
    db: Database, user_id: UUID, import_id: ImportId, reader: Reader
) -> AsyncIterator[list[Entry]]:
    """Entries in their order, `ITEMS_AT_ONCE` items at a time; folders are not counted."""
    waiting: list[Entry] = []
    async for part in _parts(db, user_id, import_id):
        waiting += await asyncio.to_thread(reader.feed, part)
        whole = list(_cut(waiting))
        waiting = whole.pop() if whole else []
        for batch in whole:
            yield batch
    waiting += await asyncio.to_thread(reader.close)
    for batch in _cut(waiting):
        yield batch


def _cut(entries: list[Entry]) -> Iterator[list[Entry]]:
    """The last one is what remains."""
    batch: list[Entry] = []
    items = 0
    for entry in entries:
        batch.append(entry)
        items += not isinstance(entry, FolderEntry)
        if items == ITEMS_AT_ONCE:
            yield batch
            batch, items = [], 0
    if batch:
        yield batch


def _reader_of(first: bytes) -> Reader:
    head = first[:_HEAD_BYTES].decode("utf-8", "replace")
    if is_document(head):
        return DocumentReader(head)
    # A file in UTF-16 has a zero in every other byte.
    if is_netscape(head) or is_netscape(head.replace("\0", "")):
        return NetscapeReader(first)
    raise BadImport


async def _parts(db: Database, user_id: UUID, import_id: ImportId) -> AsyncIterator[bytes]:
    number = 0
    while (part := await _part(db, user_id, import_id, number)) is not None:
        yield part
        number += 1


async def _part(db: Database, user_id: UUID, import_id: ImportId, number: int) -> bytes | None:
    found = await db.alone(store.imports.PART, user_id, import_id, number)
    return found[0] if found else None
