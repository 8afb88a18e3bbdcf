"""How much a worker takes at once: pure rules.

A worker holds one load: as many jobs as it claims at once, or as it can run, but none that it does
not expect to begin within a second at its present pace. While it works a load off in a tenth of a
second, it takes the next claim ahead: the database looks for jobs while handlers run, and every claim
is as large as was asked for. A pace may change: what was claimed and has waited for `LATE_S` while
every runner was busy is handed back, for another worker could run it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import inf

QUICK_S = 0.1  # what is taken ahead begins within this at the pace it was taken at
LATE_S = 1.0  # and whatever became of the pace, nothing waits here for longer


@dataclass(frozen=True, slots=True)
class Appetite:
    claim_size: int
    concurrency: int
    flush_at: int

    @property
    def load(self) -> int:
        return max(self.claim_size, self.concurrency)

    def room(self, *, unended: int, settling: int, is_one_free: bool, pace_per_s: float) -> int:
        """How many jobs to claim now.

        Jobs that have ended take no room while they are settled, up to two flushes of them: one on
        its way and one that is collected. Beyond that the database does not keep up.
        """
        is_quick = pace_per_s * QUICK_S >= self.load
        soon = self.concurrency + int(min(pace_per_s * LATE_S, self.load))
        allowed = self.load + self.claim_size if is_quick else min(soon, self.load)
        free = allowed - unended - max(settling - 2 * self.flush_at, 0)
        if is_one_free:
            return max(min(free, self.claim_size), 0)
        worth_a_claim = self.claim_size if is_quick else max(self.load // 2, 1)
        return min(free, self.claim_size) if free >= worth_a_claim else 0


class Pace:
    """How many jobs end in a second, over the last claim and the one before: right after a claim
    nothing of it has ended yet. Before the first claim nothing is known, and the best supposed."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque(maxlen=2)

    def claim(self, now: float, ended: int) -> None:
        self._marks.append((now, ended))

    def per_s(self, now: float, ended: int) -> float:
        if not self._marks:
            return inf
        began, before = self._marks[0]
        return (ended - before) / max(now - began, 1e-6)
