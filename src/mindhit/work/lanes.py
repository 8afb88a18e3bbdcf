"""Whose turn it is: lanes share a worker by weight, over time and not per claim.

Each lane has a virtual time that advances by 1/weight with every job it is given; the lane that
is furthest behind goes first. A lane that had nothing to do does not save up turns: it starts
again at the time of those that were busy. So `low` gets its tenth even where slots free up one
at a time, which a share computed inside one claim would round down to nothing for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from mindhit.work.model import WEIGHTS, Lane

# Sixths do not add up exactly: without this a lane could lose its turn to the last binary digit.
_ROUNDING = 1e-6


class FairShare:
    def __init__(self, weights: Mapping[Lane, float] = WEIGHTS) -> None:
        self.weights = dict(weights)
        self._time = dict.fromkeys(weights, 0.0)

    @property
    def bases(self) -> dict[Lane, float]:
        """Each lane's virtual time: the claim gives job number r of a lane the turn base + r/weight."""
        return dict(self._time)

    def granted(self, lanes: Iterable[Lane]) -> None:
        """Take note of what a claim gave.

        A lane whose next turn lies before the last one given has nothing more waiting, else it
        had been given that turn: it is brought up to the slowest of those that are still busy.
        """
        given = Counter(lanes)
        if not given:
            return
        for lane, jobs in given.items():
            self._time[lane] += jobs / self.weights[lane]
        served = set(given)
        last_turn = max(self._time[lane] for lane in served)
        idle = {lane for lane in self._time if self._next_turn(lane) < last_turn - _ROUNDING}
        present = min(self._time[lane] for lane in served - idle)
        for lane in idle:
            self._time[lane] = max(self._time[lane], present)

    def _next_turn(self, lane: Lane) -> float:
        return self._time[lane] + 1 / self.weights[lane]
