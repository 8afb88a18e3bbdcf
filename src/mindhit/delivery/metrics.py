"""Deliveries in figures for Prometheus, by kind of channel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import Counter, Histogram

DELIVERIES = Counter(
    "mindhit_deliveries",
    "Tries to deliver a notice, by channel and how they ended.",
    ["channel", "outcome"],
)
DURATION = Histogram(
    "mindhit_delivery_ms",
    "How long one try took.",
    ["channel"],
    buckets=(10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000),
)


def ended(channel: str, outcome: str) -> None:
    DELIVERIES.labels(channel, outcome).inc()


@contextmanager
def timed(channel: str) -> Iterator[None]:
    start = perf_counter()
    try:
        yield
    finally:
        DURATION.labels(channel).observe((perf_counter() - start) * 1000)
