"""A site that asks for time gets it: from all jobs of all workers, whatever it was asked for."""

from __future__ import annotations

from mindhit.db import Database
from mindhit.fetching import store
from mindhit.fetching.model import Throttled


async def leave_alone(db: Database, domain: str, throttled: Throttled) -> None:
    """No job fetches from `domain` before the time it named (`store.WHEREABOUTS`)."""
    async with db.transaction() as tx:
        await tx.run(store.KEEP_WAIT, domain, throttled.retry_after_s)
