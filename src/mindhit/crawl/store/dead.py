"""Dead letters: what was given up, until somebody retries or discards it."""

from __future__ import annotations

from uuid import UUID

from mindhit.crawl.model import DeadLetter, TaskId
from mindhit.crawl.store.recovery import RawOf
from mindhit.db import Query, Write

# The newest first (crawl_tasks_dead, crawl_task_outbox_dead, crawled_raws_dead).
LIST = Query(
    DeadLetter,
    """
select * from (
  (select t.id, 'task' as what, t.type, t.item_key, t.url, t.last_error as error, t.retry_count,
          t.finished_at as at
     from crawl_tasks t join crawl_task_outbox o on o.task_id = t.id and o.user_id = t.user_id
    where t.user_id = $1 and t.status = 'FAILED' and o.status <> 'DEAD'
      and ($2::text is null or $2 = 'task')
      and ($3::timestamptz is null or (t.finished_at, t.id) < ($3, $4::uuid))
    order by t.finished_at desc, t.id desc limit $5)
  union all
  (select o.id, 'outbox', t.type, t.item_key, t.url, o.last_error, o.retry_count, o.updated_at
     from crawl_task_outbox o join crawl_tasks t on t.id = o.task_id and t.user_id = o.user_id
    where o.user_id = $1 and o.status = 'DEAD' and ($2::text is null or $2 = 'outbox')
      and ($3::timestamptz is null or (o.updated_at, o.id) < ($3, $4::uuid))
    order by o.updated_at desc, o.id desc limit $5)
  union all
  (select r.id, 'raw', r.type, r.item_key, r.url, r.last_error, r.retry_count, r.updated_at
     from crawled_raws r
    where r.user_id = $1 and r.status = 'DEAD' and ($2::text is null or $2 = 'raw')
      and ($3::timestamptz is null or (r.updated_at, r.id) < ($3, $4::uuid))
    order by r.updated_at desc, r.id desc limit $5)
) dead order by at desc, id desc limit $5""",
)
# The task of a dead letter, be it named by the task's own id or by its message's.
TASK_OF = Write(
    TaskId,
    """
select t.id from crawl_tasks t join crawl_task_outbox o on o.task_id = t.id and o.user_id = t.user_id
 where t.user_id = $1 and t.status = 'FAILED' and (t.id = $2 or o.id = $2 and o.status = 'DEAD')
   for update of t""",
)
# One more try. Nothing where a newer task for the same page is under way.
REVIVE_TASK = Write(
    int,
    """
update crawl_tasks t set status = 'RETRY', finished_at = null, updated_at = now()
 where t.user_id = $1 and t.id = $2
   and not exists (select from crawl_tasks other
                    where other.scheduler_id = t.scheduler_id and other.user_id = t.user_id
                      and other.type = t.type and other.item_key = t.item_key
                      and other.finished_at is null)
returning t.retry_count""",
)
REVIVE_RAW = Write(
    RawOf,
    """
update crawled_raws
   set status = 'PENDING', available_at = now(), updated_at = now()
 where user_id = $1 and id = $2 and status = 'DEAD'
returning user_id, site, item_key""",
)
DISCARD_TASK = Write(TaskId, "delete from crawl_tasks where user_id = $1 and id = $2 returning id")
DISCARD_RAW = Write(
    UUID, "delete from crawled_raws where user_id = $1 and id = $2 and status = 'DEAD' returning id"
)
