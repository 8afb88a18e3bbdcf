"""Settings of tracking: how much a batch may hold, how long the event log is kept."""

from __future__ import annotations

from pydantic import field_validator

from mindhit.settings import Section, setting
from mindhit.tracking.maintenance.retention import MIN_RETENTION
from mindhit.tracking.protocol import BATCH_LIMIT
from mindhit.tracking.quotas import Quotas


class TrackingSettings(Section):
    heading = "Recording"

    batch_limit: int = setting(
        BATCH_LIMIT, "Most events in one batch of a recording.", ge=1, le=10_000
    )
    events_per_day: int = setting(
        1_000_000,
        "Most events that one person may record in a day (UTC); 0 is no limit, as for the next three."
        " A long day of browsing has ten thousand.",
        ge=0,
    )
    sessions_per_hour: int = setting(
        600, "Most sessions that one person may start in an hour.", ge=0
    )
    icons_per_day: int = setting(
        20_000, "Most icons of sites that one person's browsers may send in a day.", ge=0
    )
    stored_limit: int = setting(
        51_200, "Most that one person's recordings may take up.", unit="MB", ge=0
    )
    raw_event_retention: float = setting(
        0.0,
        f"How long the raw events of a stopped session are kept, {MIN_RETENTION.days} or more;"
        " 0 keeps them forever."
        " Timelines stay either way.",
        unit="days",
        ge=0,
    )

    @property
    def quotas(self) -> Quotas:
        return Quotas(
            self.sessions_per_hour,
            self.events_per_day,
            self.icons_per_day,
            self.stored_limit * 2**20,
        )

    @field_validator("raw_event_retention")
    @classmethod
    def _longer_than_late(cls, days: float) -> float:
        if 0 < days < MIN_RETENTION.days:
            raise ValueError(f"must be 0, or {MIN_RETENTION.days} days and more")
        return days
