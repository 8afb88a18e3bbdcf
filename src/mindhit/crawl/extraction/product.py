"""All that a page says of its product: structured data first, what people see where that is silent."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from mindhit.crawl.extraction import documents, identifiers, visible
from mindhit.crawl.extraction.money import Money, amount_of_data, amounts_in, currency_of
from mindhit.crawl.extraction.structured import (
    Described,
    Offer,
    availability_of,
    loose_offers,
    products_in,
)
from mindhit.crawl.model import Availability
from mindhit.crawl.sites.api import Parsed, Variant

_PRICE_NAMES: Final = (
    "product:sale_price:amount", "product:price:amount", "og:price:amount", "og:price", "product:price",
    "twitter:data1", "price",
)  # fmt: skip
_CURRENCY_NAMES: Final = (
    "product:price:currency", "product:sale_price:currency", "og:price:currency", "currency",
)  # fmt: skip
_SCRIPT_PRICE: Final = re.compile(
    r"""["'](?:sale|current|final|selling)?_?price["']\s*:\s*["']?(\d+(?:\.\d+)?)["',}\s]""",
    re.IGNORECASE,
)
_MOST_HINTS: Final = 8  # of more, most are of other products
_LONGEST_KEY: Final = 150  # of an option's 200: what tells it from another of that name follows
_STOCK_NAMES: Final = ("product:availability", "og:availability", "availability")
_SKU_NAMES: Final = ("product:retailer_item_id", "product:retailer_part_no", "og:sku", "sku")


@dataclass(frozen=True, slots=True)
class Extracted:
    """`price` and the rest are of the product as the page shows it; `offers` has all of them."""

    title: str | None = None
    brand: str | None = None
    image: str | None = None
    sku: str | None = None
    gtin: str | None = None
    price: Decimal | None = None
    currency: str | None = None
    availability: str | None = None
    offers: tuple[Offer, ...] = ()


def extract(html: str, url: str) -> Extracted:
    tree = LexborHTMLParser(html)
    nodes = documents.json_ld(tree)
    tags = documents.meta(tree)
    product = _main(products_in(nodes), tree, url) or Described()
    marked_up = [*documents.microdata(tree), *documents.rdfa(tree)]
    micro = _main(products_in(marked_up), tree, url) or Described()
    offers = _priced(product.offers) or _priced(micro.offers) or _priced(tuple(loose_offers(nodes)))
    looked = visible.look(tree)
    price, currency = _price(looked, tags, offers, html)
    stock = _availability(looked, tags, (*product.offers, *micro.offers), price)
    return Extracted(
        title=product.title or micro.title or tags.get("og:title") or _heading(tree),
        brand=product.brand or micro.brand or tags.get("product:brand"),
        image=documents.joined(url, product.image or micro.image or tags.get("og:image")),
        sku=_sku(tree, html, tags, (product, micro), url),
        gtin=product.gtin or micro.gtin,
        price=price,
        currency=currency,
        availability=stock,
        offers=offers,
    )


def parsed_of(found: Extracted, url: str) -> Parsed:
    """As a site's plug-in answers: one variant, or one for each offer with a price of its own."""
    offers = _by_key(found.offers)
    if len(offers) > 1:
        variants = [_variant(key, each, found) for key, each in offers.items()]
    else:
        variants = [
            Variant(
                "",
                sku=found.sku,
                price=found.price,
                currency=found.currency,
                availability=found.availability,
            )
        ]
    return Parsed(
        title=found.title,
        url=url,
        brand=found.brand,
        image=found.image,
        sku=found.sku,
        gtin=found.gtin,
        currency=found.currency,
        variants=variants,
    )


def _variant(key: str, offer: Offer, found: Extracted) -> Variant:
    return Variant(
        key,
        offer.name,
        offer.attributes,
        offer.sku,
        offer.price,
        offer.currency or found.currency,
        offer.availability or found.availability,
    )


def _by_key(offers: tuple[Offer, ...]) -> dict[str, Offer]:
    """Each offer by what it is called. Prices that nothing else tells apart, as those of several sellers,
    are counted from the lowest: that stays the same wherever on the page they stand."""
    alike: dict[str, list[Offer]] = {}
    for offer in offers:
        name = (offer.sku or offer.name or offer.url or "")[:_LONGEST_KEY]
        alike.setdefault(name, []).append(offer)
    found: dict[str, Offer] = {}
    for name, those in alike.items():
        priced = _cheapest_first(those)
        called = [f"{name} {each.name}"[:200] for each in priced if each.name]
        if len(priced) == 1 or len(set(called)) < len(priced):
            called = [name if rank == 1 else f"{name}#{rank}" for rank, _ in enumerate(priced, 1)]
        found |= dict(zip(called, priced, strict=True))
    return found


def _cheapest_first(offers: list[Offer]) -> list[Offer]:
    """One of each price, of those that can be bought if there are any."""
    found: dict[tuple[str, Decimal], Offer] = {}
    for each in sorted(offers, key=lambda each: each.availability != Availability.IN_STOCK):
        found.setdefault((each.currency or "", each.price or Decimal(0)), each)
    return [found[price] for price in sorted(found)]


