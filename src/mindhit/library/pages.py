"""Saved pages: adding, changing, deleting, listing; what is known of an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit import delivery, tracking
from mindhit.db import ReadTx, Tx
from mindhit.library import links, store
from mindhit.library.addresses import Address, typed_address
from mindhit.library.counter import raise_counter
from mindhit.library.folders import check_folder, next_position
from mindhit.library.ids import new_id
from mindhit.library.model import (
    HOLDER,
    LinkState,
    NoLink,
    PageId,
    PageKind,
    SavedPageNotFound,
)
from mindhit.library.shapes import Enrichment, KnownPage, Link, SavedPage, Seen, TagCount
from mindhit.library.store.pages import InFolder, Newest, NewPage, PageRow

SKIPPED: Final = "skipped"


@dataclass(frozen=True, slots=True)
class PageFilter:
    """`is_in_folder` says that `folder_id` counts: None is the top."""

    is_in_folder: bool = False
    folder_id: UUID | None = None
    state: str | None = None
    domain: str | None = None
    tag: str | None = None
    archived: bool = False


@dataclass(frozen=True, slots=True)
class PageKey:
    """Where a list goes on: behind a page, by its position where it is a folder's."""

    position: float
    id: UUID


@dataclass(frozen=True, slots=True)
class PageChange:
    """Only the named fields are changed."""

    fields: frozenset[str]
    address: str = ""
    title: str | None = None
    note: str | None = None
    tags: tuple[str, ...] = ()
    archived_at: datetime | None = None
    folder_id: UUID | None = None
    position: float | None = None


async def list_pages(
    tx: ReadTx, user_id: UUID, wanted: PageFilter, *, limit: int, after: PageKey | None = None
) -> list[SavedPage]:
    """Of a folder in its order, else newest first."""
    if wanted.is_in_folder:
        rows = await tx.all(
            store.pages.IN_FOLDER,
            InFolder(
                user_id=user_id,
                folder_id=wanted.folder_id,
                position=after.position if after else None,
                id=after.id if after else None,
                state=wanted.state,
                domain=wanted.domain,
                tag=wanted.tag,
                archived=wanted.archived,
                row_limit=limit,
            ),
        )
    else:
        rows = await tx.all(
            store.pages.NEWEST,
            Newest(
                user_id=user_id,
                before=after.id if after else None,
                state=wanted.state,
                domain=wanted.domain,
                tag=wanted.tag,
                archived=wanted.archived,
                row_limit=limit,
            ),
        )
    return [_shaped(row) for row in rows]


async def show_page(tx: ReadTx, user_id: UUID, page_id: PageId) -> SavedPage:
    return _shaped(await _row(tx, user_id, page_id))


async def list_tags(tx: ReadTx, user_id: UUID) -> list[TagCount]:
    return await tx.all(store.pages.TAGS, user_id)


async def look_up(tx: ReadTx, user_id: UUID, address: str) -> KnownPage:
    """Where an address is saved, and what was recorded of it. Raises `NoLink`."""
    read = typed_address(address)
    if read.url is None:
        raise NoLink
    rows = await tx.all(store.pages.OF_URL, user_id, read.url.id)
    seen = await tracking.seen(tx, user_id, read.url.id)
    return KnownPage(
        [_shaped(row) for row in rows],
        None
        if seen is None
        else Seen(seen.first_at, seen.last_at, seen.visits, seen.focused_ms, seen.highlights),
    )


async def add_page(
    tx: Tx,
    user_id: UUID,
    address: str,
    *,
    title: str | None = None,
    note: str | None = None,
    tags: tuple[str, ...] = (),
    folder_id: UUID | None = None,
    position: float | None = None,
) -> tuple[SavedPage, bool]:
    """The page, and whether it is new: a link that is in the folder stays as it is. Raises
    `BadSavedPage`, `FolderNotFound`."""
    read = typed_address(address)
    seq = await raise_counter(tx, user_id)
    await check_folder(tx, user_id, folder_id)
    if read.url is not None:
        same = await tx.maybe(store.pages.SAME, user_id, folder_id, read.url.id)
        if same is not None:
            return await show_page(tx, user_id, PageId(same)), False
    page = NewPage(
        id=new_id(),
        user_id=user_id,
        kind=read.kind,
        url_id=await hold(tx, user_id, read),
        address=read.text,
        title=title or None,
        note=note or None,
        tags=list(tags),
        archived_at=None,
        folder_id=folder_id,
        position=await next_position(tx, user_id, folder_id) if position is None else position,
        seq=seq,
    )
    await tx.run(store.pages.ADD, page)
    await links.note(tx, user_id, [page.url_id] if page.url_id else [])
    return await show_page(tx, user_id, PageId(page.id)), True


