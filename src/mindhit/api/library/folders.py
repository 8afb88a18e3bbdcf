"""Folders of the library."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from mindhit import library
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented
from mindhit.api.http.responses import json_response, long_response, struct_response
from mindhit.api.library.fields import FolderName, Position
from mindhit.library import BadFolder, FolderChange, FolderId, FolderNotFound, shapes

router = APIRouter(tags=["library"], responses=SIGNED_IN)


class NewFolder(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: FolderName
    parent_id: UUID | None = Field(default=None, description="Null: at the top.")
    position: Position | None = Field(default=None, description="Left out: at the end.")


class FolderUpdate(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: FolderName | None = None
    parent_id: UUID | None = Field(default=None, description="Null: to the top.")
    position: Position | None = None


@router.get(
    "/folders",
    summary="List my folders",
    response_class=Response,
    responses=struct_response(shapes.FolderList),
)
async def list_folders(db: Db, caller: RecorderCaller) -> Response:
    """All of them; `parent_id` makes a tree of the list."""
    async with db.read() as tx:
        found = await library.list_folders(tx, caller.user_id)
    return await long_response(shapes.FolderList(found))


@router.post(
    "/folders",
    summary="Create a folder",
    status_code=201,
    response_class=Response,
    responses={**struct_response(shapes.Folder, 201), **documented(FolderNotFound)},
)
async def create(db: Db, caller: PersonCaller, asked: NewFolder) -> Response:
    async with db.transaction() as tx:
        added = await library.add_folder(
            tx, caller.user_id, asked.name, asked.parent_id, asked.position
        )
    return json_response(added, 201)


@router.patch(
    "/folders/{folder_id}",
    summary="Rename or move a folder",
    response_class=Response,
    responses={**struct_response(shapes.Folder), **documented(FolderNotFound, BadFolder)},
)
async def change(db: Db, caller: PersonCaller, folder_id: UUID, asked: FolderUpdate) -> Response:
    """Moved to another folder without a position, it goes to the end."""
    wanted = FolderChange(
        asked.name, "parent_id" in asked.model_fields_set, asked.parent_id, asked.position
    )
    async with db.transaction() as tx:
        changed = await library.change_folder(tx, caller.user_id, FolderId(folder_id), wanted)
    return json_response(changed)


@router.delete(
    "/folders/{folder_id}",
    summary="Delete a folder",
    status_code=204,
    responses=documented(FolderNotFound),
)
async def delete(db: Db, caller: PersonCaller, folder_id: UUID) -> None:
    """With all folders and pages in it."""
    async with db.transaction() as tx:
        await library.delete_folder(tx, caller.user_id, FolderId(folder_id))
