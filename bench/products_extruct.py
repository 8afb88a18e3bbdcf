"""extruct's side of bench/products.py, run by the Python of its own environment.

Pages come as JSON on stdin, what extruct finds goes to stdout: the first Product of JSON-LD, else of
microdata, else OpenGraph's product tags. It imports nothing of ours.
"""

import json
import sys
from importlib import import_module
from typing import Any

SYNTAXES = ["json-ld", "microdata", "opengraph"]


def first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def is_product(node: Any) -> bool:
    kinds = node.get("@type") if isinstance(node, dict) else None
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return any(str(each).rsplit("/", 1)[-1] == "Product" for each in kinds)


def flat(nodes: Any) -> list[Any]:
    found = []
    for node in nodes if isinstance(nodes, list) else [nodes]:
        if isinstance(node, dict):
            found.append(node)
            found += flat(node.get("@graph", []))
    return found


def price_of(value: Any) -> str | None:
    if value in (None, ""):
        return None
    parsed = import_module("price_parser").Price.fromstring(str(value))
    return None if parsed.amount is None else str(parsed.amount)


def read(page: dict[str, str]) -> dict[str, str | None]:
    extruct = import_module("extruct")
    try:
        data = extruct.extract(
            page["html"], base_url=page["url"], syntaxes=SYNTAXES, uniform=True, errors="ignore"
        )
    except Exception:  # noqa: BLE001  a page that it can't read has no answer
        data = {}
    nodes = flat(data.get("json-ld", [])) + flat(data.get("microdata", []))
    product = next(filter(is_product, nodes), None)
    if product is None:
        tags = first(data.get("opengraph", [])) or {}
        price = tags.get("product:price:amount") or tags.get("og:price:amount")
        return {"price": price_of(price), "availability": None, "sku": None}
    offer = first(product.get("offers")) or {}
    offer = offer if isinstance(offer, dict) else {}
    stock = str(offer.get("availability") or "").rsplit("/", 1)[-1]
    sku = product.get("sku")
    return {
        "price": price_of(offer.get("price") or offer.get("lowPrice")),
        "availability": stock if stock in {"InStock", "OutOfStock"} else None,
        "sku": str(first(sku)) if sku else None,
    }


if __name__ == "__main__":
    json.dump([read(page) for page in json.load(sys.stdin)], sys.stdout)
