"""Accounts over HTTP: signing in, one's own account, devices and tokens, the people of a server."""

from mindhit.api.accounts import (
    auth,
    connect,
    devices,
    erase,
    export,
    me,
    oidc,
    preferences,
    security_events,
    tokens,
    users,
)

ROUTERS = (
    auth.router,
    oidc.router,
    me.router,
    preferences.router,
    security_events.router,
    export.router,
    erase.router,
    devices.router,
    tokens.router,
    connect.router,
    users.router,
)
