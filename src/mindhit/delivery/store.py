"""Statements on notices, channels, deliveries and push subscriptions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.delivery.model import Channel, DeliveryId, Notice, NoticeId, Outgoing, Subscription


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedNotice:
    user_id: UUID
    kind: str
    key: str
    title: str
    body: str
    url: str | None
    page_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedNotices:
    user_ids: list[UUID]
    kinds: list[str]
    keys: list[str]
    titles: list[str]
    bodies: list[str]
    urls: list[str | None]
    page_ids: list[UUID | None]


@dataclass(frozen=True, slots=True)
class Keyed:
    user_id: UUID
    key: str
    id: NoticeId


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedChannel:
    user_id: UUID
    kind: str
    name: str
    config: str
    enabled: bool
    kinds: list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedChannel:
    user_id: UUID
    id: UUID
    name: str
    config: str
    enabled: bool
    kinds: list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSubscription:
    user_id: UUID
    endpoint: str
    p256dh: str
    auth: str
    device_id: UUID


@dataclass(frozen=True, slots=True)
class ExportedNotice:
    id: NoticeId
    kind: str
    key: str
    title: str
    body: str
    url: str | None
    page_id: UUID | None
    read_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedChannel:
    id: UUID
    kind: str
    name: str
    enabled: bool
    kinds: list[str] | None
    last_ok_at: datetime | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedDelivery:
    id: DeliveryId
    notice_id: NoticeId
    channel_id: UUID
    digest_id: UUID | None
    status: str
    attempts: int
    provider_id: str | None
    last_error: str | None
    tried_at: datetime | None
    sent_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedSubscription:
    id: UUID
    endpoint: str
    device_id: UUID | None
    last_ok_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Made:
    channel_id: UUID
    kind: str


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


@dataclass(frozen=True, slots=True)
class VapidKey:
    public: str
    private: str


# Notices. Nothing comes back where there is one with that key (notices_key).
ADD_NOTICE = Write(
    NoticeId,
    """
insert into notices (user_id, kind, key, title, body, url, page_id)
values ($user_id, $kind, $key, $title, $body, $url, $page_id)
on conflict on constraint notices_key do nothing
returning id""",
    params=AddedNotice,
)
# Several at once, of several people; those that are there are answered too (notices_key).
ADD_NOTICES = Write(
    Keyed,
    """
with added as (
  insert into notices (user_id, kind, key, title, body, url, page_id)
  select * from unnest($user_ids::uuid[], $kinds::text[], $keys::text[], $titles::text[],
                       $bodies::text[], $urls::text[], $page_ids::uuid[])
  on conflict on constraint notices_key do nothing
  returning user_id, key, id
)
select user_id, key, id from added
union all
select n.user_id, n.key, n.id
  from unnest($user_ids::uuid[], $keys::text[]) as asked (user_id, key)
  join notices n using (user_id, key)""",
    params=AddedNotices,
    across_users="of the jobs of one batch",
)
NOTICE_BY_KEY = Query(NoticeId, "select id from notices where user_id = $1 and key = $2")
_NOTICE = "id, kind, title, body, url, page_id, read_at, created_at"
# Newest first, behind a key (notices_of_user).
LIST_NOTICES = Query(
    Notice,
    f"""
select {_NOTICE} from notices
 where user_id = $1 and (not $2::bool or read_at is null)
   and ($3::text is null or kind = $3)
   and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
 order by created_at desc, id desc limit $6""",
)
# notices_unread
COUNT_UNREAD = Query(
    int, "select count(*)::int from notices where user_id = $1 and read_at is null"
)
READ_NOTICE = Write(
    Notice,
    f"""
