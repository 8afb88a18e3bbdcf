"""Billing periods: every moment is in exactly one, whatever the calendar does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.billing import Period, Subscription, period
from mindhit.billing.periods import FREE_CYCLE

ZONES = st.sampled_from(["UTC", "Asia/Seoul", "America/New_York", "Pacific/Apia"]).map(ZoneInfo)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=ZONES)  # noqa: DTZ001
MONTHS = st.sampled_from([1, 12])
LENGTHS = st.timedeltas(timedelta(microseconds=1), timedelta(days=400))


def stripes(start: datetime, months: int, length: timedelta) -> Subscription:
    """One of which Stripe said when its period ends: a month, or anything after an upgrade."""
    return Subscription(start, months, start.astimezone(UTC) + length)


SUBSCRIPTIONS = st.builds(Subscription, MOMENTS, MONTHS) | st.builds(
    stripes, MOMENTS, MONTHS, LENGTHS
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def paid(now: str, start: str, months: int = 1) -> Period:
    return period(at(now), at("2020-01-01"), Subscription(at(start), months))


@given(MOMENTS, MOMENTS, st.none() | SUBSCRIPTIONS)
def test_a_moment_is_in_its_period(
    now: datetime, signed_up_at: datetime, subscription: Subscription | None
) -> None:
    found = period(now, signed_up_at, subscription)
    begun = signed_up_at if subscription is None else subscription.started_at
    assert found.start < found.end
    assert found.start.utcoffset() == timedelta(0)
    assert found.start <= max(now, begun) < found.end
    assert found.start >= begun


@given(MOMENTS, MOMENTS, st.none() | SUBSCRIPTIONS)
def test_periods_follow_each_other_without_a_gap(
    now: datetime, signed_up_at: datetime, subscription: Subscription | None
) -> None:
    found = period(now, signed_up_at, subscription)
    following = period(found.end, signed_up_at, subscription)
    assert following.start == found.end
    assert period(found.end - timedelta(microseconds=1), signed_up_at, subscription) == found


@given(MOMENTS, MOMENTS, ZONES)
def test_the_zone_of_a_clock_changes_nothing(
    now: datetime, start: datetime, zone: ZoneInfo
) -> None:
    for subscription in (None, Subscription(start)):
        assert period(now, start, subscription) == period(now.astimezone(zone), start, subscription)


@given(MOMENTS, MOMENTS)
def test_a_free_cycle_has_30_days(now: datetime, signed_up_at: datetime) -> None:
    found = period(now, signed_up_at, None)
    assert found.end - found.start == FREE_CYCLE
    assert (found.start - signed_up_at) % FREE_CYCLE == timedelta(0)


@pytest.mark.parametrize(
    ("now", "start", "expected"),
    [
        ("2026-02-15", "2026-01-31", ("2026-01-31", "2026-02-28")),
        ("2026-02-28", "2026-01-31", ("2026-02-28", "2026-03-31")),
        ("2026-03-30T23:59:59", "2026-01-31", ("2026-02-28", "2026-03-31")),
        ("2026-04-30", "2026-01-31", ("2026-04-30", "2026-05-31")),
        ("2028-02-29", "2026-01-31", ("2028-02-29", "2028-03-31")),
        ("2026-12-31", "2026-12-15T12:00", ("2026-12-15T12:00", "2027-01-15T12:00")),
        ("2027-01-15T11:59", "2026-12-15T12:00", ("2026-12-15T12:00", "2027-01-15T12:00")),
    ],
)
def test_months_that_are_too_short(now: str, start: str, expected: tuple[str, str]) -> None:
    assert paid(now, start) == Period(at(expected[0]), at(expected[1]))


def test_a_year_from_a_leap_day() -> None:
    assert paid("2026-06-01", "2024-02-29", 12) == Period(at("2026-02-28"), at("2027-02-28"))
    assert paid("2028-03-01", "2024-02-29", 12) == Period(at("2028-02-29"), at("2029-02-28"))


@given(MOMENTS, st.none() | SUBSCRIPTIONS, st.lists(MOMENTS, min_size=2, max_size=20))
def test_every_moment_is_in_exactly_one_period(
    signed_up_at: datetime, subscription: Subscription | None, moments: list[datetime]
) -> None:
    """Two periods are the same or have no moment in common, to the microsecond."""
    found = {period(each, signed_up_at, subscription) for each in moments}
    for each in found:
        last = each.end - timedelta(microseconds=1)
        assert period(each.start, signed_up_at, subscription) == each
        assert period(last, signed_up_at, subscription) == each
    ordered = sorted(found, key=lambda each: each.start)
    assert all(a.end <= b.start for a, b in pairwise(ordered))


@given(MOMENTS, MONTHS, st.integers(0, 60))
def test_an_anniversary_is_the_same_day_or_the_last_of_its_month(
    start: datetime, months: int, number: int
) -> None:
    """An oracle that counts days: the n-th period begins in the right month, on the right day."""
    begun = start.astimezone(UTC)
    at = begun
    for _ in range(number):
        at = period(at, begun, Subscription(begun, months)).end
    count = begun.year * 12 + begun.month - 1 + number * months
    assert (at.year, at.month - 1) == divmod(count, 12)
    assert at.timetz() == begun.timetz()
    is_last_of_month = (at + timedelta(days=1)).day == 1
    assert at.day == begun.day or (is_last_of_month and at.day < begun.day)


def test_what_stripe_says_of_the_period_counts() -> None:
    said = Subscription(at("2026-02-28"), 1, at("2026-03-31"))
    first, second = (
        Period(at("2026-02-28"), at("2026-03-31")),
        Period(at("2026-03-31"), at("2026-04-30")),
    )
    assert period(at("2026-03-30"), at("2020-01-01"), said) == first
    # An event that is late: the next period begins when the last one ended, and not later.
    assert period(at("2026-03-31"), at("2020-01-01"), said) == second
    assert period(at("2026-05-31"), at("2020-01-01"), said).start == at("2026-05-31")
