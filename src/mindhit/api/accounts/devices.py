"""Devices: browsers, extensions and programs that are signed in to an account."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from mindhit import accounts
from mindhit.accounts import Caller, DeviceId, DeviceNotFound
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller, PersonCaller
from mindhit.api.http.dependencies import Db, Origin
from mindhit.api.http.paging import (
    LARGEST_PAGE,
    Cursor,
    ItemPage,
    Limit,
    cut,
    decode_time,
    encode_time,
)
from mindhit.api.http.problems import documented

router = APIRouter(tags=["devices"], responses=SIGNED_IN)


class Device(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: Literal["web", "extension", "api"]
    name: str
    scopes: list[str]
    created_at: datetime
    last_seen_at: datetime | None
    last_address: str | None
    expires_at: datetime | None
    is_current: bool = False

    @classmethod
    def of(cls, device: accounts.Device, caller: Caller) -> Device:
        shown = cls.model_validate(device)
        return shown.model_copy(update={"is_current": device.id == caller.device_id})


class DeviceList(ItemPage[Device]):
    """Devices, oldest first."""


@router.get("/devices", summary="List my devices")
async def list_devices(
    db: Db, caller: PersonCaller, cursor: Cursor = None, limit: Limit = LARGEST_PAGE
) -> DeviceList:
    after = decode_time(cursor) if cursor else None
    async with db.read() as tx:
        found = await accounts.list_devices(tx, caller.user_id, after=after, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode_time(each.created_at, each.id))
    return DeviceList(items=[Device.of(each, caller) for each in shown], next_cursor=next_cursor)


@router.delete(
    "/devices/{device_id}",
    summary="Sign out a device",
    status_code=204,
    responses=documented(DeviceNotFound),
)
async def revoke(db: Db, caller: BrowserCaller, origin: Origin, device_id: UUID) -> None:
    async with db.transaction() as tx:
        await accounts.revoke(tx, caller.user_id, DeviceId(device_id), origin)
