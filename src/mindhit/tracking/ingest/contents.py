"""The text of a page as one person saw it, and its id, which is a hash.

A content belongs to the person whose browser sent it, or to everybody where the server fetched it
without cookies. That scope is part of the hash, so that two people with the same text share nothing,
not even an id. So is the site: two sites with the same text have different icons. The icon itself is
not: a text may arrive before it.
"""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

import msgspec
from msgspec import structs

from mindhit import urls
from mindhit.tracking import icons
from mindhit.tracking.model import ContentId
from mindhit.tracking.protocol import (
    ICON_PREFIX,
    MAX_CONTENT,
    MAX_LANGUAGE,
    MAX_META,
    MAX_TITLE,
)
from mindhit.urls import NotAPage

_encoder = msgspec.json.Encoder()


class Meta(msgspec.Struct, omit_defaults=True, rename="camel", frozen=True, gc=False):
    """What a page says about itself, as `page_contents.meta` keeps it."""

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
        return self.favicon is not None and self.favicon.startswith(ICON_PREFIX)


def make(scope: UUID | None, domain: str, title: str | None, text: str, meta: Meta) -> Content:
    """Texts are cut before they are hashed: what is stored as equal has the same id."""
    title = title[:MAX_TITLE] if title else None
    text = text[:MAX_CONTENT]
    kept = _cut_all(meta)
    hashed = sha256(b"public" if scope is None else scope.bytes)
    named = _encoder.encode(structs.replace(kept, favicon=None))
    for part in (domain.encode(), (title or "").encode(), text.encode(), named):
        hashed.update(len(part).to_bytes(4, "big"))
        hashed.update(part)
    id_ = ContentId(UUID(bytes=hashed.digest()[:16]))
    favicon = meta.favicon if icons.is_icon(meta.favicon) else kept.favicon
    return Content(id_, title, text, _encoder.encode(kept), favicon)


def _cut_all(meta: Meta) -> Meta:
    return Meta(
        description=_cut(meta.description),
        og_image=_address(meta.og_image),
        og_title=_cut(meta.og_title),
        language=None if meta.language is None else meta.language[:MAX_LANGUAGE],
        canonical=_address(meta.canonical),
        favicon=_address(meta.favicon),
    )


def _cut(text: str | None) -> str | None:
    return text[:MAX_META] if text else None


def _address(text: str | None) -> str | None:
    """To be shown as a picture or a link: only http and https, and whole or not at all."""
    if text and len(text) <= MAX_META and text.startswith(("https://", "http://")):
        return text if "@" not in text else _without_credentials(text)
    return None


def _without_credentials(text: str) -> str | None:
    try:
        return urls.address(text)
    except NotAPage:
        return None
