"""Devices and the tokens they hold."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts.model import Caller, Device, DeviceId, Extension, UserId
from mindhit.db import Nothing, Query, Write

_COLUMNS = "id, kind, name, scopes, created_at, last_seen_at, last_address, expires_at"
_LIVE = "revoked_at is null and (expires_at is null or expires_at > now())"
_BEARER = "the token is the proof; whose it is, is the answer"

ADD = Write(
    Device,
    f"""
insert into devices (user_id, kind, name, scopes, expires_at, last_seen_at, last_address)
values ($1, $2, $3, $4, now() + make_interval(secs => $5), now(), $6)
returning {_COLUMNS}""",
)
# How many of a kind a person has that are valid. By the index on user_id.
COUNT = Query(
    int, f"select count(*)::int from devices where user_id = $1 and kind = $2 and {_LIVE}"
)
ADD_TOKEN = Write(
    Nothing,
    """
insert into tokens (hash, device_id, user_id, kind, generation, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))""",
)

# Who holds the token with this hash. Everything that can invalidate a token is checked here, and
# nothing is cached between requests. Uses the primary keys.
CALLER = Query(
    Caller,
    """
select d.user_id, u.role, d.id as device_id, d.kind as device_kind, d.scopes,
       coalesce(d.last_seen_at < now() - make_interval(secs => $2), true)
         or t.generation = d.generation and coalesce(d.last_seen_at <= d.rotated_at, false)
         as is_stale
  from tokens t
  join devices d on d.id = t.device_id
  join users u on u.id = d.user_id
 where t.hash = $1 and t.kind = 'access' and (t.expires_at is null or t.expires_at > now())
   and d.revoked_at is null and (d.expires_at is null or d.expires_at > now())
   and u.erasing_at is null""",
    across_users=_BEARER,
)

# A browser in use stays signed in: its expiry is counted from the last visit.
SEEN = Write(
    Nothing,
    """
update devices
   set last_seen_at = now(), last_address = $3,
       expires_at = case when kind = 'web' then now() + make_interval(secs => $4)
                         else expires_at end
 where id = $1 and user_id = $2""",
)


@dataclass(frozen=True, slots=True)
class Refreshable:
    user_id: UserId
    device_id: DeviceId
    name: str
    generation: int
    device_generation: int
    is_moments_ago: bool
    is_unused: bool
    is_live: bool


# The device of a refresh token, locked, so that concurrent refreshes run one after the other. Tokens
# of old generations are kept until they expire: their use is how a stolen copy is noticed.
REFRESHABLE = Write(
    Refreshable,
    """
select d.user_id, d.id as device_id, d.name, t.generation, d.generation as device_generation,
       coalesce(d.rotated_at > now() - make_interval(secs => $2), false) as is_moments_ago,
       coalesce(d.last_seen_at <= d.rotated_at, false) as is_unused,
       d.revoked_at is null and t.expires_at > now() and u.erasing_at is null as is_live
  from tokens t
  join devices d on d.id = t.device_id
  join users u on u.id = d.user_id
 where t.hash = $1 and t.kind = 'refresh'
   for update of d""",
    across_users=_BEARER,
)
# Until a token of the new generation is used, last_seen_at stays at rotated_at.
ROTATE = Write(
    Nothing,
    """
update devices
   set generation = $3, rotated_at = case when generation < $3 then now() else rotated_at end,
       last_seen_at = case when generation = $3 and last_seen_at <= rotated_at then last_seen_at
                           else now() end,
       last_address = $4,
       expires_at = now() + make_interval(secs => $5)
 where id = $1 and user_id = $2""",
)
# Oldest first, after the key ($2, $3) where one is given.
LIST = Query(
    Device,
    f"""
select {_COLUMNS} from devices
 where user_id = $1 and {_LIVE}
   and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
 order by created_at, id limit $4""",
)
BY_ID = Query(Device, f"select {_COLUMNS} from devices where user_id = $1 and id = $2 and {_LIVE}")
REVOKE = Write(
    str,
    f"""
update devices set revoked_at = now() where user_id = $1 and id = $2 and {_LIVE} returning name""",
)
REVOKE_ALL = Write(
    Nothing, "update devices set revoked_at = now() where user_id = $1 and revoked_at is null"
)
REVOKE_OTHER_BROWSERS = Write(
    Nothing,
    """
update devices set revoked_at = now()
 where user_id = $1 and id <> $2 and kind = 'web' and revoked_at is null""",
)
# Everybody's extensions, most recently seen first, for the owner of the server.
EXTENSIONS = Query(
    Extension,
    """
select d.id, d.user_id, u.email, d.name, d.created_at as connected_at, d.last_seen_at
  from devices d join users u on u.id = d.user_id
 where d.kind = 'extension' and d.revoked_at is null
 order by d.last_seen_at desc nulls last, d.created_at desc limit 200""",
    across_users="the owner looks after everybody's devices",
)
