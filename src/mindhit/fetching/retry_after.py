"""When a site wants us back: the header Retry-After (RFC 9110, 10.2.3). Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from mindhit.fetching.limits import LONGEST_WAIT_S

_SECONDS = re.compile(r"\s*([0-9]{1,18})(?:\.[0-9]*)?\s*")


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, none below 0 and none above a day; None where the header says nothing."""
    if not value:
        return None
    if seconds := _SECONDS.fullmatch(value):
        return min(float(seconds[1]), LONGEST_WAIT_S)
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if at.tzinfo is None:  # "-0000", and dates without a zone: HTTP dates are GMT
        at = at.replace(tzinfo=UTC)
    return min(max((at - now).total_seconds(), 0.0), LONGEST_WAIT_S)
