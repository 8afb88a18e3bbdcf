"""Every statement of accounts, a file for each subject."""

from mindhit.accounts.store import (
    connections,
    devices,
    erasing,
    events,
    exporting,
    identities,
    limits,
    links,
    people,
    preferences,
)

__all__ = [
    "connections",
    "devices",
    "erasing",
    "events",
    "exporting",
    "identities",
    "limits",
    "links",
    "people",
    "preferences",
]
