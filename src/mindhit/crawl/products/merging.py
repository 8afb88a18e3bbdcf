"""What a raw makes of a product: fields, options, and which of them changed. Pure.

A site that says nothing of a field leaves it as it was. A price without a currency has that of the
product. Options that a whole page does not show any more are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from mindhit.crawl.model import Availability
from mindhit.crawl.sites.api import Parsed, Variant


@dataclass(frozen=True, slots=True)
class Facts:
    """What a product is called."""

    title: str | None = None
    brand: str | None = None
    image: str | None = None
    sku: str | None = None
    gtin: str | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class OptionState:
    option_key: str
    name: str | None
    attributes: Mapping[str, Any]
    sku: str | None
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None
    baseline: Decimal | None
    gone_at: datetime | None

    @property
    def offer(self) -> tuple[Decimal | None, str | None, str | None, int | None]:
        return self.price, self.currency, self.availability, self.quantity


@dataclass(frozen=True, slots=True)
class Summary:
    """Of all options that are there."""

    price_min: Decimal | None
    price_max: Decimal | None
    currency: str | None
    availability: str | None


def merge_facts(known: Facts, parsed: Parsed) -> Facts:
    currencies = [each.currency for each in parsed.variants if each.currency]
    return Facts(
        title=_cut(parsed.title) or known.title,
        brand=_cut(parsed.brand) or known.brand,
        image=parsed.image if parsed.image and len(parsed.image) <= 2000 else known.image,
        sku=_cut(parsed.sku) or known.sku,
        gtin=_cut(parsed.gtin) or known.gtin,
        currency=parsed.currency or next(iter(currencies), None) or known.currency,
    )


def merge_option(known: OptionState | None, variant: Variant, currency: str | None) -> OptionState:
    """A first price, and one in another currency, is what later ones are compared with."""
    price = known.price if known and variant.price is None else variant.price
    said = variant.currency or currency
    unit = known.currency if known and variant.price is None else said
    baseline = known.baseline if known else None
    if baseline is None or known is None or (known.currency != unit and price is not None):
        baseline = price
    return OptionState(
        option_key=variant.key,
        name=_cut(variant.name) or (known.name if known else None),
        attributes=variant.attributes or (known.attributes if known else {}),
        sku=_cut(variant.sku) or (known.sku if known else None),
        price=price,
        currency=unit if price is not None else None,
        availability=variant.availability or (known.availability if known else None),
        quantity=variant.quantity,
        baseline=baseline,
        gone_at=None,
    )


def gone_keys(known: Iterable[OptionState], parsed: Parsed) -> list[str]:
    """Options that this page should show and does not. The product's own price gives way to variants."""
    shown = {each.key for each in parsed.variants}
    if not shown or not parsed.is_whole:
        return []
    return [each.option_key for each in known if each.option_key not in shown and not each.gone_at]


def summary_of(options: Sequence[OptionState], currency: str | None) -> Summary:
    """The range of prices in the currency of most, and whether anything can be bought."""
    there = [each for each in options if each.gone_at is None]
    units = [each.currency for each in there if each.price is not None and each.currency]
    unit = max(sorted(set(units)), key=units.count, default=currency)
    prices = [each.price for each in there if each.price is not None and each.currency == unit]
    stock = {each.availability for each in there} - {None}
    availability = (
        Availability.IN_STOCK
        if Availability.IN_STOCK in stock
        else Availability.OUT_OF_STOCK
        if stock
        else None
    )
    return Summary(min(prices, default=None), max(prices, default=None), unit, availability)


def _cut(text: str | None) -> str | None:
    """One line without NUL, which PostgreSQL rejects."""
    return " ".join(text.replace("\0", "").split())[:500] or None if text else None
