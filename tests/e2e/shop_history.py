"""Two months of watching shops, straight into the database: for pictures."""

from __future__ import annotations

import asyncpg
import httpx2

PAGES = {
    "https://lamps.example/category/desk": ("Desk lamps", "0 8 * * *"),
    "https://shop.example/product/coffee-grinder": ("Coffee grinder", "0 */6 * * *"),
    "https://books.example/category/maps": ("Atlases and maps", "30 7 * * 1"),
}
THINGS = (
    ("arc", "Arc desk lamp, brushed brass", "Lumen & Co"),
    ("clip", "Clip-on reading lamp", "Lumen & Co"),
    ("book", "독서용 LED 스탠드", "빛나라"),
    ("globe", "Globe lamp, opal glass, 30 cm", "Farol"),
)
_RUNS = """
insert into crawl_tasks (id, user_id, scheduler_id, parent_id, type, item_key, url, domain, status,
                         retry_count, last_error, created_at, finished_at)
select gen_random_uuid(), s.user_id, s.id, null, 'SEARCH', '1', s.url, s.domain, 'SUCCESS', 0, null,
       now() - n * interval '1 day', now() - n * interval '1 day' + interval '9 seconds'
  from crawl_schedulers s, generate_series(0, 6) n where s.name = 'Desk lamps'"""
_TASKS = """
insert into crawl_tasks (id, user_id, scheduler_id, parent_id, type, item_key, url, domain, status,
                         retry_count, last_error, created_at, finished_at)
select gen_random_uuid(), r.user_id, r.scheduler_id, r.id, 'DETAIL', i.key,
       'https://lamps.example/product/' || i.key, r.domain,
       case when i.key = 'globe' and r.created_at > now() - interval '20 hours' then 'FAILED'
            else 'SUCCESS' end, 1,
       case when i.key = 'globe' and r.created_at > now() - interval '20 hours'
            then 'There is no page at this address. (the site answered 404)' end,
       r.created_at + interval '2 seconds', r.finished_at
  from crawl_tasks r, unnest($1::text[]) i (key)
 where r.parent_id is null"""
_OUTBOX = """
insert into crawl_task_outbox (user_id, task_id, idempotency_key, payload, status)
select user_id, id, 'outbox-' || id, '{}', 'SENT' from crawl_tasks"""
_PRODUCT = """
insert into crawled_products (user_id, scheduler_id, site, item_key, url, title, brand, sku, price_min,
                              price_max, currency, availability, created_at)
select user_id, id, site, $1, 'https://lamps.example/product/' || $1, $2, $3, 'L-' || upper($1),
       $4::numeric, $5::numeric, 'EUR', $6, now() - interval '60 days'
  from crawl_schedulers where name = 'Desk lamps' returning id"""
_OPTION = """
insert into crawled_product_options (user_id, product_id, option_key, name, attributes, sku, price,
                                     currency, availability, quantity)
select user_id, id, $2, $2, '{}', item_key || '-' || lower($2), $3::numeric, 'EUR', $4, $5
  from crawled_products where id = $1 returning id"""
_CHANGE = """
insert into crawled_product_history (user_id, product_id, option_id, raw_id, at, price, currency,
                                     availability)
select user_id, product_id, id, gen_random_uuid(), now() - $2 * interval '1 day', $3::numeric, 'EUR', $4
  from crawled_product_options where id = $1"""
_BREAKER = """
insert into site_breakers (domain, state, trips, reason, probe_at)
values ('shop.example', 'OPEN', 1, '403', now() + interval '5 minutes')"""
_LAST = """
update crawl_schedulers set last_run_at = now() - interval '2 hours' where name = 'Desk lamps'"""
IN, OUT = "InStock", "OutOfStock"
HISTORY = {
    "Brass": [
        (60, "89", IN),
        (46, "94.50", IN),
        (33, "94.50", OUT),
        (26, "94.50", IN),
        (9, "75.60", IN),
    ],
    "Black": [(60, "79", IN), (40, "82", IN), (9, "69", IN)],
    "White": [(60, "79", OUT), (12, "82", IN)],
}


async def fill(client: httpx2.Client, database_url: str) -> None:
    for url, (name, cron) in PAGES.items():
        asked = {"url": url, "cron": cron, "name": name, "timezone": "Europe/Berlin"}
        assert client.post("/v1/crawl/schedules", json=asked).status_code == 201
    connection = await asyncpg.connect(database_url)
    try:
        for statement in (_RUNS, _BREAKER, _LAST):
            await connection.execute(statement)
        await connection.execute(_TASKS, [key for key, _, _ in THINGS])
        await connection.execute(_OUTBOX)
        for number, (key, title, brand) in enumerate(THINGS):
            offer = ("69", "82", IN) if number == 0 else (f"{20 + 7 * number}.90",) * 2 + (IN,)
            stock = OUT if key == "book" else offer[2]
            product = await connection.fetchval(_PRODUCT, key, title, brand, *offer[:2], stock)
            if number == 0:
                await _add_options(connection, product)
    finally:
        await connection.close()


async def _add_options(connection: asyncpg.Connection, product: object) -> None:
    for name, changes in HISTORY.items():
        _, price, stock = changes[-1]
        quantity = 3 if name == "Black" else None
        option = await connection.fetchval(_OPTION, product, name, price, stock, quantity)
        for days, was, then in changes:
            await connection.execute(_CHANGE, option, days, was, then)
