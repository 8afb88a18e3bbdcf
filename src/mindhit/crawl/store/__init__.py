"""Statements of the crawler, by what they are about."""

from mindhit.crawl.store import (
    agents,
    alerts,
    breakers,
    dead,
    exports,
    outbox,
    products,
    raws,
    recovery,
    schedulers,
    tasks,
)

__all__ = [
    "agents",
    "alerts",
    "breakers",
    "dead",
    "exports",
    "outbox",
    "products",
    "raws",
    "recovery",
    "schedulers",
    "tasks",
]
