"""Who people are at their identity provider, and sign-ins in progress there."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.accounts.model import UserId
from mindhit.db import Nothing, Query, Write

FIND = Query(
    UserId,
    "select user_id from identities where issuer = $1 and subject = $2",
    across_users="the provider vouches for the subject; whose it is, is the answer",
)
# No row if the subject is linked already, or the person to another subject of this issuer.
ADD = Write(
    UserId,
    """
insert into identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing
returning user_id""",
)
DROP = Write(Nothing, "delete from identities where user_id = $1")


@dataclass(frozen=True, slots=True)
class OidcRequest:
    nonce: str
    verifier: str
    next: str
    language: str
    timezone: str | None


ADD_REQUEST = Write(
    Nothing,
    """
insert into oidc_requests (state_hash, nonce, verifier, next, language, timezone, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))""",
)
TAKE_REQUEST = Write(
    OidcRequest,
    """
delete from oidc_requests where state_hash = $1 and expires_at > now()
returning nonce, verifier, next, language, timezone""",
)
