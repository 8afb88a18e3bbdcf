"""What a page has for machines: JSON-LD, microdata, RDFa, meta tags. Tolerant: shops' markup is often broken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

Json = dict[str, Any]
MOST_NODES: Final = 5000
DEEPEST: Final = 40
SMALL: Final = 12  # elements
DEEPEST_TREE: Final = 200  # of elements within one item
_COMMENT: Final = re.compile(r"/\*.*?\*/|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)
_CDATA: Final = re.compile(r"^\s*(?://)?\s*(?:<!\[CDATA\[|<!--)|(?://)?\s*(?:\]\]>|-->)\s*;?\s*$")
_TRAILING: Final = re.compile(r",\s*([}\]])")
_SOLD: Final = re.compile(r"(Product|IndividualProduct|ProductModel|Offer|AggregateOffer)$")
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")
_BAD_ESCAPE: Final = re.compile(r"\\(?![\"\\/bfnrtu])(?<!\\\\)")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_VOCABULARY: Final = re.compile(r"(?:schema:|https?://schema\.org/)(?=\w)")
MOST_VALUES: Final = 50  # in one block
_MISSING: Final = re.compile(r"([}\]\"])\s*\n\s*([{\"])")


def json_ld(tree: LexborHTMLParser) -> list[Json]:
    """All nodes of all blocks, flat, in order."""
    found: list[Json] = []
    for script in tree.css('script[type*="ld+json" i]'):
        value = tolerant_json(script.text(deep=True))
        found.extend(_nodes(value))
        if len(found) > MOST_NODES:
            break
    return found[:MOST_NODES]


def tolerant_json(text: str) -> Any:
    """None where it can't be read. Comments, control characters, escapes that there are none, trailing and
    missing commas, several values in a row and a missing end are."""
    text = _CDATA.sub("", text.strip("\ufeff \t\r\n")).strip().rstrip(";")
    if not text:
        return None
    plain = _BAD_ESCAPE.sub("", _CONTROL.sub(" ", text))
    tries: tuple[Callable[[], str], ...] = (
        lambda: text,
        lambda: plain,
        lambda: _TRAILING.sub(
            r"\1", _BAD_ESCAPE.sub("", _CONTROL.sub(" ", _COMMENT.sub("", text)))
        ),
        lambda: _TRAILING.sub(r"\1", _CONTROL.sub(" ", _MISSING.sub(r"\1,\2", text))),
        lambda: unescape(plain),
    )
    for make in tries:
        try:
            return json.loads(make(), strict=False)
        except (ValueError, RecursionError):
            continue
    return _first_values(plain) or _parsed(_closed(plain))


def _first_values(text: str) -> Any:
    """Of several, a list of them, as far as they can be read: something may stand behind the document."""
    decoder, found, at = json.JSONDecoder(strict=False), list[Any](), 0
    try:
        while at < len(text) and len(found) < MOST_VALUES:
            value, at = decoder.raw_decode(text, at)
            found.append(value)
            at += len(text[at:]) - len(text[at:].lstrip(" ,;"))
    except (ValueError, RecursionError):
        pass
    known = [each for each in found if isinstance(each, dict | list)]
    return known[0] if len(known) == 1 else known


def _closed(text: str) -> str:
    """With the brackets that are missing at its end."""
    missing = list[str]()
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{" | "[":
                missing.append("}" if token[0] == "{" else "]")
            case "}" | "]" if missing:
                missing.pop()
    return text.rstrip(", ") + "".join(reversed(missing))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _nodes(value: Any, depth: int = 0) -> Iterator[Json]:
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _nodes(each, depth + 1)
    elif isinstance(value, dict):
        value = _unprefixed(value, depth)
        yield value
        for name in (
            "@graph",
            "mainEntity",
            "itemOffered",
            "mainEntityOfPage",
            "itemListElement",
            "item",
        ):
            if isinstance(value.get(name), dict | list):
                yield from _nodes(value[name], depth + 1)


def _unprefixed(value: Any, depth: int) -> Any:
    """With schema.org's names for its properties, where a context has them as `schema:name`."""
    if depth > DEEPEST or not isinstance(value, dict):
        return value
    if not any(_VOCABULARY.match(name) for name in value):
        return value
    return {_VOCABULARY.sub("", n, count=1): _unprefixed(v, depth + 1) for n, v in value.items()}


def joined(url: str, address: str | None) -> str | None:
    """An address on the page `url`, absolute; None where it is none ("http://[x")."""
    try:
        return urljoin(url, address) if address else None
    except ValueError:
        return None


