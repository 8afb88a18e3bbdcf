"""Tokens that people make for their own programs."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from mindhit import accounts, billing
from mindhit.accounts import AccountsSettings, OwnerOnly, Role, Scope, TokenLimit
from mindhit.api.accounts.devices import Device
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller
from mindhit.api.http.dependencies import AppSettings, Db, Origin
from mindhit.api.http.fields import Name
from mindhit.api.http.problems import documented
from mindhit.billing import Flag, NotInPlan

router = APIRouter(tags=["devices"], responses=SIGNED_IN)
LONGEST_DAYS: Final = 3650
DAY_S: Final = 86_400.0


class TokenRequest(BaseModel):
    name: Name = Field(description="What it is for; shown in the list of devices.")
    scopes: Annotated[list[Literal["extension", "api", "admin"]], Field(min_length=1, max_length=3)]
    expires_in_days: Annotated[int, Field(strict=True, ge=1, le=LONGEST_DAYS)] | None = None


class TokenMade(BaseModel):
    token: str = Field(description="Shown only once.")
    device: Device


@router.post(
    "/tokens",
    summary="Create an API token",
    status_code=201,
    responses=documented(OwnerOnly, NotInPlan, TokenLimit),
)
async def make_token(
    db: Db, settings: AppSettings, caller: BrowserCaller, origin: Origin, asked: TokenRequest
) -> TokenMade:
    if Scope.ADMIN in asked.scopes and caller.role != Role.OWNER:
        raise OwnerOnly
    scopes = [Scope(each) for each in dict.fromkeys(asked.scopes)]
    lasts_s = asked.expires_in_days * DAY_S if asked.expires_in_days else None
    async with db.transaction() as tx:
        await billing.require(tx, caller.user_id, Flag.API_TOKENS)
        device, token = await accounts.make_token(
            tx,
            caller.user_id,
            asked.name,
            scopes,
            lasts_s,
            origin,
            most=settings[AccountsSettings].tokens_per_person,
        )
    return TokenMade(token=token, device=Device.of(device, caller))
