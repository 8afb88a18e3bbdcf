"""The engine's metrics for Prometheus. Domains are never labels: there are too many of them."""

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
    "From when a job was due until it ran.",
    ["lane"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600, 3600),
)
SETTLED = Counter("mindhit_jobs_settled", "Claims that ended, by how.", ["kind", "outcome"])
LOST = Counter("mindhit_job_leases_lost", "Leases lost by a worker.")
RESCUED = Counter("mindhit_jobs_rescued", "Jobs put back after their worker died.", ["kind"])
UNKNOWN = Counter("mindhit_jobs_unknown_kind", "Claims of kinds this worker does not know.")
TICKS = Counter("mindhit_schedule_ticks", "Ticks of recurring jobs.", ["schedule"])


class Timings:
    """Adds numbers to a histogram by the hundred. One by one, each searches the buckets and takes two
    locks: 1 µs, against 0.2 this way, and every job has two. The library has no public call for many
    at a time, and a collector of our own would be left out where processes share their metrics
    through files; so this writes the histogram's parts. A test compares both ways."""

    FLUSH_AT = 100

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self._bucket_of = partial(bisect_left, histogram._upper_bounds)  # noqa: SLF001
        self._noted: list[float] = []
        _timings.append(self)

    def observe(self, amount: float) -> None:
        self._noted.append(amount)
        if len(self._noted) >= self.FLUSH_AT:
            self.flush()

    def flush(self) -> None:
        noted, self._noted = self._noted, []
        for bucket, times in collections.Counter(map(self._bucket_of, noted)).items():
            self._histogram._buckets[bucket].inc(times)  # noqa: SLF001
        self._histogram._sum.inc(sum(noted))  # noqa: SLF001


_timings: list[Timings] = []


def flush() -> None:
    """Show what was noted so far."""
    for each in _timings:
        each.flush()


# Looked up for every job; kinds, lanes and outcomes are few.
duration_of = cache(lambda kind: Timings(DURATION.labels(kind)))
pickup_of = cache(lambda lane: Timings(PICKUP.labels(lane)))
settled_as = cache(SETTLED.labels)
