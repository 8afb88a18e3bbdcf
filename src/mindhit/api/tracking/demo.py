"""The demo at a click: what `mindhit demo` records over HTTP, put into the caller's own account.

The sessions have the same ids each time, so loading them twice adds nothing, and a session that its
owner deleted, alone or with the whole demo, stays deleted.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from pydantic import BaseModel, Field

from mindhit import tracking
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller
from mindhit.api.http.dependencies import Db
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.errors import Broken
from mindhit.tracking import SessionDeleted, SessionId, Status
from mindhit.tracking.demo import Sample, sessions

router = APIRouter(tags=["demo"], responses=SIGNED_IN)
BATCH: Final = 500


class DemoRejected(Broken):
    """An event of the demo was rejected."""


class DemoLoaded(BaseModel):
    recorded: int = 0
    known: int = 0
    deleted: int = 0


class DemoState(BaseModel):
    there: int = Field(description="Demo sessions in my account.")
    deleted: int = Field(description="Demo sessions that I deleted; they do not come back.")


@router.get("/demo", summary="Show the state of the demo")
async def state(db: Db, caller: BrowserCaller) -> DemoState:
    ids = _ids(caller.user_id)
    async with db.read() as tx:
        there = await tracking.existing_sessions(tx, caller.user_id, ids)
        gone = await tracking.deleted_sessions(tx, caller.user_id, ids)
    return DemoState(there=len(there), deleted=len(gone))


@router.delete("/demo", summary="Delete the demo sessions", status_code=204)
async def remove(db: Db, caller: BrowserCaller) -> None:
    async with db.transaction() as tx:
        for session_id in await tracking.existing_sessions(
            tx, caller.user_id, _ids(caller.user_id)
        ):
            await tracking.delete(tx, caller.user_id, session_id)


@router.post("/demo", summary="Load the demo sessions", status_code=201)
async def load(db: Db, caller: BrowserCaller) -> DemoLoaded:
    loaded = DemoLoaded()
    async with db.read() as tx:
        zone = await tracking.zone_of(tx, caller.user_id)
    for sample in sessions(caller.user_id, utc_now().astimezone(zone)):
        try:
            is_new = await _record(db, caller.user_id, sample)
        except SessionDeleted:
            loaded.deleted += 1
        else:
            loaded.recorded += is_new
            loaded.known += not is_new
    return loaded


def _ids(user_id: UUID) -> list[UUID]:
    return [sample.id for sample in sessions(user_id, utc_now())]


async def _record(db: Database, user_id: UUID, sample: Sample) -> bool:
    """Record one session, all or nothing. False if it exists already."""
    session_id = SessionId(sample.id)
    async with db.transaction() as tx:
        begun = await tracking.start(
            tx, user_id, session_id, sample.started_at, utc_now(), title=sample.title
        )
        if begun.status != Status.RECORDING:
            return False
        events = sample.events(begun.started_at)
        for first in range(0, len(events), BATCH):
            body = msgspec.json.encode({"events": events[first : first + BATCH]})
            sent = tracking.decode(body, BATCH)
            receipt = await tracking.ingest_batch(tx, user_id, session_id, sent)
            if receipt.rejected:
                raise DemoRejected(reason=receipt.rejected[0].reason)
        ended_at = datetime.fromtimestamp(events[-1]["t"] / 1000, UTC)
        await tracking.stop(tx, user_id, session_id, ended_at, len(events))
    return True
