"""Connecting an extension: it asks, the person approves in the web app, it fetches its tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from mindhit import accounts
from mindhit.accounts import CONNECT_BY_ADDRESS, POLL_BY_ADDRESS, ConnectionNotFound
from mindhit.api.accounts.auth import Tokens
from mindhit.api.accounts.fields import Token
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller
from mindhit.api.http.dependencies import AppSettings, Db, Origin, SignInGuard
from mindhit.api.http.fields import Name
from mindhit.api.http.problems import documented

router = APIRouter(tags=["connect"])

Code = Annotated[str, Path(max_length=20, pattern=r"^[^\x00]*$", examples=["BCDF-GHJK"])]


class ConnectRequest(BaseModel):
    name: Name


class DeviceCode(BaseModel):
    device_code: Token


class ConnectStarted(BaseModel):
    device_code: str
    user_code: str
    url: str
    expires_in_s: int
    interval_s: int


class ConnectStatus(BaseModel):
    status: Literal["pending", "denied", "expired", "connected"]
    tokens: Tokens | None = None


class PendingConnection(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    user_code: str
    name: str
    address: str | None
    created_at: datetime
    expires_at: datetime


class Decision(BaseModel):
    decision: Literal["approve", "deny"]


@router.post("/connect", summary="Request to connect an extension", status_code=201)
async def request_connection(
    db: Db, guard: SignInGuard, settings: AppSettings, origin: Origin, asked: ConnectRequest
) -> ConnectStarted:
    await guard.spend(db, CONNECT_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        device_code, waiting = await accounts.start_connection(tx, asked.name, origin)
    return ConnectStarted(
        device_code=device_code,
        user_code=waiting.user_code,
        url=f"{settings.public_url}/connect#{waiting.user_code}",
        expires_in_s=round((waiting.expires_at - waiting.created_at).total_seconds()),
        interval_s=accounts.POLL_INTERVAL_S,
    )


@router.post("/connect/poll", summary="Poll a connection request")
async def poll(db: Db, guard: SignInGuard, origin: Origin, asked: DeviceCode) -> ConnectStatus:
    await guard.spend(db, POLL_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        polled = await accounts.poll_connection(tx, asked.device_code, origin)
    tokens = Tokens.of(polled.tokens) if polled.tokens else None
    return ConnectStatus.model_validate({"status": polled.status, "tokens": tokens})


@router.get(
    "/connect/{user_code}",
    summary="Show a pending connection",
    responses={**SIGNED_IN, **documented(ConnectionNotFound)},
)
async def show(
    db: Db, guard: SignInGuard, caller: BrowserCaller, user_code: Code
) -> PendingConnection:
    await guard.spend(db, CONNECT_BY_ADDRESS, str(caller.user_id))
    async with db.read() as tx:
        return PendingConnection.model_validate(await accounts.show_connection(tx, user_code))


@router.post(
    "/connect/{user_code}",
    summary="Approve or deny a connection",
    status_code=204,
    responses={**SIGNED_IN, **documented(ConnectionNotFound)},
)
async def decide(
    db: Db, guard: SignInGuard, caller: BrowserCaller, user_code: Code, asked: Decision
) -> None:
    await guard.spend(db, CONNECT_BY_ADDRESS, str(caller.user_id))
    async with db.transaction() as tx:
        await accounts.decide_connection(
            tx, caller.user_id, user_code, approve=asked.decision == "approve"
        )
