"""Plug-ins: what they read, and what they may not do."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import ClassVar

import pytest

from mindhit.crawl.extraction.product import extract
from mindhit.crawl.model import BadSchedule, SiteUnknown, Stage, TargetKind
from mindhit.crawl.sites import reading, registry
from mindhit.crawl.sites.api import Block, LayoutChanged, Page
from mindhit.crawl.sites.jsonld import JsonLd
from mindhit.crawl.sites.shopify import Shopify

URL = "https://shop.example/product/lamp"


def page(ld: object, body: str = "") -> str:
    return f'<script type="application/ld+json">{json.dumps(ld)}</script><h1>Lamp</h1>{body}'


@pytest.fixture
async def reader() -> AsyncIterator[reading.Reader]:
    made = reading.make_reader()
    yield made
    await made.close()


async def test_a_page_is_read_in_a_process_within_its_limits(reader: reading.Reader) -> None:
    offer = {"price": "19.90", "priceCurrency": "EUR", "availability": "InStock"}
    html = page({"@type": "Product", "name": "Lamp", "offers": offer})
    found = await reader.read("jsonld", Stage.DETAIL, Page(URL, html.encode()))
    assert found.parsed is not None
    [variant] = found.parsed.variants
    assert (variant.price, variant.currency) == (Decimal("19.9"), "EUR")
    large = html.encode() + b"<p class=x><span>1</span></p>" * 150_000
    found = await reader.read("jsonld", Stage.DETAIL, Page(URL, large))
    assert found.parsed or found.problem
    missing = await reader.read("nobody", Stage.DETAIL, Page(URL, b""))
    assert "not installed" in str(missing.problem)
    empty = await reader.read("jsonld", Stage.DETAIL, Page(URL, b"<h1>About us</h1>"))
    assert empty.is_layout


def test_several_offers_are_variants_and_a_group_has_those_of_its_members() -> None:
    group = {
        "@type": "ProductGroup",
        "name": "Lamp",
        "hasVariant": [
            {
                "@type": "Product",
                "sku": f"lamp-{size}",
                "name": f"Lamp {size}",
                "size": size,
                "offers": {"@type": "Offer", "price": price, "priceCurrency": "EUR"},
            }
            for size, price in (("S", 10), ("L", "20.50"))
        ],
    }
    parsed = JsonLd().parse_detail(Page(URL, page({"@graph": [group]}).encode()))
    assert [(each.key, each.price, each.attributes) for each in parsed.variants] == [
        ("lamp-S", Decimal(10), {"size": "S"}),
        ("lamp-L", Decimal("20.5"), {"size": "L"}),
    ]


@pytest.mark.parametrize(
    ("offers", "keys"),
    [
        ([{"price": 9}, {"price": 12}], {"": 9, "#2": 12}),
        ([{"price": 12}, {"price": 9}, {"price": 12}], {"": 9, "#2": 12}),
        ([{"price": 9, "sku": "a"}, {"price": 7, "sku": "a"}], {"a": 7, "a#2": 9}),
        (
            [{"price": 9, "sku": "a", "name": "L"}, {"price": 7, "sku": "a", "name": "S"}],
            {"a S": 7, "a L": 9},
        ),
        (
            [{"price": 5, "sku": "b"}, {"price": 9, "sku": "a"}, {"price": 7, "sku": "a"}],
            {"b": 5, "a": 7, "a#2": 9},
        ),
    ],
)
def test_several_prices_are_variants_also_where_little_tells_them_apart(
    offers: list[dict[str, object]], keys: dict[str, int]
) -> None:
    ld = {"@type": "Product", "name": "Lamp", "offers": offers}
    parsed = JsonLd().parse_detail(Page(URL, page(ld).encode()))
    assert {each.key: each.price for each in parsed.variants} == keys


@pytest.mark.parametrize("stock", [["InStock", "OutOfStock"], ["OutOfStock", "InStock"]])
def test_one_price_offered_twice_is_one_variant_that_can_be_bought(stock: list[str]) -> None:
    offers = [{"price": 9, "sku": "a", "availability": each} for each in stock]
    offers.append({"price": 12, "sku": "b"})
    ld = {"@type": "Product", "name": "Lamp", "offers": offers}
    parsed = JsonLd().parse_detail(Page(URL, page(ld).encode()))
    assert [(each.key, each.availability) for each in parsed.variants] == [
        ("a", "InStock"),
        ("b", "InStock"),
    ]


@pytest.mark.parametrize(
    "offers",
    [
        {"@type": "AggregateOffer", "lowPrice": "9", "highPrice": "12", "priceCurrency": "EUR"},
        {"@type": "Offer", "lowPrice": "9", "highPrice": "12", "priceCurrency": "EUR"},
        [
            {"@type": "Offer", "price": "9.00", "priceCurrency": "EUR"},
            {"price": "9.0", "priceCurrency": "EUR"},
        ],
        {"@type": "Offer", "priceSpecification": {"price": 9, "priceCurrency": "EUR"}},
        {"offers": [{"price": 9}], "@type": "AggregateOffer", "priceCurrency": "EUR"},
    ],
)
def test_every_way_to_state_a_price_is_a_price(offers: object) -> None:
    found = extract(page({"@type": "Product", "name": "Lamp", "offers": offers}), URL)
    assert (found.price, found.currency) == (Decimal(9), "EUR")


def test_microdata_meta_tags_and_what_people_see_are_read_too() -> None:
    micro = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1>'
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="7.50">'
        '7,50</b><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability"'
        ' href="https://schema.org/OutOfStock"></div></div>'
    )
    found = extract(micro, URL)
    assert (found.price, found.currency, found.availability) == (
        Decimal("7.5"),
        "EUR",
        "OutOfStock",
    )
    tags = '<meta property="product:price:amount" content="8.20"><meta property="product:price:currency" content="USD">'
    found = extract(f"<head>{tags}</head><h1>Lamp</h1>", URL)
    assert (found.price, found.currency) == (Decimal("8.2"), "USD")
    seen = (
        '<h1>Lamp</h1><del class="price">€ 30,00</del><span class="price current">€ 25,00</span>'
        "<p>Art.-Nr.: AB-1234</p><button>In den Warenkorb</button>"
        '<div class="related"><span class="price">€ 5,00</span></div>'
    )
    found = extract(seen, URL)
    assert (found.price, found.currency, found.sku, found.availability) == (
        Decimal(25),
        "EUR",
        "AB-1234",
        "InStock",
    )


def test_pages_that_are_no_pages_are_told_apart() -> None:
    site = JsonLd()
    assert site.classify(Page(URL, b"<title>Page not found</title>")) == Block.NOT_FOUND
    assert site.classify(Page(URL, b"<title>Sign in</title><input type=password>")) == Block.LOGIN
    assert site.classify(Page(URL, b"<title>Captcha</title>")) == Block.CAPTCHA
    assert site.classify(Page(URL, page({"@type": "Product"}).encode())) is None
    with pytest.raises(LayoutChanged):
        site.parse_search(Page(URL, b"<h1>Nothing</h1>"))
    with pytest.raises(LayoutChanged):
        Shopify().parse_option(Page(URL, b"<html>"))


class Bad:
    """A plug-in that wants more than it may."""

    api: ClassVar[int] = 1
    name: ClassVar[str] = "bad"
    version: ClassVar[int] = 1

    def classify(self, page: Page) -> None:
        match page.body:
            case b"file":
                with open("/etc/hostname") as file:  # noqa: PTH123
                    file.read()
            case b"socket":
                socket.create_connection(("127.0.0.1", 9))
            case b"slow":
                while True:
                    pass


@pytest.mark.parametrize(
    ("what", "problem"),
    [("file", "may not open"), ("socket", "may not use"), ("slow", "longer than")],
)
def test_a_plug_in_may_compute_and_nothing_else(
    what: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "known_sites", lambda: {"bad": Bad()})
    with pytest.raises((PermissionError, TimeoutError), match=problem):
        reading.examine("bad", Stage.DETAIL, Page(URL, what.encode()))


def test_a_plug_in_for_another_version_or_one_that_breaks_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Entry:
        def __init__(self, name: str, made: object) -> None:
            self.name = name
            self._made = made

        def load(self) -> object:
            if isinstance(self._made, Exception):
                raise self._made
            return self._made

    class Newer(Bad):
        api: ClassVar[int] = 2

    found = [Entry("newer", Newer), Entry("broken", ImportError("no")), Entry("bad", Bad)]

    def entries(*, group: str) -> list[Entry]:
        assert group == registry.GROUP
        return found

    monkeypatch.setattr(registry, "entry_points", entries)
    assert list(registry.known_sites.__wrapped__()) == ["bad"]


def test_listings_and_products_are_told_by_their_addresses() -> None:
    site = JsonLd()
    kinds = {
        "https://shop.example/category/lamps": "listing",
        "https://shop.example/": "listing",
        "https://shop.example/search?q=lamp": "listing",
        "https://shop.example/product/lamp": "product",
        "https://shop.example/collections/all/products/lamp": "product",
        "https://shop.example/lamp-1234.html": "product",
    }
    assert {url: str(site.target(url).kind) for url in kinds} == kinds  # type: ignore[union-attr]
    assert registry.choose("https://x.myshopify.com/collections/all", None)[0].name == "shopify"
    assert registry.choose("https://shop.example/collections/all", None)[0].name == "jsonld"
    assert registry.choose("https://notmyshopify.com/collections/all", None)[0].name == "jsonld"


def test_a_product_that_no_job_can_be_named_after_is_not_watched() -> None:
    """It would be fetched again and again, and each time nothing could be stored of it."""
    url = f"https://x.myshopify.com/products/{'a' * 600}"
    with pytest.raises(BadSchedule):
        registry.choose(url, "shopify")
    with pytest.raises(SiteUnknown):
        registry.stages_of(Shopify(), url, TargetKind.PRODUCT)
    assert registry.choose(url, None)[0].name == "jsonld"
