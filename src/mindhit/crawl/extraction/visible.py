"""Price and stock as people see them. Heuristics over the page, for shops without usable markup.

A price is a short text with an amount, in an element that is named for prices, near the page's heading,
and not one that is crossed out, of another product, or of the delivery.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mindhit.crawl.extraction.documents import SMALL, size_of
from mindhit.crawl.extraction.money import Money, amounts_in, currency_of, money_of
from mindhit.crawl.model import Availability

_NAMED: Final = re.compile(
    r"price|preis|prix|precio|prezzo|preco|cena|prisjakt|amount|cost|value|hinta|pris\b",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"current|sale|final|now|our|offer|promo|main|buy|deal|special|actual|total|sell", re.IGNORECASE
)
_OLD: Final = re.compile(
    r"old|was|list-?price|regular|before|cross|strike|rrp|uvp|msrp|retail|previous|original|saving|save"
    r"|discount|per-?unit|unit-?price|perunit|base-?price|instal|month|ship|deliver|versand|tax|coupon|credit"
    r"|warranty|protect|insur|rating|review|count|quantity|qty|filter|range|slider|point|bonus|loyal",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(
    r"(?<![a-z])(?:relat|recommend|similar|upsell|cross-?sell|carousel|also|recent|sponsor|bundle|accessor|suggest"
    r"|footer|header|nav(?:bar|igation)?(?![a-z])|menu|basket|mini-?cart|slider|swiper|product-?list"
    r"|product-?tile|product-?card|teaser|aside|sidebar|compar|history|addon|popup|modal|other-?sellers|olp|mbc)",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(r"\d")
_BARE: Final = re.compile(r"[\d.,'’\s]+[-–]*")
# Beside an amount that is not what is asked now: list prices, instalments, starting prices.
_OLD_WORDS: Final = re.compile(
    r"\b(?:list price|rrp|msrp|was|statt|uvp|listino|prix conseill[ée]|au lieu de|antes|normal|regular|per month"
    r"|starting|estimate|shipping|versand|delivery|ab \d|save|you save|deposit)\b|建議售價|原價|定價|每期|現省|市價"
    r"|정가|배송비|할부|定価",
    re.IGNORECASE,
)
HINTED: Final = 2.0
MOST_AMOUNTS: Final = 4000  # texts with a digit that are looked at: a third of a second
LEAST: Final = 1.0  # a worse candidate is none
_REPEATED: Final = 4  # elements of one name: a list of other products
_OUT_WORDS: Final = re.compile(
    r"currently unavailable|out of stock|sold out|no longer available|not available|unavailable"
    r"|nicht (?:auf lager|verfügbar|lieferbar|vorrätig)|derzeit nicht|ausverkauft|vergriffen"
    r"|actuellement indisponible|indisponible|rupture de stock|épuisé"
    r"|non (?:è )?disponibile|attualmente non|esaurito|agotado|no disponible|sin stock|esgotado|indispon[ií]vel"
    r"|niedostępny|brak w magazynie|wyprzedan|vyprodáno|vypredané|není skladem|нет в наличии|распродан"
    r"|loppuunmyyty|udsolgt|slutsåld|uitverkocht|niet (?:leverbaar|op voorraad)|tükendi|stokta yok"
    r"|품절|일시품절|판매종료|売り切れ|在庫切れ|缺货|售罄|售完|完售|已售完|補貨中",
    re.IGNORECASE,
)
_BUY_WORDS: Final = re.compile(
    r"add to (?:cart|bag|basket|trolley)|buy (?:it )?now|in den warenkorb|in den einkaufswagen"
    r"|ajouter au panier|acheter|aggiungi al carrello|acquista|añadir|agregar al carro|comprar|adicionar"
    r"|do koszyka|kup teraz|do košíku|do košíka|в корзину|купить|lisää ostoskoriin|lägg i|læg i kurv"
    r"|in winkelwagen|sepete ekle|장바구니|구매하기|바로구매|カートに|購入|加入购物车|加入購物車|立即購買|adauga in cos"
    r"|lisa (?:ostu)?korvi|v košarico|u košaricu|place bid",
    re.IGNORECASE,
)
_STOCK_NAMED: Final = re.compile(
    r"stock|availab|verf[uü]gbar|disponib|inventory|skladem|lager|saatavuus", re.IGNORECASE
)
_UNSEEN: Final = frozenset({"script", "style", "noscript", "template", "svg", "option"})
_HIDDEN: Final = frozenset({"hidden", "aok-hidden", "d-none", "hide", "is-hidden", "u-hidden"})
_ASIDE: Final = frozenset({"footer", "nav", "aside"})
NEAR: Final = 400  # elements after the heading


@dataclass(frozen=True, slots=True)
class _Candidate:
    score: float
    place: int
    name: str
    money: Money


@dataclass(frozen=True, slots=True)
class _Element:
    place: int
    node: LexborNode
    text: str
    is_other: bool  # in a part about other things


@dataclass(frozen=True, slots=True)
class Looked:
    """A page as people see it: small elements with their texts, and where the heading is."""

    elements: tuple[_Element, ...]
    heading: int


def look(tree: LexborHTMLParser) -> Looked:
    body = tree.body
    if body is None:
        return Looked((), 0)
    heading = _heading(body)
    place_of_heading, found = 0, []
    for place, node, others in _walk(body, heading):
        if heading is not None and node.mem_id == heading.mem_id:
            place_of_heading = place
        text = _own_text(node)
        if text and len(text) <= 120:
            found.append(_Element(place, node, text, others))
    return Looked(tuple(found), place_of_heading)


def visible_price(looked: Looked, hints: frozenset[Decimal] = frozenset()) -> Money | None:
    """The best candidate; None where none is good enough. `hints`: amounts that the page names
    elsewhere, in its description or in data for scripts."""
    amounts = (each for each in looked.elements if _AMOUNT.search(each.text))
    made = (_candidate(each, looked.heading, hints) for each in islice(amounts, MOST_AMOUNTS))
    found = [each for each in made if each is not None]
    names = Counter(each.name for each in found)
    rated = [
        (
            each.score
            - (3 if each.name.strip() and names[each.name] > _REPEATED else 0)
            + (HINTED if each.money.amount in hints else 0),
            -each.place,
            each,
        )
        for each in found
    ]
    best = max(rated, key=lambda each: each[:2], default=None)
    return best[2].money if best is not None and best[0] >= LEAST else None


def visible_availability(looked: Looked) -> str | None:
    """Words for sold out in an element that is named for stock, or near the heading where nothing can
    be bought; else a button to buy."""
    buys = sold_out = False
    for each in looked.elements:
        if each.is_other:
            continue
        if _BUY_WORDS.search(each.text) and not _is_disabled(each.node):
            buys = True
        if _OUT_WORDS.search(each.text):
            if _is_stock(each.node):
                return Availability.OUT_OF_STOCK
            is_near = looked.heading <= each.place <= looked.heading + NEAR
            sold_out = sold_out or (is_near and len(each.text) < 60)
    if sold_out and not buys:
        return Availability.OUT_OF_STOCK
    return Availability.IN_STOCK if buys else None


def _walk(body: LexborNode, heading: LexborNode | None) -> Iterator[tuple[int, LexborNode, bool]]:
    """Elements in order, each with its place and whether it is in a part about other things. What
    holds the page's heading is about the product, however it is named."""
    about = _around(heading)
    stack: list[tuple[LexborNode, bool]] = [(body, False)]
    place = 0
    while stack:
        node, others = stack.pop()
        if not node.is_element_node or node.tag in _UNSEEN or _is_hidden(node):
            continue
        place += 1
        if not others and node.mem_id not in about:
            others = node.tag in _ASIDE or bool(_OTHER.search(_marks(node)))
        yield place, node, others
        children: list[LexborNode] = []
        child = node.child
        while child is not None:
            if child.is_element_node:
                children.append(child)
            child = child.next
        stack.extend((each, others) for each in reversed(children))


