"""Amounts and currencies, as shops write them. Pure.

"34.000" is thirty-four thousand in Jakarta and thirty-four in a JSON document. In text a separator with
three digits behind it groups; in data a point is always a decimal point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

LARGEST: Final = Decimal(10) ** 13  # numeric(18, 4) has room for one more digit
_SYMBOLS: Final = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "JPY", "₩": "KRW", "원": "KRW", "₹": "INR", "₽": "RUB",
    "руб": "RUB", "zł": "PLN", "kč": "CZK", "kn": "HRK", "lei": "RON", "ron": "RON", "₺": "TRY",
    "tl": "TRY", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "r$": "BRL", "rp": "IDR", "rs": "PKR",
    "us$": "USD", "nt$": "TWD", "hk$": "HKD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD",
    "s$": "SGD", "nz$": "NZD", "mx$": "MXN", "chf": "CHF", "fr.": "CHF", "ر.س": "SAR", "sar": "SAR",
    "د.إ": "AED", "aed": "AED", "円": "JPY", "元": "CNY", "лв": "BGN", "ft": "HUF", "грн": "UAH",
    "₴": "UAH", "kr": "SEK", "ден": "MKD", "$": "USD",
}  # fmt: skip
_CODES: Final = frozenset(
    [
        "AED",
        "ARS",
        "AUD",
        "BGN",
        "BRL",
        "BYN",
        "CAD",
        "CHF",
        "CLP",
        "CNY",
        "COP",
        "CZK",
        "DKK",
        "EGP",
        "EUR",
        "GBP",
        "HKD",
        "HRK",
        "HUF",
        "IDR",
        "ILS",
        "INR",
        "JPY",
        "KRW",
        "KWD",
        "KZT",
        "MAD",
        "MXN",
        "MYR",
        "NGN",
        "NOK",
        "NZD",
        "PEN",
        "PHP",
        "PKR",
        "PLN",
        "QAR",
        "RON",
        "RSD",
        "RUB",
        "SAR",
        "SEK",
        "SGD",
        "THB",
        "TRY",
        "TWD",
        "UAH",
        "USD",
        "VND",
        "ZAR",
    ]
)
_SYMBOL: Final = re.compile(
    "|".join(
        (rf"(?<![^\W\d_]){re.escape(each)}(?![^\W\d_])" if each[-1].isalpha() else re.escape(each))
        for each in sorted(_SYMBOLS, key=len, reverse=True)
    ),
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"(?<![A-Z])([A-Z]{3})(?![A-Za-z])")
_SPACES: Final = "\u00a0\u202f\u2009 "
# Spaces and apostrophes only group thousands: "881,00 169,00" are two amounts.
_NUMBER: Final = re.compile(
    rf"\d{{1,3}}(?:[{_SPACES}'’]\d{{3}})+(?!\d)(?:[.,]\d{{1,4}})?|\d[\d.,]*\d|\d"
)
_DATA: Final = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
_DASHES: Final = re.compile(r"(\d)[.,]\s?[-–—]+")  # 25,-


@dataclass(frozen=True, slots=True)
class Money:
    amount: Decimal
    currency: str | None = None


def currency_of(text: str | None) -> str | None:
    """The ISO code of a currency that a text names."""
    if not text:
        return None
    if (whole := text.strip().upper()) in _CODES:
        return whole
    for code in _CODE.findall(text):
        if code in _CODES:
            return str(code)
    found = _SYMBOL.search(text)
    return _SYMBOLS[found[0].lower()] if found else None


def amount_of_data(value: object) -> Decimal | None:
    """Of a number in a document for machines: a point is a decimal point."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _checked(str(value))
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _DATA.fullmatch(text):
        return _checked(text)
    money = money_of(text)
    return money.amount if money else None


def money_of(text: str) -> Money | None:
    """The first amount in a text, with the currency beside it."""
    text = _DASHES.sub(r"\1", text)
    found = _NUMBER.search(text)
    if found is None:
        return None
    amount = _checked(_plain(found[0].strip(_SPACES)))
    if amount is None:
        return None
    around = text[max(0, found.start() - 12) : found.end() + 12]
    return Money(amount, currency_of(around))


def amounts_in(text: str) -> list[Decimal]:
    found = (
        _checked(_plain(each.strip(_SPACES))) for each in _NUMBER.findall(_DASHES.sub(r"\1", text))
    )
    return [each for each in found if each is not None]


def _plain(number: str) -> str:
    """With a point before the decimals and nothing else."""
    number = re.sub(rf"[{_SPACES}'’]", "", number)
    comma, point = number.rfind(","), number.rfind(".")
    last = max(comma, point)
    if last < 0:
        return number
    decimals = len(number) - last - 1
    separator = number[last]
    is_only_kind = min(comma, point) < 0
    groups = is_only_kind and (number.count(separator) > 1 or decimals == 3)
    if groups and not (decimals == 3 and number.startswith("0")):
        return number.replace(",", "").replace(".", "")
    return re.sub(r"[.,]", "", number[:last]) + "." + number[last + 1 :]


def _checked(number: str) -> Decimal | None:
    try:
        amount = Decimal(number)
    except InvalidOperation:
        return None
    if not amount.is_finite() or not 0 <= amount < LARGEST:
        return None
    return Decimal(f"{amount.quantize(Decimal('0.0001')).normalize():f}")
