"""How claims ended, counted when the database has said so.

A handler's answer is a wish: its write may find the lease gone. So nothing is counted where an
answer is given, and everything where it is known: by the completer after its write, after the
commit of a handler that settles itself, and where a lease turns out to be lost. Each claim once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from mindhit import log
from mindhit.errors import Broken
from mindhit.log import reports
from mindhit.work import metrics
from mindhit.work.model import Claimed, State
from mindhit.work.policy import SUCCEEDED, Settlement

_log = log.get(__name__)
_KIND = attrgetter("kind")
AFRESH = "started afresh"


class RescuedTooOften(Broken):
    """A job outlived too many of the workers that ran it; perhaps it is what kills them."""


class Ledger:
    """`counts`: by outcome, for the worker's summary; `metrics.SETTLED` by kind and outcome."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def succeeded(self, claims: Iterable[Claimed]) -> None:
        """Many at a time: a counter's own lock for every job cost 1 µs of 25."""
        for kind, jobs in Counter(map(_KIND, claims)).items():
            self._count(kind, SUCCEEDED.name, jobs)

    def settled(self, claim: Claimed, how: Settlement, *, is_queued: bool) -> None:
        """One that was to die or be called off, and is queued, was asked for again meanwhile."""
        is_afresh = is_queued and how.status is not State.QUEUED
        self._count(claim.kind, AFRESH if is_afresh else how.name)
        if how.status is State.DEAD and not is_afresh:
            reports.breadcrumb("job is dead", kind=claim.kind, job_id=claim.id)

    def rescued_to_death(self, kind: str, job_id: int) -> None:
        """Nobody ran its handler to an end, so nobody else has a word for it."""
        self._count(kind, State.DEAD.value)
        reports.breadcrumb("job is dead", kind=kind, job_id=job_id)
        reports.failure(RescuedTooOften(job_id=job_id), kind=kind, job_id=job_id)

    def lost(self, claim: Claimed) -> None:
        metrics.LOST.inc()
        self._count(claim.kind, "lost")
        _log.warning("lease lost", job_id=claim.id, kind=claim.kind)

    def _count(self, kind: str, outcome: str, jobs: int = 1) -> None:
        metrics.settled_as(kind, outcome).inc(jobs)
        self.counts[outcome] += jobs
