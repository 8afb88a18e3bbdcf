"""How far imports have come, and ending them early."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Database, ReadTx, Tx
from mindhit.library import store
from mindhit.library.model import ImportId, ImportNotFound, ImportOver, ImportStatus
from mindhit.library.shapes import Import, ImportDetail


async def list_imports(tx: ReadTx, user_id: UUID) -> list[Import]:
    """The newest hundred."""
    return await tx.all(store.imports.LIST, user_id)


async def show_import(tx: ReadTx, user_id: UUID, import_id: ImportId) -> Import:
    found = await tx.maybe(store.imports.ONE, user_id, import_id)
    if found is None:
        raise ImportNotFound
    return found


async def show_failures(tx: ReadTx, user_id: UUID, import_id: ImportId) -> ImportDetail:
    job = await show_import(tx, user_id, import_id)
    return ImportDetail(job, await tx.all(store.imports.FAILURES, user_id, import_id))


async def import_now(db: Database, user_id: UUID, import_id: ImportId) -> Import | None:
    """One statement, for whoever asks all the time."""
    found = await db.alone(store.imports.ONE, user_id, import_id)
    return found[0] if found else None


async def cancel_import(tx: Tx, user_id: UUID, import_id: ImportId) -> Import:
    """What was imported stays. Raises `ImportOver`."""
    if not await end_import(tx, user_id, import_id, ImportStatus.CANCELED):
        await show_import(tx, user_id, import_id)
        raise ImportOver
    return await show_import(tx, user_id, import_id)


async def end_import(
    tx: Tx, user_id: UUID, import_id: ImportId, status: ImportStatus, error: str | None = None
) -> bool:
    """Its file goes. Whether it had not ended before."""
    if await tx.maybe(store.imports.FINISH, user_id, import_id, status, error) is None:
        return False
    await tx.run(store.imports.DROP_PARTS, user_id, import_id)
    return True
