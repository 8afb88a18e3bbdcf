"""The original's faults, each by a real crash: processes that are killed with SIGKILL at every commit.

Rows of the fault table in the order of docs/decisions/0018: publishing, orphans, lost executions, order of
raws, bounded retries, breakers (test_breakers.py), raws that fail, settings, failing failure paths (test_failure_paths.py).
"""

from __future__ import annotations

import asyncio
import gzip

from mindhit import crawl
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.work.leases.rescuer import MAX_RESCUES, Rescuer
from tests.crawl.crashing import crasher
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    PRODUCTS,
    config,
    crawl_all,
    later,
    open_shops,
    relay,
    rows,
    run,
    somebody_waits,
    states,
    sweep,
    watch,
    work_off,
)

# What a crash left lies still until all have crashed, so that the next one meets its own task only.
PARK = (
    "delete from jobs where kind = 'crawl:relay'",
    "update jobs set run_after = now() + interval '1 day' where status = 'queued'",
    "update crawl_task_outbox set available_at = now() + interval '1 day' where status <> 'SENT'",
)
COUNTS = """
select (select count(*) from crawl_tasks where status = 'SUCCESS'),
       (select count(*) from crawl_executions where status = 'SUCCESS'),
       (select count(*) from crawled_raws where status = 'PROCESSED'),
       (select count(*) from crawled_products where price_min = 20),
       (select count(*) from crawled_product_history),
       (select count(*) from crawl_executions where status = 'RUNNING'),
       (select count(*) from crawl_task_outbox where status <> 'SENT'),
       (select count(*) from jobs where status in ('queued', 'running', 'dead'))"""


async def test_killed_after_every_commit_each_crawl_ends_as_a_calm_one(
    db: Database, database_url: str, ada: Person
) -> None:
    """Rows 1 and 3: whatever commit it is, nothing is lost and nothing happens twice. Between two
    commits nothing is written, so after each one is everywhere."""
    # One site each: whoever is killed keeps its slot there until the lease is over.
    shops = [Shop(f"127.0.1.{at}").add("bowl") for at in range(60)]
    async with open_shops(*shops):
        with crasher(database_url) as workers:
            await run(db, ada, await watch(db, ada, shops[0].product("bowl")))
            calm = await workers.run()
            assert calm["code"] == 0
            assert tuple((await rows(db, COUNTS))[0]) == (1, 1, 1, 1, 1, 0, 0, 0)
            crawls = calm["commits"]
            assert 10 < crawls < 60
            for at in range(1, crawls + 1):
                await run(db, ada, await watch(db, ada, shops[at].product("bowl")))
                crashed = await workers.run(at=at, when="after")
                assert crashed["code"] == -9, at
                for statement in PARK:
                    await rows(db, statement)
            for _ in range(3):
                await later(db, days=2)
                await Rescuer(db).run_once()
                await later(db, hours=1)
                assert (await workers.run())["code"] == 0
            whole = crawls + 1
            assert tuple((await rows(db, COUNTS))[0]) == (*[whole] * 5, 0, 0, 0)


async def test_a_published_task_whose_job_is_gone_is_published_again_and_at_the_limit_fails(
    db: Database, ada: Person
) -> None:
    """Row 2."""
    shop = Shop("127.0.0.32").add("tray")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("tray"))
        await run(db, ada, schedule)
        await publish_only(db)
        for left in (3, 2, 1):
            await rows(db, "delete from jobs where kind = 'crawl:execute'")
            await later(db, seconds=31)
            await publish_only(db, sweep_too=True)
            [task] = await rows(db, "select status, retry_count from crawl_tasks")
            assert tuple(task) == ("PUBLISHED", 4 - left)
        await rows(db, "delete from jobs where kind = 'crawl:execute'")
        await later(db, seconds=31)
        await publish_only(db, sweep_too=True)
        assert await states(db) == {("DETAIL", "FAILED"): 1}
        await rows(db, "delete from jobs")
        await crawl_all(db, ada, schedule)
        assert (await states(db))["DETAIL", "SUCCESS"] == 1


