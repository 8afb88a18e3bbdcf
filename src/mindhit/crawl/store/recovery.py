"""Finding what was left behind, and deleting what is old."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.crawl.model import SchedulerId, TaskId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Orphan:
    task_id: TaskId
    user_id: UUID
    retry_count: int


@dataclass(frozen=True, slots=True)
class ListingOf:
    """Whose listing it is, and the first task of its run."""

    task_id: TaskId
    user_id: UUID
    scheduler_id: SchedulerId


@dataclass(frozen=True, slots=True)
class RawOf:
    """Whose raw it is, and of which product."""

    user_id: UUID
    site: str
    item_key: str


# Sent, not done, and no job that would do it (crawl_tasks_under_way, jobs_once). $1: for how many
# seconds, $2: how many at most.
ORPHANS = Write(
    Orphan,
    """
select t.id as task_id, t.user_id, t.retry_count
  from crawl_tasks t join crawl_task_outbox o on o.task_id = t.id
 where t.status in ('PUBLISHED', 'RUNNING') and o.status = 'SENT'
   and t.updated_at < now() - make_interval(secs => $1)
   and not exists (select from jobs j
                    where j.kind = 'crawl:execute' and j.key = o.idempotency_key
                      and j.status in ('queued', 'running'))
 order by t.updated_at limit $2 for update of t skip locked""",
    across_users="whoever's it is",
)
# Listings that were read to their end, and no job that would count what they lacked (crawl_tasks_listed,
# jobs_once). $1: for how many seconds, $2: how many at most.
UNCOUNTED = Query(
    ListingOf,
    """
select t.id as task_id, t.user_id, t.scheduler_id from crawl_tasks t
 where t.listed_at < now() - make_interval(secs => $1)
   and not exists (select from jobs j
                    where j.kind = 'crawl:listed' and j.key = t.id::text
                      and j.status in ('queued', 'running'))
 order by t.listed_at limit $2""",
    across_users="whoever's it is",
)
# Raws whose time has come again (crawled_raws_waiting).
DUE_RAWS = Query(
    RawOf,
    """
select distinct user_id, site, item_key from (
  select user_id, site, item_key from crawled_raws
   where status = 'FAILED' and available_at <= now()
   order by available_at limit $1) due""",
    across_users="whoever's it is",
)
# Raws that could be applied and were not: their job died. Those that wait for another are left out.
FORGOTTEN_RAWS = Query(
    RawOf,
    """
select distinct user_id, site, item_key from (
  select r.user_id, r.site, r.item_key
    from crawled_raws r
    left join crawled_products p
      on p.user_id = r.user_id and p.site = r.site and p.item_key = r.item_key
   where r.status = 'PENDING' and r.available_at < now() - make_interval(secs => $2)
     and (r.follows is null
          or case r.follows when 'MINI_SHOP' then p.mini_shop_at else p.detail_at end >= r.run_at)
   order by r.available_at limit $1) due""",
    across_users="whoever's it is",
)
# What waits for something that never came, or that could not be read. One whose predecessor is there and
# waits too, as after a long stop, is left to its job. $1 seconds, $2 how many.
EXPIRE_RAWS = Write(
    Nothing,
    """
with late as (
  select r.id,
         exists (select from crawled_raws d
                  where d.user_id = r.user_id and d.site = r.site and d.item_key = r.item_key
                    and d.type = r.follows and d.created_at >= r.run_at and d.status = 'DEAD') as came
    from crawled_raws r
    left join crawled_products p
      on p.user_id = r.user_id and p.site = r.site and p.item_key = r.item_key
   where r.status in ('PENDING', 'FAILED') and r.follows is not null
     and r.created_at < now() - make_interval(secs => $1) and r.available_at <= now()
     and coalesce(case r.follows when 'MINI_SHOP' then p.mini_shop_at else p.detail_at end, '-infinity')
         < r.run_at
     and not exists (select from crawled_raws b
                      where b.user_id = r.user_id and b.site = r.site and b.item_key = r.item_key
                        and b.type = r.follows and b.created_at >= r.run_at
                        and b.status in ('PENDING', 'FAILED'))
   order by r.available_at limit $2 for update of r skip locked
)
update crawled_raws r
   set status = 'DEAD', updated_at = now(),
       last_error = r.follows || ' of the same run '
                    || case when late.came then 'could not be read' else 'never arrived' end
  from late where r.id = late.id""",
    across_users="whoever's it is",
)
# Read by a version that did not understand the page; there is another one now.
RETRY_LAYOUTS = Write(
    RawOf,
    """
with known as (
  select r.id, s.version from crawled_raws r
    join unnest($1::text[], $2::int[]) as s (site, version) on s.site = r.site
   where r.status = 'DEAD' and r.last_error like 'layout:%' and r.site_version <> s.version
   limit $3
)
update crawled_raws r
   set status = 'PENDING', site_version = known.version, available_at = now(), updated_at = now()
  from known where r.id = known.id
returning r.user_id, r.site, r.item_key""",
    across_users="whoever's it is",
)
# Finished long ago, with their messages, executions and raws (crawl_tasks_old). A run's first task
# goes last, and takes no unfinished one along.
PRUNE = Write(
    Nothing,
    """
delete from crawl_tasks t
 where t.id in (
   select old.id from crawl_tasks old
    where old.finished_at < now() - make_interval(secs => $1)
      and not exists (select from crawl_tasks child
                       where child.parent_id = old.id
                         and (child.finished_at is null
                              or child.finished_at >= now() - make_interval(secs => $1)))
    order by old.finished_at limit $2)""",
    across_users="what is old is old for everyone",
)
