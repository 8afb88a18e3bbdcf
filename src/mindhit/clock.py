"""What time it is, for the few places that may ask.

Rules take `now` as a parameter; the database's own `now()` decides everything that several
processes must agree on (leases, schedules). This module serves the edges: an HTTP answer, a log
line, a backup's name. Times are aware and in UTC, always.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)
