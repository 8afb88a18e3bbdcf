"""Runs handlers: decodes arguments, holds them to their time, names what came of it.

Nothing a handler does gets past this file: a raise, a hang, nonsense for an answer each become an
outcome with a reason. Logs and reports of failures are written here, once for all kinds; how a claim
ended is counted where that is known (ledger.py).
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter, time
from typing import Any

from mindhit import log
from mindhit.db import Contended, Database, DatabaseAway
from mindhit.log import reports
from mindhit.work import metrics, policy
from mindhit.work.answers import DONE, Failed, outcome_of, outcomes_of, words
from mindhit.work.deadlines import Deadlines
from mindhit.work.handle import Work
from mindhit.work.kinds import Kind, Known, Policy, Registry
from mindhit.work.model import (
    Cancelled,
    Claimed,
    Discard,
    LeaseLost,
    Outcome,
    Retry,
    Setback,
    Snooze,
    State,
    Verdict,
)
from mindhit.work.policy import Ended, Settlement

_log = log.get(__name__)
UNKNOWN_KIND_SNOOZE_S = 60.0


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class Executor:
    """Turns claims into settlements. What a handler settled itself needs none any more.

    `is_stopped` tells whether the handler of the present task was told to stop by us: one that cancels
    itself, or is cancelled by what it started, has failed.
    """

    def __init__(
        self,
        db: Database,
        registry: Registry,
        *,
        requeued: Callable[[], None] = lambda: None,
        settled: Callable[[Claimed, bool], None] = lambda _, __: None,
        deadlines: Deadlines | None = None,
        is_stopped: Callable[[], bool] = _is_cancelled,
    ) -> None:
        self._db = db
        self._registry = registry
        self._requeued = requeued
        self._settled = settled
        self._deadlines = deadlines or Deadlines()
        self._is_stopped = is_stopped
        self.failing_domains: Counter[str] = Counter()

    async def run(self, claim: Claimed) -> Settlement | None:
        """Run one job. None: nothing is to be written, for its handler did so or its lease is gone."""
        known = self._registry.find(claim.kind)
        if known is None:
            return self._settle(None, claim, _unknown(claim))
        if known.kind.batch > 1:
            ended = await self.run_together([claim])
            return ended[0][1] if ended else None
        work = self._open(known, claim)
        if isinstance(work, Discard):
            return self._settle(known.kind, claim, work)
        with log.bind(job_id=claim.id, kind=claim.kind):
            began = perf_counter()
            answer = await self._ask(known, work)
            took_ms = (perf_counter() - began) * 1000
            metrics.duration_of(claim.kind).observe(took_ms)
            try:
                outcome = outcome_of(answer)
            except BaseException as error:  # noqa: BLE001  it may be anything, and do anything
                outcome = _failure(known.kind, error)
            return self._conclude(known.kind, claim, work, outcome, took_ms)

    async def run_together(self, claims: Sequence[Claimed]) -> list[Ended]:
        """Run several jobs of one batch kind with one call of its handler."""
        known = self._registry.find(claims[0].kind)
        if known is None:
            return [(claim, self._settle(None, claim, _unknown(claim))) for claim in claims]
        ended: list[Ended] = []
        works: list[Work[Any]] = []
        readable: list[Claimed] = []
        for claim in claims:
            work = self._open(known, claim)
            if isinstance(work, Discard):
                ended.append((claim, self._settle(known.kind, claim, work)))
            else:
                works.append(work)
                readable.append(claim)
        if not works:
            return ended
        with log.bind(job_id=readable[0].id, kind=known.kind.name):
            began = perf_counter()
            answer = await self._ask(known, works)
            took_ms = (perf_counter() - began) * 1000
            metrics.duration_of(known.kind.name).observe(took_ms)
            try:
                outcomes = outcomes_of(answer, len(works))
            except BaseException as error:  # noqa: BLE001  it may be anything, and do anything
                outcomes = [_failure(known.kind, error)] * len(works)
            for claim, work, outcome in zip(readable, works, outcomes, strict=True):
                settlement = self._conclude(known.kind, claim, work, outcome, took_ms)
                if settlement is not None:
                    ended.append((claim, settlement))
            return ended

    def outlasted(self, claim: Claimed) -> Settlement:
        """What becomes of a job whose handler does not end, long after it was told to."""
        known = self._registry.find(claim.kind)
        kind = known.kind if known else None
        limit_s = (kind.policy if kind else Policy()).timeout_s
        outcome = Retry(f"ran longer than {limit_s:g} s and does not end when it is stopped")
        return self._settle(kind, claim, outcome, limit_s * 1000)

    def _open(self, known: Known, claim: Claimed) -> Work[Any] | Discard:
        try:
            args = known.decode(claim.args)
        except Exception as error:  # noqa: BLE001  a type of arguments may raise what it likes
            return Discard(f"the arguments do not decode: {words(str, error)}")
        return Work(self._db, claim, args, self._settled)

    async def _ask(self, known: Known, handed: Work[Any] | list[Work[Any]]) -> object:
        """What the handler answers, or `Failed` where it did not come to that."""
        kind = known.kind
        deadline = self._deadlines.within(kind.policy.timeout_s)
        try:
            with deadline:
                return await known.handler(handed)
        except LeaseLost:
            return Failed(None)
        except asyncio.CancelledError as error:
            if self._is_stopped():
                raise
            # Nobody stopped this handler: it cancelled itself, or something it waited for was
            # cancelled, a failure like any.
            return Failed(_failure(kind, error, expired=deadline.is_expired))
        except KeyboardInterrupt:
            raise
        except GeneratorExit as error:
            if not deadline.is_in_its_task():  # closed from outside: these are its last words
                raise
            return Failed(_failure(kind, error, expired=deadline.is_expired))
        except BaseException as error:  # noqa: BLE001  whatever it was, SystemExit too: we go on
            return Failed(_failure(kind, error, expired=deadline.is_expired))

    def _conclude(
        self, kind: Kind, claim: Claimed, work: Work[Any], outcome: Verdict | None, took_ms: float
    ) -> Settlement | None:
        waited_s = time() - took_ms / 1000 - claim.due_epoch_s
        metrics.pickup_of(claim.lane).observe(max(waited_s, 0.0))
        if outcome is not None and work.settled_as is None:
            return self._settle(kind, claim, outcome, took_ms)
        if claim.domain or work.settled_as == State.QUEUED:
            self._requeued()  # a slot is free, or the job waits once more
        return None

    def _settle(
        self, kind: Kind | None, claim: Claimed, outcome: Verdict, took_ms: float = 0.0
    ) -> Settlement:
        if outcome is DONE:
            return policy.SUCCEEDED
        settlement = policy.settle(
            outcome,
            attempts=claim.attempts,
            max_attempts=claim.max_attempts,
            policy=kind.policy if kind else Policy(),
            chance=random.random(),  # noqa: S311  spreads retries, guards nothing
            setbacks=claim.setbacks,
        )
        self._tell(claim, outcome, settlement, took_ms, is_known=kind is not None)
        return settlement

    def _tell(
        self,
        claim: Claimed,
        outcome: Verdict,
        settlement: Settlement,
        took_ms: float,
        *,
        is_known: bool,
    ) -> None:
        is_failure = not settlement.refund and not isinstance(outcome, Cancelled)
        if is_failure and claim.domain:
            self.failing_domains[claim.domain] += 1
        (_log.warning if is_failure or not is_known else _log.info)(
            "job did not finish",
            job_id=claim.id,
            kind=claim.kind,
            domain=claim.domain,
            outcome=settlement.name,
            attempt=claim.attempts,
            job_duration_ms=round(took_ms, 1),
            reason=settlement.error,
        )


def _failure(kind: Kind, error: BaseException, *, expired: bool = False) -> Verdict:
    try:
        return _meaning(kind, error, expired=expired)
    except BaseException:  # noqa: BLE001  an error whose own attributes raise
        return Retry(f"{words(_name, error)}, which cannot be told")


def _name(error: object) -> str:
    return type(error).__name__


def _meaning(kind: Kind, error: BaseException, *, expired: bool) -> Verdict:
    if expired:
        return Retry(f"ran longer than {kind.policy.timeout_s:g} s and was stopped")
    if isinstance(error, Contended | DatabaseAway):
        # Not the job's fault, as far as one can see: it only steps back for a moment.
        cause = error.facts.get("reason")
        return Setback(f"{error} ({cause})" if cause else f"{error}")
    reason = f"{_name(error)}: {words(str, error)}"
    if isinstance(error, kind.discard_on):
        return Discard(reason)
    try:
        _log.warning("handler raised", reason=reason, exc_info=error)
        reports.failure(error, kind=kind.name)
    except BaseException:  # noqa: BLE001  what stands in its frames can break who shows them
        _log.warning("handler raised what cannot be shown", reason=reason)
    return Retry(reason)


def _unknown(claim: Claimed) -> Outcome:
    metrics.UNKNOWN.inc()
    return Snooze(UNKNOWN_KIND_SNOOZE_S, f"no worker here knows the kind {claim.kind}")
