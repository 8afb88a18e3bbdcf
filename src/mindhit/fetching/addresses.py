"""Addresses as fetching needs them: their domain, their origin, where a redirect leads. Pure."""

from __future__ import annotations

import re

from mindhit.urls import NotAPage, normalise, parse
from mindhit.urls.domains import bare_host
from mindhit.urls.parser import cut

_PARTS = re.compile(r"(https?://[^/]*)([^#]*)")


def domain_of(url: str) -> str:
    """The domain whose slots a request for `url` needs: `normalise(url).domain`, without the rest of it."""
    return bare_host(cut(url)[0])


def origin_of(url: str) -> str:
    """Scheme, host and port of an address that the parser has written."""
    return _parts(url)[0]


def path_of(url: str) -> str:
    """Path and query, as in a request."""
    return _parts(url)[1] or "/"


def target_of(url: str, location: str) -> str | None:
    """Where a redirect from `url` leads; None where that is no page."""
    try:
        target = parse(location.strip(), url)
        normalise(target)
    except NotAPage:
        return None
    return target.partition("#")[0]


def _parts(url: str) -> tuple[str, str]:
    found = _PARTS.match(url)
    return (found[1], found[2]) if found else (url, "/")
