"""The SQL of tracking, one file per subject."""

from mindhit.tracking.store import (
    capture_health,
    cleanup,
    erasing,
    exporting,
    ingesting,
    partitions,
    raw_events,
    refolding,
    session_detail,
    session_list,
    sessions,
    sweeping,
    totals,
)

__all__ = [
    "capture_health",
    "cleanup",
    "erasing",
    "exporting",
    "ingesting",
    "partitions",
    "raw_events",
    "refolding",
    "session_detail",
    "session_list",
    "sessions",
    "sweeping",
    "totals",
]
