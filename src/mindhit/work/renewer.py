"""Keeps leases alive while handlers run, stops handlers whose lease is gone, and says when they ended."""

from __future__ import annotations

import asyncio
from math import inf
from time import monotonic

from mindhit import log
from mindhit.db import NOT_NOW, Database, Session
from mindhit.work import store
from mindhit.work.holdings import Held, Holdings

_log = log.get(__name__)


class Renewer:
    """One batched renewal per process, every third of a lease; short jobs never pay for it."""

    def __init__(self, db: Database | Session, holdings: Holdings, *, lease_s: float) -> None:
        self._db = db
        self._holdings = holdings
        self._lease_s = lease_s
        self._unanswered_since: float | None = None  # our last question, and those before it

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._lease_s / 6)
            await self.run_once()
            await self.release()

    async def watch(self) -> None:
        """Stop what runs under a lease that is over while we still wait to hear of it: a database that
        is silent is found out about many seconds later. One that was not asked in time (we were frozen)
        is asked first."""
        while True:
            now = monotonic()
            ends = [held.renewed_at + self._lease_s for held in self._holdings.all()]
            next_s = min(ends, default=inf) - now
            await asyncio.sleep(min(max(next_s, self._lease_s / 60), self._lease_s / 6))
            self.expire()

    def expire(self) -> int:
        """Give up what the silent database has surely given up; returns how many."""
        asked, over = self._unanswered_since, monotonic() - self._lease_s
        if asked is None:
            return 0
        due = self._holdings.renewed_before(over)
        return self._lose([each for each in due if asked < each.renewed_at + self._lease_s])

    async def run_once(self) -> int:
        """Renew what is due; returns how many leases turned out to be lost."""
        began = monotonic()
        due = self._holdings.renewed_before(began - self._lease_s / 3)
        due.sort(key=_id)  # the statement looks leases up by halving
        if not due:
            return 0
        self._unanswered_since = self._unanswered_since or began
        try:
            held = set(
                await self._db.alone(
                    store.RENEW,
                    [each.claim.id for each in due],
                    [each.claim.lease_id for each in due],
                    self._lease_s,
                    timeout_s=self._lease_s / 3,
                )
            )
        except NOT_NOW as error:
            _log.warning("leases could not be renewed", jobs=len(due), reason=str(error))
            # Nobody told us that they are lost, but the database's clock has run on without us.
            return self._lose([e for e in due if e.renewed_at < monotonic() - self._lease_s])
        self._unanswered_since = None
        for each in due:
            if each.claim.id in held:
                each.renewed_at = began
        return self._lose([each for each in due if each.claim.id not in held])

    async def release(self) -> None:
        """Give back the places of handlers that ended after their leases were gone. What is not said
        here the end of those leases says."""
        released = sorted(self._holdings.released, key=lambda claim: claim.id)
        self._holdings.released.clear()
        if not released:
            return
        try:
            await self._db.alone(
                store.RELEASE,
                [claim.id for claim in released],
                [claim.lease_id for claim in released],
                timeout_s=self._lease_s / 3,
            )
        except NOT_NOW as error:
            _log.warning("places in domains are freed later", reason=str(error))

    def _lose(self, lost: list[Held]) -> int:
        lost = [
            each for each in lost if self._holdings.find(each.claim) is each and not each.is_settled
        ]
        for each in lost:
            self._holdings.leave(each)
        return len(lost)


def _id(held: Held) -> int:
    return held.claim.id
