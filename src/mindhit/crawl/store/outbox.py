"""The outbox: messages that are to be sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from mindhit.crawl.model import TaskId
from mindhit.db import Nothing, Write


@dataclass(frozen=True, slots=True)
class Taken:
    """A message that is to be published now."""

    id: UUID
    user_id: UUID
    task_id: TaskId
    idempotency_key: str
    retry_count: int
    locked_at: datetime
    domain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    user_id: UUID
    task_ids: list[UUID]
    keys: list[str]
    payloads: list[Any]


ADD = Write(
    Nothing,
    """
insert into crawl_task_outbox (user_id, task_id, idempotency_key, payload)
select $user_id, o.task_id, o.key, o.payload
  from unnest($task_ids::uuid[], $keys::text[], $payloads::jsonb[]) as o (task_id, key, payload)""",
    params=Added,
)
# Due ones, and those whose process died while it published (crawl_task_outbox_due). $1 delay of new
# ones, $2 how long they are taken for, $3 how many.
TAKE = Write(
    Taken,
    """
with due as (
  select o.id from crawl_task_outbox o
   where o.status in ('PENDING', 'PROCESSING', 'FAILED')
     and o.available_at <= now() - make_interval(secs => case when o.status = 'PENDING' then $1 else 0 end)
   order by o.available_at limit $3 for update skip locked
)
update crawl_task_outbox o
   set status = 'PROCESSING', locked_at = now(), available_at = now() + make_interval(secs => $2),
       updated_at = now()
  from due, crawl_tasks t
 where o.id = due.id and t.id = o.task_id
returning o.id, o.user_id, o.task_id, o.idempotency_key, o.retry_count, o.locked_at, t.domain""",
    across_users="messages of everyone leave together",
)
# Message and task change together. A task that moved on meanwhile is left alone. The message of its next
# attempt may fail as often as this one could.
SENT = Write(
    Nothing,
    """
with sent as (
  update crawl_task_outbox o
     set status = 'SENT', retry_count = 0, sent_at = now(), locked_at = null, last_error = null,
         updated_at = now()
    from unnest($1::uuid[], $2::text[]) as p (id, key)
   where o.id = p.id and o.idempotency_key = p.key and o.status = 'PROCESSING'
  returning o.task_id
)
update crawl_tasks t set status = 'PUBLISHED', updated_at = now()
  from sent where t.id = sent.task_id and t.status in ('WAITING', 'RETRY')""",
    across_users="of the messages that this run has just taken",
)
# A message that a task was executed by was sent, whatever is written of it so far. $3 its key.
ARRIVED = Write(
    Nothing,
    """
update crawl_task_outbox
   set status = 'SENT', retry_count = 0, sent_at = now(), locked_at = null, last_error = null,
       updated_at = now()
 where user_id = $1 and task_id = $2 and idempotency_key = $3
   and status in ('PENDING', 'PROCESSING', 'FAILED')""",
)
# Not sent. $3 when it was taken: one that somebody else has taken since is theirs.
FAILED = Write(
    Nothing,
    """
update crawl_task_outbox
   set status = 'FAILED', retry_count = retry_count + 1, last_error = $4, locked_at = null,
       available_at = now() + make_interval(secs => $5), updated_at = now()
 where user_id = $1 and id = $2 and status = 'PROCESSING' and locked_at = $3""",
)
DEAD = Write(
    UUID,
    """
update crawl_task_outbox
   set status = 'DEAD', retry_count = retry_count + 1, last_error = $4, locked_at = null,
       updated_at = now()
 where user_id = $1 and id = $2 and status = 'PROCESSING' and locked_at = $3
returning id""",
)
# The message of the next attempt. $3 its key, $4 seconds until it may be sent.
REARM = Write(
    Nothing,
    """
update crawl_task_outbox
   set status = 'PENDING', idempotency_key = $3::text, locked_at = null, sent_at = null,
       payload = jsonb_set(payload, '{key}', to_jsonb($3::text)),
       available_at = now() + make_interval(secs => $4), updated_at = now()
 where user_id = $1 and task_id = $2""",
)
