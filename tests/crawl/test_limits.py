"""Limits of one run, of what is kept, and of retrying by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mindhit import crawl
from mindhit.accounts import Person
from mindhit.clock import utc_now
from mindhit.crawl import CrawlSettings, NotRetryable
from mindhit.crawl.executing.agent_health import Reception
from mindhit.crawl.executing.agents import Agents
from mindhit.crawl.store import agents as store
from mindhit.crawl.store.agents import Taken
from mindhit.db import Database
from mindhit.fetching import FetchSettings
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    PRODUCTS,
    config,
    crawl_all,
    later,
    open_shops,
    rows,
    run,
    states,
    sweep,
    watch,
    work_off,
)


async def test_a_listing_is_read_for_so_many_pages_and_the_rest_is_not_taken_for_missing(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.81", per_page=1).add("a", "b", "c")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        await crawl_all(db, ada, schedule)
        await run(db, ada, schedule)
        await work_off(db, config(crawl_pages=2))
    assert await states(db) == {("SEARCH", "SUCCESS"): 5, ("DETAIL", "SUCCESS"): 5}
    assert [each["missed"] for each in await rows(db, PRODUCTS)] == [0, 0, 0]


async def test_tasks_are_kept_for_a_month_and_a_run_as_long_as_its_last_page(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.82").add("a", "b")
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.listing))
    await later(db, days=29)
    await sweep(db)
    assert await states(db) == {("SEARCH", "SUCCESS"): 1, ("DETAIL", "SUCCESS"): 2}
    await later(db, days=2)
    await rows(
        db,
        "update crawl_tasks set finished_at = now()"
        " where id = (select id from crawl_tasks where type = 'DETAIL' limit 1)",
    )
    await sweep(db)
    assert await states(db) == {("SEARCH", "SUCCESS"): 1, ("DETAIL", "SUCCESS"): 1}
    await later(db, days=31)
    await sweep(db)
    await sweep(db)
    assert await states(db) == {}
    assert await rows(db, "select from crawled_raws") == []
    assert len(await rows(db, PRODUCTS)) == 2
    assert len(await rows(db, "select from crawled_product_history")) == 2


async def test_what_a_newer_run_fetches_anyway_is_not_retried(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.83", fault="404").add("a")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("a"))
        await crawl_all(db, ada, schedule)
        await run(db, ada, schedule)
        async with db.transaction() as tx:
            [dead] = await crawl.list_dead(tx, ada.id, limit=10)
            with pytest.raises(NotRetryable):
                await crawl.retry_dead(tx, ada.id, dead.id)


async def test_a_variant_that_a_whole_page_lacks_is_gone_and_a_listing_says_nothing_of_variants(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.84").add("lamp")
    variants = shop.things["lamp"].variants
    variants |= {"S": (Decimal(19), True), "L": (Decimal(24), True)}
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.collection, site="shopify")
        await crawl_all(db, ada, schedule)
        del variants["L"]
        await crawl_all(db, ada, schedule)
        found = await rows(db, PRODUCTS)
        assert [each["option_gone"] for each in found] == [False, True]
        assert {each["price_max"] for each in found} == {Decimal(19)}
        shop.refusals["/products/lamp.js"] = 1
        await crawl_all(db, ada, schedule)
    assert [each["option_gone"] for each in await rows(db, PRODUCTS)] == [False, True]


async def test_what_one_listing_lacks_is_not_missed_in_another(db: Database, ada: Person) -> None:
    first, second = Shop("127.0.0.86").add("a"), Shop("127.0.0.87").add("b")
    async with open_shops(first, second):
        schedules = [await watch(db, ada, each.listing) for each in (first, second)]
        await crawl_all(db, ada, *schedules)
        await crawl_all(db, ada, schedules[0])
    assert [each["missed"] for each in await rows(db, PRODUCTS)] == [0, 0]


async def test_what_another_schedule_found_too_is_kept_when_one_is_removed(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.85").add("a", "b")
    async with open_shops(shop):
        single = await watch(db, ada, shop.product("a"))
        listing = await watch(db, ada, shop.listing)
        await crawl_all(db, ada, single, listing)
    async with db.transaction() as tx:
        await crawl.remove_schedule(tx, ada.id, listing.id)
    [product] = await rows(db, "select scheduler_id, url from crawled_products")
    assert tuple(product) == (single.id, shop.product("a"))
    assert len(await rows(db, "select from crawled_product_history")) == 1
    async with db.transaction() as tx:
        await crawl.remove_schedule(tx, ada.id, single.id)
    assert await rows(db, "select from crawled_products") == []


async def test_a_site_that_leaves_one_agent_in_six_is_left_alone(db: Database) -> None:
    settings = config(crawl_user_agents="|".join(f"Ours/{n}" for n in range(6)))
    pool = Agents(settings[CrawlSettings], settings[FetchSettings])
    await pool.take(db, "shop.example")
    known = await db.alone(store.ALL_AT, "shop.example")
    for left, each in zip((5, 4, 3, 2, 1), known, strict=False):
        assert await rows(db, "select from site_breakers") == [], left
        for _ in range(3):
            agent = Taken(each.id, each.user_agent)
            await pool.report(db, "shop.example", agent, Reception.UNWELCOME, utc_now())
    [breaker] = await rows(db, "select state, reason from site_breakers")
    assert tuple(breaker) == ("OPEN", "1 of 6 user agents are left")
