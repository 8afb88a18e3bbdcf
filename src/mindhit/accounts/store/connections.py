"""Extensions that ask to be connected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.accounts.model import DeviceId, UserId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Connection:
    """An extension that asks to be connected."""

    user_code: str
    name: str
    address: str | None
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Polled:
    user_id: UserId | None
    status: str
    name: str
    device_id: DeviceId | None
    is_over: bool


ADD = Write(
    Connection,
    """
insert into connections (device_hash, user_code, name, address, expires_at)
values ($1, $2, $3, $4, now() + make_interval(secs => $5))
on conflict (user_code) do nothing
returning user_code, name, address, created_at, expires_at""",
    across_users="it belongs to nobody until somebody approves it",
)
BY_CODE = Query(
    Connection,
    """
select user_code, name, address, created_at, expires_at from connections
 where user_code = $1 and user_id is null and expires_at > now()""",
)
DECIDE = Write(
    str,
    """
update connections set status = $2, user_id = $3
 where user_code = $1 and status = 'pending' and user_id is null and expires_at > now()
returning name""",
)
POLL = Write(
    Polled,
    """
select user_id, status, name, device_id, expires_at <= now() as is_over
  from connections where device_hash = $1 for update""",
    across_users="the device code is the proof; whose it is, is the answer",
)
# Handed out; again within $3 seconds, in case the answer was lost.
CONNECTED = Write(
    Nothing,
    """
update connections
   set status = 'connected', device_id = $2,
       expires_at = case when status = 'approved' then now() + make_interval(secs => $3)
                         else expires_at end
 where device_hash = $1 and user_id = $4""",
)
DROP = Write(Nothing, "delete from connections where user_id = $1")
