"""What routes ask for: the database, the settings, and who may call them.

Me            a person: by a browser's cookie, or a token with the scope `api`
Recorder      the same, or a connected extension
Browser       a person at a browser, for what no token may do
Admin         the owner at a browser, or a token with the scope `admin`
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, cast

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from mindhit import accounts
from mindhit.accounts import (
    Caller,
    Entrance,
    NotSignedIn,
    Origin,
    OwnerOnly,
    Role,
    Scope,
    ScopeMissing,
    Sort,
    TokenNotValid,
)
from mindhit.api.agents import device_name
from mindhit.api.cookies import check_origin, read_cookie
from mindhit.api.problems import documented
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.slices import Product

_bearer = HTTPBearer(auto_error=False, description="A device's token.")
_cookie = APIKeyCookie(name="mindhit", auto_error=False, description="The web app's cookie.")

# The `responses=` of every route that asks who is calling.
ACCESS = documented(NotSignedIn, TokenNotValid, ScopeMissing)


async def _database(request: Request) -> Database:
    return cast("Database", request.app.state.db)


async def _settings(request: Request) -> Settings:
    return cast("Product", request.app.state.product).settings


async def _entrance(request: Request) -> Entrance:
    return cast("Entrance", request.app.state.entrance)


async def _product(request: Request) -> Product:
    return cast("Product", request.app.state.product)


async def _origin(request: Request) -> Origin:
    address = request.client.host if request.client else None
    return Origin(address, device_name(request.headers.get("user-agent", "")))


# Coroutines, though they wait for nothing: a plain function would be run in a thread.
Db = Annotated[Database, Depends(_database)]
Configured = Annotated[Settings, Depends(_settings)]
Door = Annotated[Entrance, Depends(_entrance)]
WholeProduct = Annotated[Product, Depends(_product)]
From = Annotated[Origin, Depends(_origin)]
Bearer = Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]
Cookie = Annotated[str | None, Security(_cookie)]


async def caller_or_none(request: Request, db: Database, settings: Settings) -> Caller | None:
    """Whoever the cookie belongs to, if it is good for anything; asks nothing of the origin."""
    cookie = read_cookie(request, settings)
    return await accounts.caller_of(db, cookie, Sort.WEB) if cookie else None


async def _caller(
    request: Request, db: Db, settings: Configured, origin: From, bearer: Bearer, _: Cookie
) -> Caller:
    if bearer is not None:
        caller = await accounts.caller_of(db, bearer.credentials, Sort.ACCESS, Sort.API)
        if caller is None:
            raise TokenNotValid
    else:
        caller = await caller_or_none(request, db, settings)
        if caller is None:
            raise NotSignedIn
        check_origin(request, settings)
    await accounts.seen(db, caller, origin)
    return caller


def _needs(*scopes: Scope) -> Callable[[Caller], Awaitable[Caller]]:
    """A caller with one of these scopes; a browser always has them all."""

    async def check(caller: Annotated[Caller, Depends(_caller)]) -> Caller:
        if not {Scope.WEB, *scopes}.intersection(caller.scopes):
            raise ScopeMissing
        return caller

    return check


async def _admin(caller: Annotated[Caller, Depends(_caller)]) -> Caller:
    if not {Scope.WEB, Scope.ADMIN}.intersection(caller.scopes):
        raise ScopeMissing
    if caller.role != Role.OWNER:
        raise OwnerOnly
    return caller


async def _maybe(
    request: Request, db: Db, settings: Configured, bearer: Bearer, _: Cookie
) -> Caller | None:
    if bearer is not None:
        return await accounts.caller_of(db, bearer.credentials, Sort.ACCESS, Sort.API)
    return await caller_or_none(request, db, settings)


async def _still_in(
    request: Request, db: Db, settings: Configured, bearer: Bearer, cookie: Cookie
) -> Callable[[], Awaitable[bool]]:
    """Whether the caller's key is still good: for answers that go on for longer than a moment."""

    async def ask() -> bool:
        return await _maybe(request, db, settings, bearer, cookie) is not None

    return ask


MaybeCaller = Annotated[Caller | None, Depends(_maybe)]
StillIn = Annotated[Callable[[], Awaitable[bool]], Depends(_still_in)]
Me = Annotated[Caller, Depends(_needs(Scope.API))]
Recorder = Annotated[Caller, Depends(_needs(Scope.API, Scope.EXTENSION))]
Browser = Annotated[Caller, Depends(_needs())]
Admin = Annotated[Caller, Depends(_admin)]
admin_only = Depends(_admin)