async def test_a_task_whose_job_was_given_up_as_its_workers_were_killed_is_published_again(
    db: Database, database_url: str, ada: Person
) -> None:
    """Row 2 by a crash: the last of those after which the queue takes a job for what kills its workers."""
    shop = Shop("127.0.0.42").add("tray")
    async with open_shops(shop):
        await run(db, ada, await watch(db, ada, shop.product("tray")))
        with crasher(database_url) as workers:
            crashed = await workers.run(since="agent", at=2, when="after")
        assert crashed["code"] == -9
        await rows(db, "update jobs set rescues = $1 where kind = 'crawl:execute'", MAX_RESCUES)
        await later(db, seconds=61)
        await Rescuer(db).run_once()
        [job] = await rows(db, "select status from jobs where kind = 'crawl:execute'")
        assert job["status"] == "dead"
        assert await states(db) == {("DETAIL", "RUNNING"): 1}
        await sweep(db)
        await later(db, seconds=1)
        await relay(db)
    assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    executions = await rows(db, "select status, error from crawl_executions order by started_at")
    assert [tuple(each) for each in executions] == [
        ("FAILED", "the worker was killed"),
        ("SUCCESS", None),
    ]


async def publish_only(db: Database, *, sweep_too: bool = False) -> None:
    """The relay, and no executor."""
    from mindhit.crawl.jobs import make_transport
    from mindhit.crawl.recovery.sweeping import sweep as sweep_now
    from mindhit.crawl.settings import CrawlSettings
    from mindhit.crawl.transport.relay import relay as relay_now

    settings = config()[CrawlSettings]
    if sweep_too:
        await sweep_now(db, settings, None)
    await relay_now(db, make_transport(settings), settings)


async def test_a_deferred_task_is_no_orphan(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.33").add("rug")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("rug"))
        await run(db, ada, schedule)
        await rows(
            db,
            "insert into site_breakers (domain, state, probe_at)"
            " values ('127.0.0.33', 'OPEN', now() + interval '1 day')",
        )
        await work_off(db)
        await later(db, hours=2)
        await sweep(db)
        [task] = await rows(db, "select status, retry_count from crawl_tasks")
        assert tuple(task) == ("PUBLISHED", 0)
        assert len(shop.site.asked) == 0


async def test_raws_wait_for_what_they_follow_and_end_as_dead_letters_that_say_so(
    db: Database, ada: Person
) -> None:
    """Row 4: arrived in the wrong order they are applied in the right one; alone they are given up."""
    shop = Shop("127.0.0.34").add("sofa")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.collection, site="shopify")
        await crawl_all(db, ada, schedule)
    calm = await rows(db, PRODUCTS)
    again = "update crawled_raws set status = 'PENDING', processed_at = null, available_at = "
    for first in (("OPTION",), ("OPTION", "DETAIL"), ("DETAIL",)):
        await rows(db, "delete from crawled_products")
        await rows(db, again + "'infinity'")
        for arrived in (*first, "MINI_SHOP", "DETAIL", "OPTION"):
            await rows(db, "update crawled_raws set available_at = now() where type = $1", arrived)
            await apply_now(db, ada)
            done = await rows(db, "select type from crawled_raws where status = 'PROCESSED'")
            order = ["MINI_SHOP", "DETAIL", "OPTION"]
            assert {each[0] for each in done} == set(order[: len(done)])
        assert await rows(db, PRODUCTS) == calm
    await rows(db, "delete from crawled_products")
    await rows(db, again + "now()")
    await rows(db, "delete from crawled_raws where type = 'DETAIL'")
    await apply_now(db, ada)
    await later(db, hours=25)
    await sweep(db)
    async with db.read() as tx:
        [dead] = await crawl.list_dead(tx, ada.id, limit=10)
    assert (dead.what, dead.type, dead.error) == (
        "raw",
        "OPTION",
        "DETAIL of the same run never arrived",
    )


