"""Takes jobs from the queue: fairly between lanes, and between jobs with a domain and without."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta

from mindhit.db import Database
from mindhit.work import metrics, store
from mindhit.work.lanes import FairShare
from mindhit.work.model import Claimed, Lane

SHORT_WALK = 500  # domains looked at by an ordinary claim: 11 ms where every one is blocked
LONG_WALK = 20_000  # and by the claim that decides whether to go to sleep
STATEMENT_TIMEOUT_S = 30.0


class Claimer:
    """One worker's way to the queue. Its lanes' shares and its place among the domains last
    from claim to claim."""

    def __init__(
        self,
        db: Database,
        queues: Sequence[str],
        worker: str,
        *,
        lease: timedelta,
        domain_limit: int = 2,
        by_domain: bool = True,
    ) -> None:
        self._db = db
        self._worker = worker
        self._lease_s = lease.total_seconds()
        self._domain_limit = domain_limit
        self._share = FairShare()
        self._wanted = [(queue, lane) for queue in queues for lane in Lane]
        self._behind = dict.fromkeys(self._wanted, "")
        self._kinds = (
            [self._claim_plain, self._claim_by_domain] if by_domain else [self._claim_plain]
        )

    async def claim(self, n: int) -> list[Claimed]:
        """Take up to `n` jobs. An empty answer means that nothing can run now."""
        # Turns are taken in who goes first, so neither sort can crowd out the other.
        self._kinds.append(self._kinds.pop(0))
        claimed: list[Claimed] = []
        for claim in self._kinds:
            if len(claimed) < n:
                claimed += await claim(n - len(claimed))
        self._share.granted(Lane(job.lane) for job in claimed)
        metrics.CLAIMED.observe(len(claimed))
        return claimed

    async def _claim_plain(self, n: int) -> list[Claimed]:
        return await self._db.alone(store.CLAIM, *self._values(n), timeout_s=STATEMENT_TIMEOUT_S)

    async def _claim_by_domain(self, n: int) -> list[Claimed]:
        claimed = await self._walk(n, SHORT_WALK)
        if not claimed:
            # Free domains may lie before the place where the walk began, or far behind it.
            self._behind = dict.fromkeys(self._wanted, "")
            claimed = await self._walk(n, LONG_WALK)
        return claimed

    async def _walk(self, n: int, steps: int) -> list[Claimed]:
        claimed = await self._db.alone(
            store.CLAIM_BY_DOMAIN,
            *self._values(n),
            list(self._behind.values()),
            self._domain_limit,
            steps,
            timeout_s=STATEMENT_TIMEOUT_S,
        )
        furthest: dict[tuple[str, Lane], str] = dict.fromkeys(self._wanted, "")
        for job in claimed:
            place = (job.queue, Lane(job.lane))
            furthest[place] = max(furthest[place], job.domain or "")
        self._behind = furthest
        return claimed

    def _values(self, n: int) -> tuple[object, ...]:
        bases = self._share.bases
        return (
            [queue for queue, _ in self._wanted],
            [lane.value for _, lane in self._wanted],
            [bases[lane] for _, lane in self._wanted],
            [self._share.weights[lane] for _, lane in self._wanted],
            n,
            uuid.uuid4(),
            self._worker,
            self._lease_s,
        )
