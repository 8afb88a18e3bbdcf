"""From a schedule to a product: shops of a farm, crawled by the product's own jobs."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from mindhit import crawl
from mindhit.accounts import Person
from mindhit.clock import utc_now
from mindhit.crawl import ScheduleBusy, ScheduleInactive
from mindhit.crawl.products import telling
from mindhit.db import Database
from tests.accounts.kit import browser_of
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    HISTORY,
    PRODUCTS,
    config,
    crawl_all,
    later,
    open_shops,
    relay,
    rows,
    run,
    states,
    sweep,
    tick,
    watch,
    work_off,
)


async def products(db: Database) -> list[dict[str, Any]]:
    return [dict(each) for each in await rows(db, PRODUCTS)]


async def notices(db: Database) -> list[str]:
    return [
        each[0] for each in await rows(db, "select title from notices order by created_at, title")
    ]


async def test_a_listing_of_several_pages_becomes_products_with_prices(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.11").add("a", "b", "c", "d", "e")
    shop.things["b"].is_malformed = True
    shop.things["c"].stock = False
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        assert (schedule.site, schedule.target) == ("jsonld", "listing")
        await crawl_all(db, ada, schedule)
    assert await states(db) == {("SEARCH", "SUCCESS"): 2, ("DETAIL", "SUCCESS"): 5}
    found = await products(db)
    assert [each["title"] for each in found] == [f"Thing {name}" for name in "abcde"]
    assert {each["price_min"] for each in found} == {Decimal("20.0000")}
    assert {each["currency"] for each in found} == {"EUR"}
    assert [each["availability"] for each in found] == ["InStock"] * 2 + ["OutOfStock"] + [
        "InStock"
    ] * 2
    assert shop.site.most_in_flight <= 2
    raws = await rows(
        db, "select type, status, count(*) from crawled_raws group by 1, 2 order by 1"
    )
    assert [tuple(each) for each in raws] == [
        ("DETAIL", "PROCESSED", 5),
        ("MINI_SHOP", "PROCESSED", 5),
    ]


async def test_shopify_takes_three_stages_and_several_prices_are_variants(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.12").add("lamp")
    shop.things["lamp"].variants = {"S": (Decimal("19.90"), True), "L": (Decimal("24.50"), False)}
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.collection, site="shopify")
        await crawl_all(db, ada, schedule)
    small, large = await products(db)
    assert (small["name"], small["price"], small["option_stock"]) == (
        "S",
        Decimal("19.90"),
        "InStock",
    )
    assert (large["name"], large["price"], large["option_stock"]) == (
        "L",
        Decimal("24.50"),
        "OutOfStock",
    )
    assert (small["price_min"], small["price_max"], small["currency"]) == (
        Decimal("19.90"),
        Decimal("24.50"),
        "EUR",
    )
    assert await states(db) == {
        ("SEARCH", "SUCCESS"): 1,
        ("DETAIL", "SUCCESS"): 1,
        ("OPTION", "SUCCESS"): 1,
    }


async def test_a_price_that_falls_is_told_once_a_day_and_kept_in_the_history(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.13").add("mug")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("mug"))
        assert schedule.target == "product"
        await crawl_all(db, ada, schedule)
        assert await notices(db) == []
        for price in ("19.50", "18.90", "17.00", "16.00"):
            shop.things["mug"].price = Decimal(price)
            await crawl_all(db, ada, schedule)
    # 19.50 is 2.5 % less; 18.90 is 5.5 %; 17.00 is held back, as today was told already.
    assert await notices(db) == ["Price drop: Thing mug"]
    [body] = await rows(db, "select body from notices")
    assert body[0] == "Now 18.90 EUR, was 20 EUR"
    [baseline] = await rows(db, "select baseline from crawled_product_options")
    assert baseline[0] == Decimal("18.90")
    history = [each["price"] for each in await rows(db, HISTORY)]
    assert history == [Decimal(each) for each in ("20.00", "19.50", "18.90", "17.00", "16.00")]
    await rows(db, "update crawl_alerts set day = day - 1")  # the next day
    await rows(db, "update notices set key = key || ' yesterday'")
    async with open_shops(shop):
        await crawl_all(db, ada, schedule)
    assert await notices(db) == ["Price drop: Thing mug"] * 2


@pytest.mark.parametrize(
    ("amount", "currency", "korean", "english"),
    [
        ("12900", "KRW", "12,900원", "12,900 KRW"),
        ("12.9", "USD", "12.90달러", "12.90 USD"),
        ("1290", "JPY", "1,290엔", "1,290 JPY"),
        ("1290", "CHF", "1,290 CHF", "1,290 CHF"),
        ("1290", None, "1,290", "1,290"),
    ],
)
def test_prices_are_written_as_their_readers_write_them(
    amount: str, currency: str | None, korean: str, english: str
) -> None:
    assert telling.money(Decimal(amount), currency, "ko") == korean
    assert telling.money(Decimal(amount), currency, "en") == english


async def test_what_is_back_in_stock_is_told_and_a_first_crawl_tells_nothing(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.14").add("cup", stock=False)
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("cup"))
        await crawl_all(db, ada, schedule)
        shop.things["cup"].stock = True
        shop.things["cup"].currency = "USD"
        shop.things["cup"].price = Decimal(5)
        await crawl_all(db, ada, schedule)
    # The price is another currency's, which is no change.
    assert await notices(db) == ["Back in stock: Thing cup"]


async def test_what_two_whole_listings_do_not_show_is_gone(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.15").add("a", "b", "c", "d")
    rules = crawl.AlertRules(gone=True)
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing, alerts=rules)
        await crawl_all(db, ada, schedule)
        shop.delisted = {"d"}
        await crawl_all(db, ada, schedule)
        assert [each["gone"] for each in await products(db)] == [False] * 4
        await crawl_all(db, ada, schedule)
        assert [each["gone"] for each in await products(db)] == [False] * 3 + [True]
        assert await notices(db) == ["No longer listed: Thing d"]
        shop.delisted = set()
        await crawl_all(db, ada, schedule)
        assert [each["gone"] for each in await products(db)] == [False] * 4


async def test_a_page_that_is_missing_twice_is_gone_and_a_soft_404_counts(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.16").add("vase")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("vase"))
        await crawl_all(db, ada, schedule)
        shop.fault = "404"
        await crawl_all(db, ada, schedule)
        shop.fault = "soft404"
        await crawl_all(db, ada, schedule)
    assert [each["gone"] for each in await products(db)] == [True]
    async with db.read() as tx:
        dead = await crawl.list_dead(tx, ada.id, limit=10)
    assert len(dead) == 2
    assert {each.what for each in dead} == {"task"}


async def test_a_site_that_asks_for_time_gets_it_and_errors_are_tried_again(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.17").add("pan")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("pan"))
        shop.fault = "429"
        await crawl_all(db, ada, schedule)
        [task] = await rows(db, "select status, retry_count, last_error from crawl_tasks")
        assert (task["status"], task["retry_count"]) == ("RETRY", 1)
        [message] = await rows(
            db,
            "select available_at - updated_at as wait, idempotency_key as key from crawl_task_outbox",
        )
        assert message["wait"] == timedelta(seconds=60)  # as the shop said
        assert message["key"].endswith("-2")  # or it would be taken for a repeat of the first
        shop.fault = "500"
        await later(db, seconds=61)
        await sweep(db)
        await relay(db)
        [task] = await rows(db, "select status, retry_count from crawl_tasks")
        assert (task["status"], task["retry_count"]) == ("RETRY", 2)
        shop.fault = None
        await later(db, seconds=3600)
        await relay(db)
    assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    executions = await rows(db, "select attempt, status from crawl_executions order by attempt")
    assert [tuple(each) for each in executions] == [(1, "FAILED"), (2, "FAILED"), (3, "SUCCESS")]


async def test_a_task_that_always_fails_ends_as_a_dead_letter_that_can_be_retried(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.18").add("jar")
    shop.fault = "500"
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("jar"))
        await crawl_all(db, ada, schedule)
        for _ in range(4):
            await later(db, hours=3)
            await relay(db)
        [task] = await rows(db, "select status, retry_count from crawl_tasks")
        assert (task["status"], task["retry_count"]) == ("FAILED", 4)
        shop.fault = None
        async with browser_of(db, ada, config()) as browser:
            [dead] = (await browser.get("/v1/crawl/dead")).json()["items"]
            assert (await browser.post(f"/v1/crawl/dead/{dead['id']}/retry")).status_code == 204
            await work_off(db)
            assert (await browser.get("/v1/crawl/dead")).json()["items"] == []
    assert len(await products(db)) == 1


async def test_schedules_run_at_their_time_once_and_not_while_a_run_goes_on(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.19").add("pot")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("pot"), cron="*/5 * * * *")
        await tick(db)
        assert await states(db) == {}
        await later(db, minutes=51)
        await tick(db)
        await tick(db)
        assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    async with db.read() as tx:
        shown = await crawl.show_schedule(tx, ada.id, schedule.id)
    assert shown.next_run_at > utc_now()
    await run(db, ada, schedule)
    with pytest.raises(ScheduleBusy):
        await run(db, ada, schedule)
    async with db.transaction() as tx:
        await crawl.change_schedule(tx, ada.id, schedule.id, {"status": "INACTIVE"}, utc_now())
    with pytest.raises(ScheduleInactive):
        await run(db, ada, schedule)
    await rows(db, "update crawl_schedulers set next_run_at = now() - interval '1 hour'")
    before = len(await rows(db, "select from crawl_tasks"))
    await tick(db)
    assert len(await rows(db, "select from crawl_tasks")) == before
