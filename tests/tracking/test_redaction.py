"""What is left of a log: the timeline without what was forgotten, and no word of it."""

from __future__ import annotations

from random import Random
from uuid import UUID

import pytest
from msgspec import structs

from mindhit.tracking.forgetting.ranges import (
    Forgotten,
    Range,
    hash_of_domain,
    hash_of_url,
)
from mindhit.tracking.forgetting.redaction import Plan, Reading, plan, strip
from mindhit.tracking.model import Pause, PauseKind, Visit
from mindhit.tracking.protocol import Event, EventType, Payload, Presence
from mindhit.tracking.timeline.fold import finish, fold
from mindhit.tracking.timeline.state import State
from tests.tracking import traces
from tests.tracking.oracle import Timeline
from tests.tracking.traces import PAGES, REAL, fold_whole

USER, SESSION = UUID(int=1), UUID(int=2)
DOMAINS = {page: f"site{n}.example" for n, page in enumerate(PAGES)}
LOGS = 400


def redacted(events: list[Event], stop: int, *ranges: Range) -> tuple[list[Event], Plan]:
    """Until nothing is left to do, as it is done with a stored log."""
    first = found = planned(events, stop, *ranges)
    while (after := [found.redact(each) for each in events]) != events:
        events, found = after, planned(after, stop, *ranges)
    return events, first


def planned(events: list[Event], stop: int, *ranges: Range) -> Plan:
    reading = Reading()
    for each in events:
        reading.take(each)
    whole = fold_whole(events, stop)
    return plan(reading, whole.visits, Forgotten(USER, SESSION, ranges), DOMAINS)


def end_of(events: list[Event]) -> int:
    return max(each.t for each in events) + 1_000


def log(seed: int, *, redirects: bool = True) -> list[Event]:
    events = traces.log(seed, Random(seed).randint(5, 60), REAL)
    if redirects:
        return events
    plain = {"redirect": False, "new_document": False}
    return [
        structs.replace(each, payload=structs.replace(each.payload, **plain)) for each in events
    ]


def without_time_of(timeline: Timeline) -> list[tuple[int, int]]:
    """Every stretch that the timeline accounts for, joined where they touch."""
    stretches = sorted(
        [(each.entered, each.left) for each in timeline.visits]
        + [(each.entered, each.left) for each in timeline.pauses]
    )
    joined: list[tuple[int, int]] = []
    for entered, left in stretches:
        if joined and joined[-1][1] == entered:
            joined[-1] = (joined[-1][0], left)
        else:
            joined.append((entered, left))
    return joined


def facts_of(visit: Visit) -> tuple[object, ...]:
    """A visit but for its place in the order, and where it came from."""
    return (visit.opened_by_seq, visit.url_id, visit.tab_id, visit.entered, visit.left)


def some_stretch(rng: Random, events: list[Event]) -> Range:
    times = sorted(each.t + rng.choice([-1, 0, 0, 1, 500]) for each in rng.sample(events, 2))
    return Range(times[0], times[1] + 1)


@pytest.mark.parametrize("part", range(4))
def test_a_forgotten_page_is_one_that_was_never_recorded(part: int) -> None:
    """The same timeline as that of a recording in which it was excluded."""
    for seed in range(part, LOGS, 4):
        events, rng = log(seed, redirects=False), Random(seed)
        stop, page = end_of(events), rng.choice(PAGES)
        name = rng.choice(
            [(None, hash_of_url(USER, page)), (hash_of_domain(USER, "example"), None)]
        )
        range_ = Range(0, stop + 1, None, *name)
        pages = {page} if name[0] is None else set(PAGES)
        kept, _ = redacted(events, stop, range_)
        excluded = [
            strip(each, is_marked=False) if each.url_id in pages else each for each in events
        ]
        assert fold_whole(kept, stop) == fold_whole(excluded, stop), seed


def is_part(visit: Visit, timeline: Timeline) -> bool:
    """Nothing new appears; but a tab whose page was named in a forgotten stretch is known again only
    where it is named again, and idleness that is reported in one does not reach back before it."""
    was_idle = any(
        each.kind is PauseKind.IDLE and each.entered <= visit.entered and visit.left <= each.left
        for each in timeline.pauses
    )
    return was_idle or any(
        (each.url_id, each.tab_id) == (visit.url_id, visit.tab_id)
        and each.entered <= visit.entered
        and visit.left <= each.left
        for each in timeline.visits
    )


@pytest.mark.parametrize("part", range(4))
def test_nothing_of_a_forgotten_stretch_is_left(part: int) -> None:
    for seed in range(part, LOGS, 4):
        rng = Random(seed)
        events = log(seed, redirects=seed % 8 < 4)
        stop, range_ = end_of(events), some_stretch(rng, events)
        kept, _ = redacted(events, stop, range_)
        before, after = fold_whole(events, stop), fold_whole(kept, stop)
        assert not [v for v in after.visits if range_.overlaps(v.entered, v.left)], seed
        assert not [e for e in kept if e.url_id and range_.start <= e.t < range_.end], seed
        if seed % 8 >= 4:  # of a redirect, a part may be known that was no visit of its own
            assert all(is_part(each, before) for each in after.visits), seed
        assert {h.seq for h in after.highlights} <= {h.seq for h in before.highlights}, seed
        assert without_time_of(after) == without_time_of(before), seed


