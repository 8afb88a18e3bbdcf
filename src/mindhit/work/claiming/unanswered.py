"""Claims whose answer never arrived: the database may have committed them all the same.

    claim ── answered ──▶ held
      └─ timed out, or the connection broke
           ├─ rows run under its lease        ──▶ ours: run, or handed back where the lease is half over
           ├─ rows were rescued from it       ──▶ that rescue is not counted: no run had begun
           └─ neither, for `REMEMBERED_S`     ──▶ it was never committed

A commit can take effect long after its time limit (a stalled disk, a synchronous standby that is gone),
so a lease that is not found is asked for again.
"""

from __future__ import annotations

from time import monotonic
from uuid import UUID

from mindhit import log
from mindhit.db import ConstraintBroken, Database, Session
from mindhit.work import store
from mindhit.work.model import Claimed

_log = log.get(__name__)
REMEMBERED_S = 900.0
ASK_EVERY_S = 1.0


class UnansweredClaims:
    """The leases of one worker's unanswered claims, and when each was asked for."""

    def __init__(self, db: Database | Session) -> None:
        self._db = db
        self._asked_at: dict[UUID, float] = {}
        self._next_look_at = 0.0

    def __len__(self) -> int:
        return len(self._asked_at)

    def add(self, lease_id: UUID, asked_at: float) -> None:
        self._asked_at[lease_id] = asked_at
        self._next_look_at = 0.0

    def is_due(self) -> bool:
        return bool(self._asked_at) and monotonic() >= self._next_look_at

    async def find(self) -> list[tuple[Claimed, float]]:
        """What was claimed after all, each with the time at which it was asked for."""
        self._next_look_at = monotonic() + ASK_EVERY_S
        found = await self._db.alone(
            store.CLAIMED_UNDER, list(self._asked_at), timeout_s=store.TIMEOUT_S
        )
        ours = [(claim, self._asked_at[claim.lease_id]) for claim in found]
        for lease_id in {claim.lease_id for claim in found}:
            del self._asked_at[lease_id]
        return ours

    async def uncount_rescues(self) -> int:
        """Take back the rescues of what we claimed and never heard of; returns how many."""
        oldest = monotonic() - REMEMBERED_S
        leases = list(self._asked_at)
        self._asked_at = {lease: at for lease, at in self._asked_at.items() if at > oldest}
        if not leases or not await self._db.alone(store.IS_RESCUED_FROM, leases):
            return 0
        try:
            uncounted = await self._db.alone(
                store.UNCOUNT_RESCUES, leases, timeout_s=store.TIMEOUT_S
            )
        except ConstraintBroken:  # one of them was enqueued again just now
            return 0
        _log.info("rescues of runs that never began are not counted", jobs=len(uncounted))
        return len(uncounted)
