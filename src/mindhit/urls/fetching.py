"""Which pages the server may fetch by itself: only those that anybody could open.

A page that a person visited may be theirs alone: on a host of their network, or at an address that is
itself a key (a reset link, a signed download). Fetching it would use that key, or reach into the
network of the server. `may_be_fetched` is asked when a fetch is planned and again when it happens;
where a name leads is known only then, so the fetcher also asks `is_forbidden` about every address that
the name resolves to.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import unquote

from mindhit.urls.forbidden_ranges import is_forbidden
from mindhit.urls.model import NotAPage
from mindhit.urls.parser import cut

# Names of machines and networks at home and at work (RFC 6761, 6762, 8375, and what routers use).
PRIVATE_SUFFIXES: Final = (
    *(".local", ".localdomain", ".localhost", ".internal", ".intranet", ".private", ".corp"),
    *(".home", ".lan", ".home.arpa", ".test"),
)

# A parameter whose name has one of these as a word is taken for a secret.
SECRET_WORDS: Final = frozenset(
    {
        *("token", "code", "key", "apikey", "sig", "signature", "hmac", "nonce", "secret"),
        *("auth", "authorization", "otp", "password", "passwd", "pwd", "jwt", "ticket"),
        *("session", "sessionid", "sid", "credential", "credentials", "assertion"),
        *("invite", "invitation", "reset", "verify", "verification", "unsubscribe"),
    }
)
SECRET_PREFIXES: Final = ("saml", "x-amz-", "x-goog-", "x-ms-", "oauth", "awsaccesskey")

# So many letters and digits in one piece are not a word: they are an id that opens something.
LONG_ID: Final = 32

_WORD: Final = re.compile(r"[a-z0-9]+")
_PIECE: Final = re.compile(rf"[A-Za-z0-9_\-]{{{LONG_ID},}}")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def may_be_fetched(address: str, allowed: Collection[str] = ()) -> bool:
    """Whether the server may ask for `address` on its own. `allowed` are hosts (`127.0.0.5`) that
    are exempt from the rule about private ones, for test farms. No I/O."""
    try:
        host, _, _, query = cut(address)
    except NotAPage:
        return False
    host = host.removesuffix(".").lower()
    if host not in allowed and is_private_host(host):
        return False
    return not _has_secret(query or "") and not _has_secret(_route(address))


def is_private_host(host: str) -> bool:
    """Whether a host, as URLs have it, is on somebody's own network by its name or number."""
    number = _number(host)
    if number is not None:
        return is_forbidden(number)
    return "." not in host or host.endswith(PRIVATE_SUFFIXES)


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def _route(address: str) -> str:
    """The query inside a route of an app: `#/reset?token=…`"""
    return address.partition("#")[2].partition("?")[2]


def _has_secret(query: str) -> bool:
    return any(_is_secret(*each.partition("=")[::2]) for each in query.split("&") if each)


def _is_secret(name: str, value: str) -> bool:
    name = unquote(name.replace("+", " "))
    folded = name.lower()
    if folded.startswith(SECRET_PREFIXES):
        return True
    words = set(_WORD.findall(_CAMEL.sub(" ", name).lower())) | {folded}
    if words & SECRET_WORDS:
        return True
    return any(_is_mixed(piece) for piece in _PIECE.findall(unquote(value)))


def _is_mixed(piece: str) -> bool:
    return any(each.isdigit() for each in piece) and any(each.isalpha() for each in piece)
