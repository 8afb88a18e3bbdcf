"""How many jobs a worker claims at once: pure rules.

A worker holds one load: as many jobs as it claims at once or can run, but none that it does not
expect to start within a second at its present pace. While it finishes a load within a tenth of a
second, it claims the next one ahead: the database looks for jobs while handlers run, and every claim
has its full size. The pace may change: a job that has waited for `LATE_S` while every runner was busy
is handed back, because another worker could run it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import inf

CLAIM_SIZE = 10
LARGEST_CLAIM = 500  # the statements in store/claiming.py have this limit in their SQL
QUICK_S = 0.1  # jobs claimed ahead start within this time, at the pace they were claimed at
LATE_S = 1.0  # and no claimed job waits for longer than this, whatever the pace


@dataclass(frozen=True, slots=True)
class ClaimSizer:
    claim_size: int
    concurrency: int
    flush_at: int

    @property
    def load(self) -> int:
        return max(self.claim_size, self.concurrency)

    def next_size(
        self, *, unended: int, settling: int, is_one_free: bool, pace_per_s: float
    ) -> int:
        """How many jobs to claim now.

        Jobs that have ended take no room while they are settled, up to two flushes of them: one being
        written and one being collected. Beyond that the database does not keep up.
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
    """Jobs ended per second, measured over the last claim and the one before, because right after a
    claim none of its jobs has ended. Before the first claim it is infinite."""

    def __init__(self) -> None:
        self._claims: deque[tuple[float, int]] = deque(maxlen=2)

    def claim(self, now: float, ended: int) -> None:
        self._claims.append((now, ended))

    def per_s(self, now: float, ended: int) -> float:
        if not self._claims:
            return inf
        began, before = self._claims[0]
        return (ended - before) / max(now - began, 1e-6)
