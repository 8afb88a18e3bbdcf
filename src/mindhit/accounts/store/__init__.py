"""Every statement of accounts, one file per subject."""

from mindhit.accounts.store import (
    audit,
    connections,
    devices,
    erasure,
    export,
    exports,
    identities,
    limits,
    links,
    people,
    preferences,
    sweeping,
)

__all__ = [
    "audit",
    "connections",
    "devices",
    "erasure",
    "export",
    "exports",
    "identities",
    "limits",
    "links",
    "people",
    "preferences",
    "sweeping",
]
