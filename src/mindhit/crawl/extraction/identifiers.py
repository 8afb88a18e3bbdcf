"""Article numbers: as the page labels them, as its forms carry them, as its address has them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mindhit.crawl.extraction.documents import SMALL, size_of

_LABEL: Final = re.compile(
    r"(?:sku|asin|item (?:number|no\.?|code|id|#)|article (?:number|no\.?)|product (?:code|number|id|no\.?)"
    r"|catalog(?:ue)? (?:number|no\.?)|style (?:number|no\.?|code)|web code"
    r"|artikel-?(?:nummer|nr\.?)|art\.?-?\s?nr\.?|bestell-?(?:nummer|nr\.?)|produktnummer"
    r"|r[ée]f(?:[ée]rence|\.)?|code article|cod(?:ice)?\.?(?: prodotto| articolo)?|c[óo]d(?:igo)?\.?(?: de producto| do produto)?"
    r"|numer (?:ref\.?|referencyjny|katalogowy|produktu)|kod(?: produktu| produs| proizvoda| izdelka)?|kód(?: produktu)?|šifra"
    r"|tootekood|tuotenumero|varenr\.?|varenummer|артикул|код товара|상품\s?번호|상품코드|품번|商品編號|商品编号|商品番号|貨號|מק\"ט"
    r"|ref)",
    re.IGNORECASE,
)
_LABELLED: Final = re.compile(
    rf"(?<![\w])(?:{_LABEL.pattern})\s*[:#.\-–]*\s*[:#]?\s*([A-Z0-9][A-Z0-9./_\-]{{2,30}}[A-Z0-9])(?![\w])",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(rf"\s*(?:{_LABEL.pattern})\s*[:#.]*\s*", re.IGNORECASE)
_VALUE: Final = re.compile(r"[A-Z0-9][A-Z0-9./_\-]{2,30}", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?<![a-z])(?:sku|(?:product|article|item)[-_]?(?:reference|code|number|nr|no|id))(?![a-z])",
    re.IGNORECASE,
)
_MARKED: Final = (
    "class",
    "id",
    "itemprop",
    "data-qa-qualifier",
    "data-testid",
    "data-qa",
    "data-test",
)
_SCRIPT: Final = re.compile(r"""["']sku["']\s*:\s*["']([A-Za-z0-9][\w./\-]{2,30})["']""")
MOST: Final = 20
_ATTRIBUTES: Final = (
    "data-sku", "data-product-sku", "data-asin", "data-product-code", "data-item-id", "data-article-number",
    "data-product-id", "data-productid", "data-pid", "data-itemid", "data-product", "data-id-product",
)  # fmt: skip
_INPUTS: Final = frozenset(
    [
        "sku",
        "asin",
        "productid",
        "product_id",
        "product-id",
        "pid",
        "itemid",
        "item_id",
        "id_product",
        "productcode",
        "product_code",
        "goodsno",
        "goods_no",
        "products_id",
        "prodid",
    ]
)
_IN_URL: Final = re.compile(r"[A-Za-z]{0,4}\d{4,}[A-Za-z0-9]*|[A-Z0-9]{10}")
_QUERY: Final = ("sku", "pid", "productid", "product_id", "variationid", "id", "itemid", "prodid")


def labelled(tree: LexborHTMLParser) -> list[str]:
    """What stands behind a word for article number, or in an element that is named for one."""
    body = tree.body
    if body is None:
        return []
    found: list[str] = []
    for node in body.css("li, p, span, div, td, th, dt, dd, small, strong, b, h2, h3, h4, label"):
        text = _short_text(node)
        if text is None:
            continue
        value = _labelled_in(node, text)
        if value and any(each.isdigit() for each in value) and value not in found:
            found.append(value)
            if len(found) >= MOST:
                break
    return found


def _labelled_in(node: LexborNode, text: str) -> str | None:
    match = _LABELLED.search(text)
    if match:
        return str(match[1]).rstrip(".")
    if _ALONE.fullmatch(text):
        value = _next_text(node)
        return value if value and _VALUE.fullmatch(value) else None
    attributes = node.attributes
    marks = " ".join(str(attributes.get(each) or "") for each in _MARKED)
    return text if _NAMED.search(marks) and _VALUE.fullmatch(text) else None


def in_scripts(html: str) -> str | None:
    """The only article number that the page's scripts name; None where they name several."""
    found = set(_SCRIPT.findall(html))
    return found.pop() if len(found) == 1 else None


def alike(one: str, other: str) -> bool:
    """The same letters and digits: 002.937.72 and 00293772."""
    plain = [re.sub(r"[^a-z0-9]", "", each.casefold()) for each in (one, other)]
    return plain[0] == plain[1]


def in_forms(tree: LexborHTMLParser) -> list[str]:
    """In hidden fields and attributes for scripts, the most frequent first."""
    found: Counter[str] = Counter()
    for node in tree.css("input[type=hidden], input[name]"):
        name = (node.attributes.get("name") or node.attributes.get("id") or "").lower()
        value = (node.attributes.get("value") or "").strip()
        if name.rsplit(".", 1)[-1].strip("[]") in _INPUTS and _VALUE.fullmatch(value):
            found[value] += 3
    for name in _ATTRIBUTES:
        for node in tree.css(f"[{name}]")[:20]:
            value = (node.attributes.get(name) or "").strip()
            if _VALUE.fullmatch(value) and any(each.isdigit() for each in value):
                found[value] += 1
    return [value for value, _ in found.most_common(20)]


def in_address(url: str) -> list[str]:
    """Numbers in an address that may be the article's, the likeliest first."""
    parts = urlsplit(url)
    query = {
        name.lower(): value
        for name, value in parse_qsl(parts.query) + parse_qsl(parts.fragment)
        if re.fullmatch(r"[A-Za-z0-9_\-]{3,30}", value) and any(e.isdigit() for e in value)
    }
    named = [query[name] for name in _QUERY if name in query]
    segments = [each for each in unquote(parts.path).split("/") if each]
    found = [
        value
        for segment in reversed(segments)
        for value in reversed(_IN_URL.findall(re.sub(r"\.\w{2,5}$", "", segment)))
    ]
    return [*named, *found]


def _short_text(node: LexborNode) -> str | None:
    if size_of(node) > SMALL:
        return None
    text = " ".join(node.text(deep=True, separator=" ").split())
    return text if 2 < len(text) <= 80 else None


def _next_text(node: LexborNode) -> str | None:
    following = node.next
    while following is not None:
        text = " ".join(following.text(deep=True, separator=" ").split())
        if text:
            return text.strip(" :#")
        following = following.next
    return None
