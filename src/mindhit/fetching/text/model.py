"""What is extracted from a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

LONGEST_TEXT: Final = 200_000  # characters of text that are returned
TOO_LITTLE: Final = 200  # characters; a page with less may make its text with scripts


class PageKind(StrEnum):
    ARTICLE = "article"
    FORUM = "forum"
    PRODUCT = "product"
    LISTING = "listing"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PageMeta:
    """What a page declares about itself. Addresses are absolute."""

    title: str | None = None
    description: str | None = None
    image: str | None = None
    language: str | None = None
    canonical: str | None = None
    favicon: str | None = None
    site_name: str | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    text: str
    kind: PageKind
    meta: PageMeta = field(default_factory=PageMeta)
