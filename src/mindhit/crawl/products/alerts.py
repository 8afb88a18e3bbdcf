"""Which change is worth telling. Pure.

A price is compared with the option's baseline: the first price, then that of the last alert. A first price
is no change, nor is one in another currency.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

import msgspec

from mindhit.crawl.model import AlertRules, Availability
from mindhit.crawl.products.merging import OptionState

DEFAULT_RULES: Final = AlertRules()


class AlertKind(StrEnum):
    PRICE_DOWN = "price_down"
    PRICE_UP = "price_up"
    BACK_IN_STOCK = "back_in_stock"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Alert:
    kind: AlertKind
    option_keys: tuple[str, ...]  # whose baselines move when it is told
    name: str | None = None
    price: Decimal | None = None
    was: Decimal | None = None
    currency: str | None = None


def rules_of(stored: object) -> AlertRules:
    return DEFAULT_RULES if stored is None else msgspec.convert(stored, AlertRules)


def changed_percent(price: Decimal, baseline: Decimal) -> Decimal:
    return (price - baseline) / baseline * 100


def alerts_of(
    before: Mapping[str, OptionState], after: Sequence[OptionState], rules: AlertRules
) -> list[Alert]:
    """At most one of each kind; of several options the one that changed most speaks for all."""
    found = [
        _price_alert(AlertKind.PRICE_DOWN, before, after, rules.price_down),
        _price_alert(AlertKind.PRICE_UP, before, after, rules.price_up),
        _stock_alert(before, after) if rules.back_in_stock else None,
    ]
    return [each for each in found if each is not None]


def _price_alert(
    kind: AlertKind,
    before: Mapping[str, OptionState],
    after: Sequence[OptionState],
    percent: float | None,
) -> Alert | None:
    if percent is None:
        return None
    changed: list[tuple[Decimal, OptionState]] = []
    for option in after:
        known = before.get(option.option_key)
        if known is None or option.price is None or not option.baseline:
            continue
        if known.currency != option.currency:
            continue
        change = changed_percent(option.price, option.baseline)
        if kind == AlertKind.PRICE_DOWN:
            change = -change
        if change > 0 and change >= Decimal(str(percent)):
            changed.append((change, option))
    if not changed:
        return None
    _, most = max(changed, key=lambda each: each[0])
    keys = tuple(each.option_key for _, each in changed)
    return Alert(kind, keys, most.name, most.price, most.baseline, most.currency)


def _stock_alert(before: Mapping[str, OptionState], after: Sequence[OptionState]) -> Alert | None:
    back = [
        each
        for each in after
        if each.availability == Availability.IN_STOCK
        and (known := before.get(each.option_key)) is not None
        and known.availability == Availability.OUT_OF_STOCK
    ]
    if not back:
        return None
    first = back[0]
    return Alert(AlertKind.BACK_IN_STOCK, (), first.name, first.price, None, first.currency)


def plain_rules(rules: AlertRules) -> dict[str, Any]:
    return dict(msgspec.to_builtins(rules))
