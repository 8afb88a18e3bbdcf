"""Forgetting people, and what nobody can use any more."""

from __future__ import annotations

from uuid import UUID

from mindhit.accounts.model import UserId
from mindhit.db import Nothing, Query, Write

ASK = Write(
    UUID,
    """
with gone as (update users set erasing_at = now(), updated_at = now() where id = $1)
insert into erasures (user_id) values ($1)
on conflict (user_id) do update set asked_at = erasures.asked_at
returning id""",
)
ASKED = Query(
    UserId,
    "select user_id from erasures where id = $1",
    across_users="the job knows only the number of the request; whose it is, is the answer",
)
EMAIL_OF = Query(str, "select email from users where id = $1")
# The present address and all from before.
ADDRESSES_OF = Query(
    list[str], "select email || former_emails as addresses from users where id = $1"
)
# Settings, devices, tokens, links, connections, identities and events go with their person.
DELETE_PERSON = Write(Nothing, "delete from users where id = $1")

SWEEP_TOKENS = Write(
    Nothing,
    "delete from tokens where expires_at < now() - interval '1 day'",
    across_users="what nobody can use any more, of everybody",
)
SWEEP_DEVICES = Write(
    Nothing,
    """
delete from devices
 where revoked_at < now() - interval '30 days' or expires_at < now() - interval '30 days'""",
    across_users="what nobody can use any more, of everybody",
)
SWEEP_LINKS = Write(
    Nothing,
    "delete from links where expires_at < now()",
    across_users="what nobody can use any more, of everybody",
)
SWEEP_SIGN_UPS = Write(Nothing, "delete from sign_ups where created_at < now() - interval '3 days'")
SWEEP_CONNECTIONS = Write(
    Nothing,
    "delete from connections where expires_at < now() - interval '1 hour'",
    across_users="what nobody can use any more, of everybody",
)
SWEEP_OIDC = Write(Nothing, "delete from oidc_requests where expires_at < now()")
SWEEP_LIMITS = Write(Nothing, "delete from rate_limits where whole_at < now()")
SWEEP_EVENTS = Write(
    Nothing,
    "delete from security_events where at < now() - interval '365 days'",
    across_users="a year is enough, for everybody",
)

SWEEPS = (
    SWEEP_TOKENS,
    SWEEP_DEVICES,
    SWEEP_LINKS,
    SWEEP_SIGN_UPS,
    SWEEP_CONNECTIONS,
    SWEEP_OIDC,
    SWEEP_LIMITS,
    SWEEP_EVENTS,
)
