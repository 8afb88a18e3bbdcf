"""Which events of a session have arrived: what is new, what is in order, where the holes are.

    1 2 3 4 5 · · 8 9 10 · 12            5 is the last in order: next = 6
              ╰─╯        ╰╯              holes; behind them 8–10 and 12 are parked: stored, not folded

No I/O. A hole is filled, or given up after `PATIENCE_S`: then the fold continues behind it, and the hole
is remembered, so that a late event is not taken for a duplicate. Of more than `MAX_GIVEN_UP` such holes
the closest ones are merged, together with the few events between them that did arrive: nothing that is
missing is forgotten, and the row does not grow. So only the stored log can tell whether an event in a
hole that was given up is really new; a refold, which reads the whole log, finds the holes exactly.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Protocol

PATIENCE_S: Final = 300.0  # how long the server waits for a hole to be filled
# With more holes than this a client is broken, not unlucky; the oldest are given up immediately.
MAX_HOLES: Final = 500
# Holes that were given up and are kept apart: 4 KB of the session's row, no more.
MAX_GIVEN_UP: Final = 200

Range = tuple[int, int]
Parked = tuple[int, int, float]  # first, last, and when the hole before it was noticed (epoch s)


class LogColumns(Protocol):
    """A session's row, as far as it says what has arrived. JSON has lists in place of tuples."""

    @property
    def next_seq(self) -> int: ...
    @property
    def parked(self) -> Iterable[Parked]: ...
    @property
    def holes(self) -> Iterable[Range]: ...


@dataclass(slots=True)
class Log:
    """What has arrived of one session's events. Ranges are sorted and do not touch."""

    next_seq: int = 1
    parked: list[Parked] = field(default_factory=list)
    holes: list[Range] = field(default_factory=list)

    @classmethod
    def of(cls, session: LogColumns) -> Log:
        return cls(
            session.next_seq,
            [(first, last, noticed) for first, last, noticed in session.parked],
            [(first, last) for first, last in session.holes],
        )

    @property
    def max_seq(self) -> int:
        return self.parked[-1][1] if self.parked else self.next_seq - 1

    @property
    def acked(self) -> int:
        return self.next_seq - 1

    @property
    def hole_since(self) -> float | None:
        """When the first of the holes that may still be filled was noticed."""
        return self.parked[0][2] if self.parked else None

    def has(self, seq: int) -> bool:
        if seq < self.next_seq:
            return not _lies_in(self.holes, seq)
        return _lies_in(self.parked, seq)

    def is_given_up(self, seq: int) -> bool:
        return seq < self.next_seq and _lies_in(self.holes, seq)

    def missing(self, last_seq: int | None = None) -> list[Range]:
        """All that has not arrived: every hole, and the end that the stop announced."""
        found = [*self.holes, *self._open_holes()]
        if last_seq is not None and last_seq > self.max_seq:
            found.append((self.max_seq + 1, last_seq))
        return found

    def add(self, seqs: Iterable[int], now_s: float) -> Range | None:
        """Add new events; returns the range that is in order now and was not before."""
        seqs = list(seqs)
        if self._follow(seqs):
            first, self.next_seq = self.next_seq, seqs[-1] + 1
            return first, seqs[-1]
        for seq in seqs:
            if seq < self.next_seq:
                self.holes = _without(self.holes, seq)
            else:
                self.parked.append((seq, seq, now_s))
        self.parked = _merged(self.parked)
        self.holes = _coalesced(self.holes, MAX_GIVEN_UP)
        run = self._advance()
        if len(self.parked) > MAX_HOLES:
            more = self.give_up(len(self.parked) - MAX_HOLES)
            run = _joined(run, more)
        return run

    def _follow(self, seqs: Sequence[int]) -> bool:
        """Whether these directly follow the last ones, with nothing parked: the ordinary case."""
        if not seqs or self.parked or seqs[0] != self.next_seq:
            return False
        return all(second - first == 1 for first, second in pairwise(seqs))

    def is_stored(self, seqs: Iterable[int]) -> None:
        """These were found in the log, in holes that were merged around them."""
        for seq in seqs:
            self.holes = _without(self.holes, seq)
        self.holes = _coalesced(self.holes, MAX_GIVEN_UP)

    def find_holes(self, seqs: Iterable[int]) -> None:
        """The holes that were given up, from the stored log itself: `seqs` are all it has, in order.
        Holes that were merged are apart again where there is room, and those that were filled are gone."""
        found, after = [], 1
        for seq in seqs:
            if seq >= self.next_seq:
                break
            if seq > after:
                found.append((after, seq - 1))
            after = seq + 1
        if after < self.next_seq:
            found.append((after, self.next_seq - 1))
        self.holes = _coalesced(found, MAX_GIVEN_UP)

    def give_up_before(self, noticed_s: float) -> Range | None:
        """Give up the holes that were noticed by then."""
        due = 0
        for *_, noticed in self.parked:
            if noticed > noticed_s:
                break
            due += 1
        return self.give_up(due)

    def give_up(self, count: int | None = None) -> Range | None:
        """Give up the first `count` holes, or all. Returns the range to be folded now; it may have
        holes in it."""
        passed = self.parked if count is None else self.parked[:count]
        if not passed:
            return None
        run = (self.next_seq, passed[-1][1])
        holes = [*self.holes, *self._open_holes()[: len(passed)]]
        self.holes = _coalesced(holes, MAX_GIVEN_UP)
        self.parked = self.parked[len(passed) :]
        self.next_seq = run[1] + 1
        return run

    def _open_holes(self) -> list[Range]:
        found, after = [], self.next_seq
        for first, last, _ in self.parked:
            found.append((after, first - 1))
            after = last + 1
        return found

    def _advance(self) -> Range | None:
        if not self.parked or self.parked[0][0] != self.next_seq:
            return None
        run = self.parked.pop(0)[:2]
        self.next_seq = run[1] + 1
        return run


