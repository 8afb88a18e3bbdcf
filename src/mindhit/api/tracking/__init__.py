"""Tracking over HTTP: recording sessions, and reading what was recorded."""

from mindhit.api.tracking import (
    demo,
    events,
    forget,
    highlights,
    icons,
    progress,
    recording,
    sessions,
    totals,
    visited,
)

# In the order in which they are tried: the route that browsers call all day long comes first.
ROUTERS = (
    events.router,
    recording.router,
    sessions.router,
    highlights.router,
    visited.router,
    icons.router,
    progress.router,
    totals.router,
    forget.router,
    demo.router,
)
