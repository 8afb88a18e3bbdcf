"""The schedule, by its rules: days, full hours, quiet hours, changes of clocks, hours of one's own."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import cache
from random import Random
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mindhit.accounts import Preferences, is_quiet
from mindhit.reminders import schedule
from mindhit.reminders.schedule import (
    Next,
    days_after,
    full_hour,
    hour_of,
    is_end_of_quiet,
    next_full_hour,
    snoozed_until,
)

ZONES = sorted(available_timezones() - {"localtime"})
MOMENTS = st.integers(946_684_800, 2_051_222_400).map(
    lambda each: datetime.fromtimestamp(each, UTC)
)
TIMES = st.times().map(lambda each: each.replace(second=0, microsecond=0))


def preferences(
    timezone: str = "Asia/Seoul", start: time | None = time(22), end: time | None = time(7)
) -> Preferences:
    return Preferences(True, [], timezone, "en", start, end, True)


def next_alarm(
    sending: int,
    planned: datetime,
    now: datetime,
    chosen: Preferences,
    taken: list[datetime],
    random: Random,
    *,
    digest: bool = False,
) -> Next:
    """By the times of the others, of which the rule takes the hours."""
    hours = {hour_of(each, ZoneInfo(chosen.timezone)) for each in taken}
    return schedule.next_alarm(sending, planned, now, chosen, hours, random, digest=digest)


def local(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def test_it_comes_back_ever_more_rarely() -> None:
    assert [days_after(n) for n in range(1, 12)] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]
    assert days_after(10**9) == 256


def test_the_first_interval_is_never_shorter_than_a_day() -> None:
    """Asked for at 10:30, it comes back at 11:00 the next day, not at 10:00."""
    now = datetime.fromisoformat("2026-05-01T10:30:00+09:00")
    found = next_alarm(1, now, now, preferences(), [], Random(1))
    assert found.at == datetime.fromisoformat("2026-05-02T11:00:00+09:00")


def test_days_are_calendar_days_and_not_24_hours() -> None:
    """Berlin's night of 29 March 2026 has 23 hours, that of 25 October 25."""
    for day, after in (
        ("2026-03-28T12:00:00+01:00", "2026-03-29T12:00:00+02:00"),
        ("2026-10-24T12:00:00+02:00", "2026-10-25T12:00:00+01:00"),
    ):
        now = datetime.fromisoformat(day)
        found = next_alarm(1, now, now, preferences("Europe/Berlin"), [], Random(1))
        assert found.at == datetime.fromisoformat(after)


def test_a_late_one_is_counted_from_now() -> None:
    planned = datetime.fromisoformat("2026-05-01T12:00:00+09:00")
    now = planned + timedelta(days=100)
    found = next_alarm(2, planned, now, preferences(), [], Random(1))
    assert found.at == now + timedelta(days=2)


@settings(max_examples=500)
@given(
    st.integers(1, 12),
    MOMENTS,
    st.integers(-40, 400),
    st.sampled_from(ZONES),
    TIMES,
    TIMES,
    st.lists(st.integers(0, 24 * 300), max_size=60),
    st.integers(),
)
def test_never_past_never_quiet_never_in_anothers_hour(
    sending: int,
    now: datetime,
    late_h: int,
    zone: str,
    start: time,
    end: time,
    others: list[int],
    seed: int,
) -> None:
    chosen = preferences(zone, start, end)
    planned = now - timedelta(hours=late_h)
    taken = [now + timedelta(hours=each) for each in others]
    found = next_alarm(sending, planned, now, chosen, taken, Random(seed))
    assert found.at > now
    assert local(found.at, zone) >= local(max(planned, now), zone) + timedelta(
        days=days_after(sending)
    )
    assert not is_quiet(chosen, local(found.at, zone).time())
    hours = {hour_of(each, ZoneInfo(zone)) for each in taken}
    assert hour_of(found.at, ZoneInfo(zone)) not in hours


