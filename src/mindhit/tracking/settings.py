"""Settings of tracking: how much a batch may hold, how long the event log is kept."""

from __future__ import annotations

from pydantic import field_validator

from mindhit.settings import Section, setting
from mindhit.tracking.maintenance.retention import MIN_RETENTION
from mindhit.tracking.protocol import BATCH_LIMIT


class TrackingSettings(Section):
    heading = "Recording"

    batch_limit: int = setting(
        BATCH_LIMIT, "Most events in one batch of a recording.", ge=1, le=10_000
    )
    raw_event_retention: float = setting(
        0.0,
        f"How long the raw events of a stopped session are kept, {MIN_RETENTION.days} or more;"
        " 0 keeps them forever."
        " Timelines stay either way.",
        unit="days",
        ge=0,
    )

    @field_validator("raw_event_retention")
    @classmethod
    def _longer_than_late(cls, days: float) -> float:
        if 0 < days < MIN_RETENTION.days:
            raise ValueError(f"must be 0, or {MIN_RETENTION.days} days and more")
        return days