def _lies_in(ranges: Sequence[tuple[int, int, float]] | Sequence[Range], seq: int) -> bool:
    index = bisect_right(ranges, seq, key=lambda each: each[0]) - 1
    return index >= 0 and seq <= ranges[index][1]


def _without(ranges: Sequence[Range], seq: int) -> list[Range]:
    kept: list[Range] = []
    for first, last in ranges:
        if not first <= seq <= last:
            kept.append((first, last))
            continue
        if first < seq:
            kept.append((first, seq - 1))
        if seq < last:
            kept.append((seq + 1, last))
    return kept


def _merged(ranges: Sequence[Parked]) -> list[Parked]:
    """Join adjacent ranges. A hole was noticed when anything behind it first arrived, however far
    behind: an event in its middle splits it, and neither half becomes younger."""
    merged: list[Parked] = []
    for first, last, noticed in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], last), min(before[2], noticed))
        else:
            merged.append((first, last, noticed))
    oldest = math.inf
    for index in reversed(range(len(merged))):
        first, last, noticed = merged[index]
        oldest = min(oldest, noticed)
        merged[index] = (first, last, oldest)
    return merged


def _coalesced(ranges: list[Range], most: int) -> list[Range]:
    """No more than `most` ranges, which cover as much or more: the closest neighbours are joined."""
    if len(ranges) <= most:
        return ranges
    by_distance = sorted(
        range(1, len(ranges)), key=lambda index: ranges[index][0] - ranges[index - 1][1]
    )
    joined = set(by_distance[: len(ranges) - most])
    kept: list[Range] = []
    for index, (first, last) in enumerate(ranges):
        if index in joined:
            kept[-1] = (kept[-1][0], last)
        else:
            kept.append((first, last))
    return kept


def _joined(run: Range | None, more: Range | None) -> Range | None:
    if run is None or more is None:
        return run or more
    return run[0], more[1]