def _main(products: list[Described], tree: LexborHTMLParser, url: str) -> Described | None:
    """The one the page is about: of several, the one that its address or heading names."""
    if not products:
        return None
    heading = (_heading(tree) or "").casefold()
    path = url.split("?", maxsplit=1)[0].split("#", maxsplit=1)[0].rstrip("/")

    def rank(product: Described) -> tuple[bool, bool, bool]:
        title = (product.title or "").casefold()
        address = documents.joined(url, product.url) or ""
        return (
            address.split("?")[0].rstrip("/") == path,
            bool(title and heading and (title in heading or heading in title)),
            any(each.price is not None for each in product.offers),
        )

    best = max(products, key=rank)  # the first of equals
    same = [each for each in products if each is best or (best.title and each.title == best.title)]
    # One for each size or colour, or one with its offers and one without: all are this product's.
    offers = dict.fromkeys(_named(each, offer) for each in same for offer in each.offers)
    return replace(best, offers=tuple(offers)) if len(same) > 1 else best


def _named(product: Described, offer: Offer) -> Offer:
    return offer if offer.sku else replace(offer, sku=product.sku)


def _priced(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    return tuple(each for each in offers if each.price)


def _price(
    looked: visible.Looked, tags: dict[str, str], offers: tuple[Offer, ...], html: str
) -> tuple[Decimal | None, str | None]:
    currency = next((each.currency for each in offers if each.currency), None)
    said_in = (tags.get(name) for name in _CURRENCY_NAMES)
    currency = currency or next(filter(None, map(currency_of, said_in)), None)
    tagged = _tagged(tags)
    if offers:
        asked = _asked(looked, offers)
        return _contradicted(looked, asked, offers, tagged), currency
    if tagged is not None:
        return tagged.amount, currency or tagged.currency
    seen = visible.visible_price(looked, _hints(tags, html))
    if seen is None:
        return None, currency
    return seen.amount, seen.currency or currency


def _tagged(tags: dict[str, str]) -> Money | None:
    for name in _PRICE_NAMES:
        said = tags.get(name)
        amount = amount_of_data(said) if said and re.search(r"\d", said) else None
        if amount and (name != "twitter:data1" or currency_of(said)):
            return Money(amount, currency_of(said))
    return None


def _contradicted(
    looked: visible.Looked, asked: Decimal | None, offers: tuple[Offer, ...], tagged: Money | None
) -> Decimal | None:
    """Where the page's tags and what people see agree on another price, markup is out of date."""
    if tagged is None or any(each.price == tagged.amount for each in offers):
        return asked
    seen = visible.visible_price(looked)
    return tagged.amount if seen is not None and seen.amount == tagged.amount else asked


def _hints(tags: dict[str, str], html: str) -> frozenset[Decimal]:
    """Amounts in the page's description, and what its scripts call a price."""
    texts = [tags.get(name, "") for name in ("description", "og:description", "og:title")]
    found = [each for text in texts for each in amounts_in(text[:500])]
    named = (amount_of_data(each) for each in _SCRIPT_PRICE.findall(html)[:_MOST_HINTS])
    return frozenset([*found, *(each for each in named if each)])


def _asked(looked: visible.Looked, offers: tuple[Offer, ...]) -> Decimal | None:
    """Of several, the one that people see; else the lowest that is not sold out."""
    prices = list(dict.fromkeys(each.price for each in offers if each.price is not None))
    if len(prices) == 1:
        return prices[0]
    seen = visible.visible_price(looked)
    if seen is not None and seen.amount in prices:
        return seen.amount
    there = [e.price for e in offers if e.price and e.availability != Availability.OUT_OF_STOCK]
    return min(there or prices)


def _availability(
    looked: visible.Looked, tags: dict[str, str], offers: tuple[Offer, ...], price: Decimal | None
) -> str | None:
    """In stock where one offer is. A price without a word of stock can be bought."""
    said = {each.availability for each in offers} - {None}
    if said:
        is_in = Availability.IN_STOCK in said
        return Availability.IN_STOCK if is_in else Availability.OUT_OF_STOCK
    for name in _STOCK_NAMES:
        known = availability_of(tags.get(name))
        if known is not None:
            return known
    seen = visible.visible_availability(looked)
    if seen is not None:
        return seen
    return Availability.IN_STOCK if price is not None else None


def _sku(
    tree: LexborHTMLParser,
    html: str,
    tags: dict[str, str],
    products: tuple[Described, ...],
    url: str,
) -> str | None:
    """As people see it, else as it is marked up, else as scripts, forms and the address have it."""
    marked = next((each.sku for each in products if each.sku and " " not in each.sku), None)
    if marked is None:
        of_offers = {offer.sku for each in products for offer in each.offers if offer.sku}
        marked = of_offers.pop() if len(of_offers) == 1 else None
    addressed = identifiers.in_address(url)
    seen = identifiers.labelled(tree)
    known = [*([marked] if marked else []), *addressed]
    confirmed = [each for each in seen if any(identifiers.alike(each, k) for k in known)]
    if confirmed or seen:
        return (confirmed or seen)[0]
    for each in (
        marked,
        identifiers.in_scripts(html),
        *(product.product_id for product in products),
        *(tags.get(name) for name in _SKU_NAMES),
        *(product.mpn for product in products),
    ):
        if each and " " not in each:
            return each
    carried = identifiers.in_forms(tree)
    folded = {each.casefold() for each in carried}
    agreed = (each for each in addressed if each.casefold() in folded)
    return next(agreed, None) or next(iter([*addressed, *carried]), None)


def _heading(tree: LexborHTMLParser) -> str | None:
    for node in tree.css("h1"):
        text = " ".join(node.text(deep=True, separator=" ").split())
        if text:
            return text[:500]
    title = tree.css_first("title")
    return " ".join(title.text().split())[:500] or None if title is not None else None
