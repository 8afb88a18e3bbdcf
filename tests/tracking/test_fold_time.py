"""Times of the timeline, sentence by sentence. Every log here is also painted by the oracle."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mindhit.tracking.model import Pause, PauseKind
from mindhit.tracking.protocol import Event, EventType, Payload
from tests.tracking.oracle import Timeline
from tests.tracking.sentences import (
    ACTIVE,
    IDLE,
    LOCKED,
    A,
    B,
    C,
    alive,
    focused,
    opened,
    pauses,
    person,
    stays,
    told,
)

MINUTE = 60_000


# Focus


def test_a_page_goes_on_as_an_unfocused_visit_when_its_window_loses_the_focus() -> None:
    timeline = told([opened(0, A, window=10), focused(10, -1), focused(30, 10)], stop=40)
    assert stays(timeline) == ["A 0-10", "a 10-30", "A 30-40"]
    assert [visit.opened_by_seq for visit in timeline.visits] == [1, 2, 3]


@pytest.mark.parametrize(
    "lost",
    [
        focused(10, -1),
        focused(10, -1, is_gained=True),
        focused(10, None),
        focused(10, None, is_gained=False),
        focused(10, 10, is_gained=False),
    ],
)
def test_every_way_to_say_that_the_focus_is_lost_is_understood(lost: Event) -> None:
    assert stays(told([opened(0, A, window=10), lost], stop=20)) == ["A 0-10", "a 10-20"]


def test_a_window_that_did_not_have_the_focus_cannot_lose_it() -> None:
    timeline = told([opened(0, A, window=10), focused(10, 20, is_gained=False)], stop=20)
    assert stays(timeline) == ["A 0-20"]


def test_the_focus_comes_back_without_a_word_of_the_window() -> None:
    log = [opened(0, A, window=10), focused(10, -1), focused(15, None, is_gained=True)]
    assert stays(told(log, stop=20)) == ["A 0-10", "a 10-15", "A 15-20"]


def test_a_tab_that_is_activated_behind_another_program_is_an_unfocused_visit() -> None:
    log = [opened(0, A, window=10), focused(10, -1), opened(15, B, 2, 10)]
    assert stays(told(log, stop=20)) == ["A 0-10", "a 10-15", "b 15-20"]


# The person


def test_idleness_ends_the_visit_when_it_began_and_the_return_begins_another() -> None:
    log = [opened(0, A), person(100_000, IDLE, 30_000), person(120_000, ACTIVE)]
    timeline = told(log, stop=130_000)
    assert stays(timeline) == ["A 0-70000", "A 120000-130000"]
    assert pauses(timeline) == ["idle 70000-120000"]


def test_idleness_without_threshold_began_a_minute_before() -> None:
    timeline = told([opened(0, A), person(100_000, IDLE)], stop=100_001)
    assert stays(timeline) == ["A 0-40000"]


def test_idleness_begins_no_earlier_than_the_visit_it_ends() -> None:
    log = [opened(0, A), opened(90_000, B, tab=2), person(100_000, IDLE, 30_000)]
    timeline = told(log, stop=110_000)
    assert stays(timeline) == ["A 0-90000"]
    assert pauses(timeline) == ["idle 90000-110000"]


def test_a_locked_screen_ends_the_visit_at_once() -> None:
    log = [opened(0, A), person(50_000, LOCKED, 30_000), person(60_000, ACTIVE)]
    timeline = told(log, stop=70_000)
    assert stays(timeline) == ["A 0-50000", "A 60000-70000"]
    assert pauses(timeline) == ["idle 50000-60000"]


def test_idle_then_locked_then_idle_is_one_pause() -> None:
    presences = [person(50_000, IDLE, 0), person(60_000, LOCKED), person(70_000, IDLE, 9_000)]
    timeline = told([opened(0, A), *presences], stop=80_000)
    assert stays(timeline) == ["A 0-50000"]
    assert pauses(timeline) == ["idle 50000-80000"]


def test_what_happens_while_nobody_is_there_is_no_visit() -> None:
    log = [opened(0, A), person(10, LOCKED), opened(20, B, tab=2), person(30, ACTIVE)]
    assert stays(told(log, stop=40)) == ["A 0-10", "B 30-40"]


def test_idleness_ends_an_unfocused_visit_too() -> None:
    log = [opened(0, A), focused(10_000, -1), person(50_000, IDLE, 20_000)]
    assert stays(told(log, stop=60_000)) == ["A 0-10000", "a 10000-30000"]


# Silence


def test_a_silence_of_more_than_three_minutes_belongs_to_no_visit() -> None:
    timeline = told([opened(0, A), alive(1_000), alive(181_001)], stop=181_002)
    assert stays(timeline) == ["A 0-1000", "A 181001-181002"]
    assert pauses(timeline) == ["asleep 1000-181001"]
    assert [visit.opened_by_seq for visit in timeline.visits] == [1, 3]


def test_a_silence_of_three_minutes_does_not_end_a_visit() -> None:
    assert stays(told([opened(0, A), alive(180_000)], stop=360_000)) == ["A 0-360000"]


def test_a_stop_long_after_the_last_event_comes_after_sleep() -> None:
    timeline = told([opened(0, A), alive(1_000)], stop=500_000)
    assert stays(timeline) == ["A 0-1000"]
    assert pauses(timeline) == ["asleep 1000-500000"]


def test_two_hours_in_one_document_stay_two_hours() -> None:
    log = [opened(0, A), *(alive(minute * MINUTE) for minute in range(1, 121))]
    assert stays(told(log, stop=120 * MINUTE)) == ["A 0-7200000"]


def test_who_comes_back_from_sleep_as_idle_was_asleep_until_then() -> None:
    timeline = told([opened(0, A), person(200_000, IDLE, 60_000)], stop=200_010)
    assert pauses(timeline) == ["asleep 0-200000", "idle 200000-200010"]


def test_a_restarted_browser_was_down_since_its_last_event_and_knows_no_tab() -> None:
    log = [opened(0, A), alive(5_000), alive(9_000, is_restart=True), opened(9_500, B, tab=7)]
    timeline = told(log, stop=10_000)
    assert stays(timeline) == ["A 0-5000", "B 9500-10000"]
    assert pauses(timeline) == ["asleep 5000-9000", "no_page 9000-9500"]


def test_a_restarted_browser_has_forgotten_focus_and_idleness() -> None:
    restart = opened(60, B, 7, 20, restart=True)
    log = [opened(0, A, 1, 10), focused(10, -1), person(20, LOCKED), restart, opened(70, C, 8, 30)]
    assert stays(told(log, stop=80)) == ["A 0-10", "a 10-20", "B 60-70", "C 70-80"]


# The clock


def test_order_is_that_of_the_log_and_a_clock_that_jumps_back_is_clamped() -> None:
    log = [opened(100, A), opened(150, B, tab=2), opened(120, C, tab=3), alive(140), alive(200)]
    timeline = told(log, stop=130)
    assert stays(timeline) == ["A 100-150", "C 150-200"]
    assert all(one.left <= next_.entered for one, next_ in pairwise(timeline.visits))


def test_an_hour_that_the_clock_jumps_forward_is_taken_for_sleep() -> None:
    timeline = told([opened(0, A), alive(60 * MINUTE)], stop=61 * MINUTE)
    assert stays(timeline) == ["A 3600000-3660000"]


def test_a_rejected_event_says_nothing_and_is_no_sign_of_life() -> None:
    rejected = Event(0, 170_000, EventType.REJECTED, payload=Payload(rejected="no type"))
    timeline = told([opened(0, A), rejected, alive(200_000)], stop=200_000)
    assert timeline.pauses == [Pause(PauseKind.ASLEEP, 0, 200_000)]
    assert timeline.visits == []


def test_a_session_without_events_is_empty() -> None:
    assert told([], stop=1_000) == Timeline()