update notices set read_at = coalesce(read_at, now()), updated_at = now()
 where user_id = $1 and id = $2 returning {_NOTICE}""",
)
READ_ALL = Write(
    Nothing,
    "update notices set read_at = now(), updated_at = now() where user_id = $1 and read_at is null",
)
# notices_read
PRUNE_NOTICES = Write(
    Nothing,
    "delete from notices where read_at < now() - make_interval(days => $1)",
    across_users="age is the same for everyone",
)

# Channels (channels_of_user).
_CHANNEL = "id, kind, name, config, enabled, kinds, last_ok_at, last_error, created_at"
LIST_CHANNELS = Query(
    Channel, f"select {_CHANNEL} from channels where user_id = $1 order by created_at, id"
)
CHANNEL = Query(Channel, f"select {_CHANNEL} from channels where user_id = $1 and id = $2")
LOCK_CHANNEL = Write(
    Channel, f"select {_CHANNEL} from channels where user_id = $1 and id = $2 for update"
)
# Two requests at once could exceed the limit by one; the lock on the person makes them follow each other.
LOCK_PERSON = Write(UUID, "select id from users where id = $1 for no key update")
COUNT_CHANNELS = Query(int, "select count(*)::int from channels where user_id = $1")
ADD_CHANNEL = Write(
    Channel,
    f"""
insert into channels (user_id, kind, name, config, enabled, kinds)
values ($user_id, $kind, $name, $config, $enabled, $kinds)
on conflict (user_id, kind) where kind in ('webpush', 'email') do nothing
returning {_CHANNEL}""",
    params=AddedChannel,
)
CHANGE_CHANNEL = Write(
    Channel,
    f"""
update channels
   set name = $name, config = $config, enabled = $enabled, kinds = $kinds, last_error = null,
       updated_at = now()
 where user_id = $user_id and id = $id returning {_CHANNEL}""",
    params=ChangedChannel,
)
REMOVE_CHANNEL = Write(UUID, "delete from channels where user_id = $1 and id = $2 returning id")
# Of whoever unsubscribes from the mails.
SWITCH_OFF = Write(
    UUID,
    """
update channels set enabled = false, updated_at = now()
 where user_id = $1 and id = $2 and kind = 'email' returning id""",
)
# To the minute: deliveries over one channel would wait for each other's commits.
NOTE_OK = Write(
    Nothing,
    """
update channels set last_ok_at = now(), last_error = null
 where user_id = $1 and id = $2
   and (last_error is not null or last_ok_at is null or last_ok_at < now() - interval '1 minute')""",
)
NOTE_ERROR = Write(
    Nothing,
    "update channels set last_error = $3 where user_id = $1 and id = $2",
)

# Deliveries. One for every channel that wants this kind of notice; the ids are made by the caller.
CHANNELS_FOR = Query(
    Made,
    """
select id as channel_id, kind from channels
 where user_id = $1 and enabled and (kinds is null or $2 = any(kinds)) order by id""",
)
# People who have no channel for a kind of notices.
WITHOUT_CHANNELS = Query(
    UUID,
    """
select asked.id from unnest($1::uuid[]) as asked (id)
 where not exists (select from channels c
                    where c.user_id = asked.id and c.enabled
                      and (c.kinds is null or $2 = any(c.kinds)))""",
    across_users="of the jobs of one batch",
)
ADD_DELIVERIES = Write(
    DeliveryId,
    """
insert into deliveries (id, user_id, notice_id, channel_id, digest_id)
select d.id, $1, $2, d.channel_id, d.digest_id
  from unnest($3::uuid[], $4::uuid[], $5::uuid[]) as d (id, channel_id, digest_id)
on conflict on constraint deliveries_once do nothing
returning id""",
)
_OUTGOING = """d.id, d.user_id, c.id as channel_id, n.id as notice_id, c.kind as channel_kind, c.config,
          old.status = 'SENDING' as was_sending, n.kind, n.key, n.title, n.body, n.url, d.digest_id"""
# What is to be sent, if it still is; marked before it is sent, so that a crash is seen.
BEGIN = Write(
    Outgoing,
    f"""
with old as (
  select id, status from deliveries where user_id = $1 and id = $2 for update
)
update deliveries d
   set status = 'SENDING', attempts = d.attempts + 1, tried_at = now(), updated_at = now()
  from old, notices n, channels c
 where d.id = old.id and d.user_id = $1 and old.status not in ('SENT', 'DEAD')
   and n.id = d.notice_id and n.user_id = $1
   and c.id = d.channel_id and c.user_id = $1 and (c.enabled or n.kind = 'test')
