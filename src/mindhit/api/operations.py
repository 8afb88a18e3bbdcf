"""The owner's overview of the server: throughput of jobs, health of recording browsers, the system.

It puts together what slices that do not know each other keep.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import Final
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

import mindhit
from mindhit import accounts, tracking, work
from mindhit.api.http.authentication import OWNER_ONLY, OwnerCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.clock import utc_now
from mindhit.db import ReadTx, inspect
from mindhit.settings import Settings

router = APIRouter(tags=["admin"], responses=OWNER_ONLY)
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_started = monotonic()


class Throughput(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    queue: str
    succeeded: list[int] = Field(description="In each five minutes of the last hour, oldest first.")
    dead: list[int]


class RejectedReason(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    reason: str
    events: int


class CaptureHealth(BaseModel):
    id: UUID
    email: str
    name: str
    connected_at: datetime
    last_seen_at: datetime | None
    last_batch_at: datetime | None = Field(description="In the sessions of the last 30 days.")
    recording: int
    events: int
    rejected: int
    incomplete: int = Field(description="Sessions with missing events.")
    waiting: int = Field(
        description="Events that the device is known to have and has not sent yet."
    )
    reasons: list[RejectedReason] = []


class System(BaseModel):
    version: str
    up_s: float = Field(description="Uptime of the process that answers.")
    database: str
    database_bytes: int
    disk_free_bytes: int | None
    people: int
    sessions: int
    scheduled_at: datetime | None = Field(description="When a scheduled job was last due.")


class Operations(BaseModel):
    now: datetime
    throughput: list[Throughput]
    devices: list[CaptureHealth]
    system: System


@router.get("/admin/operations", summary="Show how the server is doing")
async def show_operations(db: Db, settings: AppSettings, _: OwnerCaller) -> Operations:
    async with db.read() as tx:
        throughput = await work.throughput(tx)
        extensions = await accounts.list_extensions(tx)
        captures = await tracking.captures(tx, [(each.user_id, each.id) for each in extensions])
        system = await _system(tx, settings)
    return Operations(
        now=utc_now(),
        throughput=[Throughput.model_validate(each) for each in throughput],
        devices=_devices(extensions, captures),
        system=system,
    )


def _devices(
    extensions: Sequence[accounts.Extension], captures: Mapping[UUID, tracking.Capture]
) -> list[CaptureHealth]:
    """Most recent batch first."""
    devices = [_device(each, captures[each.id]) for each in extensions]
    return sorted(
        devices, key=lambda each: (each.last_batch_at or _NEVER, each.connected_at), reverse=True
    )


def _device(extension: accounts.Extension, capture: tracking.Capture) -> CaptureHealth:
    return CaptureHealth(
        id=extension.id,
        email=extension.email,
        name=extension.name,
        connected_at=extension.connected_at,
        last_seen_at=extension.last_seen_at,
        last_batch_at=capture.last_batch_at,
        recording=capture.recording,
        events=capture.events,
        rejected=capture.rejected,
        incomplete=capture.incomplete,
        waiting=capture.waiting,
        reasons=[RejectedReason.model_validate(each) for each in capture.reasons],
    )


async def _system(tx: ReadTx, settings: Settings) -> System:
    facts = await inspect.facts(tx)
    return System(
        version=mindhit.__version__,
        up_s=monotonic() - _started,
        database=facts.version.partition(" ")[0],
        database_bytes=facts.database_bytes,
        disk_free_bytes=_free_bytes(settings),
        people=await accounts.count_people(tx),
        sessions=await tracking.count_sessions(tx),
        scheduled_at=await work.last_tick(tx),
    )


def _free_bytes(settings: Settings) -> int | None:
    # With a database on another machine, the folder may not exist.
    folder = next(each for each in (settings.data_dir, *settings.data_dir.parents) if each.exists())
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
