"""The current time, for the few places that may ask for it.

Rules take `now` as a parameter; the database's `now()` decides everything that several processes
must agree on (leases, schedules). This is for the rest: an HTTP answer, a mail's date. Times are
aware and in UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


def utc_now() -> datetime:
    return datetime.now(UTC)


def moment_of(wall: datetime, zone: ZoneInfo) -> datetime:
    """When clocks in `zone` first show `wall`, in UTC; where they skip it, the first moment after."""
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first.astimezone(zone).replace(tzinfo=None) == wall:
        return first
    # Skipped: read by the offset before, it is behind the gap, and by the offset after, before it.
    before, behind = min(first, second), max(first, second)
    offset = behind.astimezone(zone).utcoffset()
    while behind - before > timedelta(seconds=1):
        middle = before + (behind - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            behind = middle
        else:
            before = middle
    return behind.replace(microsecond=0)
