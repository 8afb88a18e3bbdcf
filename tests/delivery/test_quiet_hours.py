"""Quiet hours end when clocks in the person's zone first show their end."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.accounts import Preferences, is_quiet
from mindhit.delivery.quiet_hours import quiet_since, quiet_until


def preferences(
    timezone: str = "Asia/Seoul", start: time | None = time(22), end: time | None = time(7)
) -> Preferences:
    return Preferences(True, [], timezone, "en", start, end, True)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-05-01T21:59:59+09:00", None),
        ("2026-05-01T22:00:00+09:00", "2026-05-02T07:00:00+09:00"),
        ("2026-05-02T06:59:59+09:00", "2026-05-02T07:00:00+09:00"),
        ("2026-05-02T07:00:00+09:00", None),
    ],
)
def test_they_begin_and_end_to_the_second(now: str, end: str | None) -> None:
    assert quiet_until(preferences(), at(now)) == (None if end is None else at(end))


def test_without_them_it_is_never_quiet() -> None:
    assert quiet_until(preferences(start=None, end=None), at("2026-05-01T23:00:00+09:00")) is None


def test_an_end_that_clocks_skip_is_the_end_of_the_gap() -> None:
    """In Berlin 02:30 does not exist on 29 March 2026: clocks go from 02:00 to 03:00."""
    chosen = preferences("Europe/Berlin", time(1), time(2, 30))
    assert quiet_until(chosen, at("2026-03-29T01:30:00+01:00")) == at("2026-03-29T03:00:00+02:00")


def test_an_end_that_comes_twice_is_the_next_one() -> None:
    """In Berlin 02:30 comes twice on 25 October 2026."""
    chosen = preferences("Europe/Berlin", time(1), time(2, 30))
    first, second = at("2026-10-25T02:30:00+02:00"), at("2026-10-25T02:30:00+01:00")
    assert quiet_until(chosen, first - timedelta(minutes=40)) == first
    assert quiet_until(chosen, second - timedelta(minutes=10)) == second


ZONES = sorted(available_timezones() - {"localtime"})
TIMES = st.times().map(lambda each: each.replace(microsecond=0))


@given(
    st.sampled_from(ZONES),
    TIMES,
    TIMES,
    st.integers(946_684_800, 2_051_222_400).map(lambda each: datetime.fromtimestamp(each, UTC)),
)
def test_the_end_is_soon_and_outside(zone: str, start: time, end: time, now: datetime) -> None:
    chosen = preferences(zone, start, end)
    found = quiet_until(chosen, now)
    local = now.astimezone(ZoneInfo(zone))
    assert (found is not None) == is_quiet(chosen, local.time())
    if found is not None:
        assert now < found <= now + timedelta(hours=50)
        assert not is_quiet(chosen, found.astimezone(ZoneInfo(zone)).time())
        began = quiet_since(chosen, now)
        assert began is not None
        assert now - timedelta(hours=50) <= began <= now


@pytest.mark.parametrize(
    ("now", "since"),
    [
        ("2026-05-01T21:59:59+09:00", None),
        ("2026-05-01T22:00:00+09:00", "2026-05-01T22:00:00+09:00"),
        ("2026-05-02T06:59:59+09:00", "2026-05-01T22:00:00+09:00"),
        ("2026-05-02T07:00:00+09:00", None),
    ],
)
def test_it_is_known_since_when_it_is_quiet(now: str, since: str | None) -> None:
    assert quiet_since(preferences(), at(now)) == (None if since is None else at(since))
