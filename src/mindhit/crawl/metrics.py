"""The crawler in figures for Prometheus. Domains are never labels: there are too many of them."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

TRIGGERS = Counter("mindhit_crawl_triggers", "Runs that were started, or why not.", ["outcome"])
TASKS = Counter("mindhit_crawl_tasks", "Tasks that ended, by how.", ["status"])
OUTBOX = Counter("mindhit_crawl_outbox", "Messages by what became of them.", ["status"])
RAWS = Counter("mindhit_crawl_raws", "What sites sent, by what became of it.", ["status"])
FETCH_MS = Histogram(
    "mindhit_crawl_fetch_ms",
    "How long one page took.",
    buckets=(10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000),
)
BREAKERS_OPEN = Gauge("mindhit_crawl_breakers_open", "Sites that are left alone for a while.")
REDIS_FALLBACKS = Counter(
    "mindhit_crawl_redis_fallbacks", "User agents that came from the database because Redis failed."
)
RECOVERED = Counter("mindhit_crawl_recovered", "Left behind, found and set going again.", ["what"])
FAILURE_PATH = Counter(
    "mindhit_crawl_failure_path", "Failures that could not be written down.", ["where"]
)
ALERTS = Counter("mindhit_crawl_alerts", "Changes that people were told of.", ["kind"])

# Those of deploy/prometheus-alerts.yaml are there from the start, at zero: Prometheus sees no increase in a
# counter that appears with its first event, and the first would raise no alert.
for each in ("execute", "relay", "apply", "sweep"):
    FAILURE_PATH.labels(each)
for each in ("task", "execution", "listing"):
    RECOVERED.labels(each)
OUTBOX.labels("DEAD")
RAWS.labels("DEAD")
