"""Tasks and their executions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from mindhit.crawl.model import Execution, Run, SchedulerId, Task, TaskId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """Tasks as columns, of one person and schedule."""

    user_id: UUID
    scheduler_id: SchedulerId
    parent_id: TaskId | None
    ids: list[UUID]
    types: list[str]
    item_keys: list[str]
    urls: list[str]
    domains: list[str]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A task as its executor sees it."""

    id: TaskId
    scheduler_id: SchedulerId
    parent_id: TaskId | None
    type: str
    item_key: str
    url: str
    domain: str
    status: str
    retry_count: int
    key: str
    site: str
    target: str
    schedule_url: str
    run_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    user_id: UUID
    execution_id: UUID
    status: str
    http_status: int | None
    duration_ms: int
    error: str | None


_TASK: Final = """
select id, scheduler_id, parent_id, type, item_key, url, status, retry_count, last_error, created_at,
       finished_at
  from crawl_tasks"""

# One that is unfinished already serves the new one too (crawl_tasks_once).
ADD = Write(
    TaskId,
    """
insert into crawl_tasks (id, user_id, scheduler_id, parent_id, type, item_key, url, domain)
select t.id, $user_id, $scheduler_id, $parent_id, t.type, t.item_key, t.url, t.domain
  from unnest($ids::uuid[], $types::text[], $item_keys::text[], $urls::text[], $domains::text[])
         as t (id, type, item_key, url, domain)
 order by t.type, t.item_key
on conflict (scheduler_id, type, item_key) where finished_at is null do nothing
returning id""",
    params=Added,
)
# With the key of its current message: one of another attempt does not fit.
CLAIMED = Query(
    Claimed,
    """
select t.id, t.scheduler_id, t.parent_id, t.type, t.item_key, t.url, t.domain, t.status, t.retry_count,
       o.idempotency_key as key, s.site, s.target, s.url as schedule_url,
       coalesce(r.created_at, t.created_at) as run_at
  from crawl_tasks t
  join crawl_task_outbox o on o.task_id = t.id and o.user_id = t.user_id
  join crawl_schedulers s on s.id = t.scheduler_id and s.user_id = t.user_id
  left join crawl_tasks r on r.id = t.parent_id and r.user_id = t.user_id
 where t.user_id = $1 and t.id = $2""",
)
START = Write(
    TaskId,
    """
update crawl_tasks set status = 'RUNNING', updated_at = now()
 where user_id = $1 and id = $2 and finished_at is null
returning id""",
)
# An execution that was killed leaves its row; whoever runs next closes it.
CLOSE_LOST = Write(
    Nothing,
    """
update crawl_executions
   set status = 'FAILED', error = 'the worker was killed', finished_at = now(), updated_at = now()
 where user_id = $1 and task_id = $2 and status = 'RUNNING'""",
)
ADD_EXECUTION = Write(
    UUID,
    """
insert into crawl_executions (user_id, task_id, attempt, user_agent_id) values ($1, $2, $3, $4)
returning id""",
)
# Not tried after all: the site wants time, or the page is on another domain.
PUT_BACK = Write(
    Nothing,
    """
update crawl_tasks set status = 'PUBLISHED', updated_at = now()
 where user_id = $1 and id = $2 and status = 'RUNNING'""",
)
DROP_EXECUTION = Write(Nothing, "delete from crawl_executions where user_id = $1 and id = $2")
END_EXECUTION = Write(
    Nothing,
    """
update crawl_executions
   set status = $status, http_status = $http_status, duration_ms = $duration_ms, error = $error,
       finished_at = now(), updated_at = now()
 where user_id = $user_id and id = $execution_id""",
    params=Ended,
)
SUCCEED = Write(
    TaskId,
    """
update crawl_tasks
   set status = 'SUCCESS', last_error = null, finished_at = now(), updated_at = now()
 where user_id = $1 and id = $2 and status = 'RUNNING'
returning id""",
)
FAIL = Write(
    TaskId,
    """
update crawl_tasks
   set status = 'FAILED', retry_count = retry_count + 1, last_error = $3, finished_at = now(),
       updated_at = now()
 where user_id = $1 and id = $2 and finished_at is null
returning id""",
)
RETRY = Write(
    TaskId,
    """
update crawl_tasks
   set status = 'RETRY', retry_count = retry_count + 1, last_error = $3, updated_at = now()
 where user_id = $1 and id = $2 and finished_at is null
returning id""",
)
# A run's listing was read to its end; and what it lacked is counted now, once. $2 the first task of the run.
LISTED = Write(Nothing, "update crawl_tasks set listed_at = now() where user_id = $1 and id = $2")
TAKE_LISTED = Write(
    TaskId,
    """
update crawl_tasks set listed_at = null
 where user_id = $1 and id = $2 and listed_at is not null
returning id""",
)
# Whether a schedule has a run under way (crawl_tasks_once).
IS_BUSY = Query(
    bool,
    """
select exists (select from crawl_tasks
                where user_id = $1 and scheduler_id = $2 and type = $3 and finished_at is null)""",
)

