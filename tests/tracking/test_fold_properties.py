"""The fold against the oracle, and what holds for every log, however it is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindhit.tracking.model import Pause, Visit
from mindhit.tracking.protocol import Event, EventType
from mindhit.tracking.timeline.fold import NotAtRest, finish, fold, rest
from mindhit.tracking.timeline.state import State, pack, unpack
from mindhit.tracking.timeline.tabs_and_windows import MAX_TABS, MAX_WINDOWS
from tests.tracking.oracle import Timeline
from tests.tracking.traces import PAGES, REAL, SMALL, START, fold_whole, log, logs

# Where the stop lies, seen from the last event's time: before it, at it, soon, long after it.
stops = st.sampled_from([-50, 0, 1, 77, SMALL.silence_ms, SMALL.silence_ms + 1, 2_000])
thorough = settings(max_examples=600, deadline=None)
brief = settings(max_examples=200, deadline=None)


@pytest.fixture(autouse=True, scope="module")
def _small_scale() -> object:
    with SMALL.in_force():
        yield


def stretches(timeline: Timeline) -> list[Visit | Pause]:
    return sorted([*timeline.visits, *timeline.pauses], key=lambda stretch: stretch.entered)


# The judge


@thorough
@given(logs(), stops)
def test_the_fold_makes_of_every_log_what_the_oracle_paints(log: list[Event], stop: int) -> None:
    at = log[-1].t + stop
    assert fold_whole(log, at) == SMALL.judge(log, at)


@pytest.mark.parametrize("hundred", range(20))
def test_the_fold_agrees_with_the_oracle_on_two_thousand_long_logs(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        events = log(seed, count=80)
        at = events[-1].t + 50
        assert fold_whole(events, at) == SMALL.judge(events, at), f"seed {seed}"


@pytest.mark.parametrize("seed", range(30))
def test_the_fold_agrees_with_the_oracle_on_minutes_and_real_sleeps(seed: int) -> None:
    with REAL.in_force():
        events = log(seed, count=40, scale=REAL)
        at = events[-1].t + 5_000
        assert fold_whole(events, at) == REAL.judge(events, at)


# Invariants


@brief
@given(logs(), stops)
def test_every_millisecond_up_to_the_stop_is_of_exactly_one_stretch(
    log: list[Event], stop: int
) -> None:
    taken = [event.t for event in log if event.type is not EventType.REJECTED]
    at = log[-1].t + stop
    found = stretches(fold_whole(log, at))
    if not taken or max(*taken, at) == taken[0]:
        assert not found
        return
    assert found[0].entered == taken[0]
    assert found[-1].left == max(*taken, at)
    assert all(one.left == next_.entered for one, next_ in pairwise(found))
    assert all(stretch.entered < stretch.left for stretch in found)


@brief
@given(logs(), stops)
def test_visits_are_numbered_in_order_and_each_is_opened_by_an_event_of_its_own(
    log: list[Event], stop: int
) -> None:
    visits = fold_whole(log, log[-1].t + stop).visits
    assert [visit.visit_order for visit in visits] == list(range(1, len(visits) + 1))
    opened_by = [visit.opened_by_seq for visit in visits]
    assert opened_by == sorted(set(opened_by))


@brief
@given(logs())
def test_a_highlight_is_of_a_visit_to_its_page_in_its_tab_or_of_none(log: list[Event]) -> None:
    timeline = fold_whole(log, log[-1].t + 10)
    visits = {visit.opened_by_seq: visit for visit in timeline.visits}
    marks = {event.seq: event for event in log if event.type is EventType.HIGHLIGHT}
    assert [highlight.seq for highlight in timeline.highlights] == list(marks)
    is_redirecting = any(event.payload.redirect for event in log)
    for highlight in timeline.highlights:
        # A visit that was left at once is none, and a redirect may have led it on to another page.
        visit = visits.get(highlight.visit_seq or 0)
        if visit is not None:
            assert visit.opened_by_seq <= highlight.seq
            assert marks[highlight.seq].tab_id in {None, visit.tab_id}
            assert is_redirecting or visit.url_id == highlight.url_id


# Cutting


@thorough
@given(logs(), st.lists(st.integers(0, 40), max_size=6), stops)
def test_a_log_folded_in_pieces_gives_what_it_gives_whole(
    log: list[Event], cuts: list[int], stop: int
) -> None:
    at = log[-1].t + stop
    packed: bytes | None = None
    pieces = Timeline()
    for start, end in pairwise([0, *sorted(cuts), len(log)]):
        folded = fold(unpack(packed), log[start:end])
        _add(pieces, folded)
        packed = pack(folded.state)
    _add(pieces, finish(unpack(packed), at))
    assert pieces == fold_whole(log, at)


@brief
@given(logs(), st.integers(0, 40))
def test_a_fold_leaves_its_state_as_it_was(log: list[Event], cut: int) -> None:
    state = fold(State(), log[:cut]).state
    before = pack(state)
    fold(state, log[cut:])
    finish(state, log[-1].t)
    rest(state)
    assert pack(state) == before
    assert pack(State()) == pack(unpack(None))


def _add(pieces: Timeline, folded: object) -> None:
    for name in ("visits", "pauses", "highlights", "texts_read"):
        getattr(pieces, name).extend(getattr(folded, name))


# Resting


def is_silence(state: State, event: Event) -> bool:
    """Would the fold, coming to this event, take the time before it for sleep?"""
    is_long = state.clock is not None and event.t - state.clock > SMALL.silence_ms
    return is_long or event.payload.restart


@thorough
@given(logs(), st.sampled_from([SMALL.silence_ms + 1, 5_000]))
def test_a_session_that_rests_in_every_silence_equals_one_that_never_rests(
    log: list[Event], stop: int
) -> None:
    state, pieces = State(), Timeline()
    at = max(event.t for event in log) + stop
    for event in [*log, Event(len(log) + 1, at, EventType.ALIVE)]:
        if event.type is not EventType.REJECTED and is_silence(state, event):
            rested = rest(rest(state).state)
            _add(pieces, rest(state))
            assert (rested.visits, rested.pauses) == ([], [])
            state = unpack(pack(rested.state))
        if event.seq <= len(log):
            folded = fold(state, [event])
            _add(pieces, folded)
            state = folded.state
    _add(pieces, finish(state, at))
    assert pieces == fold_whole(log, at)


@brief
@given(logs())
def test_a_session_that_turns_out_not_to_have_been_silent_breaks_its_rest(
    log: list[Event],
) -> None:
    state = State()
    for event in log:
        if event.type is EventType.REJECTED:
            continue
        if state.clock is not None and not is_silence(state, event):
            rested = rest(state).state
            with pytest.raises(NotAtRest):
                fold(rested, [event])
        state = fold(state, [event]).state


def test_a_resting_session_can_be_stopped_at_its_last_event_or_after_the_silence() -> None:
    events = log(4, count=30)
    state = fold(State(), events).state
    assert state.clock is not None
    rested = rest(state)
    for at in (state.clock - 1, state.clock):
        end = finish(rested.state, at)
        assert (end.visits, end.pauses) == ([], [])
    later = state.clock + SMALL.silence_ms + 1
    stopped = finish(rested.state, later)
    assert rested.visits + stopped.visits == finish(state, later).visits
    assert rested.pauses + stopped.pauses == finish(state, later).pauses
    with pytest.raises(NotAtRest):
        finish(rested.state, state.clock + 1)


def test_a_session_without_events_has_nothing_to_rest_from() -> None:
    assert pack(rest(State()).state) == pack(State())
    assert finish(rest(State()).state, START).pauses == []


# Size


def test_the_state_does_not_grow_with_the_session() -> None:
    state, sizes = State(), []
    for seed in range(60):
        state = fold(state, log(seed, count=300)).state
        sizes.append(len(pack(state)))
    assert max(sizes[30:]) <= max(sizes[:30]) + 20
    assert max(sizes) < 500


def test_more_tabs_and_windows_than_anybody_has_are_forgotten_oldest_first() -> None:
    count = MAX_TABS + 100
    events = [
        Event(n, START + n, EventType.TAB_ACTIVATED, tab_id=n, window_id=n, url_id=PAGES[n % 4])
        for n in range(1, count + 1)
    ]
    folded = fold(State(), events)
    assert list(folded.state.tabs) == list(range(101, count + 1))
    assert len(folded.state.active) == MAX_WINDOWS
    assert len(folded.visits) == count - 1
    assert folded.state.current is not None
    assert folded.state.current.tab_id == count
