"""Browsers that show notices, and the key by which push services know this installation."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.delivery.model import Subscription


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSubscription:
    user_id: UUID
    endpoint: str
    p256dh: str
    auth: str
    device_id: UUID


@dataclass(frozen=True, slots=True)
class VapidKey:
    public: str
    private: str


# A browser that signs in as somebody else takes its endpoint along.
ADD = Write(
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
TRIM = Write(
    Nothing,
    """
delete from push_subscriptions
 where user_id = $1
   and id not in (select id from push_subscriptions where user_id = $1
                   order by updated_at desc, id limit $2)""",
)
# Not of browsers in which the person is signed out.
LIST = Query(
    Subscription,
    """
select s.id, s.endpoint, s.p256dh, s.auth
  from push_subscriptions s left join devices d on d.id = s.device_id
 where s.user_id = $1
   and (s.device_id is null
        or (d.user_id = $1 and d.revoked_at is null and (d.expires_at is null or d.expires_at > now())))
 order by s.created_at, s.id""",
)
REMOVE = Write(UUID, "delete from push_subscriptions where user_id = $1 and id = $2 returning id")
REMOVE_GONE = Write(Nothing, "delete from push_subscriptions where user_id = $1 and id = any($2)")
NOTE_PUSHED = Write(
    Nothing, "update push_subscriptions set last_ok_at = now() where user_id = $1 and id = any($2)"
)
VAPID = Query(VapidKey, "select public, private from vapid_keys")
KEEP_VAPID = Write(
    Nothing,
    "insert into vapid_keys (public, private) values ($1, $2) on conflict (id) do nothing",
)
