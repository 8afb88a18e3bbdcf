"""What a site plug-in is. Pure functions of a page's bytes; no I/O, no clock, no database.

class Example:
    api = 1
    name = "example"
    hosts = ("example.com",)                     # where it is chosen by itself; (): everywhere
    version = 3                                  # kept with every raw; raise it with each change

    def target(self, url): ...                   # None: not a page of this site
    def request(self, ref): ...                  # URL templates
    def classify(self, page): ...                # captcha, login wall, soft 404
    def parse_search(self, page): ...            # a page of a listing
    def parse_mini_shop(self, page): ...         # one item of it
    def parse_detail(self, page): ...
    def parse_option(self, page): ...

[project.entry-points."mindhit.sites"]
example = "package.module:Example"
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Protocol

from mindhit.crawl.model import Stage, TargetKind
from mindhit.errors import MindHitError

API = 1


class Block(StrEnum):
    """Why a page that was answered with 200 is not what was asked for."""

    CAPTCHA = "captcha"
    LOGIN = "login"
    NOT_FOUND = "not found"


class LayoutChanged(MindHitError):
    """The page is not built as this version of the site's plug-in expects."""


class ItemMissing(MindHitError):
    """The page says that the product is not there any more."""


@dataclass(frozen=True, slots=True)
class Target:
    """What an address is. `stages`: what is fetched of each product, in this order."""

    kind: TargetKind
    item_key: str
    stages: tuple[Stage, ...]
    seller: str | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """What is to be fetched: of a listing the page's own address, else that of the product."""

    stage: Stage
    item_key: str
    url: str


@dataclass(frozen=True, slots=True)
class Request:
    url: str


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    body: bytes
    content_type: str = "text/html"
    charset: str = "utf-8"

    @property
    def text(self) -> str:
        return self.body.decode(self.charset, "replace")


@dataclass(frozen=True, slots=True)
class Item:
    """A product of a listing. `body`: what the listing says of it, read by `parse_mini_shop`."""

    item_key: str
    url: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Found:
    items: list[Item]
    next_url: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing that can be bought. A product with one price is one variant with the key ``."""

    key: str = ""
    name: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    sku: str | None = None
    price: Decimal | None = None
    currency: str | None = None
    availability: str | None = None
    quantity: int | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a page says of a product; None and empty: nothing. `is_whole`: other variants are gone."""

    title: str | None = None
    url: str | None = None
    brand: str | None = None
    image: str | None = None
    sku: str | None = None
    gtin: str | None = None
    currency: str | None = None
    variants: list[Variant] = field(default_factory=list)
    is_whole: bool = True


class Site(Protocol):
    api: ClassVar[int]
    name: ClassVar[str]
    version: ClassVar[int]
    hosts: ClassVar[tuple[str, ...]]
    """Where it is chosen by itself; elsewhere only by name. Empty: everywhere."""

    def target(self, url: str) -> Target | None: ...

    def request(self, ref: Ref) -> Request: ...

    def classify(self, page: Page) -> Block | None: ...

    def parse_search(self, page: Page) -> Found: ...

    def parse_mini_shop(self, page: Page) -> Parsed: ...

    def parse_detail(self, page: Page) -> Parsed: ...

    def parse_option(self, page: Page) -> Parsed: ...
