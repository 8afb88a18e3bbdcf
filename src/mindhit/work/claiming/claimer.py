"""Takes jobs from the queue: fairly between lanes, and between jobs with a domain and without."""

from __future__ import annotations

import uuid
from asyncio import CancelledError
from collections.abc import Collection, Sequence
from math import inf
from operator import attrgetter
from time import monotonic

from mindhit.db import NOT_NOW, Database, Session, Write
from mindhit.work import metrics, store
from mindhit.work.claiming.unanswered import UnansweredClaims
from mindhit.work.lanes import FairShare, Lane
from mindhit.work.leases.duration import LEASE_S
from mindhit.work.model import Claimed

DOMAIN_LIMIT = 2  # jobs of one domain that run at once, over all workers
SHORT_WALK = 500  # domains an ordinary claim looks at: 11 ms where all of them are blocked
LONG_WALK = 20_000  # and the claim that decides whether to go to sleep
LONG_WALK_EVERY_S = 1.0  # a long walk at least this often, however busy the worker
FORMER_WALK_EVERY_S = 30.0  # how often a worker whose kinds have no domains looks at domains
_AGE = attrgetter("due_epoch_s", "id")
_LANE = attrgetter("lane")


class Claimer:
    """Claims for one worker. Remembers the lanes' shares and the last domain from claim to claim, and
    the claims that were not answered.

    Takes only jobs of the `kinds` it is given: during an upgrade, others are left to the workers that
    know them. One that is not `by_domain` runs no kinds with domains. It looks at domains only now and
    then, for jobs enqueued before their kind lost its domain; while there are any, it keeps looking.
    """

    def __init__(
        self,
        db: Database | Session,
        queues: Sequence[str],
        worker: str,
        *,
        lease_s: float = LEASE_S,
        domain_limit: int = DOMAIN_LIMIT,
        by_domain: bool = True,
        kinds: Collection[str] | None = None,
    ) -> None:
        self._db = db
        self._worker = worker
        self._lease_s = lease_s
        self._domain_limit = domain_limit
        self._share = FairShare()
        self._wanted = [(queue, lane) for queue in queues for lane in Lane]
        self._last_domain = dict.fromkeys(self._wanted, "")
        self._by_domain = by_domain
        self._kinds = None if kinds is None else sorted(kinds)
        self._found_with_domain = False
        self.unanswered = UnansweredClaims(db)
        self._long_walk_at = -inf

    async def claim(self, n: int) -> list[Claimed]:
        """Take up to `n` jobs, in the order in which they should run. An empty list means that
        nothing can run now."""
        claimed = await (self._claim_all(n) if self._is_walking() else self._claim_plain(n))
        self._share.granted(map(_LANE, claimed))
        metrics.CLAIMED.observe(len(claimed))
        return claimed

    def _is_walking(self) -> bool:
        return (
            self._by_domain
            or self._found_with_domain
            or monotonic() - self._long_walk_at >= FORMER_WALK_EVERY_S
        )

    async def _claim_plain(self, n: int) -> list[Claimed]:
        wanted = self._wanted_jobs(n)
        claimed = await self._ask(wanted, store.CLAIM, wanted)
        return sorted(claimed, key=_AGE)

    async def _claim_all(self, n: int) -> list[Claimed]:
        """Takes a long walk before going to sleep, and now and then: free domains may come after
        hundreds of blocked ones, while another lane fills every ordinary claim."""
        is_long = monotonic() - self._long_walk_at >= LONG_WALK_EVERY_S
        claimed = await self._walk(n, LONG_WALK if is_long else SHORT_WALK)
        if not claimed and not is_long:
            is_long = True
            claimed = await self._walk(n, LONG_WALK)
        if is_long:
            self._long_walk_at = monotonic()
        if not self._by_domain:
            self._found_with_domain = any(job.domain for job in claimed)
        return claimed

    async def _walk(self, n: int, steps: int) -> list[Claimed]:
        wanted = self._wanted_jobs(n)
        claimed = await self._ask(
            wanted,
            store.CLAIM_WITH_DOMAINS,
            store.WalkParams(
                claim=wanted,
                behind=list(self._last_domain.values()),
                domain_limit=self._domain_limit,
                steps=steps,
            ),
        )
        for job in claimed:  # in the order of the walk: the last one is where it ended
            if job.domain is not None:
                self._last_domain[job.queue, Lane(job.lane)] = job.domain
        return claimed

    async def _ask(
        self, wanted: store.ClaimParams, statement: Write[Claimed], params: object
    ) -> list[Claimed]:
        asked_at = monotonic()
        try:
            return await self._db.alone(statement, params, timeout_s=store.TIMEOUT_S)
        except (*NOT_NOW, CancelledError):
            self.unanswered.add(wanted.lease_id, asked_at)
            raise

    def _wanted_jobs(self, n: int) -> store.ClaimParams:
        bases = self._share.bases
        return store.ClaimParams(
            queues=[queue for queue, _ in self._wanted],
            lanes=[lane.value for _, lane in self._wanted],
            bases=[bases[lane] for _, lane in self._wanted],
            shares=[self._share.shares[lane] for _, lane in self._wanted],
            kinds=self._kinds,
            most=n,
            lease_id=uuid.uuid4(),
            worker=self._worker,
            lease_s=self._lease_s,
        )
