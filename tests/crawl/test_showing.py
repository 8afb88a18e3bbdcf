"""What screens ask for: runs with counts, products by stock, what a schedule would be, paused sites."""

from __future__ import annotations

import itertools
import json
from datetime import datetime
from decimal import Decimal

from mindhit.accounts import Person
from mindhit.crawl import store
from mindhit.db import Database
from tests.accounts.kit import browser_of
from tests.contract.plans import nodes
from tests.crawl.farm import Shop
from tests.crawl.kit import config, crawl_all, later, open_shops, rows, watch, work_off

MANY_RUNS = """
insert into crawl_tasks (user_id, scheduler_id, type, item_key, url, domain, status, created_at, finished_at)
select $1, $2, 'SEARCH', 'run', 'https://shop.example/', 'shop.example', 'SUCCESS',
       now() - make_interval(hours => n), now()
  from generate_series(1, 50) n"""
MANY_PAGES = """
insert into crawl_tasks (user_id, scheduler_id, parent_id, type, item_key, url, domain, status, created_at,
                         finished_at)
select $1, $2, r.id, 'DETAIL', 'page ' || n, 'https://shop.example/', 'shop.example', 'SUCCESS',
       r.created_at, now()
  from crawl_tasks r, generate_series(1, 400) n"""


async def test_a_run_counts_its_tasks_and_ends_with_the_last(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.71").add("pot", "pan")
    shop.missing.add("pan")
    async with open_shops(shop), browser_of(db, ada, config()) as browser:
        schedule = await watch(db, ada, shop.listing)
        begun = (await browser.post(f"/v1/crawl/schedules/{schedule.id}/run")).json()
        waiting = (await browser.get(f"/v1/crawl/runs/{begun['id']}")).json()
        assert (waiting["tasks"], waiting["finished_at"]) == (1, None)
        await later(db, minutes=1)
        await work_off(db)
        done = (await browser.get(f"/v1/crawl/runs/{begun['id']}")).json()
        assert (done["tasks"], done["succeeded"], done["failed"]) == (3, 2, 1)
        assert done["finished_at"] is not None
        assert (done["name"], done["status"]) == (schedule.name, "SUCCESS")
        listed = (await browser.get(f"/v1/crawl/runs?scheduler_id={schedule.id}")).json()["items"]
        assert listed == [done]


async def test_listing_runs_reads_no_page_of_runs_that_are_not_shown(
    db: Database, ada: Person
) -> None:
    """50 runs of 400 pages each, of which one page of two runs is listed."""
    schedule = await watch(db, ada, "https://shop.example/category/pots")
    values = f"'{ada.id}', null, null, null, null, 2"
    async with db.transaction() as tx:
        connection = tx._connection
        for sql in (MANY_RUNS, MANY_PAGES):
            await connection.execute(sql, ada.id, schedule.id)
        await connection.execute("analyze crawl_tasks")
        await connection.execute(f"prepare listed as {store.tasks.RUNS.sql}")
        for mode in ("force_custom_plan", "force_generic_plan"):
            await connection.execute(f"set local plan_cache_mode = {mode}")
            found = await connection.fetchval(
                f"explain (analyze, format json, timing off) execute listed({values})"
            )
            scans = [
                node
                for node in nodes(json.loads(found)[0]["Plan"])
                if node.get("Relation Name") == "crawl_tasks"
            ]
            assert "crawl_tasks_first" in {each.get("Index Name") for each in scans}, found
            read = sum(each["Actual Rows"] * each["Actual Loops"] for each in scans)
            assert read <= 2 + 2 * 400, found
            assert not any(each.get("Rows Removed by Filter") for each in scans), found
        await connection.execute("deallocate listed")


async def test_products_are_found_by_stock_and_know_their_last_change(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.72").add("pot", "pan").add("lid", stock=False)
    async with open_shops(shop), browser_of(db, ada, config()) as browser:
        schedule = await watch(db, ada, shop.listing)
        await crawl_all(db, ada, schedule)
        shop.things["pot"].price = Decimal(10)
        shop.delisted.add("pan")
        for _ in range(2):
            await later(db, hours=1)
            await crawl_all(db, ada, schedule)

        async def titles(stock: str) -> list[str]:
            found = (await browser.get(f"/v1/crawl/products?stock={stock}")).json()["items"]
            return [each["title"] for each in found]

        assert await titles("in") == ["Thing pot"]
        assert await titles("out") == ["Thing lid"]
        assert await titles("gone") == ["Thing pan"]
        all_of_them = (await browser.get("/v1/crawl/products")).json()["items"]
        changed = {each["title"] for each in all_of_them if each["changed_at"]}
        assert changed == {"Thing pot"}
        assert {each["options"] for each in all_of_them} == {1}


async def test_a_preview_says_when_and_what_and_whether_it_is_watched(
    db: Database, ada: Person
) -> None:
    async with browser_of(db, ada, config()) as browser:
        asked = {"cron": "30 6 * * *", "timezone": "Asia/Seoul"}
        bare = (await browser.post("/v1/crawl/preview", json=asked)).json()
        runs = [datetime.fromisoformat(each) for each in bare["runs"]]
        assert [(each.hour, each.minute) for each in runs] == [(21, 30)] * 3
        assert [(late - early).days for early, late in itertools.pairwise(runs)] == [1, 1]
        assert (bare["site"], bare["target"], bare["watched_by"]) == (None, None, None)

        url = "https://shop.example/product/pot"
        schedule = await watch(db, ada, url)
        known = (await browser.post("/v1/crawl/preview", json={**asked, "url": url})).json()
        assert (known["site"], known["target"]) == ("jsonld", "product")
        assert known["watched_by"] == str(schedule.id)

        often = {**asked, "cron": "* * * * *"}
        refused = await browser.post("/v1/crawl/preview", json=often)
        assert refused.status_code == 422
        assert [each["pointer"] for each in refused.json()["errors"]] == ["/cron"]


async def test_a_schedule_says_that_its_site_is_left_alone(db: Database, ada: Person) -> None:
    schedule = await watch(db, ada, "https://shop.example/product/pot")
    async with browser_of(db, ada, config()) as browser:
        calm = (await browser.get(f"/v1/crawl/schedules/{schedule.id}")).json()
        assert (calm["breaker"], calm["breaker_until"]) == ("CLOSED", None)
        await rows(
            db,
            "insert into site_breakers (domain, state, trips, probe_at)"
            " values ('shop.example', 'OPEN', 1, now() + interval '5 minutes')",
        )
        [left_alone] = (await browser.get("/v1/crawl/schedules")).json()["items"]
        assert left_alone["breaker"] == "OPEN"
        assert left_alone["breaker_until"] is not None
