"""Which pages may use the web app's cookie: our own only.

SameSite=Lax keeps the cookie out of other sites' POSTs. The Origin header, which every browser
sends with a request that changes something, also stops sites that share our site's name (another
port or subdomain) and browsers that do not apply Lax. Reads are refused to other pages by what browsers
say in Sec-Fetch-Site: whether an answer came, or how long it took, tells such a page something even where
it may not see the answer. Following a link to a file is none of that. A page whose own name was pointed at our
address (DNS rebinding) is another host to the browser, and has no cookie of ours; `hosts.py` refuses it too.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from mindhit.api.http.cookies import is_secure
from mindhit.errors import Forbidden
from mindhit.settings import Settings

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_FOREIGN: Final = frozenset({"cross-site", "same-site"})


class ForeignOrigin(Forbidden):
    """This request comes from another site."""


def check_origin(request: Request, settings: Settings) -> None:
    """Refuse a request of another site's page, and one that changes something unless it comes from ours."""
    if request.method in _SAFE:
        if _is_foreign_read(request):
            raise ForeignOrigin
        return
    origin = request.headers.get("origin")
    if origin is None:
        # Old browsers leave it out of same-origin requests; the fetch metadata says the same.
        if request.headers.get("sec-fetch-site") == "same-origin":
            return
        raise ForeignOrigin("A request with a cookie needs an Origin header.")
    sender = urlsplit(origin)
    public = urlsplit(settings.public_url)
    if (sender.scheme, sender.netloc) == (public.scheme, public.netloc):
        return
    schemes = {"https"} if is_secure(request, settings) else {"http", "https"}
    if sender.netloc != request.headers.get("host") or sender.scheme not in schemes:
        raise ForeignOrigin


def _is_foreign_read(request: Request) -> bool:
    """As an image, a script or by `fetch`: everything but a link that somebody followed."""
    headers = request.headers
    is_followed = (
        headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    )
    return headers.get("sec-fetch-site") in _FOREIGN and not is_followed
