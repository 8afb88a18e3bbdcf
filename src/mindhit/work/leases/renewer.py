"""Renews leases while handlers run, stops handlers whose lease is gone, and frees their slots."""

from __future__ import annotations

import asyncio
from math import inf
from time import monotonic

from mindhit import log
from mindhit.db import NOT_NOW, Database, Session
from mindhit.work import store
from mindhit.work.leases.duration import check_every, renew_after
from mindhit.work.model import JobId
from mindhit.work.running.held_claims import HeldClaim, HeldClaims

_log = log.get(__name__)


class Renewer:
    """One batched renewal per process, every third of a lease; short jobs never pay for it."""

    def __init__(self, db: Database | Session, held_claims: HeldClaims, *, lease_s: float) -> None:
        self._db = db
        self._held_claims = held_claims
        self._lease_s = lease_s
        self._unanswered_since: float | None = None  # when the oldest unanswered renewal was sent

    async def run(self) -> None:
        while True:
            await asyncio.sleep(check_every(self._lease_s))
            await self.run_once()
            await self.free_slots()

    async def watch(self) -> None:
        """Stop handlers whose lease is over while a renewal is still unanswered: it takes many
        seconds to notice that a database does not respond. After we were frozen, and sent no renewal
        in time, the database is asked first."""
        while True:
            now = monotonic()
            ends = [held.renewed_at + self._lease_s for held in self._held_claims.all()]
            next_s = min(ends, default=inf) - now
            await asyncio.sleep(min(max(next_s, self._lease_s / 60), check_every(self._lease_s)))
            self.expire()

    def expire(self) -> int:
        """Give up claims whose lease has surely run out in the unresponsive database; returns how
        many."""
        asked, over = self._unanswered_since, monotonic() - self._lease_s
        if asked is None:
            return 0
        due = self._held_claims.renewed_before(over)
        return self._lose([each for each in due if asked < each.renewed_at + self._lease_s])

    async def run_once(self) -> int:
        """Renew what is due; returns how many leases turned out to be lost."""
        began = monotonic()
        due = self._held_claims.renewed_before(began - renew_after(self._lease_s))
        due.sort(key=_id)  # the statement finds leases by binary search
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
                    timeout_s=renew_after(self._lease_s),
                )
            )
        except NOT_NOW as error:
            _log.warning("leases could not be renewed", jobs=len(due), reason=str(error))
            await self._look(due)
            # Nobody told us that they are lost, but they have run out by the database's clock.
            return self._lose([e for e in due if e.renewed_at < monotonic() - self._lease_s])
        self._unanswered_since = None
        for each in due:
            if each.claim.id in held:
                each.renewed_at = began
        return self._lose([each for each in due if each.claim.id not in held])

    async def _look(self, due: list[HeldClaim]) -> None:
        """An unanswered renewal may have been committed: a database whose commits hang still tells
        how long the leases last."""
        asked_at = monotonic()
        by_id = {each.claim.id: each for each in due}
        try:
            found = await self._db.alone(
                store.LEASES_LEFT,
                [each.claim.id for each in due],
                [each.claim.lease_id for each in due],
                timeout_s=renew_after(self._lease_s),
            )
        except NOT_NOW:
            return
        self._unanswered_since = None
        for lease in found:
            each = by_id[JobId(lease.id)]
            each.renewed_at = max(each.renewed_at, asked_at + lease.left_s - self._lease_s)

    async def free_slots(self) -> None:
        """Free the slots of handlers that ended after their leases were lost. Where this fails, the
        rescuer frees them when those leases run out."""
        claims = sorted(self._held_claims.slots_to_free, key=lambda claim: claim.id)
        self._held_claims.slots_to_free.clear()
        if not claims:
            return
        try:
            await self._db.alone(
                store.FREE_SLOTS,
                [claim.id for claim in claims],
                [claim.lease_id for claim in claims],
                timeout_s=renew_after(self._lease_s),
            )
        except NOT_NOW as error:
            _log.warning("slots of domains will be freed later", reason=str(error))

    def _lose(self, lost: list[HeldClaim]) -> int:
        lost = [
            each
            for each in lost
            if self._held_claims.find(each.claim) is each and not each.is_settled
        ]
        for each in lost:
            self._held_claims.lease_gone(each)
        return len(lost)


def _id(held: HeldClaim) -> int:
    return held.claim.id
