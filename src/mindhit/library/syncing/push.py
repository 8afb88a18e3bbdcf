"""A client's changes, in one transaction: all of them or, in a conflict, none.

Whoever changed something that was changed elsewhere since they pulled has to pull first. Folders are
written before the pages in them, and deleted after pages were moved out of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec

from mindhit import tracking
from mindhit.db import Tx
from mindhit.library import links, store
from mindhit.library.addresses import Address, read_address
from mindhit.library.counter import raise_counter
from mindhit.library.folders import delete_folders
from mindhit.library.ids import new_id
from mindhit.library.importing.entries import UNNAMED
from mindhit.library.model import HOLDER, BadSavedPage, PageKind
from mindhit.library.pages import delete_pages
from mindhit.library.store.syncing import FolderPuts, KnownFolder, KnownPage, PagePuts
from mindhit.library.syncing.records import Changes, Record, SyncConflict, TableChanges

_encode = msgspec.json.Encoder().encode


async def push(tx: Tx, user_id: UUID, changes: Changes, last_pulled_at: int | None) -> None:
    """Raises `SyncConflict`; nothing of the transaction may then be committed."""
    seq = await raise_counter(tx, user_id)
    last = last_pulled_at or 0
    folders = await _known_folders(tx, user_id, changes)
    pages = await _known_pages(tx, user_id, changes.pages)
    await _check(tx, user_id, "folders", changes.folders, folders, last)
    await _check(tx, user_id, "pages", changes.pages, pages, last)
    ids = await _put_folders(tx, user_id, changes.folders.records, folders, seq)
    await _put_pages(tx, user_id, changes.pages.records, pages, ids, seq)
    gone = [pages[id_].id for id_ in changes.pages.deleted if id_ in pages]
    await delete_pages(tx, user_id, gone, seq)
    gone = [folders[id_].id for id_ in changes.folders.deleted if id_ in folders]
    await delete_folders(tx, user_id, gone, seq)


async def _known_folders(tx: Tx, user_id: UUID, changes: Changes) -> dict[str, KnownFolder]:
    """Those that are changed, and those that something is put into."""
    wanted = {*(each.id for each in changes.folders.records), *changes.folders.deleted}
    wanted |= {each.values.get("parent_id") or "" for each in changes.folders.records}
    wanted |= {each.values.get("folder_id") or "" for each in changes.pages.records}
    found = await tx.all(store.syncing.KNOWN_FOLDERS, user_id, list(wanted), _uuids(wanted))
    return {each.sync_id: each for each in found}


async def _known_pages(tx: Tx, user_id: UUID, changes: TableChanges) -> dict[str, KnownPage]:
    wanted = {*(each.id for each in changes.records), *changes.deleted}
    found = await tx.all(store.syncing.KNOWN_PAGES, user_id, list(wanted), _uuids(wanted))
    return {each.sync_id: each for each in found}


def _uuids(ids: Iterable[str]) -> list[UUID]:
    """Those that are written as ids of ours are."""
    found = []
    for each in ids:
        try:
            id_ = UUID(each)
        except ValueError:
            continue
        if str(id_) == each:
            found.append(id_)
    return found


async def _check(
    tx: Tx,
    user_id: UUID,
    table: str,
    changes: TableChanges,
    known: Mapping[str, KnownFolder] | Mapping[str, KnownPage],
    last: int,
) -> None:
    for record in changes.records:
        there = known.get(record.id)
        if there is None:
            continue
        # A creation may be pushed twice: the answer to the first was lost.
        if there.seq > (there.created_seq if record.is_created else last):
            raise SyncConflict(table=table)
    for id_ in changes.deleted:
        if id_ in known and known[id_].seq > last:
            raise SyncConflict(table=table)
    missing = [each.id for each in changes.records if each.id not in known and not each.is_created]
    if missing and await tx.all(store.syncing.BURIED, user_id, table, missing):
        raise SyncConflict(table=table)
    new = [each.id for each in changes.records if each.id not in known and each.is_created]
    if new:
        await tx.run(store.syncing.UNBURY, user_id, table, new)


async def _put_folders(
    tx: Tx, user_id: UUID, records: Sequence[Record], known: Mapping[str, KnownFolder], seq: int
) -> dict[str, UUID]:
    """The ids of all folders that this push names, by the client's."""
    ids = {sync_id: each.id for sync_id, each in known.items()}
    ids |= {each.id: new_id() for each in records if each.id not in ids}
    if not records:
        return ids
    parents: dict[UUID, UUID | None] = {
        each.id: each.parent_id for each in await tx.all(store.folders.NAMES, user_id)
    }
    for each in records:
        if each.id not in known or "parent_id" in each.values:
            parents[ids[each.id]] = ids.get(each.values.get("parent_id") or "")
    for each in records:
        if _is_below_itself(ids[each.id], parents):
            parents[ids[each.id]] = None
    old = [known.get(each.id) for each in records]
    await tx.run(
        store.syncing.PUT_FOLDERS,
        FolderPuts(
            user_id=user_id,
            seq=seq,
            ids=[ids[each.id] for each in records],
            sync_ids=[None if each.id in known else each.id for each in records],
            parent_ids=[parents[ids[each.id]] for each in records],
            names=[
                each.values.get("name") or (was.name if was else UNNAMED)
                for each, was in zip(records, old, strict=True)
            ],
            positions=[
                each.values.get("position", was.position if was else 0.0)
                for each, was in zip(records, old, strict=True)
            ],
            created=[each.values.get("created_at") for each in records],
        ),
    )
    return ids


