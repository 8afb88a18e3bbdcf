"""Where a person is signed in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from mindhit import accounts
from mindhit.accounts import Caller, DeviceId, DeviceNotFound, OwnerOnly, Role, Scope
from mindhit.api import access
from mindhit.api.access import ACCESS, Db, From
from mindhit.api.fields import Name
from mindhit.api.paging import LARGEST_PAGE, Cursor, ItemPage, Limit, cut, decode_time, encode_time
from mindhit.api.problems import documented

router = APIRouter(tags=["devices"], responses=ACCESS)

DAY_S = 86_400.0


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


class TokenRequest(BaseModel):
    name: Name = Field(description="What it is for; shown among the devices.")
    scopes: Annotated[list[Literal["extension", "api", "admin"]], Field(min_length=1, max_length=3)]
    expires_in_days: Annotated[int, Field(strict=True, ge=1, le=3650)] | None = None


class TokenMade(BaseModel):
    token: str = Field(description="Shown this once.")
    device: Device


@router.get("/devices", summary="Where I am signed in")
async def list_devices(
    db: Db, caller: access.Me, cursor: Cursor = None, limit: Limit = LARGEST_PAGE
) -> DeviceList:
    after = decode_time(cursor) if cursor else None
    async with db.read() as tx:
        found = await accounts.list_devices(tx, caller.user_id, after=after, limit=limit + 1)
    shown, next_cursor = cut(found, limit, lambda each: encode_time(each.created_at, each.id))
    return DeviceList(items=[Device.of(each, caller) for each in shown], next_cursor=next_cursor)


@router.delete(
    "/devices/{device_id}",
    summary="Sign a device out; it is out with its next request",
    status_code=204,
    responses=documented(DeviceNotFound),
)
async def revoke(db: Db, caller: access.Browser, origin: From, device_id: UUID) -> None:
    async with db.transaction() as tx:
        await accounts.revoke(tx, caller.user_id, DeviceId(device_id), origin)


@router.post(
    "/tokens",
    summary="Make a token for a program",
    status_code=201,
    responses=documented(OwnerOnly),
)
async def make_token(
    db: Db, caller: access.Browser, origin: From, asked: TokenRequest
) -> TokenMade:
    if Scope.ADMIN in asked.scopes and caller.role != Role.OWNER:
        raise OwnerOnly
    scopes = [Scope(each) for each in dict.fromkeys(asked.scopes)]
    lasts_s = asked.expires_in_days * DAY_S if asked.expires_in_days else None
    async with db.transaction() as tx:
        device, token = await accounts.make_token(
            tx, caller.user_id, asked.name, scopes, lasts_s, origin
        )
    return TokenMade(token=token, device=Device.of(device, caller))