def _heading(body: LexborNode) -> LexborNode | None:
    """The one that the title names; else the first."""
    found = [each for each in body.css("h1") if each.text(deep=True).strip()]
    title = body.parent.css_first("title") if body.parent is not None else None
    named = " ".join(title.text().split()).casefold() if title is not None else ""
    for each in found:
        if " ".join(each.text(deep=True, separator=" ").split()).casefold() in named:
            return each
    return found[0] if found else None


def _around(node: LexborNode | None) -> set[int]:
    found: set[int] = set()
    while node is not None:
        found.add(node.mem_id)
        node = node.parent
    return found


def _marks(node: LexborNode) -> str:
    attributes = node.attributes
    return " ".join(
        str(attributes.get(name) or "")
        for name in ("class", "id", "itemprop", "data-test", "data-testid", "data-qa", "data-hook")
    )


def _own_text(node: LexborNode) -> str:
    """Its text where it is small: of elements with much inside, nothing."""
    text = node.text(deep=True, separator=" ") if size_of(node) <= SMALL else node.text(deep=False)
    return " ".join(text.split())[:200]


def _candidate(element: _Element, heading: int, hints: frozenset[Decimal]) -> _Candidate | None:
    node, place, text = element.node, element.place, element.text
    if len(text) > 60 or not _AMOUNT.search(text):
        return None
    marked = _marks(node)
    is_named = bool(_NAMED.search(marked))
    currency = currency_of(text)
    # "365" may be the price that a script names; "365 by Whole Foods" is not.
    is_hinted = _BARE.fullmatch(text) and hints.intersection(amounts_in(text))
    if not is_named and currency is None and not is_hinted:
        return None
    if "%" in text or re.search(r"[/|]\s*\w+\s*$|\bper\b|\bfrom\b\s*$", text, re.IGNORECASE):
        return None
    money = money_of(text)
    if money is None or money.amount == 0:
        return None
    score = _score(node, marked, text, is_named=is_named, has_currency=currency is not None)
    after = place - heading
    score += 3 if 0 <= after <= 150 else 1.5 if 0 <= after <= NEAR else 0
    score -= 0 if after >= 0 else 1.5
    score -= 6 if element.is_other else 0
    return _Candidate(score, place, marked, money)


