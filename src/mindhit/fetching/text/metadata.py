"""What a page declares about itself in its head."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from mindhit.fetching.text.model import PageMeta

# What a terminal obeys, and what hides text or turns it round.
_UNFIT: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
LONGEST_TITLE: Final = 500
LONGEST_DESCRIPTION: Final = 2000
LONGEST_ADDRESS: Final = 2000


def read_meta(tree: LexborHTMLParser, url: str) -> PageMeta:
    named = _named(tree)
    base = _address(_attribute(tree, "base[href]", "href"), url) or url
    return PageMeta(
        title=_first(LONGEST_TITLE, named.get("og:title"), *_titles(tree)),
        description=_first(
            LONGEST_DESCRIPTION, named.get("og:description"), named.get("description")
        ),
        image=_address(named.get("og:image") or named.get("twitter:image"), base),
        language=_language(tree),
        canonical=_address(_attribute(tree, "link[rel=canonical]", "href"), base),
        favicon=_address(_attribute(tree, "link[rel~=icon]", "href"), base),
        site_name=_first(LONGEST_TITLE, named.get("og:site_name")),
    )


def _named(tree: LexborHTMLParser) -> dict[str, str]:
    """`<meta>` by name or property; of several the first with a value."""
    found: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        name = (node.attributes.get("property") or node.attributes.get("name") or "").lower()
        value = node.attributes.get("content") or ""
        if name and value.strip():
            found.setdefault(name, value)
    return found


def _titles(tree: LexborHTMLParser) -> Iterator[str | None]:
    for selector in ("title", "h1"):
        node = tree.css_first(selector)
        yield node.text() if node is not None else None


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = tree.css_first(selector)
    return node.attributes.get(name) if node is not None else None


def _first(longest: int, *values: str | None) -> str | None:
    for value in values:
        text = " ".join(_UNFIT.sub(" ", value or "").split())
        if text:
            return text[:longest]
    return None


def _language(tree: LexborHTMLParser) -> str | None:
    """The primary subtag of `<html lang>`: `ko` of `ko-KR`."""
    declared = (_attribute(tree, "html[lang]", "lang") or "").strip().lower()
    primary = declared.replace("_", "-").partition("-")[0]
    return primary if 2 <= len(primary) <= 3 and primary.isascii() and primary.isalpha() else None


def _address(value: str | None, base: str) -> str | None:
    """Absolute, and only http or https."""
    if not value or not value.strip():
        return None
    try:
        address = urljoin(base, value.strip())
        parts = urlsplit(address)
    except ValueError:
        return None
    is_usable = parts.scheme in {"http", "https"} and parts.netloc
    return address if is_usable and len(address) <= LONGEST_ADDRESS else None