def test_ten_thousand_cases_by_chance() -> None:
    """The same rules, over more of them than generated examples can be afforded."""
    random = Random(20_000)
    for _ in range(10_000):
        zone = random.choice(ZONES)
        info, sending = ZoneInfo(zone), random.randint(1, 12)
        now = datetime.fromtimestamp(random.randint(946_684_800, 2_051_222_400), UTC)
        planned = now - timedelta(minutes=random.randint(-2_000, 20_000))
        hours = [time(random.randrange(24), random.randrange(60)) for _ in range(2)]
        chosen = preferences(zone, *hours)
        day = max(planned, now) + timedelta(days=days_after(sending))
        taken = [day + timedelta(hours=random.randint(-2, 30)) for _ in range(random.randrange(30))]
        found = next_alarm(sending, planned, now, chosen, taken, random)
        assert found.at > now
        assert local(found.at, zone) >= local(max(planned, now), zone) + timedelta(
            days=days_after(sending)
        )
        assert not is_quiet(chosen, local(found.at, zone).time())
        assert hour_of(found.at, info) not in {hour_of(each, info) for each in taken}


def test_with_a_digest_what_quiet_hours_hold_back_stays_at_their_end() -> None:
    now = datetime.fromisoformat("2026-05-01T23:30:00+09:00")
    end = datetime.fromisoformat("2026-05-03T07:00:00+09:00")
    assert next_alarm(1, now, now, preferences(), [end], Random(1), digest=True).at == end
    assert next_alarm(1, now, now, preferences(), [end], Random(1)).at > end
    assert is_end_of_quiet(preferences(), end)
    assert not is_end_of_quiet(preferences(), end + timedelta(hours=1))
    assert not is_end_of_quiet(preferences(start=None, end=None), end)
    noon = datetime.fromisoformat("2026-05-01T12:00:00+09:00")
    taken = [noon + timedelta(days=1)]  # not quiet: moved away as ever
    assert next_alarm(1, noon, noon, preferences(), taken, Random(1), digest=True).at > taken[0]


def test_two_hundred_of_one_person_in_one_minute_end_distinct() -> None:
    now = datetime.fromisoformat("2026-05-01T10:30:00+09:00")
    random, zone = Random(7), ZoneInfo("Asia/Seoul")
    taken: list[datetime] = []
    for _ in range(200):
        taken.append(next_alarm(1, now, now, preferences(), taken, random).at)
    assert len({hour_of(each, zone) for each in taken}) == 200


def test_where_chance_finds_nothing_the_first_free_hour_after_a_week_is_taken() -> None:
    now = datetime.fromisoformat("2026-05-01T10:00:00+09:00")
    taken = [now + timedelta(hours=each) for each in range(24 * 80)]
    found = next_alarm(1, now, now, preferences(start=None, end=None), taken, Random(1))
    assert found.is_fallback
    assert found.at == now + timedelta(hours=24 * 80)


class OneHour(Random):
    """Chance that always says: an hour later."""

    def randint(self, a: int, b: int) -> int:
        assert (a, b) == (1, 23)
        return 1


def test_each_try_goes_on_from_the_last_one() -> None:
    """Ten days are full; 50 tries of 1 to 23 hours lead out of them, from the first hour none would."""
    now = datetime.fromisoformat("2026-05-01T10:00:00+09:00")
    taken = [now + timedelta(days=1, hours=each) for each in range(240)]
    found = next_alarm(1, now, now, preferences(start=None, end=None), taken, Random(1))
    assert not found.is_fallback
    assert found.at >= now + timedelta(days=11)


def test_after_fifty_tries_it_is_the_first_free_hour_after_a_week_that_is_not_quiet() -> None:
    now = datetime.fromisoformat("2026-05-01T10:00:00+09:00")
    first = now + timedelta(days=1)
    never = preferences(start=None, end=None)
    for full_h, fallback in ((50, False), (51, True)):
        taken = [first + timedelta(hours=each) for each in range(full_h)]
        found = next_alarm(1, now, now, never, taken, OneHour())
        wait = timedelta(days=7) if fallback else timedelta(hours=50)
        assert (found.is_fallback, found.at) == (fallback, first + wait)
    taken = [first + timedelta(hours=each) for each in range(24 * 7 + 12)]  # to 22:00 of that day
    found = next_alarm(1, now, now, preferences(), taken, OneHour())
    assert found.at == datetime.fromisoformat("2026-05-10T07:00:00+09:00")


