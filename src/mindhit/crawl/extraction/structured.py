"""Products and offers in what a page has for machines. Pure.

Product, ProductGroup with hasVariant, Offer, AggregateOffer with or without its offers, lists of offers,
priceSpecification: several prices are variants, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from mindhit.crawl.extraction.documents import Json, types_of
from mindhit.crawl.extraction.money import amount_of_data, currency_of
from mindhit.crawl.model import Availability

_PRODUCTS: Final = frozenset(
    [
        "product",
        "productgroup",
        "individualproduct",
        "productmodel",
        "someproducts",
        "vehicle",
        "car",
        "book",
        "movie",
        "softwareapplication",
        "event",
        "course",
        "musicalbum",
        "apartment",
    ]
)
_OUT: Final = frozenset(
    {"outofstock", "outofstocks", "oos", "soldout", "discontinued", "backorder", "unavailable", "notavailable"}
)  # fmt: skip
_IN: Final = frozenset(
    {"instock", "instocks", "instoreonly", "limitedavailability", "onlineonly", "preorder", "presale",
     "available", "availablefororder", "stock", "yes"}
)  # fmt: skip
_OUT_WORDS: Final = re.compile(
    r"품절|매진|판매\s?(?:중지|종료)|재고\s?없음|売り?切れ|在庫(?:切れ|なし)|缺货|售罄|缺貨|售完|ausverkauft"
    r"|nicht (?:auf lager|verfügbar|lieferbar)|épuisé|rupture|agotado|esaurito|esgotado|нет в наличии",
    re.IGNORECASE,
)
_IN_WORDS: Final = re.compile(
    r"재고\s?있음|판매\s?중|구매\s?가능|在庫あり|有货|现货|有貨|現貨|auf lager|lieferbar|verfügbar|en stock"
    r"|disponib|disponív|в наличии",
    re.IGNORECASE,
)
_PREFIX: Final = re.compile(r"(?:sku|mpn|upc|ean|isbn|gtin\d*)\s*:\s*", re.IGNORECASE)
MOST_VARIANTS: Final = 300


@dataclass(frozen=True, slots=True)
class Offer:
    price: Decimal | None = None
    currency: str | None = None
    availability: str | None = None
    sku: str | None = None
    name: str | None = None
    url: str | None = None
    attributes: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Described:
    """A product as its markup describes it."""

    title: str | None = None
    brand: str | None = None
    image: str | None = None
    url: str | None = None
    sku: str | None = None
    product_id: str | None = None
    mpn: str | None = None
    gtin: str | None = None
    offers: tuple[Offer, ...] = ()
    is_group: bool = False


def products_in(nodes: list[Json]) -> list[Described]:
    return [_described(node) for node in nodes if types_of(node) & _PRODUCTS]


def loose_offers(nodes: list[Json]) -> list[Offer]:
    """Offers that stand on their own."""
    return [
        o for node in nodes if types_of(node) & {"offer", "aggregateoffer"} for o in _offers(node)
    ]


def availability_of(value: Any) -> str | None:
    """As schema.org, its many misspellings and OpenGraph write it."""
    if isinstance(value, list):
        return next(filter(None, map(availability_of, value)), None)
    if isinstance(value, dict):
        return availability_of(value.get("@id") or value.get("name"))
    if not isinstance(value, str):
        return None
    plain = re.sub(r"[^a-z]", "", re.split(r"[/:#]", value)[-1].lower())
    if plain in _OUT or _OUT_WORDS.search(value):
        return Availability.OUT_OF_STOCK
    if plain in _IN or _IN_WORDS.search(value):
        return Availability.IN_STOCK
    return None


def text_of(value: Any) -> str | None:
    """The words in a value that may be a text, a list of them or a node with a name."""
    if isinstance(value, list):
        return next(filter(None, map(text_of, value)), None)
    if isinstance(value, dict):
        return text_of(
            value.get("name") or value.get("@value") or value.get("url") or value.get("@id")
        )
    if isinstance(value, bool) or value is None:
        return None
    return " ".join(str(value).split()) or None


def _described(node: Json) -> Described:
    variants = [each for each in _listed(node.get("hasVariant")) if isinstance(each, dict)]
    offers = list(_all_offers(node))[:MOST_VARIANTS]
    for variant in variants[:MOST_VARIANTS]:
        offers += [_of_variant(variant, each) for each in _all_offers(variant) or [Offer()]]
    return Described(
        title=text_of(node.get("name")),
        brand=text_of(node.get("brand") or node.get("manufacturer")),
        image=_image(node.get("image")),
        url=text_of(node.get("url")),
        sku=text_of(node.get("sku")),
        product_id=_unprefixed(text_of(node.get("productID")) or text_of(node.get("productId"))),
        mpn=text_of(node.get("mpn")),
        gtin=next(
            filter(
                None,
                (
                    text_of(node.get(n))
                    for n in ("gtin13", "gtin", "gtin12", "gtin14", "gtin8", "ean", "isbn")
                ),
            ),
            None,
        ),
        offers=tuple(offers[:MOST_VARIANTS]),
        is_group=bool(variants),
    )


def _of_variant(variant: Json, offer: Offer) -> Offer:
    named = {
        name: words
        for name in ("color", "size", "material", "pattern")
        if (words := text_of(variant.get(name)))
    }
    return Offer(
        offer.price,
        offer.currency,
        offer.availability,
        text_of(variant.get("sku")) or offer.sku,
        text_of(variant.get("name")) or offer.name,
        text_of(variant.get("url")) or offer.url,
        named,
    )


def _all_offers(node: Json) -> list[Offer]:
    """Of a product. Microdata often has the price on the product itself."""
    inner = [each for each in _listed(node.get("offers")) if isinstance(each, dict)]
    if not inner and "price" in node:
        price, currency = _price(node)
        return [Offer(price, currency, _stock(node))]
    return [offer for each in inner for offer in _offers(each)]


def _offers(node: Json) -> Iterator[Offer]:
    inner = [each for each in _listed(node.get("offers")) if isinstance(each, dict)]
    if inner:
        for each in inner:
            yield from _offers({**_inherited(node), **each})
        return
    sold = node.get("itemOffered")
    sold = sold if isinstance(sold, dict) else {}
    price, currency = _price(node)
    yield Offer(
        price,
        currency,
        _stock(node),
        text_of(node.get("sku")) or text_of(sold.get("sku")),
        text_of(node.get("name")) or text_of(sold.get("name")),
        text_of(node.get("url")),
    )


def _inherited(node: Json) -> Json:
    return {n: node[n] for n in ("priceCurrency", "currency", "availability") if n in node}


def _stock(node: Json) -> str | None:
    return availability_of(node.get("availability") or node.get("itemAvailability"))


def _price(node: Json) -> tuple[Decimal | None, str | None]:
    """The price that is asked now: list prices and those per unit are left out."""
    currency = currency_of(text_of(node.get("priceCurrency") or node.get("currency")))
    for name in ("price", "lowPrice"):
        value = node.get(name)
        value = text_of(value) if isinstance(value, list | dict) else value
        amount = amount_of_data(value)
        if amount is not None:
            return amount, currency or (currency_of(value) if isinstance(value, str) else None)
    for each in _listed(node.get("priceSpecification")):
        if isinstance(each, dict) and "list" not in str(each.get("priceType", "")).lower():
            amount = amount_of_data(each.get("price") or each.get("minPrice"))
            if amount is not None:
                return amount, currency_of(text_of(each.get("priceCurrency"))) or currency
    amount = amount_of_data(node.get("highPrice"))
    return amount, currency


def _image(value: Any) -> str | None:
    if isinstance(value, list):
        return next(filter(None, map(_image, value)), None)
    if isinstance(value, dict):
        return _image(value.get("url") or value.get("contentUrl") or value.get("@id"))
    return value.strip() if isinstance(value, str) and value.strip() else None


def _unprefixed(value: str | None) -> str | None:
    return _PREFIX.sub("", value, count=1) if value else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
