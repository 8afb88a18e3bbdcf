"""Reminders in figures for Prometheus."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

RUN_MS = Histogram(
    "mindhit_alarm_processing_time_ms",
    "How long one run took.",
    buckets=(5, 10, 25, 50, 100, 250, 500, 1_000, 5_000),
)
BATCH = Histogram(
    "mindhit_alarm_batch_size",
    "Reminders that one run took.",
    buckets=(0, 1, 5, 10, 50, 100, 500, 1_000),
)
CONCURRENCY = Histogram(
    "mindhit_alarm_concurrency",
    "Reminders that a worker sent at once.",
    buckets=(1, 2, 5, 10, 20, 50, 100),
)
TAKEN = Counter("mindhit_alarm_taken", "Due reminders that were taken.")
HELD = Counter("mindhit_alarm_held", "Due reminders put off to the end of quiet hours.")
SENT = Counter("mindhit_alarm_sent", "Reminders that reached their person.")
FAILED = Counter("mindhit_alarm_failed", "Reminders that no channel took.")
SKIPPED = Counter("mindhit_alarm_skipped", "Times that passed before a late reminder was sent.")
FALLBACKS = Counter(
    "mindhit_alarm_fallbacks", "Reminders for which no free hour was found by chance."
)
LATENESS = Histogram(
    "mindhit_alarm_lateness_seconds",
    "How long after its time a reminder was taken.",
    buckets=(1, 5, 10, 20, 40, 60, 120, 600, 3600, 86_400),
)