@given(st.sampled_from(ZONES), MOMENTS)
@example("Australia/Lord_Howe", datetime(2026, 10, 3, 15, 20, tzinfo=UTC))  # a gap of half an hour
@example("Europe/Berlin", datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC))
def test_a_full_hour_is_full_and_soon(zone: str, now: datetime) -> None:
    info = ZoneInfo(zone)
    found = full_hour(local(now, zone), info)
    shown = local(found, zone)
    assert (shown.minute, shown.second, shown.microsecond) == (0, 0, 0)
    assert shown >= local(now, zone)
    assert shown - local(now, zone) < timedelta(hours=27)  # islands that skipped a day


def test_what_is_resumed_comes_at_the_next_full_hour_that_is_not_quiet() -> None:
    at = datetime.fromisoformat
    assert next_full_hour(at("2026-05-01T10:10:00+09:00"), preferences()) == at(
        "2026-05-01T11:00:00+09:00"
    )
    assert next_full_hour(at("2026-05-01T23:10:00+09:00"), preferences()) == at(
        "2026-05-02T07:00:00+09:00"
    )


@pytest.mark.parametrize(
    ("wish", "now", "until"),
    [
        ("1h", "2026-05-01T10:10:00+09:00", "2026-05-01T11:10:00+09:00"),
        ("tonight", "2026-05-01T10:10:00+09:00", "2026-05-01T20:00:00+09:00"),
        ("tonight", "2026-05-01T21:10:00+09:00", "2026-05-01T22:10:00+09:00"),
        ("tomorrow", "2026-05-01T23:59:00+09:00", "2026-05-02T09:00:00+09:00"),
        ("next_week", "2026-05-01T10:10:00+09:00", "2026-05-04T09:00:00+09:00"),
        ("next_week", "2026-05-04T08:00:00+09:00", "2026-05-11T09:00:00+09:00"),
    ],
)
def test_snoozing_is_by_the_persons_clocks(wish: str, now: str, until: str) -> None:
    at = datetime.fromisoformat
    assert snoozed_until(wish, at(now), ZoneInfo("Asia/Seoul")) == at(until)


def changes_of(zone: str) -> list[datetime]:
    """When clocks are changed in 2026, to the minute."""
    info, found = ZoneInfo(zone), []
    day = datetime(2026, 1, 1, tzinfo=UTC)
    while day.year == 2026:
        before, after = day, day + timedelta(days=1)
        if before.astimezone(info).utcoffset() != after.astimezone(info).utcoffset():
            old = before.astimezone(info).utcoffset()
            while after - before > timedelta(minutes=1):
                middle = before + (after - before) // 2
                before, after = (
                    (middle, after)
                    if middle.astimezone(info).utcoffset() == old
                    else (before, middle)
                )
            found.append(after.replace(second=0, microsecond=0))
        day += timedelta(days=1)
    return found


@cache
def changes() -> list[tuple[str, datetime]]:
    return [(zone, change) for zone in ZONES for change in changes_of(zone)]


def test_both_changes_of_clocks_keep_the_wall_time_in_every_zone() -> None:
    """The day before each change of 2026, at noon: it comes back at noon."""
    assert len(changes()) > 200
    for zone, change in changes():
        info = ZoneInfo(zone)
        day = local(change, zone).date() - timedelta(days=1)
        noon = full_hour(datetime.combine(day, time(12)), info)
        found = next_alarm(1, noon, noon, preferences(zone), [], Random(1))
        assert local(found.at, zone) == local(noon, zone) + timedelta(days=1), zone


def test_in_the_hours_of_a_change_it_is_the_first_full_hour_that_clocks_show() -> None:
    """Skipped: forward. Twice: the first. Looked for step by step."""
    never = time(0), time(0)
    for zone, change in changes():
        info = ZoneInfo(zone)
        for minutes in (-90, -1, 0, 30, 59, 61):
            wall = local(change - timedelta(minutes=1), zone) + timedelta(minutes=1 + minutes)
            now = (wall - timedelta(days=1)).replace(tzinfo=info).astimezone(UTC)
            at = change - timedelta(hours=4)
            while local(at, zone) < wall or local(at, zone).minute:
                at += timedelta(minutes=15)
            found = next_alarm(1, now, now, preferences(zone, *never), [], Random(1))
            assert found.at == at, (zone, wall)
