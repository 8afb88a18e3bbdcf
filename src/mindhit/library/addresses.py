"""What an address is: a link, or something else that a browser keeps among its bookmarks. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mindhit import urls
from mindhit.library.model import LONGEST_ADDRESS, BadSavedPage, PageKind
from mindhit.urls import NotAPage, Url

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST_AND_PORT: Final = re.compile(r"[^/:?#]+:\d{1,5}(?:[/?#].*)?", re.DOTALL)
_WEB: Final = frozenset({"http", "https"})
NO_ADDRESS: Final = "There is no address."
NO_SCHEME: Final = "The address has no scheme, such as https://."
TOO_LONG: Final = f"An address has at most {LONGEST_ADDRESS} characters."


@dataclass(frozen=True, slots=True)
class Address:
    """`url` is the identity of a link; of anything else there is none. `seen` is the address as a browser
    would have it, without credentials and tracking parameters."""

    kind: PageKind
    text: str
    url: Url | None = None
    seen: str | None = None


def read_address(text: str) -> Address:
    """An address as it stands in a file. Raises `BadSavedPage`."""
    text = text.strip()
    if not text:
        raise BadSavedPage(NO_ADDRESS)
    if len(text) > LONGEST_ADDRESS:
        raise BadSavedPage(TOO_LONG)
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise BadSavedPage(NO_SCHEME)
    if scheme[1].lower() not in _WEB:
        return Address(PageKind.OTHER, text)
    try:
        return Address(PageKind.LINK, text, urls.normalise(text), urls.shown(text))
    except NotAPage as error:
        raise BadSavedPage(str(error)) from None


def typed_address(text: str) -> Address:
    """An address as a person typed it: without a scheme, it is a site's. Raises `BadSavedPage`."""
    text = text.strip()
    if text and (_SCHEME.match(text) is None or _HOST_AND_PORT.fullmatch(text)):
        text = f"https://{text}"
    return read_address(text)
