"""A schedule with all that can come of it: tasks, messages, raws, a product, history, alerts."""

from __future__ import annotations

from mindhit import crawl
from mindhit.accounts import Person, Scope
from mindhit.clock import utc_now
from mindhit.db import Database
from tests.contract.slices import Contract, Ids

_READ = {
    "GET /v1/crawl/schedules",
    "GET /v1/crawl/schedules/{scheduler_id}",
    "PATCH /v1/crawl/schedules/{scheduler_id}",
    "DELETE /v1/crawl/schedules/{scheduler_id}",
    "POST /v1/crawl/schedules/{scheduler_id}/run",
    "GET /v1/crawl/sites",
    "POST /v1/crawl/preview",
    "GET /v1/crawl/runs",
    "GET /v1/crawl/runs/{run_id}",
    "GET /v1/crawl/alerts",
    "PUT /v1/crawl/alerts",
    "GET /v1/crawl/tasks",
    "GET /v1/crawl/tasks/{task_id}",
    "GET /v1/crawl/products",
    "GET /v1/crawl/products/{product_id}",
    "GET /v1/crawl/products/{product_id}/history",
    "GET /v1/crawl/dead",
    "POST /v1/crawl/dead/{dead_id}/retry",
    "DELETE /v1/crawl/dead/{dead_id}",
}
_ROWS = """
with outbox as (
  update crawl_task_outbox set last_error = $3 where user_id = $1
), task as (
  update crawl_tasks set last_error = $3, item_key = $3, url = $3, domain = $3
   where user_id = $1 and parent_id is null returning id, scheduler_id
), execution as (
  insert into crawl_executions (user_id, task_id, attempt, error) select $1, id, 1, $3 from task
), raw as (
  insert into crawled_raws (user_id, task_id, scheduler_id, type, site, site_version, item_key, url,
                            body, run_at, last_error, status)
  select $1, id, scheduler_id, 'DETAIL', $3, 1, $3, $3, '', now(), $3, 'DEAD' from task
  returning id
), product as (
  insert into crawled_products (user_id, scheduler_id, site, item_key, url, title, brand, image, sku,
                                gtin, currency, availability)
  select $1, $2, $3, $3, $3, $3, $3, $3, $3, $3, $3, $3 returning id
), choice as (
  insert into crawled_product_options (user_id, product_id, option_key, name, attributes, sku,
                                       currency, availability)
  select $1, id, $3, $3, jsonb_build_object('size', $3::text), $3, $3, $3 from product
  returning id, product_id
), history as (
  insert into crawled_product_history (user_id, product_id, option_id, raw_id, at, currency,
                                       availability)
  select $1, product_id, id, gen_random_uuid(), now(), $3, $3 from choice
), alert as (
  insert into crawl_alerts (user_id, product_id, kind, day) select $1, id, $3, now()::date from product
)
select task.id, product.id, raw.id from task, product, raw"""


async def life(db: Database, person: Person, canary: str) -> Ids:
    async with db.transaction() as tx:
        made = await crawl.add_schedule(
            tx,
            person.id,
            f"https://{canary}.example/product/{canary}",
            cron="0 6 * * *",
            now=utc_now(),
            most=10,
            name=canary,
            alerts=crawl.AlertRules(),
        )
        await crawl.set_alerts(tx, person.id, crawl.AlertRules())
        await crawl.run_now(tx, person.id, made.id, utc_now())
        found = await tx._connection.fetchrow(_ROWS, person.id, made.id, canary)
        assert found is not None
        task, product, raw = found
        await tx._connection.execute("delete from jobs where kind = 'crawl:relay'")
    return {
        "scheduler_id": str(made.id),
        "task_id": str(task),
        "run_id": str(task),
        "product_id": str(product),
        "dead_id": str(raw),
    }


NOBODY = "00000000-0000-4000-8000-000000000000"
CONTRACT = Contract(
    paths=("/v1/crawl", "/v1/admin/crawl"),
    bodies={
        "POST /v1/crawl/schedules": {"url": "https://eve.example/p/1", "cron": "0 6 * * *"},
        "PATCH /v1/crawl/schedules/{scheduler_id}": {"name": "mine now"},
        "POST /v1/crawl/preview": {"url": "https://eve.example/p/1", "cron": "0 6 * * *"},
        "PUT /v1/crawl/alerts": {"price_down": 10},
    },
    scopes={
        Scope.API: frozenset(_READ | {"POST /v1/crawl/schedules"}),
        Scope.EXTENSION: frozenset({"POST /v1/crawl/schedules"}),
        Scope.ADMIN: frozenset(),
    },
    life=life,
    no_ids=dict.fromkeys(("scheduler_id", "task_id", "run_id", "product_id", "dead_id"), NOBODY),
    not_exported={"crawled_raws.body": "pages of shops as they came, kept for 30 days"},
)
