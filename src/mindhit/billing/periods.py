"""Billing periods. Pure; everything is in UTC.

Free: cycles of 30 days from sign-up, computed and never stored. Paid: from the day of the
subscription to the same day some months later; in a month without that day, its last day. Counted
from the start each time, so a period that began on the 31st comes back to the 31st after February.
Where Stripe said when the current period ends, that counts, and what follows is counted from there.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import Final

from mindhit.billing.model import Period, Subscription

FREE_CYCLE: Final = timedelta(days=30)


def period(now: datetime, signed_up_at: datetime, subscription: Subscription | None) -> Period:
    """The period that `now` is in. A clock that is behind the start gets the first one."""
    now = now.astimezone(UTC)
    if subscription is None:
        return _cycle(now, signed_up_at.astimezone(UTC))
    start, end = subscription.started_at.astimezone(UTC), subscription.ends_at
    if end is None:
        return _anniversary(now, start, subscription.months)
    end = end.astimezone(UTC)
    return Period(start, end) if now < end else _anniversary(now, end, subscription.months)


def _cycle(now: datetime, start: datetime) -> Period:
    begun = start + max(0, (now - start) // FREE_CYCLE) * FREE_CYCLE
    return Period(begun, begun + FREE_CYCLE)


def _anniversary(now: datetime, start: datetime, months: int) -> Period:
    apart = (now.year - start.year) * 12 + now.month - start.month
    number = max(0, apart // months)
    if number and _later(start, number * months) > now:
        number -= 1
    return Period(_later(start, number * months), _later(start, (number + 1) * months))


def _later(start: datetime, months: int) -> datetime:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    day = min(start.day, monthrange(year, month + 1)[1])
    return start.replace(year=year, month=month + 1, day=day)
