"""Deleting what has expired, after $1 seconds more. How long that is: `accounts/sweeping.py`."""

from __future__ import annotations

from mindhit.db import Nothing, Write

_EXPIRED = "expired rows of everybody"

TOKENS = Write(
    Nothing,
    "delete from tokens where expires_at < now() - make_interval(secs => $1)",
    across_users=_EXPIRED,
)
DEVICES = Write(
    Nothing,
    """
delete from devices
 where revoked_at < now() - make_interval(secs => $1)
    or expires_at < now() - make_interval(secs => $1)""",
    across_users=_EXPIRED,
)
LINKS = Write(
    Nothing,
    "delete from links where expires_at < now() - make_interval(secs => $1)",
    across_users=_EXPIRED,
)
SIGN_UPS = Write(
    Nothing, "delete from sign_ups where created_at < now() - make_interval(secs => $1)"
)
CONNECTIONS = Write(
    Nothing,
    "delete from connections where expires_at < now() - make_interval(secs => $1)",
    across_users=_EXPIRED,
)
OIDC_REQUESTS = Write(
    Nothing, "delete from oidc_requests where expires_at < now() - make_interval(secs => $1)"
)
RATE_LIMITS = Write(
    Nothing, "delete from rate_limits where whole_at < now() - make_interval(secs => $1)"
)
SECURITY_EVENTS = Write(
    Nothing,
    "delete from security_events where at < now() - make_interval(secs => $1)",
    across_users=_EXPIRED,
)
EXPORTS = Write(
    Nothing,
    "delete from exports where expires_at < now() - make_interval(secs => $1)",
    across_users=_EXPIRED,
)
