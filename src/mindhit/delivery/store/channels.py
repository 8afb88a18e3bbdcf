"""A person's channels (channels_of_user)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.delivery.model import Channel, ChannelId


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


# By when they were made (channels_of_user).
_CHANNEL = "id, kind, name, config, enabled, kinds, last_ok_at, last_error, created_at"
LIST = Query(Channel, f"select {_CHANNEL} from channels where user_id = $1 order by created_at, id")
SHOW = Query(Channel, f"select {_CHANNEL} from channels where user_id = $1 and id = $2")
LOCK = Write(Channel, f"select {_CHANNEL} from channels where user_id = $1 and id = $2 for update")
# Two requests at once could exceed the limit by one; the lock on the person makes them follow each other.
LOCK_PERSON = Write(UUID, "select id from users where id = $1 for no key update")
COUNT = Query(int, "select count(*)::int from channels where user_id = $1")
ADD = Write(
    Channel,
    f"""
insert into channels (user_id, kind, name, config, enabled, kinds)
values ($user_id, $kind, $name, $config, $enabled, $kinds)
on conflict (user_id, kind) where kind in ('webpush', 'email') do nothing
returning {_CHANNEL}""",
    params=AddedChannel,
)
CHANGE = Write(
    Channel,
    f"""
update channels
   set name = $name, config = $config, enabled = $enabled, kinds = $kinds, last_error = null,
       updated_at = now()
 where user_id = $user_id and id = $id returning {_CHANNEL}""",
    params=ChangedChannel,
)
REMOVE = Write(UUID, "delete from channels where user_id = $1 and id = $2 returning id")
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
# Those that want this kind of notice.
FOR_KIND = Query(
    ChannelId,
    """
select id from channels
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
