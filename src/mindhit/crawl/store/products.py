"""Products, their options and their history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from mindhit.crawl.model import Change, Option, OptionId, Product, ProductId, SchedulerId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Locked:
    """A product that is about to change."""

    id: ProductId
    scheduler_id: SchedulerId
    url: str
    title: str | None
    brand: str | None
    image: str | None
    sku: str | None
    gtin: str | None
    currency: str | None
    mini_shop_at: datetime | None
    detail_at: datetime | None
    option_at: datetime | None
    missed: int
    not_found: int
    gone_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    user_id: UUID
    id: ProductId
    scheduler_id: SchedulerId
    url: str
    title: str | None
    brand: str | None
    image: str | None
    sku: str | None
    gtin: str | None
    price_min: Decimal | None
    price_max: Decimal | None
    currency: str | None
    availability: str | None
    mini_shop_at: datetime | None
    detail_at: datetime | None
    option_at: datetime | None
    not_found: int
    gone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Known:
    """An option as it was."""

    id: OptionId
    option_key: str
    name: str | None
    attributes: Any
    sku: str | None
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None
    baseline: Decimal | None
    gone_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedOption:
    user_id: UUID
    product_id: ProductId
    option_key: str
    name: str | None
    attributes: Any
    sku: str | None
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None
    baseline: Decimal | None
    gone_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    user_id: UUID
    product_id: ProductId
    option_id: OptionId
    raw_id: UUID
    at: datetime
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None


@dataclass(frozen=True, slots=True)
class Missed:
    id: ProductId
    scheduler_id: SchedulerId
    title: str | None
    url: str
    gone_at: datetime | None


# Changed: the newest row of its history, where that is not the first (crawled_product_history_of_product).
_PRODUCT: Final = """
select p.id, p.scheduler_id, p.site, p.item_key, p.url, p.title, p.brand, p.image, p.sku, p.gtin,
       p.price_min, p.price_max, p.currency, p.availability, p.gone_at, p.created_at, p.updated_at,
       (select nullif(max(h.at), min(h.at)) from crawled_product_history h
         where h.product_id = p.id and h.user_id = p.user_id) as changed_at,
       (select count(*)::int from crawled_product_options o
         where o.product_id = p.id and o.user_id = p.user_id and o.gone_at is null) as options
  from crawled_products p"""

MAKE = Write(
    Nothing,
    """
insert into crawled_products (user_id, scheduler_id, site, item_key, url) values ($1, $2, $3, $4, $5)
on conflict (user_id, site, item_key) do nothing""",
)
LOCK = Write(
    Locked,
    """
select id, scheduler_id, url, title, brand, image, sku, gtin, currency, mini_shop_at, detail_at,
       option_at, missed, not_found, gone_at
  from crawled_products where user_id = $1 and site = $2 and item_key = $3 for update""",
)
SAVE = Write(
    Nothing,
    """
update crawled_products
   set scheduler_id = $scheduler_id, url = $url, title = $title, brand = $brand, image = $image,
       sku = $sku, gtin = $gtin, price_min = $price_min, price_max = $price_max, currency = $currency,
       availability = $availability, mini_shop_at = $mini_shop_at, detail_at = $detail_at,
       option_at = $option_at, missed = 0, not_found = $not_found, gone_at = $gone_at,
       updated_at = now()
 where user_id = $user_id and id = $id""",
    params=Saved,
)
# Of a product that is locked (crawled_product_options_once).
OPTIONS_OF = Query(
    Known,
    """
select id, option_key, name, attributes, sku, price, currency, availability, quantity, baseline, gone_at
  from crawled_product_options where user_id = $1 and product_id = $2 order by option_key""",
)
SAVE_OPTION = Write(
    OptionId,
    """
insert into crawled_product_options (user_id, product_id, option_key, name, attributes, sku, price,
                                     currency, availability, quantity, baseline, gone_at)
values ($user_id, $product_id, $option_key, $name, $attributes, $sku, $price, $currency,
        $availability, $quantity, $baseline, $gone_at)
on conflict (product_id, option_key) do update
   set name = excluded.name, attributes = excluded.attributes, sku = excluded.sku,
       price = excluded.price, currency = excluded.currency, availability = excluded.availability,
       quantity = excluded.quantity, baseline = excluded.baseline, gone_at = excluded.gone_at,
       updated_at = now()
