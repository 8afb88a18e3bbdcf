"""Raws: what sites said, until it is applied."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.crawl.model import RawId, SchedulerId, TaskId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """Raws as columns, of one task."""

    user_id: UUID
    task_id: TaskId
    scheduler_id: SchedulerId
    type: str
    site: str
    site_version: int
    follows: str | None
    run_at: datetime
    item_keys: list[str]
    urls: list[str]
    bodies: list[bytes]


@dataclass(frozen=True, slots=True)
class Pending:
    """A raw that waits to be applied."""

    id: RawId
    scheduler_id: SchedulerId
    type: str
    url: str
    body: bytes
    follows: str | None
    run_at: datetime
    retry_count: int
    created_at: datetime
    is_listed: bool  # it comes from a listing, not from a page of the product's own


ADD = Write(
    Nothing,
    """
insert into crawled_raws (user_id, task_id, scheduler_id, type, site, site_version, follows, run_at,
                          item_key, url, body)
select $user_id, $task_id, $scheduler_id, $type, $site, $site_version, $follows, $run_at,
       r.item_key, r.url, r.body
  from unnest($item_keys::text[], $urls::text[], $bodies::bytea[]) as r (item_key, url, body)
on conflict (task_id, type, item_key) do nothing""",
    params=Added,
)
# Of one product, due ones in the order of their stages (crawled_raws_pending). Those that wait for something
# that has not come are left out: many of them would hide what could be applied.
PENDING = Query(
    Pending,
    """
select r.id, r.scheduler_id, r.type, r.url, r.body, r.follows, r.run_at, r.retry_count, r.created_at,
       t.type = 'SEARCH' as is_listed
  from crawled_raws r
  join crawl_tasks t on t.id = r.task_id and t.user_id = r.user_id
  left join crawled_products p
    on p.user_id = r.user_id and p.site = r.site and p.item_key = r.item_key
 where r.user_id = $1 and r.site = $2 and r.item_key = $3 and r.status in ('PENDING', 'FAILED')
   and r.available_at <= now()
   and (r.follows is null
        or case r.follows when 'MINI_SHOP' then p.mini_shop_at else p.detail_at end >= r.run_at
        or exists (select from crawled_raws b
                    where b.user_id = r.user_id and b.site = r.site and b.item_key = r.item_key
                      and b.type = r.follows and b.created_at >= r.run_at
                      and b.status in ('PENDING', 'FAILED') and b.available_at <= now()))
 order by array_position(array['MINI_SHOP', 'DETAIL', 'OPTION'], r.type), r.created_at, r.id
 limit $4""",
)
# Those of them that still wait, once the product is locked.
STILL_PENDING = Write(
    RawId,
    """
select id from crawled_raws
 where user_id = $1 and id = any($2::uuid[]) and status in ('PENDING', 'FAILED')
   for update""",
)
PROCESSED = Write(
    Nothing,
    """
update crawled_raws
   set status = 'PROCESSED', processed_at = now(), last_error = null, updated_at = now()
 where user_id = $1 and id = $2""",
)
FAILED = Write(
    Nothing,
    """
update crawled_raws
   set status = 'FAILED', retry_count = retry_count + 1, last_error = $3,
       available_at = now() + make_interval(secs => $4), updated_at = now()
 where user_id = $1 and id = $2""",
)
DEAD = Write(
    Nothing,
    """
update crawled_raws
   set status = 'DEAD', retry_count = retry_count + 1, last_error = $3, updated_at = now()
 where user_id = $1 and id = $2""",
)