SHOW = Query(Task, f"{_TASK} where user_id = $1 and id = $2")
# The newest first (crawl_tasks_of_user, crawl_tasks_of_scheduler, crawl_tasks_of_run).
LIST = Query(
    Task,
    f"""{_TASK}
 where user_id = $1 and ($2::uuid is null or scheduler_id = $2)
   and ($3::uuid is null or parent_id = $3 or id = $3)
   and ($4::text is null or status = $4) and ($5::text is null or type = $5)
   and ($6::timestamptz is null or (created_at, id) < ($6, $7::uuid))
 order by created_at desc, id desc limit $8""",
)
# First tasks, the newest first (crawl_tasks_first); what came of them is counted only for those shown
# (crawl_tasks_of_run).
RUNS = Query(
    Run,
    """
select r.id, r.scheduler_id, s.name, s.domain, r.status, r.last_error, r.created_at,
       case when r.finished_at is not null and c.unfinished = 0
            then greatest(r.finished_at, c.finished_at) end as finished_at,
       (c.tasks + 1)::int as tasks,
       (c.succeeded + (r.status = 'SUCCESS')::int)::int as succeeded,
       (c.failed + (r.status = 'FAILED')::int)::int as failed
  from (
    select id, user_id, scheduler_id, status, last_error, created_at, finished_at
      from crawl_tasks
     where user_id = $1 and parent_id is null and ($2::uuid is null or scheduler_id = $2)
       and ($3::uuid is null or id = $3)
       and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
     order by created_at desc, id desc limit $6) r
  join crawl_schedulers s on s.id = r.scheduler_id and s.user_id = r.user_id
  cross join lateral (
    select count(*) as tasks, count(*) filter (where t.status = 'SUCCESS') as succeeded,
           count(*) filter (where t.status = 'FAILED') as failed,
           count(*) filter (where t.finished_at is null) as unfinished,
           max(t.finished_at) as finished_at
      from crawl_tasks t where t.parent_id = r.id and t.user_id = r.user_id) c
 order by r.created_at desc, r.id desc""",
)
EXECUTIONS = Query(
    Execution,
    """
select e.id, e.attempt, a.user_agent, e.status, e.http_status, e.duration_ms, e.error, e.started_at,
       e.finished_at
  from crawl_executions e left join user_agents a on a.id = e.user_agent_id
 where e.user_id = $1 and e.task_id = $2 order by e.started_at, e.id limit 100""",
)


@dataclass(frozen=True, slots=True)
class StatusCount:
    status: str
    count: int


COUNTS = Query(
    StatusCount,
    """
select status, count(*)::int as count from crawl_tasks where user_id = $1 group by 1 order by 1""",
)
