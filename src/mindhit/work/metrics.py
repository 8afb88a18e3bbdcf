"""The engine's figures for Prometheus. Domains are never labels: there is no end to them."""

from __future__ import annotations

import collections
from bisect import bisect_left
from functools import cache, partial

from prometheus_client import Counter, Histogram

CLAIMED = Histogram(
    "mindhit_batch_claimed_count",
    "Jobs taken by one claim.",
    buckets=(0, 1, 2, 5, 10, 20, 50, 100, 200, 500),
)
DURATION = Histogram(
    "mindhit_job_duration_ms",
    "How long one run of a handler took.",
    ["kind"],
    buckets=(1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 600_000),
)
PICKUP = Histogram(
    "mindhit_job_pickup_seconds",
    "From the moment a job could run until it did.",
    ["lane"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600, 3600),
)
SETTLED = Counter("mindhit_jobs_settled", "Claims that ended, by how.", ["kind", "outcome"])
LOST = Counter("mindhit_job_leases_lost", "Leases that were gone when a worker came back.")
RESCUED = Counter("mindhit_jobs_rescued", "Jobs put back after their worker died.", ["kind"])
UNKNOWN = Counter("mindhit_jobs_unknown_kind", "Claims of kinds this worker does not know.")
TICKS = Counter("mindhit_schedule_ticks", "Ticks of recurring jobs.", ["schedule"])


class Timings:
    """Takes a histogram's numbers by the hundred: one by one, each walks the buckets and takes two
    locks (1 µs; 0.2 this way, and every job has two of them)."""

    AT_ONCE = 100

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self._place = partial(bisect_left, histogram._upper_bounds)  # noqa: SLF001
        self._noted: list[float] = []
        _timings.append(self)

    def observe(self, amount: float) -> None:
        self._noted.append(amount)
        if len(self._noted) >= self.AT_ONCE:
            self.flush()

    def flush(self) -> None:
        noted, self._noted = self._noted, []
        for place, times in collections.Counter(map(self._place, noted)).items():
            self._histogram._buckets[place].inc(times)  # noqa: SLF001
        self._histogram._sum.inc(sum(noted))  # noqa: SLF001


_timings: list[Timings] = []


def flush() -> None:
    """Let everybody see what was noted so far."""
    for each in _timings:
        each.flush()


# What every job looks up; kinds, lanes and outcomes are few.
duration_of = cache(lambda kind: Timings(DURATION.labels(kind)))
pickup_of = cache(lambda lane: Timings(PICKUP.labels(lane)))
settled_as = cache(SETTLED.labels)