returning id""",
    params=SavedOption,
)
NOTE = Write(
    Nothing,
    """
insert into crawled_product_history (user_id, product_id, option_id, raw_id, at, price, currency,
                                     availability, quantity)
values ($user_id, $product_id, $option_id, $raw_id, $at, $price, $currency, $availability, $quantity)
on conflict (option_id, raw_id) do nothing""",
    params=Noted,
)
SET_BASELINES = Write(
    Nothing,
    """
update crawled_product_options set baseline = price
 where user_id = $1 and product_id = $2 and id = any($3::uuid[])""",
)

# Products of a schedule that is about to go, which another found too (crawled_products_of_scheduler,
# crawled_raws_of_scheduler). $2 the one that goes.
LEAVE_TO_OTHERS = Write(
    Nothing,
    """
update crawled_products p set scheduler_id = other.scheduler_id, updated_at = now()
  from (
    select r.scheduler_id, r.site, r.item_key
      from crawl_schedulers s join crawled_raws r on r.scheduler_id = s.id and r.user_id = s.user_id
     where s.user_id = $1 and s.id <> $2) other
 where p.user_id = $1 and p.scheduler_id = $2
   and p.site = other.site and p.item_key = other.item_key""",
)

# Its page is not there this time. $4 how often makes it gone; the row says so when it became that now.
MISS_ONE = Write(
    Missed,
    """
update crawled_products
   set not_found = not_found + 1,
       gone_at = case when not_found + 1 >= $4 then coalesce(gone_at, now()) else gone_at end,
       updated_at = now()
 where user_id = $1 and site = $2 and item_key = $3
returning id, scheduler_id, title, url,
          case when not_found = $4 and missed < $4 then gone_at end as gone_at""",
)
# Products of a schedule that a whole run of its listing did not show. Those that the run's raws name
# were there, applied or not (crawl_tasks_of_run, crawled_raws_once).
MISS_UNLISTED = Write(
    Missed,
    """
update crawled_products p
   set missed = p.missed + 1,
       gone_at = case when p.missed + 1 >= $4 then coalesce(p.gone_at, now()) else p.gone_at end,
       updated_at = now()
  from crawl_tasks run
 where p.user_id = $1 and p.scheduler_id = $2 and run.id = $3 and run.user_id = $1
   and p.created_at < run.created_at
   and coalesce(p.mini_shop_at, p.created_at) < run.created_at
   and not exists (
     select from crawled_raws r join crawl_tasks t on t.id = r.task_id and t.user_id = r.user_id
      where (t.id = $3 or t.parent_id = $3) and t.type = 'SEARCH' and r.user_id = $1
        and r.item_key = p.item_key)
returning p.id, p.scheduler_id, p.title, p.url,
          case when p.missed = $4 and p.not_found < $4 then p.gone_at end as gone_at""",
)

SHOW = Query(Product, f"{_PRODUCT} where p.user_id = $1 and p.id = $2")
# The newest first (crawled_products_of_user, crawled_products_of_scheduler).
LIST = Query(
    Product,
    f"""{_PRODUCT}
 where p.user_id = $1 and ($2::uuid is null or p.scheduler_id = $2)
   and ($3::text is null or p.title ilike $3 or p.sku ilike $3 or p.brand ilike $3)
   and case $4::text when 'in' then p.gone_at is null and p.availability = 'InStock'
                     when 'out' then p.gone_at is null and p.availability = 'OutOfStock'
                     when 'gone' then p.gone_at is not null else true end
   and ($5::timestamptz is null or (p.created_at, p.id) < ($5, $6::uuid))
 order by p.created_at desc, p.id desc limit $7""",
)
OPTIONS = Query(
    Option,
    """
select id, option_key, name, attributes, sku, price, currency, availability, quantity, gone_at
  from crawled_product_options where user_id = $1 and product_id = $2
 order by gone_at is not null, option_key limit 500""",
)
# The newest ones of a time, oldest first (crawled_product_history_of_product).
HISTORY = Query(
    Change,
    """
select * from (
  select option_id, at, price, currency, availability, quantity from crawled_product_history
   where user_id = $1 and product_id = $2
     and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)
   order by at desc, option_id limit $5) newest
 order by at, option_id""",
)
