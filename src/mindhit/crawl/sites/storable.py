"""What plug-ins return, as the database can store it. Pure.

Shops send anything: half an emoji, NUL, an address that is none, a price of thirty digits. That costs one
field or one item, never the page it is on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from mindhit import urls
from mindhit.crawl.extraction.money import LARGEST
from mindhit.crawl.model import LONGEST_ITEM_KEY
from mindhit.crawl.sites.api import Found, Item, LayoutChanged, Parsed, Variant

MOST_ITEMS: Final = 1000
MOST_VARIANTS: Final = 2000
LONGEST_OPTION_KEY: Final = 200
_LARGEST_QUANTITY: Final = 2**31 - 1
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def page_address(text: str | None, base: str | None = None) -> str | None:
    """The address of a page, as a link on `base` has it; None where it leads to none."""
    try:
        address = urls.parse(text, base).partition("#")[0] if text else None
        return address if address and urls.normalise(address) else None
    except urls.NotAPage:
        return None


def storable_text(text: str | None) -> str | None:
    """Without NUL and unpaired surrogates, which PostgreSQL rejects."""
    return _UNSTORABLE.sub("", text) or None if text else None


def storable_found(found: Found) -> Found:
    """One item per key, without those whose key or address can't be used."""
    items: dict[str, Item] = {}
    for each in found.items:
        url = page_address(each.url)
        if url is not None and is_key(each.item_key):
            items.setdefault(each.item_key, replace(each, url=url))
    next_url = page_address(found.next_url)
    if found.next_url is not None and next_url is None:
        # Without it the listing would look whole, and what is on further pages gone.
        raise LayoutChanged("the next page has no usable address")
    return Found(list(items.values())[:MOST_ITEMS], next_url)


def storable_parsed(parsed: Parsed) -> Parsed:
    variants: dict[str, Variant] = {}
    for each in parsed.variants[:MOST_VARIANTS]:
        made = _variant(each)
        variants.setdefault(made.key, made)
    return replace(
        parsed,
        title=storable_text(parsed.title),
        url=page_address(parsed.url),
        brand=storable_text(parsed.brand),
        image=storable_text(parsed.image),
        sku=storable_text(parsed.sku),
        gtin=storable_text(parsed.gtin),
        currency=storable_text(parsed.currency),
        variants=list(variants.values()),
    )


def _variant(variant: Variant) -> Variant:
    return Variant(
        key=(storable_text(variant.key) or "")[:LONGEST_OPTION_KEY],
        name=storable_text(variant.name),
        attributes=_texts(variant.attributes),
        sku=storable_text(variant.sku),
        price=_price(variant.price),
        currency=storable_text(variant.currency),
        availability=storable_text(variant.availability),
        quantity=_quantity(variant.quantity),
    )


def _texts(texts: Mapping[str, str]) -> dict[str, str]:
    cleaned = ((storable_text(name), storable_text(value)) for name, value in texts.items())
    return {name: value for name, value in cleaned if name and value}


def is_key(key: str) -> bool:
    """It is part of a job's key, which is limited in bytes."""
    return bool(key) and not _UNSTORABLE.search(key) and len(key.encode()) <= LONGEST_ITEM_KEY


def _price(price: Decimal | None) -> Decimal | None:
    return price if price is not None and price.is_finite() and 0 <= price < LARGEST else None


def _quantity(quantity: int | None) -> int | None:
    return quantity if quantity is not None and abs(quantity) <= _LARGEST_QUANTITY else None