async def hold(tx: Tx, user_id: UUID, read: Address) -> UUID | None:
    if read.url is None:
        return None
    return (await tracking.hold(tx, user_id, HOLDER, [read.text]))[0]


async def change_page(tx: Tx, user_id: UUID, page_id: PageId, change: PageChange) -> SavedPage:
    """Moved without a position, it goes to the end of its new folder."""
    seq = await raise_counter(tx, user_id)
    old = await _row(tx, user_id, page_id)
    new = await _changed(tx, _writable(user_id, old, seq), change)
    await tx.run(store.pages.CHANGE, new)
    if new.url_id != old.url_id:
        await links.note(tx, user_id, [new.url_id] if new.url_id else [])
        await links.release_unused(tx, user_id, [old.url_id] if old.url_id else [])
    return await show_page(tx, user_id, page_id)


async def _changed(tx: Tx, page: NewPage, change: PageChange) -> NewPage:
    new = replace(
        page,
        **{
            name: getattr(change, name)
            for name in change.fields & {"title", "note", "archived_at", "folder_id"}
        },
    )
    if "tags" in change.fields:
        new = replace(new, tags=list(change.tags))
    if "address" in change.fields and change.address != page.address:
        read = typed_address(change.address)
        url_id = await hold(tx, page.user_id, read)
        new = replace(new, kind=read.kind, address=read.text, url_id=url_id)
    position = change.position
    if new.folder_id != page.folder_id:
        await check_folder(tx, page.user_id, new.folder_id)
        if position is None:
            position = await next_position(tx, page.user_id, new.folder_id)
    return new if position is None else replace(new, position=position)


async def delete_page(tx: Tx, user_id: UUID, page_id: PageId) -> None:
    seq = await raise_counter(tx, user_id)
    await _row(tx, user_id, page_id)
    await delete_pages(tx, user_id, [page_id], seq)


async def delete_pages(tx: Tx, user_id: UUID, page_ids: list[UUID], seq: int) -> None:
    """The caller has raised the counter."""
    released = await tx.all(store.pages.DELETE, user_id, page_ids, seq)
    await delivery.withdraw(tx, user_id, page_ids)
    await links.release_unused(tx, user_id, released)


async def retry_page(tx: Tx, user_id: UUID, page_id: PageId) -> SavedPage:
    """Read its link again. Nothing happens where it was read already, or is about to be."""
    page = await _row(tx, user_id, page_id)
    if page.url_id is None:
        raise NoLink
    if page.state in {None, LinkState.DEAD}:
        await links.retry(tx, user_id, page.url_id)
    return await show_page(tx, user_id, page_id)


async def _row(tx: ReadTx, user_id: UUID, page_id: PageId) -> PageRow:
    found = await tx.maybe(store.pages.ONE, user_id, page_id)
    if found is None:
        raise SavedPageNotFound
    return found


def _writable(user_id: UUID, row: PageRow, seq: int) -> NewPage:
    return NewPage(
        id=row.id,
        user_id=user_id,
        kind=row.kind,
        url_id=row.url_id,
        address=row.address,
        title=row.title,
        note=row.note,
        tags=row.tags,
        archived_at=row.archived_at,
        folder_id=row.folder_id,
        position=row.position,
        seq=seq,
    )


def _shaped(row: PageRow) -> SavedPage:
    return SavedPage(
        row.id,
        row.sync_id,
        row.kind,
        row.url_id,
        row.address,
        row.domain,
        row.title,
        row.note,
        row.tags,
        row.archived_at,
        row.folder_id,
        row.position,
        row.created_at,
        row.updated_at,
        _link(row),
        _enrichment(row),
    )


def _link(row: PageRow) -> Link | None:
    if row.state != LinkState.ENRICHED:
        return None
    return Link(
        row.link_title,
        row.description,
        row.image,
        row.site_name,
        row.favicon,
        row.language,
        row.canonical,
        row.summary,
        row.keywords or [],
        row.engine,
        row.enriched_at,
    )


def _enrichment(row: PageRow) -> Enrichment | None:
    if row.kind != PageKind.LINK:
        return None
    reason = row.reason or row.last_error
    return Enrichment(row.state or SKIPPED, reason, row.attempts or 0, row.run_after)
