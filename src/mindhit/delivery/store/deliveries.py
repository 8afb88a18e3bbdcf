"""Deliveries: one notice over one channel."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.delivery.model import DeliveryId, Outgoing


@dataclass(frozen=True, slots=True)
class State:
    status: str
    last_error: str | None


@dataclass(frozen=True, slots=True)
class OfNotice:
    id: DeliveryId
    channel_id: UUID
    status: str
    provider_id: str | None


# One for each notice and channel; the ids are made by the caller. One that is there, tried alone or in
# another digest before, goes with the digest that is being sent now.
ADD = Write(
    DeliveryId,
    """
insert into deliveries (id, user_id, notice_id, channel_id, digest_id)
select d.id, $1, d.notice_id, d.channel_id, d.digest_id
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) as d (id, notice_id, channel_id, digest_id)
on conflict on constraint deliveries_once do update set digest_id = excluded.digest_id
 where excluded.digest_id is not null and deliveries.status <> 'SENT'
returning id""",
)
_OUTGOING = """d.id, d.user_id, c.id as channel_id, n.id as notice_id, c.kind as channel_kind, c.config,
          old.status = 'SENDING' as was_sending, n.kind, n.key, n.title, n.body, n.url, d.digest_id"""
# What is to be sent, if it still is; marked before it is sent, so that a crash is seen. Sent alone, it
# is no part of a digest any more, and is settled alone.
BEGIN = Write(
    Outgoing,
    f"""
with old as (
  select id, status from deliveries where user_id = $1 and id = $2 for update
)
update deliveries d
   set status = 'SENDING', digest_id = null, attempts = d.attempts + 1, tried_at = now(),
       updated_at = now()
  from old, notices n, channels c
 where d.id = old.id and d.user_id = $1 and old.status not in ('SENT', 'DEAD')
   and n.id = d.notice_id and n.user_id = $1
   and c.id = d.channel_id and c.user_id = $1 and (c.enabled or n.kind = 'test')
returning {_OUTGOING}""",
)
# Of an earlier try of the same digests, what is no part of them any more (deliveries_of_digest).
LEAVE_DIGESTS = Write(
    Nothing,
    """
update deliveries set digest_id = null
 where user_id = $1 and digest_id = any($2) and notice_id <> all($3::uuid[])
   and status not in ('SENT', 'DEAD')""",
)
# As BEGIN, for all deliveries of one digest, by title (deliveries_of_digest).
BEGIN_DIGEST = Write(
    Outgoing,
    f"""
with old as (
  select id, status from deliveries
   where user_id = $1 and digest_id = $2 and status not in ('SENT', 'DEAD')
     for update
), marked as (
  update deliveries d
     set status = 'SENDING', attempts = d.attempts + 1, tried_at = now(), updated_at = now()
    from old, notices n, channels c
   where d.id = old.id and d.user_id = $1 and n.id = d.notice_id and n.user_id = $1
     and c.id = d.channel_id and c.user_id = $1 and c.enabled
  returning {_OUTGOING}
)
select id, user_id, channel_id, notice_id, channel_kind, config, was_sending, kind, key, title, body,
       url, digest_id
  from marked order by title, notice_id""",
)
SENT = Write(
    Nothing,
    """
update deliveries
   set status = 'SENT', provider_id = $3, sent_at = now(), last_error = null, updated_at = now()
 where user_id = $1 and id = $2""",
)
DIGEST_SENT = Write(
    Nothing,
    """
update deliveries
   set status = 'SENT', provider_id = $3, sent_at = now(), last_error = null, updated_at = now()
 where user_id = $1 and digest_id = $2 and status = 'SENDING'""",
)
NOT_SENT = Write(
    Nothing,
    """
update deliveries set status = $3, last_error = $4, updated_at = now()
 where user_id = $1 and id = $2 and status <> 'SENT'""",
)
DIGEST_NOT_SENT = Write(
    Nothing,
    """
update deliveries set status = $3, last_error = $4, updated_at = now()
 where user_id = $1 and digest_id = $2 and status = 'SENDING'""",
)
# Not over channels that were switched off meanwhile: without another, the inbox is enough.
_OF_NOTICE = """d.id, d.channel_id, d.status, d.provider_id
  from deliveries d join channels c on c.id = d.channel_id and c.user_id = $1
 where d.user_id = $1 and (c.enabled or d.status = 'SENT')"""
OF_NOTICE = Query(OfNotice, f"select {_OF_NOTICE} and d.notice_id = $2 order by d.id")
OF_NOTICES = Query(OfNotice, f"select {_OF_NOTICE} and d.notice_id = any($2) order by d.id")
IS_UNDER_WAY = Query(
    bool,
    """
select exists (select from notices n join deliveries d on d.notice_id = n.id and d.user_id = $1
                where n.user_id = $1 and n.key = any($2) and d.status in ('SENDING', 'SENT'))""",
)
# Given up before whoever sends the notice started over.
START_OVER = Write(
    Nothing,
    """
update deliveries d set status = 'PENDING', updated_at = now()
  from unnest($2::uuid[], $3::timestamptz[]) as told (notice_id, since)
 where d.user_id = $1 and d.notice_id = told.notice_id and d.status = 'DEAD'
   and d.updated_at < told.since""",
)
# What is left to send of notices about these pages (deliveries_of_user).
WITHDRAW = Write(
    Nothing,
    """
update deliveries d set status = 'DEAD', last_error = $3, updated_at = now()
  from notices n
 where d.user_id = $1 and d.status not in ('SENT', 'DEAD')
   and n.id = d.notice_id and n.user_id = $1 and n.page_id = any($2)""",
)
IS_LEFT_OF_DIGEST = Query(
    bool,
    """
select exists (select from deliveries
                where user_id = $1 and digest_id = $2 and status not in ('SENT', 'DEAD'))""",
)
STATE = Query(State, "select status, last_error from deliveries where user_id = $1 and id = $2")
