"""One-time links, and the sign-ups that wait for theirs to be opened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.accounts.model import UserId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Opened:
    purpose: str
    user_id: UserId | None
    email: str | None
    sign_up_id: UUID | None


ADD = Write(
    datetime,
    """
insert into links (hash, purpose, user_id, email, sign_up_id, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
returning expires_at""",
)
# A link is used by deleting it: of two who open it at once, one gets it.
OPEN = Write(
    Opened,
    """
delete from links where hash = $1 and purpose = any($2::text[]) and expires_at > now()
returning purpose, user_id, email, sign_up_id""",
    across_users="the link itself is the proof; user_id is what it answers",
)
DROP_ALL = Write(Nothing, "delete from links where user_id = $1")
# Spare ones, when a server has lost its owner.
DROP_OWNERS = Write(
    Nothing,
    "delete from links where purpose = 'owner'",
    across_users="they belong to nobody until one is opened",
)
DROP = Write(Nothing, "delete from links where user_id = $1 and purpose = any($2::text[])")


@dataclass(frozen=True, slots=True)
class SignUp:
    id: UUID
    email: str
    language: str
    timezone: str | None


ADD_SIGN_UP = Write(
    UUID,
    """
insert into sign_ups (email, email_key, language, timezone) values ($1, $2, $3, $4)
returning id""",
)
SIGN_UP = Query(SignUp, "select id, email, language, timezone from sign_ups where id = $1")
# With them go their links.
DROP_SIGN_UPS = Write(Nothing, "delete from sign_ups where email_key = $1")
