"""Receiving a file: in parts, since it may be larger than what should be in memory."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Final
from uuid import UUID

from mindhit.db import Tx
from mindhit.library import store
from mindhit.library.folders import check_folder
from mindhit.library.ids import new_id
from mindhit.library.importing.progress import show_import
from mindhit.library.job_types import ImportFile
from mindhit.library.model import BadImport, ImportId, TooManyImports
from mindhit.library.shapes import Import
from mindhit.work import enqueue

PART_BYTES: Final = 2**20
LARGEST_FILE: Final = 200 * 1000 * 1000
LONGEST_FILE_NAME: Final = 255
MOST_UNDER_WAY: Final = 5  # of one person: each is kept whole until it is read
RETRY_S: Final = 60


async def receive(
    tx: Tx,
    user_id: UUID,
    parts: AsyncIterable[bytes],
    *,
    file_name: str | None = None,
    folder_id: UUID | None = None,
) -> Import:
    """`parts` have `PART_BYTES` each, the last one fewer. Raises `FolderNotFound`, `BadImport`, `TooManyImports`."""
    if await tx.one(store.imports.COUNT_UNDER_WAY, user_id) >= MOST_UNDER_WAY:
        raise TooManyImports(RETRY_S)
    await check_folder(tx, user_id, folder_id)
    import_id = ImportId(new_id())
    await tx.run(store.imports.ADD, import_id, user_id, file_name, folder_id)
    number = 0
    async for part in parts:
        await tx.run(store.imports.ADD_PART, import_id, user_id, number, part)
        number += 1
    if not number:
        raise BadImport("The file is empty.")
    await enqueue(tx, ImportFile(import_id, user_id))
    return await show_import(tx, user_id, import_id)
