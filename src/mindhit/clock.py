"""The current time, for the few places that may ask for it.

Rules take `now` as a parameter; the database's `now()` decides everything that several processes
must agree on (leases, schedules). This is for the rest: an HTTP answer, a mail's date. Times are
aware and in UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)
