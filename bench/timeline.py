"""Time per page beside ActivityWatch: the same generated browsing through both.

A trace is four hours in one window that always has the focus: stays of 20 s in the median, 45 % of
the moves within a tab, the others to a new one, and bursts of switching through tabs in less than a
second each. What was really looked at, and how long, is written down as it is made up. Then

ours           gets the events that our extension sends, and an `ALIVE` each minute, through the fold
activitywatch  hears what its browser watcher listens to (a tab was activated, a minute is over) and
               joins the heartbeats as its server does. The rules are told in `Watcher` and `Bucket`;
               in its favour no heartbeat is lost, and a new tab has its URL and title at once

…_median_error_ms  of all pages: recorded time against true time, without sign
…_missing_share    pages that are nowhere in the record
…_returning        the same where most moves to another tab go back to one that is open; the first
                   mix is the kinder one to ActivityWatch
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from math import log
from random import Random
from typing import NamedTuple

from bench.figures import Report, exactly, read_options
from mindhit.tracking.protocol import Event, EventType, Payload
from mindhit.tracking.timeline.fold import finish, fold
from mindhit.tracking.timeline.state import State
from mindhit.urls import normalise

START = 1_750_000_000_000
LASTS_MS = 4 * 3_600_000
MINUTE_MS = 60_000
MEDIAN_STAY_MS = 20_000
STAY_SPREAD = 1.1  # of the logarithm: the middle half stays between 10 and 42 s
SAME_TAB_SHARE = 0.45
NEW_TAB_SHARE = 1 - SAME_TAB_SHARE
NEW_TAB_SHARE_RETURNING = 0.25
BURST_SHARE = 0.03
MOST_TABS = 12
PULSE_MS = 80_000  # the watcher's interval of 60 s, and the 20 s that it adds


class Act(Enum):
    GO = auto()  # to another page in the same tab
    OPEN = auto()  # a page in a new tab
    SWITCH = auto()  # to a tab that is there
    CLOSE = auto()  # a tab in the background


class Move(NamedTuple):
    t: int
    act: Act
    tab_id: int
    url: str


class Outcome(NamedTuple):
    """The error in ms of each page that was looked at, and how many are not in the record."""

    errors: list[int]
    missing: int


@dataclass
class Trace:
    """Browsing, made up move by move, and the time that each page was really looked at."""

    seed: int
    new_tab_share: float = NEW_TAB_SHARE
    moves: list[Move] = field(default_factory=list)
    true_ms: Counter[str] = field(default_factory=Counter)
    _tabs: dict[int, str] = field(default_factory=dict)
    _front: int = 0
    _pages: int = 0

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        t, end = START, START + LASTS_MS
        self._open(t)
        while t < end:
            if len(self._tabs) > 2 and self._random.random() < BURST_SHARE:
                t = self._burst(t, end)
            t = self._stay(t, end, self._draw_stay())
            if t < end:
                self._move_on(t)

    def _draw_stay(self) -> int:
        return max(1, round(self._random.lognormvariate(log(MEDIAN_STAY_MS), STAY_SPREAD)))

    def _stay(self, t: int, end: int, ms: int) -> int:
        left = min(t + ms, end)
        self.true_ms[self._tabs[self._front]] += left - t
        return left

    def _burst(self, t: int, end: int) -> int:
        for _ in range(self._random.randint(3, 8)):
            t = self._stay(t, end, self._random.randint(50, 950))
            if t < end:
                self._switch(t)
        return t

    def _move_on(self, t: int) -> None:
        drawn = self._random.random()
        if drawn < SAME_TAB_SHARE:
            self._tabs[self._front] = self._new_page()
            self._note(t, Act.GO, self._front)
        elif drawn < SAME_TAB_SHARE + self.new_tab_share or len(self._tabs) < 2:
            self._open(t)
        else:
            self._switch(t)

    def _open(self, t: int) -> None:
        self._front = len(self.moves) + 1
        self._tabs[self._front] = self._new_page()
        self._note(t, Act.OPEN, self._front)
        if len(self._tabs) > MOST_TABS:
            oldest = next(iter(self._tabs))
            self._note(t, Act.CLOSE, oldest)
            del self._tabs[oldest]

    def _switch(self, t: int) -> None:
        self._front = self._random.choice([tab for tab in self._tabs if tab != self._front])
        self._note(t, Act.SWITCH, self._front)

    def _new_page(self) -> str:
        self._pages += 1
        return f"https://example.com/{self.seed}/{self._pages}"

    def _note(self, t: int, act: Act, tab_id: int) -> None:
        self.moves.append(Move(t, act, tab_id, self._tabs[tab_id]))


def merge_ticks(moves: list[Move]) -> Iterator[tuple[int, Move | None]]:
    """The moves, and between them a None at every full minute."""
    tick = START + MINUTE_MS
    for move in moves:
        while tick <= move.t:
            yield tick, None
            tick += MINUTE_MS
        yield move.t, move
    while tick <= START + LASTS_MS:
        yield tick, None
        tick += MINUTE_MS


# Ours


def to_events(trace: Trace) -> Iterator[Event]:
    """What the extension sends; an opened tab is told first, and its page when it is committed."""
    seq = 0
    for t, move in merge_ticks(trace.moves):
        for type_, tab_id, url in _told(move):
            seq += 1
            url_id = normalise(url).id if url else None
            payload = Payload(transition="link" if type_ is EventType.NAV_COMMITTED else None)
            yield Event(seq, t, type_, tab_id, 1, url_id, payload)


def _told(move: Move | None) -> list[tuple[EventType, int | None, str | None]]:
    if move is None:
        return [(EventType.ALIVE, None, None)]
    if move.act is Act.CLOSE:
        return [(EventType.TAB_REMOVED, move.tab_id, None)]
    if move.act is Act.SWITCH:
        return [(EventType.TAB_ACTIVATED, move.tab_id, move.url)]
    committed = (EventType.NAV_COMMITTED, move.tab_id, move.url)
    if move.act is Act.GO:
        return [committed]
    return [(EventType.TAB_ACTIVATED, move.tab_id, None), committed]


def run_ours(trace: Trace) -> Outcome:
    folded = fold(State(), to_events(trace))
    visits = folded.visits + finish(folded.state, START + LASTS_MS).visits
    recorded = Counter[object]()
    for visit in visits:
        recorded[visit.url_id] += visit.left - visit.entered
    known = {url: recorded[id_] for url in trace.true_ms if (id_ := normalise(url).id) in recorded}
    return compare(trace, known)


# ActivityWatch


class Beat(NamedTuple):
    """What a heartbeat says beside its time: events of different beats are never joined."""

    url: str
    tab_count: int


@dataclass
class Bucket:
    """The server's side: a beat equal to the last event's prolongs it, if it comes in time."""

    events: list[tuple[Beat, int, int]] = field(default_factory=list)

    def take(self, beat: Beat, t: int) -> None:
        if self.events:
            last, began, ended = self.events[-1]
            if last == beat and began <= t <= ended + PULSE_MS:
                self.events[-1] = (last, began, t)
                return
        self.events.append((beat, t, t))


@dataclass
class Watcher:
    """The extension's side: a beat for the tab in front when one was activated, and each minute.

    A beat that differs from the one before is preceded by that one again, a millisecond earlier.
    No navigation is listened to.
    """

    bucket: Bucket = field(default_factory=Bucket)
    before: Beat | None = None

    def beat(self, beat: Beat, t: int) -> None:
        if self.before is not None and self.before != beat:
            self.bucket.take(self.before, t - 1)
        self.bucket.take(beat, t)
        self.before = beat


def run_activitywatch(trace: Trace) -> Outcome:
    watcher, front = Watcher(), 0
    tabs: dict[int, str] = {}
    for t, move in merge_ticks(trace.moves):
        if move is not None and move.act is Act.CLOSE:
            del tabs[move.tab_id]
            continue
        if move is not None:
            front = move.tab_id
            tabs[front] = move.url
        if move is None or move.act is not Act.GO:
            watcher.beat(Beat(tabs[front], len(tabs)), t)
    recorded = Counter[str]()
    for beat, began, ended in watcher.bucket.events:
        recorded[beat.url] += ended - began
    return compare(trace, recorded)


# Figures


def compare(trace: Trace, recorded: dict[str, int]) -> Outcome:
    true_ms = trace.true_ms
    errors = [abs(recorded.get(url, 0) - ms) for url, ms in true_ms.items()]
    return Outcome(errors, sum(url not in recorded for url in true_ms))


def median_error(outcomes: list[Outcome]) -> float:
    return statistics.median(error for outcome in outcomes for error in outcome.errors)


def missing_share(outcomes: list[Outcome]) -> float:
    pages = sum(len(outcome.errors) for outcome in outcomes)
    return round(sum(outcome.missing for outcome in outcomes) / pages, 4)


def largest_error(outcomes: list[Outcome]) -> int:
    return max(error for outcome in outcomes for error in outcome.errors)


def within_a_second(outcomes: list[Outcome]) -> float:
    errors = [error for outcome in outcomes for error in outcome.errors]
    return round(sum(error <= 1_000 for error in errors) / len(errors), 4)


def main() -> None:
    options = read_options(__doc__ or "")
    seeds = range(1, (5 if options.quick else 50) + 1)
    traces = [Trace(seed) for seed in seeds]
    returning = [Trace(seed, NEW_TAB_SHARE_RETURNING) for seed in seeds]
    ours = [run_ours(trace) for trace in [*traces, *returning]]
    theirs = [run_activitywatch(trace) for trace in traces]
    theirs_returning = [run_activitywatch(trace) for trace in returning]

    report = Report("Time per page")
    pages = sum(len(outcome.errors) for outcome in theirs)
    report.settings |= {"traces": len(seeds), "hours": LASTS_MS // 3_600_000, "pages": pages}
    report.settings |= {"median_stay_ms": MEDIAN_STAY_MS, "stay_spread": STAY_SPREAD}
    report.settings |= {"same_tab_share": SAME_TAB_SHARE, "burst_share": BURST_SHARE}
    report.settings |= {"new_tab_share_returning": NEW_TAB_SHARE_RETURNING}
    report.settings |= {"watcher_interval_ms": MINUTE_MS, "watcher_pulse_ms": PULSE_MS}
    report.add("ours_median_error_ms", median_error(ours), exactly(0))
    report.add("ours_missing_share", missing_share(ours), exactly(0))
    report.add("activitywatch_median_error_ms", median_error(theirs))
    report.add("activitywatch_missing_share", missing_share(theirs))
    report.add("activitywatch_median_error_ms_returning", median_error(theirs_returning))
    report.add("activitywatch_missing_share_returning", missing_share(theirs_returning))
    largest = largest_error(theirs)
    report.add("largest_error_ms", largest_error(ours), exactly(0), activitywatch=largest)
    near = within_a_second(theirs)
    report.add("within_1_s_share", within_a_second(ours), exactly(1), activitywatch=near)
    report.close(options)


if __name__ == "__main__":
    main()
