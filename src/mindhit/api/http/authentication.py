"""Who is calling, and who may call a route.

PersonCaller      a person: by a browser's cookie, or by a token with the scope `api`
RecorderCaller    the same, or a connected extension
BrowserCaller     a person at a browser, for what no token may do
OwnerCaller       the owner at a browser, or a token with the scope `admin`
OptionalCaller    anybody; None where nobody is signed in
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from mindhit import accounts
from mindhit.accounts import (
    Caller,
    NotSignedIn,
    OwnerOnly,
    Role,
    Scope,
    ScopeMissing,
    TokenNotValid,
    TokenType,
)
from mindhit.api.http.cookies import read_cookie
from mindhit.api.http.csrf import check_origin
from mindhit.api.http.dependencies import AppSettings, Db, Origin
from mindhit.api.http.middleware.shares import STATE_KEY
from mindhit.api.http.problems import documented
from mindhit.db import Database
from mindhit.db.shares import Use
from mindhit.settings import Settings

_bearer = HTTPBearer(auto_error=False, description="A device's token.")
_cookie = APIKeyCookie(name="mindhit", auto_error=False, description="The web app's cookie.")
Bearer = Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]
Cookie = Annotated[str | None, Security(_cookie)]

# The `responses=` of every route that has a caller.
SIGNED_IN = documented(NotSignedIn, TokenNotValid, ScopeMissing)
OWNER_ONLY = documented(NotSignedIn, TokenNotValid, ScopeMissing, OwnerOnly)


async def caller_or_none(request: Request, db: Database, settings: Settings) -> Caller | None:
    """Whose cookie it is, if it is valid. Does not check the origin."""
    cookie = read_cookie(request, settings)
    return await accounts.caller_of(db, cookie, TokenType.WEB) if cookie else None


async def _caller(
    request: Request, db: Db, settings: AppSettings, origin: Origin, bearer: Bearer, _: Cookie
) -> Caller:
    if bearer is not None:
        caller = await accounts.caller_of(db, bearer.credentials, TokenType.ACCESS, TokenType.API)
        if caller is None:
            raise TokenNotValid
    else:
        caller = await caller_or_none(request, db, settings)
        if caller is None:
            raise NotSignedIn
        check_origin(request, settings)
    use = getattr(request.state, STATE_KEY, None)
    if isinstance(use, Use):
        use.sign_in(str(caller.user_id))
    await accounts.note_seen(db, caller, origin)
    return caller


def _with_scope(*scopes: Scope) -> Callable[[Caller], Awaitable[Caller]]:
    """A caller with one of these scopes; a browser always has them all."""

    async def check(caller: Annotated[Caller, Depends(_caller)]) -> Caller:
        if not {Scope.WEB, *scopes}.intersection(caller.scopes):
            raise ScopeMissing
        return caller

    return check


async def _owner(caller: Annotated[Caller, Depends(_with_scope(Scope.ADMIN))]) -> Caller:
    if caller.role != Role.OWNER:
        raise OwnerOnly
    return caller


async def _optional(
    request: Request, db: Db, settings: AppSettings, bearer: Bearer, _: Cookie
) -> Caller | None:
    if bearer is not None:
        return await accounts.caller_of(db, bearer.credentials, TokenType.ACCESS, TokenType.API)
    return await caller_or_none(request, db, settings)


async def _still_signed_in(
    request: Request, db: Db, settings: AppSettings, bearer: Bearer, cookie: Cookie
) -> Callable[[], Awaitable[bool]]:
    """Asks whether the caller's cookie or token is still valid, for answers that take long."""

    async def ask() -> bool:
        return await _optional(request, db, settings, bearer, cookie) is not None

    return ask


OptionalCaller = Annotated[Caller | None, Depends(_optional)]
StillSignedIn = Annotated[Callable[[], Awaitable[bool]], Depends(_still_signed_in)]
PersonCaller = Annotated[Caller, Depends(_with_scope(Scope.API))]
RecorderCaller = Annotated[Caller, Depends(_with_scope(Scope.API, Scope.EXTENSION))]
BrowserCaller = Annotated[Caller, Depends(_with_scope())]
OwnerCaller = Annotated[Caller, Depends(_owner)]
owner_only = Depends(_owner)
