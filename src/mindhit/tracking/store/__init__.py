"""Every statement of tracking, a file for each subject."""

from mindhit.tracking.store import (
    erasing,
    exporting,
    ingesting,
    operating,
    partitions,
    reading,
    refolding,
    sessions,
    sweeping,
)

__all__ = [
    "erasing",
    "exporting",
    "ingesting",
    "operating",
    "partitions",
    "reading",
    "refolding",
    "sessions",
    "sweeping",
]
