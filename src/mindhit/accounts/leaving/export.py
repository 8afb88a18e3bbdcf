"""Exports of everything: asking for one, how far it is, reading it, ending it.

    ask ──▶ queued ──▶ running ──▶ ready ──▶ deleted after a day
                          │          │
                          └──▶ failed ◀── something was forgotten
                          no space, broken

One for each person: a new one replaces the last. `making.py` has the job's part.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mindhit.accounts import audit, store
from mindhit.accounts.job_types import MakeExport
from mindhit.accounts.model import (
    DataExport,
    Event,
    ExportId,
    ExportNotFound,
    ExportNotReady,
    ExportReason,
    ExportStatus,
    Origin,
    UserId,
)
from mindhit.db import Database, ReadTx, Tx
from mindhit.work import enqueue, kind_of

EXPORTS_KEPT_DAYS: Final = 1
KEPT_S: Final = EXPORTS_KEPT_DAYS * 86_400.0
PART_BYTES: Final = 2**20


@dataclass(frozen=True, slots=True)
class Archive:
    size_bytes: int
    digest: str
    made_at: datetime


async def ask_export(
    tx: Tx, user_id: UserId, origin: Origin, *, is_new: bool = False
) -> DataExport:
    """The one that is being made or ready; with `is_new`, not one that is ready."""
    await tx.one(store.exports.LOCK_PERSON, user_id)
    found = await tx.maybe(store.exports.OF_PERSON, user_id)
    is_ready = found is not None and found.status == ExportStatus.READY
    if found is not None and (found.is_under_way or (is_ready and not is_new)):
        return found
    await tx.run(store.exports.DROP, user_id)
    added = await tx.one(store.exports.ADD, user_id)
    await audit.note(tx, Event.EXPORT_ASKED, user_id, origin)
    await enqueue(tx, MakeExport(added.id, user_id))
    return added


async def list_exports(tx: ReadTx, user_id: UserId) -> list[DataExport]:
    return await tx.all(store.exports.OF_PERSON, user_id)


async def show_export(tx: ReadTx, user_id: UserId, export_id: ExportId) -> DataExport:
    found = await tx.maybe(store.exports.ONE, user_id, export_id)
    if found is None:
        raise ExportNotFound
    return found


async def show_archive(tx: ReadTx, user_id: UserId, export_id: ExportId) -> Archive:
    """Of one that is ready. Raises `ExportNotFound` and `ExportNotReady`."""
    found = await show_export(tx, user_id, export_id)
    if found.size_bytes is None or found.digest is None or found.finished_at is None:
        raise ExportNotReady
    return Archive(found.size_bytes, found.digest, found.finished_at)


async def note_export(tx: Tx, user_id: UserId, origin: Origin) -> None:
    """An archive is handed out."""
    await audit.note(tx, Event.EXPORTED, user_id, origin)


async def read_archive(
    db: Database, user_id: UserId, export_id: ExportId, start: int, end: int
) -> AsyncIterator[bytes]:
    """Its bytes from `start` up to `end`; no connection is held in between. Raises `ExportNotFound` where it
    expires meanwhile."""
    while start < end:
        number, offset = divmod(start, PART_BYTES)
        found = await db.alone(store.exports.PART, user_id, export_id, number)
        if not found:
            raise ExportNotFound
        piece = found[0][offset : offset + end - start]
        yield piece
        start += len(piece)


async def revoke_exports(tx: Tx, user_id: UserId) -> None:
    """Something was forgotten: an archive from before would still have it, and so would one whose snapshot is
    taken before this transaction ends. One that is queued, or asked for now, waits for that."""
    await tx.one(store.exports.LOCK_PERSON, user_id)
    await tx.all(store.exports.LOCK, user_id)
    for export_id in await tx.all(store.exports.REVOKE, user_id, ExportReason.FORGOTTEN, KEPT_S):
        await tx.run(store.exports.DROP_PARTS, user_id, export_id)


async def fail_abandoned(db: Database) -> None:
    """Those whose job died, or was deleted by hand."""
    kind = kind_of(MakeExport).name
    await db.alone(store.exports.FAIL_ABANDONED, ExportReason.BROKEN, KEPT_S, kind)
