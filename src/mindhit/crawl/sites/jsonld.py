"""Any shop that describes its products for search engines, and most that don't.

Listings are read from their ItemList or from several Products; a product's page by `extraction`.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import ClassVar, Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from mindhit import urls
from mindhit.crawl.extraction import documents
from mindhit.crawl.extraction.product import extract, parsed_of
from mindhit.crawl.extraction.structured import text_of
from mindhit.crawl.model import LONGEST_ITEM_KEY, Stage, TargetKind
from mindhit.crawl.sites.api import (
    API,
    Block,
    Found,
    Item,
    ItemMissing,
    LayoutChanged,
    Page,
    Parsed,
    Ref,
    Request,
    Target,
)
from mindhit.crawl.sites.storable import page_address

_LISTINGS: Final = frozenset(
    [
        "category",
        "categories",
        "c",
        "cat",
        "catalog",
        "catalogue",
        "collection",
        "collections",
        "search",
        "list",
        "listing",
        "browse",
        "brand",
        "brands",
        "sale",
        "shop",
        "store",
        "kategorie",
        "kategorien",
        "categoria",
        "categorie",
        "products",
        "artikel",
        "new-in",
        "new-arrivals",
    ]
)
_SEARCHES: Final = re.compile(r"(?:^|&)(?:q|query|search|keyword|k|page|category)=", re.IGNORECASE)
_PRODUCT_WORDS: Final = re.compile(
    r"^(?:p|dp|product|item|itm|products|prod|goods|deal)$", re.IGNORECASE
)
_GONE: Final = re.compile(
    r"\b404\b|not found|page (?:doesn'?t|does not) exist|no longer available here|nicht gefunden|introuvable"
    r"|no encontrad|non trovat|찾을 수 없|존재하지 않|見つかりません|找不到|не найден",
    re.IGNORECASE,
)
_ROBOT: Final = re.compile(
    r"captcha|are you (?:a )?(?:robot|human)|verify you are|access denied", re.IGNORECASE
)
_KEPT: Final = ("name", "url", "image", "brand", "sku")


class JsonLd:
    api: ClassVar[int] = API
    name: ClassVar[str] = "jsonld"
    version: ClassVar[int] = 4
    hosts: ClassVar[tuple[str, ...]] = ()

    def target(self, url: str) -> Target | None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if is_listing(parts.path, parts.query):
            return Target(TargetKind.LISTING, "1", (Stage.DETAIL,), host)
        return Target(TargetKind.PRODUCT, key_of(url), (Stage.DETAIL,), host)

    def request(self, ref: Ref) -> Request:
        return Request(ref.url)

    def classify(self, page: Page) -> Block | None:
        if "html" not in page.content_type:
            return None
        tree = LexborHTMLParser(page.text)
        heading = " ".join(
            node.text(deep=True, separator=" ")
            for node in [*tree.css("title")[:1], *tree.css("h1")[:1]]
        )
        if tree.css_first('[itemtype*="Product"]') or _describes_things(tree):
            return None
        if _ROBOT.search(heading):
            return Block.CAPTCHA
        if _GONE.search(heading):
            return Block.NOT_FOUND
        is_short = len(page.body) < 60_000
        return Block.LOGIN if is_short and tree.css_first("input[type=password]") else None

    def parse_search(self, page: Page) -> Found:
        tree = LexborHTMLParser(page.text)
        items: list[Item] = []
        for node in documents.json_ld(tree):
            kinds = documents.types_of(node)
            if not kinds & {"product", "productgroup", "listitem"}:
                continue
            address = text_of(node.get("url")) or text_of(node.get("@id"))
            inner = node.get("item")
            if "listitem" in kinds and isinstance(inner, str):
                address = inner
            url = page_address(address, page.url)
            if url is None or url == page.url:  # "#lamp" is the listing itself
                continue
            kept = {name: node[name] for name in _KEPT if name in node}
            items.append(Item(key_of(url), url, json.dumps(kept).encode()))
        if not items:
            raise LayoutChanged("the page lists no products")
        return Found(_fullest(items), _next(tree, page.url))

    def parse_mini_shop(self, page: Page) -> Parsed:
        """Prices are left to the product's own page: listings often show another variant's."""
        node = json.loads(page.body)
        if not isinstance(node, dict):
            raise LayoutChanged("this is no product of a listing")
        image = node.get("image")
        return Parsed(
            title=text_of(node.get("name")),
            url=page.url,
            brand=text_of(node.get("brand")),
            image=documents.joined(page.url, text_of(image)),
            sku=text_of(node.get("sku")),
        )

    def parse_detail(self, page: Page) -> Parsed:
        found = extract(page.text, page.url)
        if found.price is None and found.availability is None:
            if self.classify(page) == Block.NOT_FOUND:
                raise ItemMissing("the page says that the product is not there")
            raise LayoutChanged("the page shows no product")
        return parsed_of(found, page.url)

    def parse_option(self, page: Page) -> Parsed:  # noqa: ARG002  the protocol has it
        raise LayoutChanged("this site has no pages of options")


def _describes_things(tree: LexborHTMLParser) -> bool:
    """Not only the shop itself, which also its error pages do."""
    kinds = [documents.types_of(node) for node in documents.json_ld(tree)]
    return any(each & {"product", "productgroup", "offer", "itemlist"} for each in kinds)


def is_listing(path: str, query: str) -> bool:
    """By the words of its address: a page that is named like a list, and not like one product."""
    words = [each.lower() for each in path.split("/") if each]
    if _SEARCHES.search(query):
        return True
    if not words:
        return True
    if any(_PRODUCT_WORDS.match(each) for each in words[:-1]):
        return False
    return bool(_LISTINGS & set(words))


def key_of(url: str) -> str:
    """The address without what only tracks; hashed where it is too long for a key."""
    try:
        plain = urls.normalise(url).href
    except urls.NotAPage:
        plain = url
    if len(plain.encode()) <= LONGEST_ITEM_KEY:
        return plain
    return hashlib.sha256(plain.encode()).hexdigest()


def _fullest(items: list[Item]) -> list[Item]:
    """Of one product described twice, the longer description; in the order of the page."""
    best: dict[str, Item] = {}
    for item in items:
        known = best.get(item.item_key)
        if known is None or len(item.body) > len(known.body):
            best[item.item_key] = item
    return list(best.values())


def _next(tree: LexborHTMLParser, url: str) -> str | None:
    node = tree.css_first('link[rel="next"], a[rel="next"]')
    href = node.attributes.get("href") if node is not None else None
    following = page_address(href, url)
    same_host = following and urlsplit(following).hostname == urlsplit(url).hostname
    return following if same_host and following != url else None
