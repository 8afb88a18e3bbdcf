"""Shops on Shopify, by the JSON that every one of them serves.

SEARCH   /collections/<name>/products.json     titles, images
DETAIL   /products/<handle>                    the page: currency, brand
OPTION   /products/<handle>.js                 variants with prices in cents and stock
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from mindhit.crawl.extraction.product import extract
from mindhit.crawl.model import Availability, Stage, TargetKind
from mindhit.crawl.sites.api import (
    API,
    Block,
    Found,
    Item,
    LayoutChanged,
    Page,
    Parsed,
    Ref,
    Request,
    Target,
    Variant,
)
from mindhit.crawl.sites.jsonld import JsonLd

PER_PAGE: Final = 250
_COLLECTION: Final = re.compile(r"^/collections/([^/]+)/?(?:products\.json)?$")
_PRODUCT: Final = re.compile(r"^(?:/collections/[^/]+)?/products/([^/.]+)/?$")
_STAGES: Final = (Stage.DETAIL, Stage.OPTION)


class Shopify:
    api: ClassVar[int] = API
    name: ClassVar[str] = "shopify"
    version: ClassVar[int] = 1
    hosts: ClassVar[tuple[str, ...]] = ("myshopify.com",)

    def target(self, url: str) -> Target | None:
        parts = urlsplit(url)
        if _COLLECTION.match(parts.path):
            return Target(TargetKind.LISTING, "1", _STAGES, parts.hostname)
        product = _PRODUCT.match(parts.path)
        if product:
            return Target(TargetKind.PRODUCT, _key(url, product[1]), _STAGES, parts.hostname)
        return None

    def request(self, ref: Ref) -> Request:
        parts = urlsplit(ref.url)
        home = f"{parts.scheme}://{parts.netloc}"
        if ref.stage == Stage.SEARCH:
            if parts.path.endswith("/products.json"):
                return Request(ref.url)
            query = urlencode({"limit": PER_PAGE, "page": 1})
            return Request(f"{home}{parts.path.rstrip('/')}/products.json?{query}")
        handle = ref.item_key.rpartition("/")[2]
        suffix = ".js" if ref.stage == Stage.OPTION else ""
        return Request(f"{home}/products/{handle}{suffix}")

    def classify(self, page: Page) -> Block | None:
        return JsonLd().classify(page)

    def parse_search(self, page: Page) -> Found:
        products = _object(page).get("products")
        if not isinstance(products, list):
            raise LayoutChanged("there is no list of products")
        items = []
        for product in products:
            handle = product.get("handle") if isinstance(product, dict) else None
            if isinstance(handle, str) and re.fullmatch(r"[^/\s]{1,255}", handle):
                url = urljoin(page.url, f"/products/{handle}")
                images = product.get("images") or [{}]
                kept = {
                    "title": product.get("title"),
                    "vendor": product.get("vendor"),
                    "image": images[0].get("src") if isinstance(images[0], dict) else None,
                }
                items.append(Item(_key(url, handle), url, json.dumps(kept).encode()))
        return Found(items, _next(page.url, len(products)))

    def parse_mini_shop(self, page: Page) -> Parsed:
        product = _object(page)
        return Parsed(
            title=_text(product.get("title")),
            url=page.url,
            brand=_text(product.get("vendor")),
            image=_text(product.get("image")),
        )

    def parse_detail(self, page: Page) -> Parsed:
        """Prices come with the options; their currency stands here."""
        found = extract(page.text, page.url)
        return Parsed(
            title=found.title,
            url=page.url,
            brand=found.brand,
            image=found.image,
            gtin=found.gtin,
            currency=found.currency,
        )

    def parse_option(self, page: Page) -> Parsed:
        product = _object(page)
        variants = product.get("variants")
        if not isinstance(variants, list) or not variants:
            raise LayoutChanged("there are no variants")
        names = [
            _text(each.get("name")) or ""
            for each in product.get("options") or []
            if isinstance(each, dict)
        ]
        return Parsed(
            title=_text(product.get("title")),
            brand=_text(product.get("vendor")),
            sku=_text(variants[0].get("sku")) if len(variants) == 1 else None,
            variants=[_variant(each, names) for each in variants if isinstance(each, dict)],
        )


def _variant(variant: dict[str, Any], names: list[str]) -> Variant:
    cents = variant.get("price")
    if isinstance(cents, bool) or not isinstance(cents, int):
        raise LayoutChanged("a price is not in cents")
    options = [_text(variant.get(f"option{number}")) for number in (1, 2, 3)]
    quantity = variant.get("inventory_quantity")
    return Variant(
        key=str(variant.get("id")),
        name=_text(variant.get("title")),
        attributes={
            name: value for name, value in zip(names, options, strict=False) if name and value
        },
        sku=_text(variant.get("sku")),
        price=Decimal(cents) / 100,
        availability=Availability.IN_STOCK
        if variant.get("available")
        else Availability.OUT_OF_STOCK,
        quantity=quantity if isinstance(quantity, int) and abs(quantity) < 2**31 else None,
    )


def _key(url: str, handle: str) -> str:
    return f"{urlsplit(url).hostname}/{handle}"


def _next(url: str, shown: int) -> str | None:
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    limit, page = (
        int(query.get(n, d)) if query.get(n, d).isdigit() else int(d)
        for n, d in (("limit", "250"), ("page", "1"))
    )
    if shown < limit:
        return None
    return (
        f"{url.partition('?')[0]}?{urlencode(query | {'limit': str(limit), 'page': str(page + 1)})}"
    )


def _object(page: Page) -> dict[str, Any]:
    try:
        value = json.loads(page.body)
    except ValueError:
        raise LayoutChanged("this is not JSON") from None
    if not isinstance(value, dict):
        raise LayoutChanged("this is not an object")
    return value.get("product", value) if isinstance(value.get("product"), dict) else value


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
