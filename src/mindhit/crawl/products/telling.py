"""Telling people of a change: once per product, kind and day, in the transaction that made it."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from mindhit import accounts, delivery
from mindhit.accounts import UserId
from mindhit.crawl import metrics, store
from mindhit.crawl.model import AlertRules, ProductId, SchedulerId
from mindhit.crawl.products.alerts import Alert, AlertKind, rules_of
from mindhit.db import Tx
from mindhit.delivery import NewNotice, NoticeKind

# Behind the amount, as Koreans write prices; other currencies keep their code.
_KOREAN_UNITS: Final = {
    "KRW": "원",
    "USD": "달러",
    "EUR": "유로",
    "JPY": "엔",
    "CNY": "위안",
    "GBP": "파운드",
}
_TITLES: Final = {
    "en": {
        AlertKind.PRICE_DOWN: "Price drop: {title}",
        AlertKind.PRICE_UP: "Price increase: {title}",
        AlertKind.BACK_IN_STOCK: "Back in stock: {title}",
        AlertKind.GONE: "No longer listed: {title}",
    },
    "ko": {
        AlertKind.PRICE_DOWN: "가격이 내렸어요: {title}",
        AlertKind.PRICE_UP: "가격이 올랐어요: {title}",
        AlertKind.BACK_IN_STOCK: "다시 입고됐어요: {title}",
        AlertKind.GONE: "더 이상 판매하지 않아요: {title}",
    },
}
_PRICES: Final = {"en": "Now {price}, was {was}", "ko": "이전 {was} → 지금 {price}"}


async def rules_for(tx: Tx, user_id: UUID, scheduler_id: SchedulerId) -> AlertRules:
    stored: Any = await tx.maybe(store.alerts.OF_SCHEDULE, user_id, scheduler_id)
    return rules_of(stored)


async def tell(
    tx: Tx, user_id: UUID, product_id: ProductId, title: str, url: str, alert: Alert, now: datetime
) -> bool:
    """False where one of this kind was told today: what was held back is compared again tomorrow."""
    chosen = await accounts.show_preferences(tx, UserId(user_id))
    day = now.astimezone(ZoneInfo(chosen.timezone)).date()
    if await tx.maybe(store.alerts.ADD, user_id, product_id, alert.kind, day) is None:
        return False
    language = chosen.language if chosen.language in _TITLES else "en"
    notice = NewNotice(
        kind=NoticeKind.PRICE,
        key=f"price:{product_id}:{alert.kind}:{day}",
        title=_TITLES[language][alert.kind].format(title=title),
        body=_body(alert, language),
        url=url,
    )
    notice_id = await delivery.notify(tx, user_id, notice, now=now)
    await tx.run(store.alerts.TOLD, user_id, product_id, alert.kind, day, notice_id)
    metrics.ALERTS.labels(alert.kind).inc()
    return True


def _body(alert: Alert, language: str) -> str:
    lines = [alert.name] if alert.name else []
    if alert.price is not None and alert.was is not None:
        price, was = (money(each, alert.currency, language) for each in (alert.price, alert.was))
        lines.append(_PRICES[language].format(price=price, was=was))
    elif alert.price is not None:
        lines.append(money(alert.price, alert.currency, language))
    return "\n".join(lines)


def money(amount: Decimal, currency: str | None, language: str) -> str:
    """`12,900 KRW`, and in Korean `12,900원`."""
    plain = f"{amount.normalize():,f}"
    whole, _, part = plain.partition(".")
    shown = f"{whole}.{part.ljust(2, '0')}" if part else whole
    if currency is None:
        return shown
    if language == "ko" and currency in _KOREAN_UNITS:
        return f"{shown}{_KOREAN_UNITS[currency]}"
    return f"{shown} {currency}"
