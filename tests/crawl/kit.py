"""What the tests of the crawler share: settings that reach the farm, and letting time pass."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from mindhit import crawl, wiring
from mindhit.accounts import Person
from mindhit.clock import utc_now
from mindhit.crawl.job_types import Relay, Sweep, Tick
from mindhit.crawl.model import Schedule
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work import enqueue
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import settings as base_settings
from tests.crawl.farm import Shop
from tests.fetching.kit import serving

DAILY = "30 6 * * *"
# What a calm run and any other have to agree in: everything but ids and times.
PRODUCTS = """
select p.site, p.item_key, p.title, p.brand, p.sku, p.price_min, p.price_max, p.currency,
       p.availability, p.missed, p.gone_at is not null as gone, o.option_key, o.name, o.sku as option_sku,
       o.price, o.availability as option_stock, o.gone_at is not null as option_gone
  from crawled_products p left join crawled_product_options o on o.product_id = p.id
 order by p.item_key, o.option_key"""
HISTORY = """
select p.item_key, o.option_key, h.price, h.currency, h.availability
  from crawled_product_history h join crawled_product_options o on o.id = h.option_id
  join crawled_products p on p.id = h.product_id
 order by p.item_key, o.option_key, h.at, h.price"""
STATES = "select type, status, count(*) from crawl_tasks group by 1, 2 order by 1, 2"
_TIMES = {
    "crawl_schedulers": ("next_run_at", "last_run_at", "created_at", "updated_at"),
    "crawl_tasks": ("created_at", "updated_at", "finished_at", "listed_at"),
    "crawl_task_outbox": ("available_at", "locked_at", "sent_at"),
    "crawled_raws": ("available_at", "run_at", "created_at", "processed_at"),
    "crawled_products": ("mini_shop_at", "detail_at", "option_at", "created_at", "gone_at"),
    "user_agent_health": ("suspended_until", "last_used_at"),
    "site_breakers": ("probe_at",),
    "fetch_waits": ("until",),
}


def config(**more: Any) -> Settings:
    return base_settings(fetching=True, allowed_networks=("127.0.0.0/8",), **more)


async def rows(db: Database, sql: str, *values: object) -> list[asyncpg.Record]:
    async with db.transaction() as tx:
        found: list[asyncpg.Record] = await tx._connection.fetch(sql, *values)
        return found


async def states(db: Database) -> dict[tuple[str, str], int]:
    return {(each[0], each[1]): each[2] for each in await rows(db, STATES)}


@asynccontextmanager
async def open_shops(*shops: Shop) -> AsyncIterator[None]:
    async with serving(*(each.site for each in shops)):
        yield


async def watch(
    db: Database, person: Person, url: str, *, cron: str = DAILY, **how: Any
) -> Schedule:
    async with db.transaction() as tx:
        return await crawl.add_schedule(
            tx, person.id, url, cron=cron, now=utc_now(), most=1000, timezone="UTC", **how
        )


async def run(db: Database, person: Person, schedule: Schedule) -> UUID:
    async with db.transaction() as tx:
        return (await crawl.run_now(tx, person.id, schedule.id, utc_now())).id


async def work_off(db: Database, settings: Settings | None = None) -> None:
    """All that is due, until nothing is."""
    product = wiring.product(settings or config())
    wiring.install(product)
    await drain(db, product.jobs)


async def do(db: Database, job: object, settings: Settings | None = None) -> None:
    async with db.transaction() as tx:
        await enqueue(tx, job)
    await work_off(db, settings)


async def sweep(db: Database, settings: Settings | None = None) -> None:
    await do(db, Sweep(), settings)


async def tick(db: Database, settings: Settings | None = None) -> None:
    await do(db, Tick(), settings)


async def relay(db: Database, settings: Settings | None = None) -> None:
    await do(db, Relay(), settings)


async def later(db: Database, **by: float) -> None:
    """Everything that the crawler and the queue wait for is so much nearer."""
    gone = timedelta(**by)
    async with db.transaction() as tx:
        for table, columns in _TIMES.items():
            moved = ", ".join(f"{each} = {each} - $1::interval" for each in columns)
            await tx._connection.execute(f"update {table} set {moved}", gone)
    await pass_time(db, gone.total_seconds())


async def somebody_waits(db: Database) -> None:
    """Until a session of this database waits for another's lock."""
    while not await rows(
        db,
        "select from pg_stat_activity"
        " where datname = current_database() and wait_event_type = 'Lock'",
    ):
        await asyncio.sleep(0.01)


async def crawl_all(db: Database, person: Person, *schedules: Schedule) -> None:
    """Run these to their end."""
    for each in schedules:
        await run(db, person, each)
    await work_off(db)
