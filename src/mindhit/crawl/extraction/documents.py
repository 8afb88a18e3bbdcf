"""What a page has for machines: JSON-LD, microdata, meta tags. Tolerant: shops' markup is often broken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

Json = dict[str, Any]
MOST_NODES: Final = 5000
DEEPEST: Final = 40
SMALL: Final = 12  # elements
DEEPEST_TREE: Final = 200  # of elements within one item
_COMMENT: Final = re.compile(r"/\*.*?\*/|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)
_CDATA: Final = re.compile(r"^\s*(?://)?\s*(?:<!\[CDATA\[|<!--)|(?://)?\s*(?:\]\]>|-->)\s*;?\s*$")
_TRAILING: Final = re.compile(r",\s*([}\]])")
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")
_MISSING: Final = re.compile(r"([}\]\"])\s*\n\s*([{\"])")


def json_ld(tree: LexborHTMLParser) -> list[Json]:
    """All nodes of all blocks, flat, in order."""
    found: list[Json] = []
    for script in tree.css('script[type*="ld+json"]'):
        value = tolerant_json(script.text(deep=True))
        found.extend(_nodes(value))
        if len(found) > MOST_NODES:
            break
    return found[:MOST_NODES]


def tolerant_json(text: str) -> Any:
    """None where it can't be read. Comments, control characters, trailing and missing commas are."""
    text = _CDATA.sub("", text.strip()).strip().rstrip(";")
    if not text:
        return None
    tries: tuple[Callable[[], str], ...] = (
        lambda: text,
        lambda: _CONTROL.sub(" ", text),
        lambda: _TRAILING.sub(r"\1", _CONTROL.sub(" ", _COMMENT.sub("", text))),
        lambda: _TRAILING.sub(r"\1", _CONTROL.sub(" ", _MISSING.sub(r"\1,\2", text))),
        lambda: unescape(_CONTROL.sub(" ", text)),
    )
    for make in tries:
        try:
            return json.loads(make(), strict=False)
        except (ValueError, RecursionError):
            continue
    return _first_value(_CONTROL.sub(" ", text))


def _first_value(text: str) -> Any:
    """Where something stands behind the document."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _nodes(value: Any, depth: int = 0) -> Iterator[Json]:
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _nodes(each, depth + 1)
    elif isinstance(value, dict):
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


def microdata(tree: LexborHTMLParser) -> list[Json]:
    """Items as JSON-LD would have them."""
    found = []
    for scope in tree.css("[itemscope][itemtype]"):
        kind = scope.attributes.get("itemtype") or ""
        if re.search(r"(Product|IndividualProduct|ProductModel|Offer|AggregateOffer)/?\s*$", kind):
            if _inside_scope(scope, "Product") and "Offer" in kind:
                continue
            found.append(_item(scope, 0))
        if len(found) > 200:
            break
    return found


def _inside_scope(node: LexborNode, kind: str) -> bool:
    parent = node.parent
    while parent is not None:
        if kind in (parent.attributes.get("itemtype") or ""):
            return True
        parent = parent.parent
    return False


def _item(scope: LexborNode, depth: int) -> Json:
    item: Json = {"@type": (scope.attributes.get("itemtype") or "").rstrip("/ ").rsplit("/", 1)[-1]}
    if depth < 6:
        _properties(scope, item, depth)
    return item


def _properties(node: LexborNode, item: Json, depth: int, level: int = 0) -> None:
    child = node.child if level < DEEPEST_TREE else None
    while child is not None:
        if child.is_element_node:
            names = (child.attributes.get("itemprop") or "").split()
            is_scope = "itemscope" in child.attributes
            value = (_item(child, depth + 1) if is_scope else _value(child)) if names else None
            for name in names:
                if value not in (None, ""):
                    _add(item, name, value)
            if not is_scope:
                _properties(child, item, depth, level + 1)
        child = child.next


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
