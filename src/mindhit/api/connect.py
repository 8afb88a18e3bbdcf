"""Connecting an extension: it asks, the person agrees in the web app, it fetches its tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from mindhit import accounts
from mindhit.accounts import CONNECT_BY_ADDRESS, POLL_BY_ADDRESS, ConnectionNotFound
from mindhit.api import access
from mindhit.api.access import ACCESS, Configured, Db, Door, From
from mindhit.api.auth import Tokens
from mindhit.api.fields import Name, Token
from mindhit.api.problems import documented

router = APIRouter(tags=["connect"])

Code = Annotated[str, Path(max_length=20, pattern=r"^[^\x00]*$", examples=["BCDF-GHJK"])]


class Asked(BaseModel):
    name: Name


class DeviceCode(BaseModel):
    device_code: Token


class Started(BaseModel):
    device_code: str
    user_code: str
    url: str
    expires_in_s: int
    interval_s: int


class Polled(BaseModel):
    status: Literal["pending", "denied", "expired", "connected"]
    tokens: Tokens | None = None


class Waiting(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    user_code: str
    name: str
    address: str | None
    created_at: datetime
    expires_at: datetime


class Decision(BaseModel):
    decision: Literal["approve", "deny"]


@router.post("/connect", summary="Ask to be let in", status_code=201)
async def ask(db: Db, door: Door, settings: Configured, origin: From, asked: Asked) -> Started:
    await door.spend(db, CONNECT_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        device_code, waiting = await accounts.start_connection(tx, asked.name, origin)
    return Started(
        device_code=device_code,
        user_code=waiting.user_code,
        url=f"{settings.public_url}/connect#{waiting.user_code}",
        expires_in_s=round((waiting.expires_at - waiting.created_at).total_seconds()),
        interval_s=accounts.POLL_INTERVAL_S,
    )


@router.post("/connect/poll", summary="What has become of a request to be let in")
async def poll(db: Db, door: Door, origin: From, asked: DeviceCode) -> Polled:
    await door.spend(db, POLL_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        polled = await accounts.poll_connection(tx, asked.device_code, origin)
    tokens = Tokens.of(polled.tokens) if polled.tokens else None
    return Polled.model_validate({"status": polled.status, "tokens": tokens})


@router.get(
    "/connect/{user_code}",
    summary="Who asks under this code",
    responses={**ACCESS, **documented(ConnectionNotFound)},
)
async def look(db: Db, door: Door, caller: access.Browser, user_code: Code) -> Waiting:
    await door.spend(db, CONNECT_BY_ADDRESS, str(caller.user_id))
    async with db.read() as tx:
        return Waiting.model_validate(await accounts.show_connection(tx, user_code))


@router.post(
    "/connect/{user_code}",
    summary="Let it in, or not",
    status_code=204,
    responses={**ACCESS, **documented(ConnectionNotFound)},
)
async def decide(
    db: Db, door: Door, caller: access.Browser, user_code: Code, asked: Decision
) -> None:
    await door.spend(db, CONNECT_BY_ADDRESS, str(caller.user_id))
    async with db.transaction() as tx:
        await accounts.decide_connection(
            tx, caller.user_id, user_code, approve=asked.decision == "approve"
        )
