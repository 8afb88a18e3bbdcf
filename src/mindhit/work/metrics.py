"""The engine's metrics for Prometheus. Domains are never labels: there are too many of them."""

from __future__ import annotations

from functools import cache

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
TICKS = Counter("mindhit_schedule_ticks", "Ticks of recurring jobs.", ["schedule"])


# Looked up for every job; kinds, lanes and outcomes are few.
duration_of = cache(DURATION.labels)
pickup_of = cache(PICKUP.labels)
settled_as = cache(SETTLED.labels)
