"""Lanes: how urgent a job is, and the share of a worker that each lane gets.

Shares hold over time, not per claim. Each lane has a virtual time that advances by 1/share with
every job it is given, and the lane that is furthest behind goes first. A lane that had nothing to do
saves nothing up: it resumes at the time of the lanes that were busy. So `low` gets its tenth even
where slots free up one at a time; a share computed inside one claim would always round that down to
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum


class Lane(StrEnum):
    CRITICAL = "critical"
    DEFAULT = "default"
    LOW = "low"


SHARES = {Lane.CRITICAL: 6.0, Lane.DEFAULT: 3.0, Lane.LOW: 1.0}

# Sixths do not add up exactly: without this, a lane could be passed over for a rounding error.
_ROUNDING = 1e-6


class FairShare:
    def __init__(self, shares: Mapping[Lane, float] = SHARES) -> None:
        self.shares = dict(shares)
        self._time = dict.fromkeys(shares, 0.0)

    @property
    def bases(self) -> dict[Lane, float]:
        """Each lane's virtual time: the claim orders job number r of a lane by base + r/share."""
        return dict(self._time)

    def granted(self, lanes: Iterable[Lane]) -> None:
        """Record what a claim gave.

        A lane whose next job would have come before the last one given has nothing waiting. It is
        brought forward to the slowest of the lanes that are still busy.
        """
        given = Counter(lanes)
        if not given:
            return
        for lane, jobs in given.items():
            self._time[lane] += jobs / self.shares[lane]
        served = set(given)
        last_given = max(self._time[lane] for lane in served)
        idle = {lane for lane in self._time if self._next_time(lane) < last_given - _ROUNDING}
        present = min(self._time[lane] for lane in served - idle)
        for lane in idle:
            self._time[lane] = max(self._time[lane], present)

    def _next_time(self, lane: Lane) -> float:
        return self._time[lane] + 1 / self.shares[lane]
