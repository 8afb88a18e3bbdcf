"""One-time links, and sign-ups whose link has not been opened yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.accounts.model import LinkNotValid, UserId
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Opened:
    purpose: str
    user_id: UserId | None
    email: str | None
    sign_up_id: UUID | None

    @property
    def owner(self) -> UserId:
        """Whose link it was; those of sign-ups and of the server's owner belong to nobody."""
        if self.user_id is None:
            raise LinkNotValid
        return self.user_id


ADD = Write(
    datetime,
    """
insert into links (hash, purpose, user_id, email, sign_up_id, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
returning expires_at""",
)
# Opening a link deletes it, so that only one of two simultaneous requests succeeds.
OPEN = Write(
    Opened,
    """
delete from links where hash = $1 and purpose = any($2::text[]) and expires_at > now()
returning purpose, user_id, email, sign_up_id""",
    across_users="the link itself is the proof; user_id is what it answers",
)
DROP_ALL = Write(Nothing, "delete from links where user_id = $1")
# When the owner leaves: links to become the owner that were never opened.
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
# Their links are deleted by the foreign key.
DROP_SIGN_UPS = Write(Nothing, "delete from sign_ups where email_key = $1")
