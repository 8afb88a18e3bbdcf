"""The web app's cookie.

https        __Host-mindhit   Secure: no other host and no plain connection can set or read it
plain http   mindhit          on one's own machine or network
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from mindhit.settings import Settings

# As long as browsers allow; the server decides when a sign-in expires.
COOKIE_LIFETIME_S: Final = 400 * 86_400


def is_secure(request: Request, settings: Settings) -> bool:
    """Does the browser use TLS?"""
    if request.url.scheme == "https":
        return True
    # A proxy that does not forward the scheme, at the address that the operator gave.
    public = urlsplit(settings.public_url)
    return public.scheme == "https" and request.headers.get("host") == public.netloc


def cookie_name(request: Request, settings: Settings) -> str:
    return "__Host-mindhit" if is_secure(request, settings) else "mindhit"


def read_cookie(request: Request, settings: Settings) -> str | None:
    return request.cookies.get(cookie_name(request, settings))


def set_cookie(response: Response, request: Request, settings: Settings, value: str) -> None:
    response.set_cookie(
        cookie_name(request, settings),
        value,
        max_age=COOKIE_LIFETIME_S if value else 0,
        path="/",
        secure=is_secure(request, settings),
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, request: Request, settings: Settings) -> None:
    set_cookie(response, request, settings, "")
