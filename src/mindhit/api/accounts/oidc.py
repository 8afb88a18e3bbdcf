"""Signing in through the identity provider. Browsers navigate to both routes: whatever happens, they
are redirected, and the sign-in page shows what went wrong."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import RedirectResponse

from mindhit import accounts, log
from mindhit.accounts import OIDC_BY_ADDRESS, Language, Locale, oidc
from mindhit.accounts.oidc import NotConfigured, Provider, ProviderFailed, Reason, SignInRefused
from mindhit.api.http.authentication import caller_or_none
from mindhit.api.http.cookies import is_secure, set_cookie
from mindhit.api.http.dependencies import AppSettings, Db, Origin, SignInGuard
from mindhit.api.http.problems import documented
from mindhit.settings import Settings

router = APIRouter(tags=["auth"])

COOKIE: Final = "mindhit_oidc"
COOKIE_PATH: Final = "/v1/auth/oidc"
_log = log.get(__name__)


def _provider(request: Request, settings: AppSettings) -> Provider:
    """One for the whole application: it caches the provider's metadata. Not a coroutine, so that
    FastAPI runs it in a thread: making the first one is slow."""
    state = request.app.state
    if not hasattr(state, "oidc"):
        state.oidc = Provider(settings)
    return cast("Provider", state.oidc)


KnownProvider = Annotated[Provider, Depends(_provider)]
Parameter = Annotated[str | None, Query(max_length=4096)]


def _redirects(description: str) -> dict[int | str, dict[str, Any]]:
    location = {"Location": {"schema": {"type": "string"}, "required": True}}
    return {
        302: {"description": description, "headers": location},
        **documented(NotConfigured),
    }


@router.get(
    "/auth/oidc/start",
    summary="Sign in through the identity provider",
    description="For a browser to navigate to, not for fetch.",
    status_code=302,
    response_class=RedirectResponse,
    responses=_redirects("To the provider, or back to the sign-in page with a `reason`."),
)
async def start(
    request: Request,
    db: Db,
    guard: SignInGuard,
    provider: KnownProvider,
    origin: Origin,
    next_page: Annotated[
        str,
        Query(
            alias="next",
            max_length=4096,
            description="Where to go afterwards: a path on this server. Anything else leads to the home page.",
        ),
    ] = "/",
    timezone: Annotated[str | None, Query(max_length=64)] = None,
    language: Language = Language.EN,
) -> RedirectResponse:
    await guard.spend(db, OIDC_BY_ADDRESS, origin.address)
    try:
        url, state = await oidc.begin(db, provider, next_page, Locale(language, timezone))
    except ProviderFailed as failed:
        return _back(failed)
    response = RedirectResponse(url, 302)
    _bind(response, request, guard.settings, state)
    return response


@router.get(
    "/auth/oidc/callback",
    summary="Return from the identity provider",
    description="The redirect URI to register with the provider.",
    status_code=302,
    response_class=RedirectResponse,
    responses=_redirects("Signed in, to `next`; or to the sign-in page with a `reason`."),
)
async def callback(
    request: Request,
    db: Db,
    guard: SignInGuard,
    provider: KnownProvider,
    origin: Origin,
    code: Parameter = None,
    state: Parameter = None,
    error: Parameter = None,
) -> RedirectResponse:
    await guard.spend(db, OIDC_BY_ADDRESS, origin.address)
    before = await caller_or_none(request, db, guard.settings)
    try:
        _check_callback(request, state, error)
        signed_in, next_page = await oidc.finish(db, provider, code or "", state or "", origin)
    except (ProviderFailed, SignInRefused) as failed:
        response = _back(failed)
    else:
        if before is not None:
            async with db.transaction() as tx:
                await accounts.sign_out(tx, before, origin)
        response = RedirectResponse(next_page, 302)
        set_cookie(response, request, guard.settings, signed_in.cookie)
    _bind(response, request, guard.settings, "")
    return response


def _check_callback(request: Request, state: str | None, error: str | None) -> None:
    """Did this browser start the sign-in? Otherwise a link with somebody else's code would sign
    people in to an account that is not theirs."""
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
        path=COOKIE_PATH,
        secure=is_secure(request, settings),
        httponly=True,
        samesite="lax",
    )


def _back(failed: ProviderFailed | SignInRefused) -> RedirectResponse:
    _log.warning("sign-in through the provider failed", reason=failed.reason.value, **failed.facts)
    return RedirectResponse(f"/sign-in?error=oidc&reason={failed.reason}", 302)
