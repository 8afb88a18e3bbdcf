"""Products as shops mark them up: odd forms that browsers never complain about."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from mindhit.crawl.extraction.documents import tolerant_json
from mindhit.crawl.extraction.product import extract, parsed_of
from mindhit.crawl.extraction.structured import availability_of

URL = "https://shop.example/product/lamp"
PLAIN = '{"@type":"Product","name":"Lamp","offers":{"price":"5","priceCurrency":"EUR"}}'


def block(text: str, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{text}</script><h1>Lamp</h1>'


def offered(**offer: Any) -> str:
    product = {"@type": "Product", "name": "Lamp", "offers": offer}
    return block(json.dumps(product, ensure_ascii=False))


@pytest.mark.parametrize(
    ("offer", "price", "currency"),
    [
        ({"price": "1.299,50", "priceCurrency": "EUR"}, "1299.5", "EUR"),
        ({"price": "1,299.50", "priceCurrency": "usd"}, "1299.5", "USD"),
        ({"price": "1'299.50", "priceCurrency": "CHF"}, "1299.5", "CHF"),
        ({"price": "1\u202f299,50 €"}, "1299.5", "EUR"),
        ({"price": "1,29,999.00", "priceCurrency": "INR"}, "129999", "INR"),
        ({"price": "12,900원"}, "12900", "KRW"),
        ({"price": "12,900", "priceCurrency": "KRW"}, "12900", "KRW"),
        ({"price": {"@value": "5.00"}, "currency": "EUR"}, "5", "EUR"),
        ({"price": ["5.00"], "priceCurrency": ["EUR"]}, "5", "EUR"),
        ({"price": "-5", "priceCurrency": "EUR"}, None, None),
        ({"price": "1e400", "priceCurrency": "EUR"}, None, None),
    ],
)
def test_prices_of_several_places_are_read(
    offer: dict[str, Any], price: str | None, currency: str | None
) -> None:
    found = extract(offered(**offer), URL)
    assert found.price == (None if price is None else Decimal(price))
    assert currency is None or found.currency == currency


@pytest.mark.parametrize(
    "html",
    [
        block("\ufeff" + PLAIN),
        block(f"//<![CDATA[\n{PLAIN}\n//]]>"),
        block(f"<!--\n{PLAIN}\n-->"),
        block(PLAIN + ";"),
        block(PLAIN[:-1]),
        block(PLAIN.replace("Lamp", r"La\'mp")),
        block(PLAIN.replace("Lamp", "La\n\tmp")),
        block('{"@type":"Organization"}' + PLAIN),
        block('{"@type":"Organization"}') + block(PLAIN),
        block(PLAIN.replace('"name"', '/* its name */ "name"').replace("}}", ",},}")),
        block(PLAIN.replace('"', "&quot;")),
        block(PLAIN, kind="Application/LD+JSON; charset=utf-8"),
        block(PLAIN.replace('{"', '{"schema:').replace(',"', ',"schema:').replace("schema:@", "@")),
        block(f'{{"@graph":[{{"@type":"WebPage"}},{PLAIN}]}}'),
        block(f'{{"@type":"ItemPage","mainEntity":{PLAIN}}}'),
    ],
)
def test_a_product_is_found_in_every_kind_of_block(html: str) -> None:
    found = extract(html, URL)
    assert (found.price, found.currency) == (Decimal(5), "EUR")


@pytest.mark.parametrize(
    "html",
    [
        """<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Lamp</h1>
        <div property="offers" typeof="Offer"><b property="price" content="7.5">7,50</b>
        <meta property="priceCurrency" content="EUR"><link property="availability"
        href="https://schema.org/OutOfStock"></div><i property="sku">R-1</i></div>""",
        """<div prefix="schema: http://schema.org/" typeof="schema:Product"><h1 property="schema:name">Lamp
        </h1><i property="schema:sku">R-1</i><div rel="schema:offers"><div typeof="schema:Offer">
        <b property="schema:price">7.50</b><i property="schema:priceCurrency" content="EUR"></i>
        <i property="schema:availability" content="SoldOut"></i></div></div></div>""",
        """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Lamp</h1>
        <i itemprop="sku">R-1</i><b itemprop="price" content="7.50">7,50</b>
        <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="OutOfStock"></div>""",
    ],
    ids=["rdfa", "rdfa with prefixes", "price on the product"],
)
def test_rdfa_and_microdata_without_an_offer_are_read(html: str) -> None:
    found = extract(html, URL)
    assert (found.price, found.currency, found.availability, found.sku) == (
        Decimal("7.5"),
        "EUR",
        "OutOfStock",
        "R-1",
    )


@pytest.mark.parametrize(
    ("said", "stock"),
    [
        ("https://schema.org/InStock", "InStock"),
        ("schema:Discontinued", "OutOfStock"),
        ("In Stock", "InStock"),
        ("in_stock", "InStock"),
        ({"@id": "https://schema.org/SoldOut"}, "OutOfStock"),
        (["LimitedAvailability"], "InStock"),
        ("품절", "OutOfStock"),
        ("재고 있음", "InStock"),
        ("在庫切れ", "OutOfStock"),
        ("nicht verfügbar", "OutOfStock"),
        ("auf Lager", "InStock"),
        ("ask us", None),
    ],
)
def test_stock_is_an_address_a_name_or_a_word(said: object, stock: str | None) -> None:
    assert availability_of(said) == stock
    found = extract(offered(price="5", priceCurrency="EUR", itemAvailability=said), URL)
    assert found.availability == (stock or "InStock")  # what has a price can be bought


@pytest.mark.parametrize(
    ("more", "sku"),
    [
        ({"sku": 12345, "mpn": "M-1", "gtin13": "4006381333931"}, "12345"),
        ({"sku": ["S-1", "S-2"]}, "S-1"),
        ({"productID": "sku:ABC9"}, "ABC9"),
        ({"mpn": "M-1"}, "M-1"),
    ],
)
def test_the_article_number_is_the_sku_and_the_maker_s_where_there_is_none(
    more: dict[str, Any], sku: str
) -> None:
    offer = {"price": "5", "priceCurrency": "EUR"}
    html = block(json.dumps({"@type": "Product", "name": "Lamp", "offers": offer, **more}))
    assert extract(html, URL).sku == sku


def test_the_price_of_a_sale_has_a_currency_of_its_own() -> None:
    tags = {"price:amount": "30", "sale_price:amount": "25", "sale_price:currency": "EUR"}
    head = "".join(f'<meta property="product:{n}" content="{v}">' for n, v in tags.items())
    found = extract(f"<head>{head}</head><h1>Lamp</h1>", URL)
    assert (found.price, found.currency) == (Decimal(25), "EUR")


@pytest.mark.parametrize("text", ["[" * 5000, '{"a": [1, 2', '{"a":1}{"b":', '{"\\', "}" * 50, '"'])
def test_what_is_cut_off_or_nested_without_end_breaks_nothing(text: str) -> None:
    tolerant_json(text)
    extract(block(text), URL)


def test_a_product_for_each_size_is_one_product_with_variants() -> None:
    sizes = [
        {
            "@type": "Product",
            "name": "Lamp",
            "sku": f"lamp-{size}",
            "offers": {"price": price, "priceCurrency": "EUR", "availability": stock},
        }
        for size, price, stock in (("S", "9", "OutOfStock"), ("L", "12", "InStock"))
    ]
    found = extract(block(json.dumps(sizes)), URL)
    assert found.availability == "InStock"
    variants = [
        (each.key, each.price, each.availability) for each in parsed_of(found, URL).variants
    ]
    assert variants == [("lamp-S", Decimal(9), "OutOfStock"), ("lamp-L", Decimal(12), "InStock")]


def test_where_tags_and_what_people_see_agree_markup_is_out_of_date() -> None:
    tag = '<meta property="product:price:amount" content="8.00">'
    seen = '<span class="price">€ 8,00</span>'
    assert extract(f"{tag}{block(PLAIN)}{seen}", URL).price == Decimal(8)
    assert extract(f"{tag}{block(PLAIN)}", URL).price == Decimal(5)
    assert extract(f"{block(PLAIN)}{seen}", URL).price == Decimal(5)


def test_a_price_in_a_tag_may_have_its_currency_beside_it() -> None:
    found = extract('<meta property="og:price" content="2,900원~"><h1>Lamp</h1>', URL)
    assert (found.price, found.currency) == (Decimal(2900), "KRW")


def test_a_number_in_a_name_is_no_price_although_the_description_has_it() -> None:
    head = '<meta name="description" content="365 by Farm, a lamp"><h1>Lamp</h1>'
    assert extract(f"{head}<span>365 by Farm</span>", URL).price is None
    assert extract(f"{head}<span>365</span>", URL).price == Decimal(365)
