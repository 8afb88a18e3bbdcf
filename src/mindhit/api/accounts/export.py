"""Everything about a person as a file: asked for, made by a job, downloaded in as many requests as it takes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from mindhit import accounts
from mindhit.accounts import (
    ExportId,
    ExportNotFound,
    ExportNotReady,
    ExportReason,
    ExportStatus,
)
from mindhit.api.http import ranges
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db, Disk, Origin
from mindhit.api.http.middleware.head_and_range import STATE_KEY
from mindhit.api.http.problems import Problem, documented, problem
from mindhit.db.disk_space import DiskFull

router = APIRouter(tags=["me"], responses=SIGNED_IN)
ARCHIVE_PATH: Final = "/archive"  # how the paths of downloads end
BEYOND: Final = "The archive ends before that range."
_ZIP: Final = {"application/zip": {"schema": {"type": "string", "format": "binary"}}}


class Export(BaseModel):
    """An archive of everything about you, being made or kept for a day."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    status: ExportStatus
    files: int = Field(description="Files of the archive; 0 until it is started.")
    files_done: int
    size_bytes: int | None = Field(description="Of the archive; null until it is ready.")
    reason: ExportReason | None = Field(
        description="Why it failed: the server's disk is full, or something was forgotten meanwhile"
        " that would be in it. Null unless it failed."
    )
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None = Field(description="When it is deleted.")


class ExportList(BaseModel):
    """One, or none."""

    exports: list[Export]


@router.post(
    "/me/exports",
    summary="Export all my data",
    status_code=202,
    responses=documented(DiskFull),
)
async def start(
    db: Db,
    caller: PersonCaller,
    origin: Origin,
    disk: Disk,
    new: Annotated[bool, Query(description="Not one that is ready, which is deleted.")] = False,
) -> Export:
    """Makes an archive, or answers with the one that is being made or ready. Others may be made first."""
    disk.check()
    async with db.transaction() as tx:
        found = await accounts.ask_export(tx, caller.user_id, origin, is_new=new)
    return Export.model_validate(found)


@router.get("/me/exports", summary="List my exports")
async def list_exports(db: Db, caller: PersonCaller) -> ExportList:
    async with db.read() as tx:
        found = await accounts.list_exports(tx, caller.user_id)
    return ExportList(exports=[Export.model_validate(each) for each in found])


@router.get(
    "/me/exports/{export_id}", summary="Show an export", responses=documented(ExportNotFound)
)
async def show(db: Db, caller: PersonCaller, export_id: UUID) -> Export:
    async with db.read() as tx:
        found = await accounts.show_export(tx, caller.user_id, ExportId(export_id))
    return Export.model_validate(found)


@router.get(
    f"/me/exports/{{export_id}}{ARCHIVE_PATH}",
    summary="Download an export",
    response_class=Response,
    responses={
        200: {"content": _ZIP},
        206: {"description": "The range that was asked for.", "content": _ZIP},
        304: {"description": "You have it."},
        416: {"model": Problem, "description": BEYOND},
        **documented(ExportNotFound, ExportNotReady),
    },
)
async def download(
    request: Request, db: Db, caller: PersonCaller, origin: Origin, export_id: UUID
) -> Response:
    """A ZIP archive of JSON files. A broken download continues with `Range` and `If-Range`."""
    id_ = ExportId(export_id)
    async with db.read() as tx:
        archive = await accounts.show_archive(tx, caller.user_id, id_)
    plan = ranges.plan(request.headers, archive.size_bytes, f'"{archive.digest}"')
    if plan.status == 416:
        return problem(416, BEYOND, headers=plan.headers)
    if plan.status == 304:
        return Response(status_code=304, headers=plan.headers)
    name = f"mindhit-{archive.made_at:%Y-%m-%d}.zip"
    headers = plan.headers | {"Content-Disposition": f'attachment; filename="{name}"'}
    if getattr(request.state, STATE_KEY, False):
        return Response(status_code=plan.status, headers=headers, media_type="application/zip")
    if not plan.is_continued:  # whoever goes on with a download was noted at its beginning
        async with db.transaction() as tx:
            await accounts.note_export(tx, caller.user_id, origin)
    pieces = accounts.read_archive(db, caller.user_id, id_, *plan.span)
    return StreamingResponse(pieces, plan.status, headers, "application/zip")
