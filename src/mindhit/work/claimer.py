"""Takes jobs from the queue: fairly between lanes, and between jobs with a domain and without."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import timedelta
from math import inf
from operator import attrgetter
from time import monotonic

from mindhit.db import Database, Session
from mindhit.work import metrics, store
from mindhit.work.lanes import FairShare
from mindhit.work.model import Claimed, Lane

SHORT_WALK = 500  # domains looked at by an ordinary claim: 11 ms where every one is blocked
LONG_WALK = 20_000  # and by the claim that decides whether to go to sleep
FAR_EVERY_S = 1.0  # that far at least this often, however busy
STRANGERS_EVERY_S = 30.0  # and so often by a worker whose own kinds have no domains
_AGE = attrgetter("due_epoch_s", "id")
_LANE = attrgetter("lane")


class Claimer:
    """One worker's way to the queue. Its lanes' shares and its place among the domains last
    from claim to claim. One that is not `by_domain` has no kinds with domains, and looks among these
    only now and then: for kinds that nobody here knows, and for jobs from before their kind lost its
    domain. While there are any of the latter, it goes on looking."""

    def __init__(
        self,
        db: Database | Session,
        queues: Sequence[str],
        worker: str,
        *,
        lease: timedelta,
        domain_limit: int = 2,
        by_domain: bool = True,
        knows: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._db = db
        self._worker = worker
        self._lease_s = lease.total_seconds()
        self._domain_limit = domain_limit
        self._share = FairShare()
        self._wanted = [(queue, lane) for queue in queues for lane in Lane]
        self._behind = dict.fromkeys(self._wanted, "")
        self._by_domain = by_domain
        self._knows = knows
        self._is_onto_some = False
        self._walked_far_at = -inf

    async def claim(self, n: int) -> list[Claimed]:
        """Take up to `n` jobs, in the order in which they should run. An empty answer means that
        nothing can run now."""
        claimed = await (self._claim_all(n) if self._is_walking() else self._claim_plain(n))
        self._share.granted(map(_LANE, claimed))
        metrics.CLAIMED.observe(len(claimed))
        return claimed

    def _is_walking(self) -> bool:
        return (
            self._by_domain
            or self._is_onto_some
            or monotonic() - self._walked_far_at >= STRANGERS_EVERY_S
        )

    async def _claim_plain(self, n: int) -> list[Claimed]:
        claimed = await self._db.alone(store.CLAIM, *self._values(n), timeout_s=store.TIMEOUT_S)
        return sorted(claimed, key=_AGE)

    async def _claim_all(self, n: int) -> list[Claimed]:
        """Look far before going to sleep, and now and then: free domains may lie behind hundreds
        of blocked ones, while another lane has enough to do for every ordinary claim."""
        is_far = monotonic() - self._walked_far_at >= FAR_EVERY_S
        claimed = await self._walk(n, LONG_WALK if is_far else SHORT_WALK)
        if not claimed and not is_far:
            is_far = True
            claimed = await self._walk(n, LONG_WALK)
        if is_far:
            self._walked_far_at = monotonic()
        if not self._by_domain:
            self._is_onto_some = any(job.domain and self._knows(job.kind) for job in claimed)
        return claimed

    async def _walk(self, n: int, steps: int) -> list[Claimed]:
        claimed = await self._db.alone(
            store.CLAIM_WITH_DOMAINS,
            *self._values(n),
            list(self._behind.values()),
            self._domain_limit,
            steps,
            timeout_s=store.TIMEOUT_S,
        )
        for job in claimed:  # in the order of the walk: the last one is where it ended
            if job.domain is not None:
                self._behind[job.queue, Lane(job.lane)] = job.domain
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
