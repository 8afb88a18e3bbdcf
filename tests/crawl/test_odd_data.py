"""What shops and plug-ins say that can't be stored or applied: it costs as little as possible, and ends."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from mindhit import crawl
from mindhit.accounts import Person
from mindhit.crawl.sites.api import Block, Found, Item, LayoutChanged, Page, Parsed, Variant
from mindhit.crawl.sites.jsonld import JsonLd
from mindhit.crawl.sites.storable import storable_found, storable_parsed
from mindhit.db import Database
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    PRODUCTS,
    crawl_all,
    later,
    open_shops,
    rows,
    sweep,
    watch,
)
from tests.fetching.kit import html

URL = "https://shop.example/category/all"
HALF_EMOJI = "\ud83d"
REFUSE = """
create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$"""


def listing(*addresses: str) -> Page:
    items = [{"@type": "ListItem", "url": each} for each in addresses]
    ld = json.dumps({"@type": "ItemList", "itemListElement": items})
    return Page(URL, f'<script type="application/ld+json">{ld}</script>'.encode())


@pytest.mark.parametrize(
    "bad",
    ["http://[x/y", "http://a b/c", f"/p/{HALF_EMOJI}", "http://", "mailto:a@b.c", "#lamp", "http://a..b/"],
)  # fmt: skip
def test_an_address_that_is_none_costs_its_item_and_not_the_listing(bad: str) -> None:
    found = storable_found(JsonLd().parse_search(listing(bad, "/product/lamp")))
    assert [each.url for each in found.items] == ["https://shop.example/product/lamp"]


def test_items_of_a_plug_in_have_keys_and_addresses_that_can_be_used() -> None:
    good = Item("lamp", "https://shop.example/lamp", b"")
    keys = ["", "a\0", HALF_EMOJI, "등" * 200, "lamp"]
    items = [good, *(Item(key, "https://shop.example/x", b"") for key in keys)]
    assert storable_found(Found(items)).items == [good]
    with pytest.raises(LayoutChanged):  # else what is on further pages would be gone
        storable_found(Found([good], "http://["))


def test_texts_and_numbers_that_cannot_be_stored_are_left_out() -> None:
    parsed = Parsed(
        title=f"Lamp {HALF_EMOJI}",
        image="a\0.png",
        url="http://[",
        variants=[
            Variant("s\0", attributes={"co\0lor": f"re{HALF_EMOJI}d"}, price=Decimal("NaN")),
            Variant("s", price=Decimal(1)),
            Variant("m", price=Decimal(10) ** 20, quantity=2**40),
            Variant("l", price=Decimal(-1)),
        ],
    )
    found = storable_parsed(parsed)
    assert (found.title, found.image, found.url) == ("Lamp ", "a.png", None)
    assert [each.key for each in found.variants] == ["s", "m", "l"]
    assert found.variants[0].attributes == {"color": "red"}
    assert [(each.price, each.quantity) for each in found.variants] == [(None, None)] * 3


@pytest.mark.parametrize("kind", ["Organization", "WebSite", "BreadcrumbList"])
def test_a_missing_page_is_told_also_where_it_describes_the_shop(kind: str) -> None:
    head = f'<script type="application/ld+json">{{"@type": "{kind}", "name": "Shop"}}</script>'
    site = JsonLd()
    page = Page(URL, f"{head}<title>Page not found</title><h1>Sorry</h1>".encode())
    assert site.classify(page) == Block.NOT_FOUND
    page = Page(URL, f"{head}<title>Are you human?</title>".encode())
    assert site.classify(page) == Block.CAPTCHA


async def test_half_a_character_in_its_data_does_not_keep_a_product_from_being_read(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.71").add("lamp", "cup")
    offers = [
        {"price": price, "priceCurrency": "EUR", "sku": f"{price}{HALF_EMOJI}"}
        for price in ("5", "6")
    ]
    ld: dict[str, Any] = {"@type": "Product", "name": f"Lamp\0 {HALF_EMOJI}", "offers": offers}
    page = f'<script type="application/ld+json">{json.dumps(ld)}</script><h1>Lamp</h1>'
    shop.site.pages["/product/lamp"] = html(page)
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.listing))
    found = {each["title"]: each["price_min"] for each in await rows(db, PRODUCTS)}
    assert found == {"Lamp": Decimal(5), "Thing cup": Decimal(20)}


async def test_a_raw_that_the_database_refuses_ends_as_a_dead_letter_and_holds_up_no_other(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.72").add("lamp")
    await rows(db, REFUSE)
    await rows(
        db,
        "create trigger refuse before insert or update on crawled_product_options for each row"
        " when (new.price = 13) execute function refuse()",
    )
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("lamp"))
        shop.things["lamp"].price = Decimal(13)
        await crawl_all(db, ada, schedule)
        [raw] = await rows(db, "select status, retry_count, last_error from crawled_raws")
        assert (raw["status"], raw["retry_count"]) == ("FAILED", 1)
        assert "refused" in raw["last_error"]
        shop.things["lamp"].price = Decimal(14)
        await crawl_all(db, ada, schedule)
        [price] = await rows(db, "select price_min from crawled_products")
        assert price[0] == 14
    await rows(db, "update crawled_products set detail_at = null")  # it is not merely out of date
    for _ in range(3):
        await later(db, hours=2)
        await sweep(db)
    async with db.read() as tx:
        [dead] = await crawl.list_dead(tx, ada.id, limit=10)
    assert (dead.what, dead.retry_count) == ("raw", 4)
    assert await rows(db, "select from jobs where status in ('queued', 'running', 'dead')") == []


async def test_however_many_wait_for_it_what_they_follow_is_applied_when_it_comes(
    db: Database, ada: Person
) -> None:
    """As where a shop has no listing for hours, and product pages go on."""
    shop = Shop("127.0.0.73").add("lamp")
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.listing))
    await rows(db, "delete from crawled_products")
    await rows(
        db,
        """
        with tasks as (
          insert into crawl_tasks (user_id, scheduler_id, type, item_key, url, domain, status, finished_at)
          select user_id, scheduler_id, type, item_key, url, domain, status, finished_at
            from crawl_tasks, generate_series(1, 25) where type = 'DETAIL' returning id)
        insert into crawled_raws (user_id, task_id, scheduler_id, type, site, site_version, item_key, url,
                                  body, follows, run_at)
        select r.user_id, t.id, r.scheduler_id, r.type, r.site, r.site_version, r.item_key, r.url,
               r.body, r.follows, r.run_at
          from crawled_raws r, tasks t where r.type = 'DETAIL'""",
    )
    # One of a page that is watched by itself waits for nothing, and is not behind those that do.
    await rows(
        db,
        """
        update crawled_raws set follows = null, created_at = now(), available_at = now() - interval '1 minute'
         where id = (select id from crawled_raws where status = 'PENDING' limit 1)""",
    )
    await sweep(db)
    assert len(await rows(db, "select from crawled_raws where status = 'PENDING'")) == 24
    pending = (
        "update crawled_raws set status = 'PENDING', available_at = now() - interval '1 minute'"
    )
    await rows(db, pending + " where type = 'MINI_SHOP'")
    await rows(db, "update crawled_raws set created_at = now() where type = 'MINI_SHOP'")
    await sweep(db)
    assert await rows(db, "select from crawled_raws where status <> 'PROCESSED'") == []
    [product] = await rows(db, PRODUCTS)
    assert product["price_min"] == 20


async def test_what_a_listing_lacked_is_counted_although_the_queue_gave_its_job_up(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.74").add("a", "b")
    await rows(db, REFUSE)
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        await crawl_all(db, ada, schedule)
        shop.delisted = {"b"}
        await rows(
            db,
            "create trigger refuse before update on crawled_products for each row"
            " when (new.missed = 1) execute function refuse()",
        )
        await crawl_all(db, ada, schedule)
        await rows(db, "drop trigger refuse on crawled_products")
        given_up = (
            "update jobs set status = 'dead', finished_at = now() where kind = 'crawl:listed'"
        )
        await rows(db, given_up)
        await later(db, seconds=31)
        await sweep(db)
        assert [each["missed"] for each in await rows(db, PRODUCTS)] == [0, 1]
        await later(db, seconds=31)
        await sweep(db)
        assert [each["missed"] for each in await rows(db, PRODUCTS)] == [0, 1]  # once


async def test_what_is_listed_without_a_page_of_its_own_is_gone_until_that_is_back(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.75").add("a", "b")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing, alerts=crawl.AlertRules(gone=True))
        await crawl_all(db, ada, schedule)
        shop.missing = {"b"}
        await crawl_all(db, ada, schedule)
        assert [each["gone"] for each in await rows(db, PRODUCTS)] == [False, False]
        await crawl_all(db, ada, schedule)
        assert [each["gone"] for each in await rows(db, PRODUCTS)] == [False, True]
        told = await rows(db, "select title from notices")
        assert [each["title"] for each in told] == ["No longer listed: Thing b"]
        shop.missing = set()
        await crawl_all(db, ada, schedule)
    assert [each["gone"] for each in await rows(db, PRODUCTS)] == [False, False]