async def test_after_a_long_stop_raws_are_applied_and_none_is_given_up_whose_turn_would_come(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.34").add("sofa")
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.collection, site="shopify"))
    calm = await rows(db, PRODUCTS)
    await rows(db, "update crawled_raws set status = 'PENDING', processed_at = null")
    await rows(db, "delete from crawled_products")
    await later(db, hours=30)
    await sweep(db)  # before any of them
    assert await rows(db, PRODUCTS) == calm
    async with db.read() as tx:
        assert await crawl.list_dead(tx, ada.id, limit=10) == []


async def test_what_follows_something_unreadable_is_given_up_and_says_so(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.34").add("sofa")
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.collection, site="shopify"))
    await rows(db, "delete from crawled_products")
    await rows(db, "update crawled_raws set status = 'PENDING', processed_at = null")
    await rows(db, "update crawled_raws set status = 'DEAD' where type = 'DETAIL'")
    await later(db, hours=30)
    await sweep(db)
    await sweep(db)
    errors = await rows(db, "select last_error from crawled_raws where type = 'OPTION'")
    assert [each[0] for each in errors] == ["DETAIL of the same run could not be read"]


async def test_a_product_that_somebody_else_is_changing_is_waited_for(
    db: Database, ada: Person
) -> None:
    """Row 4: else a page that is older than what they are writing would be applied over it."""
    shop = Shop("127.0.0.43").add("sofa")
    async with open_shops(shop):
        await crawl_all(db, ada, await watch(db, ada, shop.product("sofa")))
    await rows(db, "update crawled_raws set status = 'PENDING', processed_at = null")
    async with db.transaction() as tx:
        await tx._connection.execute("select from crawled_products for update")
        applying = asyncio.create_task(sweep_later(db))
        await somebody_waits(db)
        await tx._connection.execute(
            "update crawled_products set title = 'newer', detail_at = now()"
        )
    await applying
    [product] = await rows(db, "select title from crawled_products")
    assert product["title"] == "newer"


async def sweep_later(db: Database) -> None:
    await rows(db, "update crawled_raws set available_at = now() - interval '1 minute'")
    await sweep(db)


async def apply_now(db: Database, ada: Person) -> None:
    from mindhit.crawl.job_types import Apply
    from mindhit.work import enqueue

    async with db.transaction() as tx:
        await enqueue(tx, Apply(ada.id, "shopify", "127.0.0.34/sofa"))
    await work_off(db)


async def test_a_transport_that_is_down_is_tried_a_few_times_and_then_given_up_visibly(
    db: Database, ada: Person
) -> None:
    """Row 5. Nobody listens at the queue's address."""
    down = config(
        crawl_transport="sqs",
        sqs_task_queue="http://127.0.0.1:9/queue/tasks",
        sqs_endpoint="http://127.0.0.1:9",
        crawl_outbox_retries=2,
    )
    shop = Shop("127.0.0.35").add("desk")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("desk"))
        await run(db, ada, schedule)
        for tries in (1, 2):
            await relay(db, down)
            [outbox] = await rows(db, "select status, retry_count from crawl_task_outbox")
            assert tuple(outbox) == ("FAILED", tries)
            assert await states(db) == {("DETAIL", "WAITING"): 1}
            await relay(db, down)  # not before its time
            await later(db, hours=1)
        await relay(db, down)
        assert await states(db) == {("DETAIL", "FAILED"): 1}
        async with db.read() as tx:
            [dead] = await crawl.list_dead(tx, ada.id, limit=10)
        assert dead.what == "outbox"
        async with db.transaction() as tx:
            await crawl.retry_dead(tx, ada.id, dead.id)
        await work_off(db)
    assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    [outbox] = await rows(db, "select status, retry_count from crawl_task_outbox")
    assert tuple(outbox) == ("SENT", 0)  # the next attempt's message starts anew


