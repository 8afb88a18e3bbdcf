"""What a reader saw of a page, and the id that is its hash.

A content belongs to a scope: the reader whose browser sent it, or everybody where the server
fetched it without cookies. The scope is in the hash, so that two readers of the same text share
nothing, not even an id. So is the site: sites have icons of their own, though they say the same. The
icon itself is not: a text may come before it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec
from msgspec import structs

from mindhit import urls
from mindhit.tracking import icons
from mindhit.tracking.model import ContentId
from mindhit.urls import NotAPage

MAX_TEXT: Final = 10_000
MAX_TITLE: Final = 500
MAX_META: Final = 2_000
_encoder = msgspec.json.Encoder()


class Meta(msgspec.Struct, omit_defaults=True, rename="camel", frozen=True, gc=False):
    """What a page says about itself; kept under the seed's names."""

    description: str | None = None
    og_image: str | None = None
    og_title: str | None = None
    language: str | None = None
    canonical: str | None = None
    favicon: str | None = None


class Content(msgspec.Struct, frozen=True, gc=False):
    id: ContentId
    title: str | None
    text: str
    meta: bytes
    favicon: str | None

    @property
    def has_icon(self) -> bool:
        return self.favicon is not None and self.favicon.startswith(icons.PREFIX)


def make(scope: UUID | None, domain: str, title: str | None, text: str, meta: Meta) -> Content:
    """Lengths are cut here, so that equal is what will be stored as equal."""
    title = title[:MAX_TITLE] if title else None
    text = text[:MAX_TEXT]
    said = _fitting(meta)
    hashed = sha256(b"public" if scope is None else scope.bytes)
    named = _encoder.encode(structs.replace(said, favicon=None))
    for part in (domain.encode(), (title or "").encode(), text.encode(), named):
        hashed.update(len(part).to_bytes(4, "big"))
        hashed.update(part)
    id_ = ContentId(UUID(bytes=hashed.digest()[:16]))
    favicon = meta.favicon if icons.is_icon(meta.favicon) else said.favicon
    return Content(id_, title, text, _encoder.encode(said), favicon)


def _fitting(meta: Meta) -> Meta:
    return Meta(
        description=_cut(meta.description),
        og_image=_address(meta.og_image),
        og_title=_cut(meta.og_title),
        language=None if meta.language is None else meta.language[:35],
        canonical=_address(meta.canonical),
        favicon=_address(meta.favicon),
    )


def _cut(text: str | None) -> str | None:
    return text[:MAX_META] if text else None


def _address(text: str | None) -> str | None:
    """Shown as a picture or a link one day: only of the web, and whole or not at all."""
    if text and len(text) <= MAX_META and text.startswith(("https://", "http://")):
        return text if "@" not in text else _without_credentials(text)
    return None


def _without_credentials(text: str) -> str | None:
    try:
        return urls.address(text)
    except NotAPage:
        return None
