"""One's own account: who one is, and changing the password or the email address."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from mindhit import accounts
from mindhit.accounts import BadAddress, BadPassword, PasswordsOff, UserId, WrongPassword
from mindhit.api.accounts.fields import Email, Password
from mindhit.api.accounts.preferences import Settings
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller, RecorderCaller
from mindhit.api.http.dependencies import Db, Origin, SignInGuard
from mindhit.api.http.fields import Accepted
from mindhit.api.http.problems import documented
from mindhit.db import ReadTx

router = APIRouter(tags=["me"], responses=SIGNED_IN)


class DeviceSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: Literal["web", "extension", "api"]
    scopes: list[str]


class Me(BaseModel):
    id: UUID
    email: str
    role: Literal["owner", "user"]
    verified: bool
    has_password: bool
    created_at: datetime
    device: DeviceSummary
    settings: Settings


class PasswordChange(BaseModel):
    current: Password | None = None
    new: Password


class EmailChange(BaseModel):
    email: Email
    password: Password | None = None


async def describe(tx: ReadTx, user_id: UserId, device: accounts.Device) -> Me:
    person = await accounts.show_person(tx, user_id)
    return Me(
        id=person.id,
        email=person.email,
        role="owner" if person.role == "owner" else "user",
        verified=person.verified_at is not None,
        has_password=person.has_password,
        created_at=person.created_at,
        device=DeviceSummary.model_validate(device),
        settings=Settings.of(await accounts.show_preferences(tx, user_id)),
    )


@router.get("/me", summary="Show my account")
async def show(db: Db, caller: RecorderCaller) -> Me:
    """The account, the device that is calling, and the settings."""
    async with db.read() as tx:
        device = await accounts.show_device(tx, caller.user_id, caller.device_id)
        return await describe(tx, caller.user_id, device)


@router.post(
    "/me/password",
    summary="Change my password",
    status_code=204,
    responses=documented(WrongPassword, PasswordsOff, BadPassword),
)
async def change_password(
    db: Db, guard: SignInGuard, caller: BrowserCaller, origin: Origin, asked: PasswordChange
) -> None:
    """Signs out all other browsers."""
    await accounts.change_password(db, guard, caller, asked.current, asked.new, origin)


@router.post(
    "/me/email",
    summary="Change my email address",
    status_code=202,
    responses=documented(WrongPassword, BadAddress),
)
async def change_email(
    db: Db, guard: SignInGuard, caller: BrowserCaller, origin: Origin, asked: EmailChange
) -> Accepted:
    """Emails a link to the new address; the address changes when the link is opened."""
    await accounts.ask_new_email(db, guard, caller, asked.email, asked.password, origin)
    return Accepted()


@router.post("/me/verify", summary="Send me a verification email", status_code=202)
async def verify(db: Db, guard: SignInGuard, caller: BrowserCaller, origin: Origin) -> Accepted:
    await accounts.ask_verification(db, guard, caller, origin)
    return Accepted()