async def test_a_transport_that_cannot_be_opened_is_given_up_like_one_that_is_down(
    db: Database, ada: Person
) -> None:
    """Row 5: whether a message was refused or nobody could be asked, it is not tried for ever."""
    wrong = config(
        crawl_transport="sqs",
        sqs_task_queue="http://127.0.0.1:9/queue/tasks",
        sqs_endpoint="no address",
        crawl_outbox_retries=1,
    )
    await run(db, ada, await watch(db, ada, "https://shop.example/product/desk"))
    for status in ("FAILED", "DEAD"):
        await relay(db, wrong)
        [outbox] = await rows(db, "select status, last_error from crawl_task_outbox")
        assert outbox["status"] == status
        assert "no address" in outbox["last_error"]
        await later(db, hours=1)
    assert await states(db) == {("DETAIL", "FAILED"): 1}


async def test_a_raw_that_cannot_be_read_is_tried_again_then_dead_and_retried_by_hand(
    db: Database, ada: Person
) -> None:
    """Row 7."""
    shop = Shop("127.0.0.36").add("lid")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("lid"))
        await crawl_all(db, ada, schedule)
    [whole] = await rows(db, "select body from crawled_raws")
    await rows(db, "update crawled_raws set status = 'PENDING', processed_at = null")
    await rows(db, "delete from crawled_products")
    await later(db, seconds=200)
    packed = gzip.compress(b"x")
    for tries, broken in enumerate((packed[:-6], packed[:10] + b"\xff" * 20, b"plain"), 1):
        await rows(db, "update crawled_raws set body = $1", broken)
        await sweep(db)
        [raw] = await rows(db, "select status, retry_count from crawled_raws")
        assert tuple(raw) == ("FAILED", tries)
        await later(db, hours=2)
    await sweep(db)
    async with db.read() as tx:
        [dead] = await crawl.list_dead(tx, ada.id, limit=10)
    assert (dead.what, dead.retry_count) == ("raw", 4)
    await rows(db, "update crawled_raws set body = $1", whole["body"])
    async with db.transaction() as tx:
        await crawl.retry_dead(tx, ada.id, dead.id)
    await work_off(db)
    assert len(await rows(db, PRODUCTS)) == 1


async def test_a_page_of_another_layout_is_read_again_by_the_next_version(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.37").add("hook")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("hook"))
        await crawl_all(db, ada, schedule)
    await rows(
        db,
        "update crawled_raws set status = 'DEAD', last_error = 'layout: it changed', site_version = 0",
    )
    await rows(db, "delete from crawled_products")
    await sweep(db)
    [raw] = await rows(db, "select status, site_version from crawled_raws")
    assert raw["status"] == "PROCESSED"
    assert raw["site_version"] > 0


async def test_how_often_things_are_tried_again_is_a_setting(db: Database, ada: Person) -> None:
    """Row 8."""
    shop = Shop("127.0.0.38").add("bell")
    shop.fault = "500"
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("bell"))
        await run(db, ada, schedule)
        await work_off(db, config(crawl_task_retries=0))
        assert await states(db) == {("DETAIL", "FAILED"): 1}
        shop.fault = None
        await crawl_all(db, ada, schedule)
    await rows(
        db, "update crawled_raws set status = 'PENDING', processed_at = null, body = 'plain'"
    )
    await later(db, seconds=200)
    await sweep(db, config(crawl_raw_retries=0))
    [raw] = await rows(db, "select status, retry_count from crawled_raws")
    assert tuple(raw) == ("DEAD", 1)


async def test_a_raw_whose_job_died_is_applied_by_the_sweep(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.40").add("door")
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.collection, site="shopify")
        await crawl_all(db, ada, schedule)
    await rows(db, "update crawled_raws set status = 'PENDING' where type = 'OPTION'")
    await rows(db, "update crawled_products set option_at = null, price_min = null")
    await rows(db, "delete from jobs")
    await later(db, seconds=121)
    await sweep(db)
    [product] = await rows(db, "select price_min from crawled_products")
    assert product["price_min"] == 20
