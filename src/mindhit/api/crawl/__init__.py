"""Watching shops: schedules, runs, products, dead letters; and what the owner sees of it."""

from mindhit.api.crawl import products, recovery, schedules

ROUTERS = (schedules.router, products.router, recovery.router, recovery.owner)

__all__ = ["ROUTERS"]