def _score(
    node: LexborNode, marked: str, text: str, *, is_named: bool, has_currency: bool
) -> float:
    score = 2.0 * is_named + 2.0 * has_currency
    name = node.attributes.get("id") or ""
    # An id is one element's own, unless it is numbered.
    score += 1.5 if _NAMED.search(name) and not re.search(r"\d", name) else 0
    score -= 3 if _OLD_WORDS.search(_context(node, text)) else 0
    score += 1.5 if _NOW.search(marked) else 0
    around = marked
    parent = node.parent
    for _ in range(3):
        if parent is None or parent.tag == "body":
            break
        around += " " + _marks(parent)
        parent = parent.parent
    score += 1 if not is_named and _NAMED.search(around) else 0
    score -= 4 if _is_struck(node) or _OLD.search(marked) else 0
    score -= 1.5 if _OLD.search(around) else 0
    score -= 1 if len(amounts_in(text)) > 1 else 0
    score -= 1 if len(text) > 25 else 0
    return score


def _context(node: LexborNode, text: str) -> str:
    """With the label beside it: the parent's text where that is short."""
    parent = node.parent
    if parent is None or size_of(parent) > SMALL:
        return text
    around = " ".join(parent.text(deep=True, separator=" ").split())
    return around if len(around) <= 60 and len(amounts_in(around)) <= 1 else text


def _is_struck(node: LexborNode) -> bool:
    current: LexborNode | None = node
    for _ in range(4):
        if current is None:
            return False
        if current.tag in {"del", "s", "strike"} or "line-through" in (
            current.attributes.get("style") or ""
        ):
            return True
        current = current.parent
    return False


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if "hidden" in attributes or "display:none" in (attributes.get("style") or "").replace(" ", ""):
        return True
    return bool(_HIDDEN & set((attributes.get("class") or "").split()))


def _is_disabled(node: LexborNode) -> bool:
    return (
        "disabled" in node.attributes or "disabled" in (node.attributes.get("class") or "").split()
    )


def _is_stock(node: LexborNode) -> bool:
    parent = node.parent
    around = _marks(node) + (f" {_marks(parent)}" if parent is not None else "")
    return bool(_STOCK_NAMED.search(around))
