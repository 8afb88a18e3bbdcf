"""Fetching in figures for Prometheus. Domains are never labels: there are too many of them."""

from __future__ import annotations

from functools import cache

from prometheus_client import Counter, Histogram

FETCHES = Counter("mindhit_fetches", "Fetches that ended, by how.", ["outcome"])
BYTES = Counter("mindhit_fetch_bytes", "Bytes of bodies that were read, as sent.")
DURATION = Histogram(
    "mindhit_fetch_ms",
    "How long one fetch took, with its redirects.",
    buckets=(10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000),
)

# Looked up for every page; outcomes are few.
ended_as = cache(FETCHES.labels)
