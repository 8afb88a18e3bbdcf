"""Counts how claims ended, once the database has confirmed it.

A handler's answer is not yet a fact: its write may find the lease gone. So nothing is counted where
an answer is given. The completer counts after its write, a handler that settles itself after its
commit, and whoever finds a lease lost counts that. Each claim is counted once.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sized
from operator import attrgetter

from mindhit import log
from mindhit.errors import Broken
from mindhit.log import reports
from mindhit.work import metrics
from mindhit.work.model import Claimed, State
from mindhit.work.settlement import SUCCEEDED, Settlement

_log = log.get(__name__)
_KIND = attrgetter("kind")
AFRESH = "started afresh"
SUMMARY_EVERY_S = 60.0


class RescuedTooOften(Broken):
    """Too many workers died or froze while running this job; it may be the cause."""


class OutcomeCounts:
    """`by_outcome` is for the worker's summary line; `metrics.SETTLED` counts by kind and outcome."""

    def __init__(self) -> None:
        self.by_outcome: Counter[str] = Counter()

    def succeeded(self, claims: Iterable[Claimed]) -> None:
        """Many at a time: the counter's lock for every job cost 1 µs of 25."""
        for kind, jobs in Counter(map(_KIND, claims)).items():
            self._count(kind, SUCCEEDED.name, jobs)

    def settled(self, claim: Claimed, how: Settlement, *, is_queued: bool) -> None:
        """One that was to die or be cancelled but is queued was enqueued again meanwhile."""
        is_afresh = is_queued and how.status is not State.QUEUED
        self._count(claim.kind, AFRESH if is_afresh else how.name)
        if how.status is State.DEAD and not is_afresh:
            reports.breadcrumb("job is dead", kind=claim.kind, job_id=claim.id)

    def rescued_too_often(self, kind: str, job_id: int) -> None:
        """Reported here because no handler of it ended, so nothing else reports it."""
        self._count(kind, State.DEAD.value)
        reports.breadcrumb("job is dead", kind=kind, job_id=job_id)
        reports.failure(RescuedTooOften(job_id=job_id), kind=kind, job_id=job_id)

    def lost(self, claim: Claimed) -> None:
        metrics.LOST.inc()
        self._count(claim.kind, "lost")
        _log.warning("lease lost", job_id=claim.id, kind=claim.kind)

    def _count(self, kind: str, outcome: str, jobs: int = 1) -> None:
        metrics.settled_as(kind, outcome).inc(jobs)
        self.by_outcome[outcome] += jobs


async def log_summaries(
    counts: OutcomeCounts, failing_domains: Counter[str], held_claims: Sized
) -> None:
    """One log line a minute, when something has ended."""
    while True:
        await asyncio.sleep(SUMMARY_EVERY_S)
        if counts.by_outcome:
            _log.info(
                "worker summary",
                **dict(counts.by_outcome),
                success_count=counts.by_outcome[SUCCEEDED.name],
                fail_count=counts.by_outcome["retried"],
                dead_count=counts.by_outcome[State.DEAD.value],
                held=len(held_claims),
                top_failure_domains=failing_domains.most_common(5),
            )
        counts.by_outcome.clear()
        failing_domains.clear()
