"""Signing in through the identity provider. Both routes are for browsers on their way: whatever
happens, they are sent on, and the sign-in page says what was wrong."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import RedirectResponse

from mindhit import accounts, log
from mindhit.accounts import OIDC_BY_ADDRESS, Language, Locale, oidc
from mindhit.accounts.oidc import NotConfigured, Provider, ProviderFailed, Reason, SignInRefused
from mindhit.api.access import Configured, Db, Door, From, caller_or_none
from mindhit.api.cookies import is_secure, set_cookie
from mindhit.api.problems import documented
from mindhit.settings import Settings

router = APIRouter(tags=["auth"])

COOKIE: Final = "mindhit_oidc"
PLACE: Final = "/v1/auth/oidc"
_log = log.get(__name__)


def _provider(request: Request, settings: Configured) -> Provider:
    """One for the whole application: it keeps what it has learnt of the provider. Not a coroutine,
    so that it runs in a thread: the first one takes its time."""
    state = request.app.state
    if not hasattr(state, "oidc"):
        state.oidc = Provider(settings)
    return cast("Provider", state.oidc)


Known = Annotated[Provider, Depends(_provider)]
Parameter = Annotated[str | None, Query(max_length=4096)]


def _answers(description: str) -> dict[int | str, dict[str, Any]]:
    location = {"Location": {"schema": {"type": "string"}, "required": True}}
    return {
        302: {"description": description, "headers": location},
        **documented(NotConfigured),
    }


@router.get(
    "/auth/oidc/start",
    summary="Go to the identity provider to sign in",
    description="For a browser's own navigation, not for fetch.",
    status_code=302,
    response_class=RedirectResponse,
    responses=_answers("To the provider; or back to the sign-in page with a `reason`."),
)
async def start(
    request: Request,
    db: Db,
    door: Door,
    provider: Known,
    origin: From,
    next_page: Annotated[
        str,
        Query(
            alias="next",
            max_length=4096,
            description="Where to go afterwards: a path of this server; anything else is the start.",
        ),
    ] = "/",
    timezone: Annotated[str | None, Query(max_length=64)] = None,
    language: Language = Language.EN,
) -> RedirectResponse:
    await door.spend(db, OIDC_BY_ADDRESS, origin.address)
    try:
        url, state = await oidc.begin(db, provider, next_page, Locale(language, timezone))
    except ProviderFailed as failed:
        return _back(failed)
    response = RedirectResponse(url, 302)
    _bind(response, request, door.settings, state)
    return response


@router.get(
    "/auth/oidc/callback",
    summary="Come back from the identity provider",
    description="The address that the provider has to know as our redirect URI.",
    status_code=302,
    response_class=RedirectResponse,
    responses=_answers("Signed in, to `next`; or to the sign-in page with a `reason`."),
)
async def callback(
    request: Request,
    db: Db,
    door: Door,
    provider: Known,
    origin: From,
    code: Parameter = None,
    state: Parameter = None,
    error: Parameter = None,
) -> RedirectResponse:
    await door.spend(db, OIDC_BY_ADDRESS, origin.address)
    before = await caller_or_none(request, db, door.settings)
    try:
        _check_answer(request, state, error)
        signed_in, next_page = await oidc.finish(db, provider, code or "", state or "", origin)
    except (ProviderFailed, SignInRefused) as failed:
        response = _back(failed)
    else:
        if before is not None:
            async with db.transaction() as tx:
                await accounts.sign_out(tx, before, origin)
        response = RedirectResponse(next_page, 302)
        set_cookie(response, request, door.settings, signed_in.cookie)
    _bind(response, request, door.settings, "")
    return response


def _check_answer(request: Request, state: str | None, error: str | None) -> None:
    """Is it the answer to what this very browser asked? Without that, a link with somebody else's
    code would sign people in to an account that is not theirs."""
    if error == "access_denied":
        raise SignInRefused(Reason.DENIED)
    if error is not None:
        raise ProviderFailed(part="authorization", cause=oidc.known_code(error))
    ours = request.cookies.get(COOKIE, "").encode()
    if not ours or not secrets.compare_digest(ours, (state or "").encode()):
        raise SignInRefused(Reason.BROWSER)


def _bind(response: RedirectResponse, request: Request, settings: Settings, state: str) -> None:
    response.set_cookie(
        COOKIE,
        state,
        max_age=oidc.VALID_S if state else 0,
        path=PLACE,
        secure=is_secure(request, settings),
        httponly=True,
        samesite="lax",
    )


def _back(failed: ProviderFailed | SignInRefused) -> RedirectResponse:
    _log.warning("sign-in through the provider failed", reason=failed.reason.value, **failed.facts)
    return RedirectResponse(f"/sign-in?error=oidc&reason={failed.reason}", 302)