returning {_OUTGOING}""",
)
# The same for all deliveries of one digest, by title (deliveries_of_digest).
BEGIN_DIGEST = Write(
    Outgoing,
    f"""
with old as (
  select id, status from deliveries
   where user_id = $1 and digest_id = $2 and status not in ('SENT', 'DEAD') for update
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
OF_NOTICE = Query(
    OfNotice,
    """
select id, channel_id, status, provider_id from deliveries
 where user_id = $1 and notice_id = $2 order by id""",
)
OF_NOTICES = Query(
    OfNotice,
    """
select id, channel_id, status, provider_id from deliveries
 where user_id = $1 and notice_id = any($2) order by id""",
)
# What is left to send of notices about these pages (deliveries_of_user).
WITHDRAW = Write(
    Nothing,
    """
update deliveries d set status = 'DEAD', last_error = 'The page was deleted.', updated_at = now()
  from notices n
 where d.user_id = $1 and d.status not in ('SENT', 'DEAD')
   and n.id = d.notice_id and n.user_id = $1 and n.page_id = any($2)""",
)
STATE = Query(State, "select status, last_error from deliveries where user_id = $1 and id = $2")

# Push subscriptions. A browser that signs in as somebody else takes its endpoint along.
ADD_SUBSCRIPTION = Write(
    UUID,
    """
insert into push_subscriptions (user_id, endpoint, p256dh, auth, device_id)
values ($user_id, $endpoint, $p256dh, $auth, $device_id)
on conflict (endpoint) do update
   set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
       device_id = excluded.device_id, updated_at = now()
returning id""",
    params=AddedSubscription,
)
# The newest are kept (push_subscriptions_of_user).
TRIM_SUBSCRIPTIONS = Write(
    Nothing,
    """
delete from push_subscriptions
 where user_id = $1
   and id not in (select id from push_subscriptions where user_id = $1
                   order by updated_at desc, id limit $2)""",
)
# Not of browsers in which the person is signed out.
SUBSCRIPTIONS = Query(
    Subscription,
    """
select s.id, s.endpoint, s.p256dh, s.auth
  from push_subscriptions s left join devices d on d.id = s.device_id
 where s.user_id = $1
   and (s.device_id is null
        or (d.user_id = $1 and d.revoked_at is null and (d.expires_at is null or d.expires_at > now())))
 order by s.created_at, s.id""",
)
REMOVE_SUBSCRIPTION = Write(
    UUID, "delete from push_subscriptions where user_id = $1 and id = $2 returning id"
)
REMOVE_GONE = Write(Nothing, "delete from push_subscriptions where user_id = $1 and id = any($2)")
NOTE_PUSHED = Write(
    Nothing, "update push_subscriptions set last_ok_at = now() where user_id = $1 and id = any($2)"
)

VAPID = Query(VapidKey, "select public, private from vapid_keys")
KEEP_VAPID = Write(
    Nothing,
    "insert into vapid_keys (public, private) values ($1, $2) on conflict (id) do nothing",
)

EXPORT_NOTICES = Query(
    ExportedNotice,
    """
select id, kind, key, title, body, url, page_id, read_at, created_at, updated_at
  from notices where user_id = $1 order by created_at, id""",
)
EXPORT_CHANNELS = Query(
    ExportedChannel,
    """
select id, kind, name, enabled, kinds, last_ok_at, last_error, created_at, updated_at
  from channels where user_id = $1 order by created_at, id""",
)
EXPORT_DELIVERIES = Query(
    ExportedDelivery,
    """
select id, notice_id, channel_id, digest_id, status, attempts, provider_id, last_error, tried_at, sent_at,
       created_at, updated_at
  from deliveries where user_id = $1 order by created_at, id""",
)
EXPORT_SUBSCRIPTIONS = Query(
    ExportedSubscription,
    """
select id, endpoint, device_id, last_ok_at, created_at, updated_at
  from push_subscriptions where user_id = $1 order by created_at, id""",
)
ERASE_NOTICES = Write(Nothing, "delete from notices where user_id = $1")
ERASE_CHANNELS = Write(Nothing, "delete from channels where user_id = $1")
ERASE_SUBSCRIPTIONS = Write(Nothing, "delete from push_subscriptions where user_id = $1")