def types_of(node: Json) -> set[str]:
    kind = node.get("@type")
    kinds = kind if isinstance(kind, list) else [kind]
    return {str(each).rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for each in kinds if each}


def meta(tree: LexborHTMLParser) -> dict[str, str]:
    """By lower-case name or property; the first counts."""
    found: dict[str, str] = {}
    for node in tree.css("meta"):
        name = node.attributes.get("property") or node.attributes.get("name")
        content = node.attributes.get("content")
        if name and content and content.strip():
            found.setdefault(name.strip().lower(), content.strip())
    return found


@dataclass(frozen=True, slots=True)
class _Markup:
    """How elements say what they are, and what of them."""

    kind: str
    properties: tuple[str, ...]

    def kind_of(self, node: LexborNode) -> str:
        return (node.attributes.get(self.kind) or "").strip("/ ")

    def names(self, node: LexborNode) -> list[str]:
        said = " ".join(node.attributes.get(each) or "" for each in self.properties)
        return [re.split(r"[:/#]", each)[-1] for each in said.split()]


_MICRODATA: Final = _Markup("itemtype", ("itemprop",))
_RDFA: Final = _Markup("typeof", ("property", "rel"))


def microdata(tree: LexborHTMLParser) -> list[Json]:
    """Items as JSON-LD would have them."""
    return _items(tree, _MICRODATA, "[itemscope][itemtype]")


def rdfa(tree: LexborHTMLParser) -> list[Json]:
    return _items(tree, _RDFA, "[typeof]")


def _items(tree: LexborHTMLParser, markup: _Markup, scopes: str) -> list[Json]:
    found = []
    for scope in tree.css(scopes):
        kind = markup.kind_of(scope)
        if _SOLD.search(kind):
            if _inside(scope, markup, "Product") and "Offer" in kind:
                continue
            found.append(_item(scope, markup, 0))
        if len(found) > 200:
            break
    return found


def _inside(node: LexborNode, markup: _Markup, kind: str) -> bool:
    parent = node.parent
    while parent is not None:
        if kind in markup.kind_of(parent):
            return True
        parent = parent.parent
    return False


def _item(scope: LexborNode, markup: _Markup, depth: int) -> Json:
    item: Json = {"@type": re.split(r"[:/]", markup.kind_of(scope))[-1]}
    if depth < 6:
        _properties(scope, markup, item, depth)
    return item


def _properties(node: LexborNode, markup: _Markup, item: Json, depth: int, level: int = 0) -> None:
    child = node.child if level < DEEPEST_TREE else None
    while child is not None:
        if child.is_element_node:
            is_scope = "itemscope" in child.attributes or markup.kind in child.attributes
            names = markup.names(child)
            inner = child
            if not is_scope and names and markup is _RDFA and (only := _only_scope(child)):
                inner, is_scope = only, True
            value = (
                (_item(inner, markup, depth + 1) if is_scope else _value(child)) if names else None
            )
            for name in names:
                if value not in (None, ""):
                    _add(item, name, value)
            if not is_scope:
                _properties(child, markup, item, depth, level + 1)
        child = child.next


def _only_scope(node: LexborNode) -> LexborNode | None:
    """RDFa may name the property on an element around that of the item."""
    if node.attributes.get("rel") is None:
        return None
    child = node.child
    while child is not None and not child.is_element_node:
        child = child.next
    return child if child is not None and "typeof" in child.attributes else None


def _add(item: Json, name: str, value: Any) -> None:
    if name not in item:
        item[name] = value
    elif name == "offers":
        known = item[name] if isinstance(item[name], list) else [item[name]]
        item[name] = [*known, value]


def _value(node: LexborNode) -> str:
    attributes = node.attributes
    for name in ("content", "datetime", "value"):
        if attributes.get(name):
            return str(attributes[name]).strip()
    if node.tag in {"a", "link", "img"} and (attributes.get("href") or attributes.get("src")):
        return str(attributes.get("href") or attributes.get("src"))
    return " ".join(node.text(separator=" ").split())


def size_of(node: LexborNode) -> int:
    """How many elements it holds, as far as that is few: texts of large ones, taken one by one, would
    cost the square of the page."""
    count, stack = 0, [node]
    while stack and count <= SMALL:
        child = stack.pop().child
        while child is not None and count <= SMALL:
            if child.is_element_node:
                count += 1
                stack.append(child)
            child = child.next
    return count
