"""Ways in and out."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mindhit import accounts
from mindhit.accounts import (
    REFRESH_BY_ADDRESS,
    AccountsSettings,
    BadPassword,
    Greeting,
    Language,
    LinkNotValid,
    OwnerExists,
    PasswordsOff,
    PersonExists,
    SignedIn,
    SignUpClosed,
    TokenNotValid,
    TokenPair,
    WrongCredentials,
)
from mindhit.api.access import Configured, Db, Door, From, caller_or_none
from mindhit.api.cookies import ForeignOrigin, check_origin, clear_cookie, set_cookie
from mindhit.api.fields import Accepted, Address, Email, Password, Token
from mindhit.api.me import Me, describe
from mindhit.api.problems import documented
from mindhit.db import Database
from mindhit.mail import MailSettings

router = APIRouter(tags=["auth"])

Zone = Annotated[str, StringConstraints(max_length=64, pattern=r"^[^\x00]*$")]


class Oidc(BaseModel):
    name: str = Field(description="What the button says.")


class Ways(BaseModel):
    """What is possible on this server."""

    has_owner: bool
    sign_up: bool
    password: bool
    oidc: Oidc | None
    mail: bool = Field(description="Whether this server can send mail.")


class Hello(BaseModel):
    """What the browser says of itself; used where nothing is known yet."""

    timezone: Zone | None = None
    language: Language = Language.EN

    @property
    def greeting(self) -> Greeting:
        return Greeting(self.language, self.timezone)


class OwnerClaim(Hello):
    token: Token
    email: Email
    password: Password


class Credentials(Hello):
    email: Email
    password: Password


class NewAccount(Hello):
    email: Email


class LinkToken(BaseModel):
    token: Token


class NewPassword(BaseModel):
    token: Token
    password: Password


class RefreshToken(BaseModel):
    refresh_token: Token


class Confirmed(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    purpose: Literal["verify", "email"]
    email: str


class Tokens(BaseModel):
    access_token: str
    refresh_token: str
    expires_in_s: int
    scopes: list[Literal["extension"]] = ["extension"]

    @classmethod
    def of(cls, pair: TokenPair) -> Tokens:
        return cls(
            access_token=pair.access, refresh_token=pair.refresh, expires_in_s=pair.expires_in_s
        )


@router.get("/auth", summary="What is possible here")
async def ways(db: Db, settings: Configured) -> Ways:
    async with db.read() as tx:
        has_owner = await accounts.has_owner(tx)
    chosen = settings[AccountsSettings]
    return Ways(
        has_owner=has_owner,
        sign_up=chosen.sign_up == "open" and chosen.password_sign_in,
        password=chosen.password_sign_in,
        oidc=Oidc(name=chosen.oidc_name) if chosen.oidc_issuer else None,
        mail=settings[MailSettings].smtp_host is not None,
    )


@router.post(
    "/auth/owner",
    summary="Become the owner of this server, by the link of its first start",
    status_code=201,
    responses=documented(LinkNotValid, OwnerExists, BadPassword, ForeignOrigin),
)
async def become_owner(
    request: Request, response: Response, db: Db, door: Door, origin: From, asked: OwnerClaim
) -> Me:
    check_origin(request, door.settings)
    signed_in = await accounts.become_owner(
        db, door, asked.token, asked.email, asked.password, asked.greeting, origin
    )
    return await _enter(request, response, db, door, signed_in)


@router.post(
    "/auth/sign-in",
    summary="Sign in with a password",
    responses=documented(WrongCredentials, PasswordsOff, ForeignOrigin),
)
async def sign_in(
    request: Request, response: Response, db: Db, door: Door, origin: From, asked: Credentials
) -> Me:
    check_origin(request, door.settings)
    before = await caller_or_none(request, db, door.settings)
    signed_in = await accounts.sign_in(
        db, door, asked.email, asked.password, asked.greeting, origin
    )
    if before is not None:
        async with db.transaction() as tx:
            await accounts.sign_out(tx, before, origin)
    return await _enter(request, response, db, door, signed_in)


@router.post(
    "/auth/sign-out", summary="Sign out", status_code=204, responses=documented(ForeignOrigin)
)
async def sign_out(
    request: Request, response: Response, db: Db, settings: Configured, origin: From
) -> None:
    check_origin(request, settings)
    caller = await caller_or_none(request, db, settings)
    if caller is not None:
        async with db.transaction() as tx:
            await accounts.sign_out(tx, caller, origin)
    clear_cookie(response, request, settings)


@router.post(
    "/auth/sign-up",
    summary="Ask for an account",
    description="The answer is the same whether the address is known or not; a mail says the rest.",
    status_code=202,
    responses=documented(SignUpClosed, PasswordsOff),
)
async def ask_sign_up(db: Db, door: Door, origin: From, asked: NewAccount) -> Accepted:
    await accounts.ask_sign_up(db, door, asked.email, asked.greeting, origin)
    return Accepted()


@router.post(
    "/auth/confirm",
    summary="Open a link that proves an address",
    responses=documented(LinkNotValid, PersonExists),
)
async def confirm(db: Db, door: Door, origin: From, asked: LinkToken) -> Confirmed:
    return Confirmed.model_validate(await accounts.confirm(db, door, asked.token, origin))


@router.post(
    "/auth/reset",
    summary="Ask for a link to choose a new password",
    description="The answer is the same whether the address is known or not.",
    status_code=202,
    responses=documented(PasswordsOff),
)
async def ask_reset(db: Db, door: Door, origin: From, asked: Address) -> Accepted:
    await accounts.ask_reset(db, door, asked.email, origin)
    return Accepted()


@router.post(
    "/auth/reset/confirm",
    summary="Choose a password by a link: a first one after a sign-up, or a new one",
    description="A new password signs the person out everywhere.",
    status_code=204,
    responses=documented(LinkNotValid, BadPassword, PasswordsOff, PersonExists),
)
async def choose_password(db: Db, door: Door, origin: From, asked: NewPassword) -> None:
    await accounts.choose_password(db, door, asked.token, asked.password, origin)


@router.post(
    "/auth/refresh",
    summary="New tokens for a connected extension",
    description="The refresh token before is accepted for 30 s more; any older one revokes the device.",
    responses=documented(TokenNotValid),
)
async def refresh(db: Db, door: Door, origin: From, asked: RefreshToken) -> Tokens:
    await door.spend(db, REFRESH_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        pair = await accounts.refresh(tx, asked.refresh_token, origin)
    if pair is None:
        raise TokenNotValid(way_out="Connect the extension anew.")
    return Tokens.of(pair)


async def _enter(
    request: Request, response: Response, db: Database, door: Door, signed_in: SignedIn
) -> Me:
    set_cookie(response, request, door.settings, signed_in.cookie)
    async with db.read() as tx:
        return await describe(tx, signed_in.user_id, signed_in.device)
