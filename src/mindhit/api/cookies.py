"""The web app's cookie, and the proof that a request with it comes from our own pages.

    https        __Host-mindhit   Secure: no other host and no plain connection can set or read it
    plain http   mindhit          on a machine or a network of one's own

SameSite=Lax keeps the cookie out of other sites' POSTs; browsers that know better than Lax, and
sites that share our site's name, are stopped by the Origin that every browser sends along. A page
under another name that was pointed at our address (DNS rebinding) is another host to the browser:
it has no cookie of ours.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from mindhit.errors import Forbidden
from mindhit.settings import Settings

LASTS_S: Final = 400 * 86_400  # as long as browsers allow; the server decides when it is over
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class ForeignOrigin(Forbidden):
    """This request comes from another site."""


def is_secure(request: Request, settings: Settings) -> bool:
    """Did it come over TLS, as far as the browser is concerned?"""
    if request.url.scheme == "https":
        return True
    # A proxy that says nothing of the scheme, under the address that the operator gave.
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
        max_age=LASTS_S if value else 0,
        path="/",
        secure=is_secure(request, settings),
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, request: Request, settings: Settings) -> None:
    set_cookie(response, request, settings, "")


def check_origin(request: Request, settings: Settings) -> None:
    """Let a request that changes something pass only from our own pages."""
    if request.method in _SAFE:
        return
    origin = request.headers.get("origin")
    if origin is None:
        # Old browsers leave it out of same-origin requests; the fetch metadata say the same.
        if request.headers.get("sec-fetch-site") == "same-origin":
            return
        raise ForeignOrigin("A request with a cookie has to say where it comes from (Origin).")
    told = urlsplit(origin)
    public = urlsplit(settings.public_url)
    if (told.scheme, told.netloc) == (public.scheme, public.netloc):
        return
    schemes = {"https"} if is_secure(request, settings) else {"http", "https"}
    if told.netloc != request.headers.get("host") or told.scheme not in schemes:
        raise ForeignOrigin
