"""Which events of a session have come: what is new, what is in order, what is missing.

    1 2 3 4 5 · · 8 9 10 · 12            5 is the last in order: next = 6
              ╰─╯        ╰╯              holes; behind them 8–10 and 12 are parked: stored, not folded

Pure. A hole is filled, or in time given up: then the fold goes on behind it, and the hole is
remembered, so that what fills it after all is told from a repetition. Of very many such holes those
that lie closest become one, with the few events between them that did come: so nothing that is
missing is forgotten, and the row does not grow. Whether an event in a hole that was given up is
really new, therefore only the stored log tells.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

# Behind so many holes a client is broken rather than unlucky; the oldest are given up at once.
MOST_HOLES: Final = 500
# Holes that were given up, each told apart from the next: 4 KB of the session's row at most.
MOST_GIVEN_UP: Final = 200

Range = tuple[int, int]
Parked = tuple[int, int, float]  # first, last, and when the hole before it was noticed (epoch s)


@dataclass(slots=True)
class Log:
    """What has come of one session's log. Ranges are sorted and apart from each other."""

    next_seq: int = 1
    parked: list[Parked] = field(default_factory=list)
    holes: list[Range] = field(default_factory=list)

    @classmethod
    def stored(cls, next_seq: int, parked: Iterable[Parked], holes: Iterable[Range]) -> Log:
        """As a session's row has it: JSON knows lists only."""
        return cls(next_seq, [(a, b, at) for a, b, at in parked], [(a, b) for a, b in holes])

    @property
    def max_seq(self) -> int:
        return self.parked[-1][1] if self.parked else self.next_seq - 1

    @property
    def acked(self) -> int:
        return self.next_seq - 1

    @property
    def hole_since(self) -> float | None:
        """When the first hole that is still waited for was noticed."""
        return self.parked[0][2] if self.parked else None

    def has(self, seq: int) -> bool:
        if seq < self.next_seq:
            return not _lies_in(self.holes, seq)
        return _lies_in(self.parked, seq)

    def is_given_up(self, seq: int) -> bool:
        return seq < self.next_seq and _lies_in(self.holes, seq)

    def missing(self, last_seq: int | None = None) -> list[Range]:
        """All that has not come: holes given up, holes waited for, and the end that was announced."""
        found = [*self.holes, *self._waited_for()]
        if last_seq is not None and last_seq > self.max_seq:
            found.append((self.max_seq + 1, last_seq))
        return found

    def add(self, seqs: Iterable[int], now_s: float) -> Range | None:
        """Note new events; answers the stretch that is in order now and was not before."""
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
        self.holes = _coalesced(self.holes, MOST_GIVEN_UP)
        run = self._advance()
        if len(self.parked) > MOST_HOLES:
            more = self.give_up(len(self.parked) - MOST_HOLES)
            run = _joined(run, more)
        return run

    def _follow(self, seqs: Sequence[int]) -> bool:
        """Do these come right after the last ones, with nothing waiting? The ordinary case."""
        if not seqs or self.parked or seqs[0] != self.next_seq:
            return False
        return all(second - first == 1 for first, second in pairwise(seqs))

    def give_up_before(self, noticed_s: float) -> Range | None:
        """Go on behind the holes that were noticed by then."""
        due = 0
        for *_, noticed in self.parked:
            if noticed > noticed_s:
                break
            due += 1
        return self.give_up(due)

    def give_up(self, count: int | None = None) -> Range | None:
        """Go on behind the first `count` holes, or all. Answers the stretch to be folded now; it
        may have holes in it."""
        passed = self.parked if count is None else self.parked[:count]
        if not passed:
            return None
        run = (self.next_seq, passed[-1][1])
        holes = [*self.holes, *self._waited_for()[: len(passed)]]
        self.holes = _coalesced(holes, MOST_GIVEN_UP)
        self.parked = self.parked[len(passed) :]
        self.next_seq = run[1] + 1
        return run

    def _waited_for(self) -> list[Range]:
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
    at = bisect_right(ranges, seq, key=lambda each: each[0]) - 1
    return at >= 0 and seq <= ranges[at][1]


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
    """Neighbours become one. A hole was noticed when anything behind it first came, however far
    behind: what comes in its midst cuts it in two, and makes neither of them younger."""
    merged: list[Parked] = []
    for first, last, noticed in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], last), min(before[2], noticed))
        else:
            merged.append((first, last, noticed))
    oldest = math.inf
    for at in reversed(range(len(merged))):
        first, last, noticed = merged[at]
        oldest = min(oldest, noticed)
        merged[at] = (first, last, oldest)
    return merged


def _coalesced(ranges: list[Range], most: int) -> list[Range]:
    """At most so many, that cover at least as much: the closest neighbours become one."""
    if len(ranges) <= most:
        return ranges
    by_distance = sorted(range(1, len(ranges)), key=lambda at: ranges[at][0] - ranges[at - 1][1])
    joined = set(by_distance[: len(ranges) - most])
    kept: list[Range] = []
    for at, (first, last) in enumerate(ranges):
        if at in joined:
            kept[-1] = (kept[-1][0], last)
        else:
            kept.append((first, last))
    return kept


def _joined(run: Range | None, more: Range | None) -> Range | None:
    if run is None or more is None:
        return run or more
    return run[0], more[1]