def _is_below_itself(id_: UUID, parents: Mapping[UUID, UUID | None]) -> bool:
    seen: set[UUID] = set()
    at = parents.get(id_)
    while at is not None and at not in seen:
        if at == id_:
            return True
        seen.add(at)
        at = parents.get(at)
    return False


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it will be."""

    id: UUID
    sync_id: str | None
    read: Address
    folder_id: UUID | None
    values: Mapping[str, Any]
    was: KnownPage | None

    def value(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, getattr(self.was, name) if self.was else default)


async def _put_pages(
    tx: Tx,
    user_id: UUID,
    records: Sequence[Record],
    known: Mapping[str, KnownPage],
    folders: Mapping[str, UUID],
    seq: int,
) -> None:
    if not records:
        return
    pages = [_page(each, known.get(each.id), folders) for each in records]
    held = [
        (each.read.url, each.read.seen)
        for each in pages
        if each.read.url is not None and each.read.seen is not None
    ]
    await tracking.hold_pages(tx, user_id, HOLDER, held)
    await tx.run(store.syncing.PUT_PAGES, _columns(user_id, pages, seq))
    await links.note(tx, user_id, [url.id for url, _ in held])
    before = {each.was.url_id for each in pages if each.was and each.was.url_id}
    await links.release_unused(tx, user_id, sorted(before))


def _page(record: Record, was: KnownPage | None, folders: Mapping[str, UUID]) -> _Page:
    values = record.values
    read = _read(values.get("address", was.address if was else ""), values.get("kind"), was)
    folder_id = was.folder_id if was else None
    if was is None or "folder_id" in values:
        folder_id = folders.get(values.get("folder_id") or "")
    id_ = new_id() if was is None else was.id
    return _Page(id_, record.id if was is None else None, read, folder_id, values, was)


def _read(address: str, kind: str | None, was: KnownPage | None) -> Address:
    if not address and (kind or (was.kind if was else None)) == PageKind.SEPARATOR:
        return Address(PageKind.SEPARATOR, "")
    try:
        return read_address(address)
    except BadSavedPage:
        return Address(PageKind.OTHER, address)


def _columns(user_id: UUID, pages: Sequence[_Page], seq: int) -> PagePuts:
    return PagePuts(
        user_id=user_id,
        seq=seq,
        ids=[each.id for each in pages],
        sync_ids=[each.sync_id for each in pages],
        kinds=[each.read.kind.value for each in pages],
        url_ids=[each.read.url.id if each.read.url else None for each in pages],
        addresses=[each.read.text for each in pages],
        titles=[each.value("title") for each in pages],
        notes=[each.value("note") for each in pages],
        tags=[_encode(each.value("tags", [])) for each in pages],
        archived=[each.value("archived_at") for each in pages],
        folder_ids=[each.folder_id for each in pages],
        positions=[each.value("position", 0.0) for each in pages],
        created=[each.values.get("created_at") for each in pages],
    )
