"""Cron across changes of clocks: every time runs once, whatever the zone does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindhit.crawl.model import BadSchedule
from mindhit.crawl.scheduling.cron import check, next_run

ZONES = sorted(available_timezones() - {"localtime"})
MOMENTS = st.integers(946_684_800, 2_051_222_400).map(
    lambda each: datetime.fromtimestamp(each, UTC)
)


def runs(cron: str, zone: str, start: datetime, end: datetime) -> list[datetime]:
    found = [next_run(cron, zone, start)]
    while found[-1] < end:
        found.append(next_run(cron, zone, found[-1]))
    return found[:-1]


@pytest.mark.parametrize(
    ("day", "shown"),
    [
        ("2026-03-29", "03:00"),  # 02:00 to 03:00 does not exist: at the end of the gap
        ("2026-10-25", "02:30"),  # 02:30 comes twice: the first
    ],
)
def test_half_past_two_runs_once_on_both_days_on_which_clocks_change(day: str, shown: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    start = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=berlin)
    found = runs("30 2 * * *", "Europe/Berlin", start, start + timedelta(days=1))
    assert [f"{each.astimezone(berlin):%H:%M}" for each in found] == [shown]
    assert found[0].astimezone(berlin).fold == 0


def test_every_day_has_one_run_in_every_zone_in_a_year() -> None:
    for zone in sorted(ZONES)[::23]:
        start = datetime(2026, 1, 1, 12, 7, tzinfo=UTC)  # nowhere half past two
        found = runs("30 2 * * *", zone, start, start + timedelta(days=365))
        days = {each.astimezone(ZoneInfo(zone)).date() for each in found}
        assert len(found) == len(days) == 365, zone


@settings(max_examples=200)
@given(
    st.sampled_from(["30 2 * * *", "*/5 * * * *", "0 0 1 * *", "15 9 * * 1", "0 */6 * * *"]),
    st.sampled_from(ZONES),
    MOMENTS,
)
def test_the_next_run_is_after_now_and_on_a_time_of_the_cron(
    cron: str, zone: str, now: datetime
) -> None:
    at = next_run(cron, zone, now)
    assert at > now
    assert next_run(cron, zone, at - timedelta(seconds=1)) == at


def test_ten_ticks_that_were_missed_are_one() -> None:
    now = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
    assert next_run("*/5 * * * *", "UTC", now + timedelta(minutes=51)) == now + timedelta(
        minutes=55
    )


@pytest.mark.parametrize(
    "cron",
    [
        "* * * * *",
        "*/4 * * * *",
        "0,3 * * * *",
        "61 * * * *",
        "0 0 30 2 *",
        "1 2 3",
        "@daily",
        "0 0 0 * * *",
        "",
    ],
)
def test_what_is_no_cron_or_runs_too_often_is_refused(cron: str) -> None:
    with pytest.raises(BadSchedule):
        check(cron, "UTC")


def test_spaces_are_put_right_and_a_zone_has_to_exist() -> None:
    assert check("  30   2 * *  *", "Asia/Seoul") == "30 2 * * *"
    with pytest.raises(BadSchedule):
        check("30 2 * * *", "Mars/Olympus")