@pytest.mark.parametrize("part", range(4))
def test_one_visit_goes_and_only_later_ones_with_it(part: int) -> None:
    for seed in range(part, LOGS, 4):
        events, rng = log(seed), Random(seed)
        stop = end_of(events)
        before = fold_whole(events, stop)
        if not before.visits:
            continue
        visit = rng.choice(before.visits)
        range_ = Range(visit.entered, visit.left, SESSION, None, hash_of_url(USER, visit.url_id))
        kept, found = redacted(events, stop, range_)
        after = fold_whole(kept, stop)
        left = {facts_of(each) for each in after.visits}
        assert facts_of(visit) not in left, seed
        assert visit.opened_by_seq in found.marked
        for each in before.visits:
            if each.left <= visit.entered and each.url_id != visit.url_id:
                assert facts_of(each) in left, seed
        assert without_time_of(after) == without_time_of(before), seed


def test_redacting_again_changes_nothing() -> None:
    for seed in range(LOGS):
        events, rng = log(seed), Random(seed)
        stop, range_ = end_of(events), some_stretch(rng, events)
        kept, _ = redacted(events, stop, range_)
        again = planned(kept, stop, range_)
        assert [again.redact(each) for each in kept] == kept, seed


def test_the_places_of_events_stay() -> None:
    for seed in range(50):
        events = log(seed)
        kept, _ = redacted(events, end_of(events), Range(1, end_of(events) + 1))
        for was, is_ in zip(events, kept, strict=True):
            for name in ("seq", "t", "type", "tab_id", "window_id"):
                assert getattr(is_, name) == getattr(was, name)
            assert is_.url_id is None


def test_a_fold_in_pieces_gives_the_same() -> None:
    """What is hidden is part of the state that is carried on."""
    for seed in range(LOGS):
        events, rng = log(seed), Random(seed)
        stop, range_ = end_of(events), some_stretch(rng, events)
        kept, _ = redacted(events, stop, range_)
        at = rng.randint(0, len(kept))
        first = fold(State(), kept[:at])
        second = fold(first.state, kept[at:])
        last = finish(second.state, stop)
        whole = fold_whole(kept, stop)
        assert first.visits + second.visits + last.visits == whole.visits, seed
        assert first.pauses + second.pauses + last.pauses == whole.pauses, seed


def test_only_harmless_fields_stay() -> None:
    """A field that is added to the payload goes too, until it is said to be harmless."""
    full = Payload(
        title="t",
        redirect=True,
        transition="link",
        opener_tab_id=3,
        content_id=PAGES[0],
        extraction_ok=True,
        focused=True,
        state=Presence.IDLE,
        threshold_ms=5,
        text="t",
        restart=True,
        rejected="why",
        new_document=True,
        address="a",
        no_fetch=True,
    )
    values = {name: getattr(full, name) for name in Payload.__struct_fields__}
    assert all(values[name] for name in values if name != "forgotten"), "name the new field here"
    event = Event(1, 2, EventType.NAV_COMMITTED, 3, 4, PAGES[0], full)
    kept = strip(event, is_marked=False)
    assert kept == Event(
        1,
        2,
        EventType.NAV_COMMITTED,
        3,
        4,
        None,
        Payload(focused=True, state=Presence.IDLE, threshold_ms=5, restart=True, rejected="why"),
    )


def test_time_that_is_forgotten_is_one_pause() -> None:
    """Beside time without a page, it is the same pause."""
    events = [
        Event(1, 1_000, EventType.TAB_ACTIVATED, 1, 1, PAGES[0]),
        Event(2, 2_000, EventType.NAV_COMMITTED, 1, 1, PAGES[1]),
        Event(3, 3_000, EventType.NAV_COMMITTED, 1, 1),
        Event(4, 4_000, EventType.NAV_COMMITTED, 1, 1, PAGES[2]),
        Event(5, 5_000, EventType.ALIVE),
    ]
    kept, _ = redacted(events, 6_000, Range(2_500, 2_600))
    after = fold_whole(kept, 6_000)
    assert [each.url_id for each in after.visits] == [PAGES[0], PAGES[2]]
    assert after.pauses == [Pause(PauseKind.NO_PAGE, 2_000, 4_000)]


def test_a_hash_is_of_one_person_and_matches_subdomains() -> None:
    range_ = Range(0, 10, None, hash_of_domain(USER, "example.org"))
    mine = Forgotten(USER, SESSION, [range_])
    assert mine.has_event(1, PAGES[0], "example.org")
    assert mine.has_event(1, PAGES[0], "a.b.example.org")
    assert not mine.has_event(1, PAGES[0], "notexample.org")
    assert not mine.has_event(10, PAGES[0], "example.org")
    assert not mine.has_event(1, None, None)
    assert not Forgotten(SESSION, SESSION, [range_]).has_event(1, PAGES[0], "example.org")
    assert not Forgotten(USER, SESSION, [Range(0, 10, USER)])
