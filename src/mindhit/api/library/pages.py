"""Saved pages."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, Limit, decode, encode
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, struct_response
from mindhit.api.library.fields import Address, Note, Position, Tag, Tags, Title
from mindhit.clock import utc_now
from mindhit.library import (
    BadSavedPage,
    FolderNotFound,
    NoLink,
    PageChange,
    PageFilter,
    PageId,
    PageKey,
    SavedPageNotFound,
    shapes,
)

router = APIRouter(tags=["library"], responses=SIGNED_IN)
TOP: Final = "top"
MOST_AT_ONCE: Final = 500
Words = Annotated[str | None, Query(max_length=300, pattern=r"^[^\x00]*$")]
State = Literal["waiting", "enriched", "dead", "skipped"]


class PageToSave(BaseModel):
    model_config = ConfigDict(extra="forbid")

    address: Address
    title: Title | None = None
    note: Note | None = None
    tags: Tags = Field(default_factory=list)
    folder_id: UUID | None = Field(default=None, description="Null: at the top.")
    position: Position | None = Field(default=None, description="Left out: at the end.")


class PageUpdate(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    address: Address | None = None
    title: Title | None = None
    note: Note | None = None
    tags: Tags | None = None
    archived: bool | None = None
    folder_id: UUID | None = Field(default=None, description="Null: to the top.")
    position: Position | None = None


class PagesUpdate(BaseModel):
    """The same for several pages."""

    model_config = ConfigDict(extra="forbid")

    ids: list[UUID] = Field(min_length=1, max_length=MOST_AT_ONCE)
    archived: bool | None = None
    folder_id: UUID | None = Field(default=None, description="Null: to the top.")
    add_tags: list[Tag] = Field(default_factory=list, max_length=20)
    remove_tags: list[Tag] = Field(default_factory=list, max_length=20)
    delete: bool = False


class AddressToLookUp(BaseModel):
    model_config = ConfigDict(extra="forbid")

    address: Address


@router.get(
    "/pages",
    summary="List saved pages",
    response_class=Response,
    responses={**struct_response(shapes.SavedPageList), **documented(FolderNotFound)},
)
async def list_pages(
    db: Db,
    caller: PersonCaller,
    folder: Annotated[
        UUID | Literal["top"] | None,
        Query(description="Only what lies directly in this folder, or at the `top`, in its order."),
    ] = None,
    state: State | None = None,
    domain: Words = None,
    tag: Words = None,
    archived: bool = False,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    """Newest first, unless it is of one folder. `domain` includes its subdomains. Archived pages are
    listed apart."""
    wanted = PageFilter(
        is_in_folder=folder is not None,
        folder_id=folder if isinstance(folder, UUID) else None,
        state=state,
        domain=domain,
        tag=tag,
        archived=archived,
    )
    after = PageKey(*decode(cursor, tuple[float, UUID])) if cursor else None
    async with db.read() as tx:
        await library.check_folder(tx, caller.user_id, wanted.folder_id)
        found = await library.list_pages(tx, caller.user_id, wanted, limit=limit + 1, after=after)
    shown = found[:limit]
    last = shown[-1] if len(found) > limit else None
    next_cursor = encode((last.position, last.id)) if last else None
    return json_response(shapes.SavedPageList(shown, next_cursor))


@router.post(
    "/pages",
    summary="Save a page",
    status_code=201,
    response_class=Response,
    responses={
        **struct_response(shapes.SavedPage, 201),
        **struct_response(shapes.SavedPage),
        **documented(FolderNotFound, BadSavedPage),
    },
)
async def save(db: Db, caller: RecorderCaller, asked: PageToSave) -> Response:
    """200 with the page that is there, where the folder has it already."""
    async with db.transaction() as tx:
        page, is_new = await library.add_page(
            tx,
            caller.user_id,
            asked.address,
            title=asked.title,
            note=asked.note,
            tags=tuple(asked.tags),
            folder_id=asked.folder_id,
            position=asked.position,
        )
    return json_response(page, 201 if is_new else 200)


@router.post(
    "/pages/lookup",
    summary="Look up an address",
    response_class=Response,
    responses={**struct_response(shapes.KnownPage), **documented(BadSavedPage, NoLink)},
)
async def look_up(db: Db, caller: RecorderCaller, asked: AddressToLookUp) -> Response:
    """Where it is saved, and when and how long it was read."""
    async with db.read() as tx:
        return json_response(await library.look_up(tx, caller.user_id, asked.address))


@router.post(
    "/pages/batch",
    summary="Move, tag, archive or delete several pages",
    status_code=204,
    responses=documented(FolderNotFound, SavedPageNotFound),
)
async def change_many(db: Db, caller: PersonCaller, asked: PagesUpdate) -> None:
    """All of them or, where one does not exist, none."""
    async with db.transaction() as tx:
        ids = list(dict.fromkeys(asked.ids))
        if asked.delete:
            for id_ in ids:
                await library.delete_page(tx, caller.user_id, PageId(id_))
            return
        for id_ in ids:
            page = await library.show_page(tx, caller.user_id, PageId(id_))
            await library.change_page(tx, caller.user_id, PageId(id_), _change_of(asked, page))


@router.get(
    "/pages/tags",
    summary="List my tags",
    response_class=Response,
    responses=struct_response(shapes.TagList),
)
async def list_tags(db: Db, caller: RecorderCaller) -> Response:
    async with db.read() as tx:
        return json_response(shapes.TagList(await library.list_tags(tx, caller.user_id)))


@router.get(
    "/pages/{page_id}",
    summary="Show a saved page",
    response_class=Response,
    responses={**struct_response(shapes.SavedPage), **documented(SavedPageNotFound)},
)
async def show(db: Db, caller: PersonCaller, page_id: UUID) -> Response:
    async with db.read() as tx:
        return json_response(await library.show_page(tx, caller.user_id, PageId(page_id)))


@router.patch(
    "/pages/{page_id}",
    summary="Change or move a saved page",
    response_class=Response,
    responses={
        **struct_response(shapes.SavedPage),
        **documented(SavedPageNotFound, FolderNotFound, BadSavedPage),
    },
)
async def change(db: Db, caller: PersonCaller, page_id: UUID, asked: PageUpdate) -> Response:
    """Moved to another folder without a position, it goes to the end."""
    wanted = PageChange(_fields(asked), **_values(asked))
    async with db.transaction() as tx:
        changed = await library.change_page(tx, caller.user_id, PageId(page_id), wanted)
    return json_response(changed)


@router.delete(
    "/pages/{page_id}",
    summary="Delete a saved page",
    status_code=204,
    responses=documented(SavedPageNotFound),
)
async def delete(db: Db, caller: PersonCaller, page_id: UUID) -> None:
    async with db.transaction() as tx:
        await library.delete_page(tx, caller.user_id, PageId(page_id))


@router.post(
    "/pages/{page_id}/enrich",
    summary="Read a saved page again",
    status_code=202,
    response_class=Response,
    responses={
        **struct_response(shapes.SavedPage, 202),
        **documented(SavedPageNotFound, NoLink),
    },
)
async def enrich(db: Db, caller: PersonCaller, page_id: UUID) -> Response:
    """Where the server could not read it. Otherwise nothing happens."""
    async with db.transaction() as tx:
        page = await library.retry_page(tx, caller.user_id, PageId(page_id))
    return json_response(page, 202)


def _fields(asked: PageUpdate) -> frozenset[str]:
    given = {name for name in asked.model_fields_set if name not in {"archived", "position"}}
    given -= {name for name in ("address", "tags") if getattr(asked, name) is None}
    return frozenset(given | ({"archived_at"} if asked.archived is not None else set()))


def _values(asked: PageUpdate) -> dict[str, Any]:
    return {
        "address": asked.address or "",
        "title": asked.title or None,
        "note": asked.note or None,
        "tags": tuple(asked.tags or ()),
        "archived_at": utc_now() if asked.archived else None,
        "folder_id": asked.folder_id,
        "position": asked.position,
    }


def _change_of(asked: PagesUpdate, page: shapes.SavedPage) -> PageChange:
    fields = {"tags"}
    if "folder_id" in asked.model_fields_set:
        fields.add("folder_id")
    if asked.archived is not None:
        fields.add("archived_at")
    kept = [tag for tag in page.tags if tag not in asked.remove_tags]
    return PageChange(
        frozenset(fields),
        tags=tuple(dict.fromkeys([*kept, *asked.add_tags])),
        archived_at=(page.archived_at or utc_now()) if asked.archived else None,
        folder_id=asked.folder_id,
    )
