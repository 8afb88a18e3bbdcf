"""A farm of shops on 127.0.0.x: listings with JSON-LD, products, options, and what goes wrong in shops.

Each shop is a `Site` of tests/fetching/kit.py whose pages are made when they are asked for, so that a
test changes a price by changing a number.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from aiohttp import web

from tests.fetching.kit import NO_ROBOTS, Site

CAPTCHA = "<title>Robot Check</title><script src='https://x.captcha-delivery.com/c.js'></script>"


@dataclass
class Thing:
    """What a shop sells. `variants`: price and stock by name, of shops that have them."""

    handle: str
    price: Decimal = Decimal("20.00")
    stock: bool = True
    variants: dict[str, tuple[Decimal, bool]] = field(default_factory=dict)
    currency: str = "EUR"
    is_malformed: bool = False

    @property
    def ld(self) -> dict[str, Any]:
        return {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": f"Thing {self.handle}",
            "sku": f"SKU-{self.handle}",
            "brand": {"@type": "Brand", "name": "Farm"},
            "offers": self._offers(),
        }

    def _offers(self) -> Any:
        def offer(price: Decimal, stock: bool, **more: Any) -> dict[str, Any]:
            availability = (
                "https://schema.org/InStock" if stock else "https://schema.org/OutOfStock"
            )
            money = {"price": str(price), "priceCurrency": self.currency}
            return {"@type": "Offer", **money, "availability": availability, **more}

        if not self.variants:
            return offer(self.price, self.stock)
        return [
            offer(price, stock, sku=f"{self.handle}-{name}", name=name)
            for name, (price, stock) in self.variants.items()
        ]


@dataclass
class Shop:
    """One shop. `fault` is what it answers instead of its pages: captcha, challenge, 403, 429, 500, soft404;
    `missing` is listed, but has no page; `refusals`: how often a path answers 500 before its page."""

    host: str
    things: dict[str, Thing] = field(default_factory=dict)
    per_page: int = 3
    fault: str | None = None
    delisted: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    refusals: dict[str, int] = field(default_factory=dict)
    site: Site = field(init=False)

    def __post_init__(self) -> None:
        self.site = Site(self.host, robots=NO_ROBOTS)
        self.site.pages["*"] = self.answer

    def add(self, *handles: str, **how: Any) -> Shop:
        for handle in handles:
            self.things[handle] = Thing(handle, **how)
        return self

    @property
    def listing(self) -> str:
        return self.site.url("/category/all")

    @property
    def collection(self) -> str:
        return self.site.url("/collections/all")

    def product(self, handle: str) -> str:
        return self.site.url(f"/product/{handle}")

    async def answer(self, request: web.Request) -> web.StreamResponse:
        faulty = self._fault()
        if faulty is not None:
            return faulty
        if self.refusals.get(request.path):
            self.refusals[request.path] -= 1
            return web.Response(status=500)
        words = [each for each in request.path.split("/") if each]
        match words:
            case ["category", "all"]:
                return self._listing(int(request.query.get("page", "1")))
            case ["collections", "all", "products.json"]:
                return self._collection(request)
            case ["product" | "products", name]:
                return self._product(name)
        return web.Response(status=404, text="nothing here")

    def _fault(self) -> web.Response | None:
        match self.fault:
            case "captcha":
                return web.Response(text=CAPTCHA, content_type="text/html")
            case "challenge":  # of no service that is known
                return _html("<title>Are you human?</title><h1>One moment</h1>")
            case "429":
                return web.Response(status=429, headers={"Retry-After": "60"})
            case "soft404":
                return _html("<title>Not found</title><h1>Page not found</h1><p>Sorry.</p>")
            case None:
                return None
        return web.Response(status=int(self.fault or 500))

    @property
    def _listed(self) -> list[Thing]:
        return [each for name, each in self.things.items() if name not in self.delisted]

    def _listing(self, page: int) -> web.Response:
        first = (page - 1) * self.per_page
        shown = self._listed[first : first + self.per_page]
        items = [
            {
                "@type": "ListItem",
                "position": at,
                "item": {
                    "@type": "Product",
                    "name": each.ld["name"],
                    "url": f"/product/{each.handle}",
                },
            }
            for at, each in enumerate(shown, first + 1)
        ]
        more = first + self.per_page < len(self._listed)
        following = f'<link rel="next" href="/category/all?page={page + 1}">' if more else ""
        ld = json.dumps({"@type": "ItemList", "itemListElement": items})
        return _html(f'{following}<script type="application/ld+json">{ld}</script><h1>All</h1>')

    def _collection(self, request: web.Request) -> web.Response:
        page = int(request.query.get("page", "1"))
        limit = int(request.query["limit"])
        shown = self._listed[(page - 1) * limit : page * limit]
        products = [
            {"handle": each.handle, "title": each.ld["name"], "vendor": "Farm", "images": []}
            for each in shown
        ]
        return web.json_response({"products": products})

    def _product(self, name: str) -> web.Response:
        thing = self.things.get(name.removesuffix(".js"))
        if thing is None or thing.handle in self.missing:
            return web.Response(status=404)
        if name.endswith(".js"):
            return web.json_response(_options(thing))
        ld = json.dumps(thing.ld)
        if thing.is_malformed:
            ld = f"/* the product */ {ld[:-1]},}}"
        head = f'<script type="application/ld+json">{ld}</script>'
        return _html(f"{head}<h1>{thing.ld['name']}</h1>")


def _options(thing: Thing) -> dict[str, Any]:
    variants = thing.variants or {"one": (thing.price, thing.stock)}
    return {
        "title": thing.ld["name"],
        "vendor": "Farm",
        "options": [{"name": "Size"}],
        "variants": [
            {
                "id": number,
                "title": name,
                "option1": name,
                "sku": f"{thing.handle}-{name}",
                "price": int(price * 100),
                "available": stock,
            }
            for number, (name, (price, stock)) in enumerate(variants.items(), 1)
        ],
    }


def _html(body: str) -> web.Response:
    return web.Response(text=f"<html><body>{body}</body></html>", content_type="text/html")
