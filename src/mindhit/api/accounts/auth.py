"""Signing in and out, signing up, and the links that emails carry."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mindhit import accounts
from mindhit.accounts import (
    REFRESH_BY_ADDRESS,
    AccountsSettings,
    BadPassword,
    Language,
    LinkNotValid,
    Locale,
    OwnerExists,
    PasswordsOff,
    PersonExists,
    SignedIn,
    SignUpClosed,
    TokenNotValid,
    TokenPair,
    WrongCredentials,
)
from mindhit.api.accounts.fields import Address, Email, Password, Token
from mindhit.api.accounts.me import Me, describe
from mindhit.api.http.authentication import caller_or_none
from mindhit.api.http.cookies import clear_cookie, set_cookie
from mindhit.api.http.csrf import ForeignOrigin, check_origin
from mindhit.api.http.dependencies import AppSettings, Db, Origin, SignInGuard
from mindhit.api.http.fields import Accepted
from mindhit.api.http.problems import documented
from mindhit.db import Database
from mindhit.mail import MailSettings

router = APIRouter(tags=["auth"])

Zone = Annotated[str, StringConstraints(max_length=64, pattern=r"^[^\x00]*$")]


class Oidc(BaseModel):
    name: str = Field(description="Label of the sign-in button.")


class SignInOptions(BaseModel):
    """The ways to sign in to this server."""

    has_owner: bool
    sign_up: bool
    password: bool
    oidc: Oidc | None
    mail: bool = Field(description="Whether this server can send email.")


class BrowserDefaults(BaseModel):
    """The browser's time zone and language: the first settings of a new account."""

    timezone: Zone | None = None
    language: Language = Language.EN

    @property
    def locale(self) -> Locale:
        return Locale(self.language, self.timezone)


class OwnerClaim(BrowserDefaults):
    token: Token
    email: Email
    password: Password


class Credentials(BrowserDefaults):
    email: Email
    password: Password


class NewAccount(BrowserDefaults):
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


@router.get("/auth", summary="Show sign-in options")
async def show_options(db: Db, settings: AppSettings) -> SignInOptions:
    async with db.read() as tx:
        has_owner = await accounts.has_owner(tx)
    chosen = settings[AccountsSettings]
    return SignInOptions(
        has_owner=has_owner,
        sign_up=chosen.sign_up == "open" and chosen.password_sign_in,
        password=chosen.password_sign_in,
        oidc=Oidc(name=chosen.oidc_name) if chosen.oidc_issuer else None,
        mail=settings[MailSettings].smtp_host is not None,
    )


@router.post(
    "/auth/owner",
    summary="Become the owner of this server",
    status_code=201,
    responses=documented(LinkNotValid, OwnerExists, BadPassword, ForeignOrigin),
)
async def become_owner(
    request: Request,
    response: Response,
    db: Db,
    guard: SignInGuard,
    origin: Origin,
    asked: OwnerClaim,
) -> Me:
    """With the token of the link that the server prints when it starts for the first time."""
    check_origin(request, guard.settings)
    signed_in = await accounts.become_owner(
        db, guard, asked.token, asked.email, asked.password, asked.locale, origin
    )
    return await _start_browser_session(request, response, db, guard, signed_in)


@router.post(
    "/auth/sign-in",
    summary="Sign in with a password",
    responses=documented(WrongCredentials, PasswordsOff, ForeignOrigin),
)
async def sign_in(
    request: Request,
    response: Response,
    db: Db,
    guard: SignInGuard,
    origin: Origin,
    asked: Credentials,
) -> Me:
    check_origin(request, guard.settings)
    before = await caller_or_none(request, db, guard.settings)
    signed_in = await accounts.sign_in(db, guard, asked.email, asked.password, asked.locale, origin)
    if before is not None:
        async with db.transaction() as tx:
            await accounts.sign_out(tx, before, origin)
    return await _start_browser_session(request, response, db, guard, signed_in)


@router.post(
    "/auth/sign-out", summary="Sign out", status_code=204, responses=documented(ForeignOrigin)
)
async def sign_out(
    request: Request, response: Response, db: Db, settings: AppSettings, origin: Origin
) -> None:
    check_origin(request, settings)
    caller = await caller_or_none(request, db, settings)
    if caller is not None:
        async with db.transaction() as tx:
            await accounts.sign_out(tx, caller, origin)
    clear_cookie(response, request, settings)


@router.post(
    "/auth/sign-up",
    summary="Sign up",
    description="The response is the same whether or not the address has an account; an email"
    " follows either way.",
    status_code=202,
    responses=documented(SignUpClosed, PasswordsOff),
)
async def sign_up(db: Db, guard: SignInGuard, origin: Origin, asked: NewAccount) -> Accepted:
    await accounts.ask_sign_up(db, guard, asked.email, asked.locale, origin)
    return Accepted()


@router.post(
    "/auth/confirm",
    summary="Confirm an email address",
    responses=documented(LinkNotValid, PersonExists),
)
async def confirm(db: Db, guard: SignInGuard, origin: Origin, asked: LinkToken) -> Confirmed:
    return Confirmed.model_validate(await accounts.confirm(db, guard, asked.token, origin))


@router.post(
    "/auth/reset",
    summary="Request a password reset",
    description="The response is the same whether or not the address has an account.",
    status_code=202,
    responses=documented(PasswordsOff),
)
async def request_reset(db: Db, guard: SignInGuard, origin: Origin, asked: Address) -> Accepted:
    await accounts.ask_reset(db, guard, asked.email, origin)
    return Accepted()


@router.post(
    "/auth/reset/confirm",
    summary="Set a password with an emailed link",
    description="The first password after signing up, or a new one. A new password signs the person"
    " out everywhere.",
    status_code=204,
    responses=documented(LinkNotValid, BadPassword, PasswordsOff, PersonExists),
)
async def choose_password(db: Db, guard: SignInGuard, origin: Origin, asked: NewPassword) -> None:
    await accounts.choose_password(db, guard, asked.token, asked.password, origin)


@router.post(
    "/auth/refresh",
    summary="Refresh an extension's tokens",
    description="The previous refresh token is accepted for another 30 s, or until a new token is"
    " used. Any older one revokes the device.",
    responses=documented(TokenNotValid),
)
async def refresh(db: Db, guard: SignInGuard, origin: Origin, asked: RefreshToken) -> Tokens:
    await guard.spend(db, REFRESH_BY_ADDRESS, origin.address)
    async with db.transaction() as tx:
        pair = await accounts.refresh(tx, asked.refresh_token, origin)
    if pair is None:
        raise TokenNotValid(way_out="Connect the extension again.")
    return Tokens.of(pair)


async def _start_browser_session(
    request: Request, response: Response, db: Database, guard: SignInGuard, signed_in: SignedIn
) -> Me:
    set_cookie(response, request, guard.settings, signed_in.cookie)
    async with db.read() as tx:
        return await describe(tx, signed_in.user_id, signed_in.device)
