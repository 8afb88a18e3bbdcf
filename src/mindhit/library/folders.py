"""Folders: a tree with an order."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit import delivery
from mindhit.db import ReadTx, Tx
from mindhit.library import store
from mindhit.library.counter import raise_counter
from mindhit.library.ids import new_id
from mindhit.library.links import release_unused
from mindhit.library.model import BadFolder, FolderId, FolderNotFound
from mindhit.library.shapes import Folder
from mindhit.library.store.folders import FolderWrite


@dataclass(frozen=True, slots=True)
class FolderChange:
    """What a folder will be like; None keeps what it is. `is_moved` says that `parent_id` counts."""

    name: str | None = None
    is_moved: bool = False
    parent_id: UUID | None = None
    position: float | None = None


async def list_folders(tx: ReadTx, user_id: UUID) -> list[Folder]:
    return await tx.all(store.folders.ALL, user_id)


async def show_folder(tx: ReadTx, user_id: UUID, folder_id: FolderId) -> Folder:
    found = await tx.maybe(store.folders.ONE, user_id, folder_id)
    if found is None:
        raise FolderNotFound
    return found


async def check_folder(tx: ReadTx, user_id: UUID, folder_id: UUID | None) -> None:
    """Raises `FolderNotFound` for one that is not the person's; the top is no folder and always there."""
    if folder_id is not None and not await tx.one(store.folders.EXISTS, user_id, folder_id):
        raise FolderNotFound


async def next_position(tx: ReadTx, user_id: UUID, folder_id: UUID | None) -> float:
    """Behind everything that is in the folder."""
    return await tx.one(store.folders.NEXT_POSITION, user_id, folder_id)


async def add_folder(
    tx: Tx, user_id: UUID, name: str, parent_id: UUID | None = None, position: float | None = None
) -> Folder:
    """At the end of its parent, unless a position is given."""
    seq = await raise_counter(tx, user_id)
    await check_folder(tx, user_id, parent_id)
    id_ = FolderId(new_id())
    at = await next_position(tx, user_id, parent_id) if position is None else position
    await tx.run(
        store.folders.ADD,
        FolderWrite(id=id_, user_id=user_id, parent_id=parent_id, name=name, position=at, seq=seq),
    )
    return await show_folder(tx, user_id, id_)


async def change_folder(tx: Tx, user_id: UUID, folder_id: FolderId, change: FolderChange) -> Folder:
    """Moved without a position, it goes to the end of its new parent."""
    seq = await raise_counter(tx, user_id)
    old = await show_folder(tx, user_id, folder_id)
    parent_id = change.parent_id if change.is_moved else old.parent_id
    position = change.position
    if parent_id != old.parent_id:
        await check_folder(tx, user_id, parent_id)
        if parent_id in await tx.all(store.folders.BELOW, user_id, [folder_id]):
            raise BadFolder
        if position is None:
            position = await next_position(tx, user_id, parent_id)
    await tx.run(
        store.folders.CHANGE,
        FolderWrite(
            id=folder_id,
            user_id=user_id,
            parent_id=parent_id,
            name=old.name if change.name is None else change.name,
            position=old.position if position is None else position,
            seq=seq,
        ),
    )
    return await show_folder(tx, user_id, folder_id)


async def delete_folder(tx: Tx, user_id: UUID, folder_id: FolderId) -> None:
    """With all that is in it."""
    seq = await raise_counter(tx, user_id)
    await check_folder(tx, user_id, folder_id)
    await delete_folders(tx, user_id, [folder_id], seq)


async def delete_folders(tx: Tx, user_id: UUID, folder_ids: list[UUID], seq: int) -> None:
    """The caller has raised the counter."""
    below = await tx.all(store.folders.BELOW, user_id, folder_ids)
    page_ids = await tx.all(store.folders.PAGES_IN, user_id, below)
    released = await tx.all(store.folders.DELETE, user_id, below, seq)
    await delivery.withdraw(tx, user_id, page_ids)
    await release_unused(tx, user_id, released)
