"""Runs handlers: decodes arguments, enforces time limits, turns what happened into a settlement.

Nothing a handler does gets past this file: an exception, a hang or an invalid answer each become an
outcome with a reason. Failures of all kinds are logged and reported here; how a claim ended is
counted once it is written (outcome_counts.py).
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter, time
from typing import Any, Protocol

from mindhit import log
from mindhit.db import CommitUnconfirmed, Contended, Database, DatabaseUnavailable
from mindhit.log import reports
from mindhit.work import metrics, settlement
from mindhit.work.claiming.claimer import DOMAIN_LIMIT
from mindhit.work.job_types import Kind, Known, Registry
from mindhit.work.model import Claimed, LeaseLost, State
from mindhit.work.outcomes import (
    DONE,
    Cancelled,
    Discard,
    Failed,
    Retry,
    Setback,
    Verdict,
    described,
    outcome_of,
    outcomes_of,
)
from mindhit.work.retry_policy import Policy
from mindhit.work.running.deadlines import CANCEL_AGAIN_S, Deadlines
from mindhit.work.running.work_item import Work
from mindhit.work.settlement import SUCCEEDED, Ended, Settlement
from mindhit.work.signals import Signals

_log = log.get(__name__)


class Supervisor(Protocol):
    """Who runs a handler and may stop it."""

    def is_stopped(self) -> bool:
        """Did we tell the handler to stop? One that cancels itself, or is cancelled by something it
        started, has failed."""

    def outlasted(self) -> None:
        """The handler ran out of time and ignores that it was cancelled."""


class Unsupervised:
    """For a handler that runs in the caller's own task."""

    def is_stopped(self) -> bool:
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    def outlasted(self) -> None:
        """Nobody else waits for it."""


UNSUPERVISED = Unsupervised()


class Executor:
    """Turns claims into settlements. `settled` is called when a handler settles a job itself."""

    def __init__(
        self,
        db: Database,
        registry: Registry,
        *,
        signals: Signals | None = None,
        settled: Callable[[Claimed, bool], None] = lambda _, __: None,
        cancel_again_s: float = CANCEL_AGAIN_S,
        domain_limit: int = DOMAIN_LIMIT,
    ) -> None:
        self._db = db
        self._registry = registry
        self._signals = signals or Signals()
        self._settled = settled
        self._deadlines = Deadlines(cancel_again_s=cancel_again_s)
        self._domain_limit = domain_limit
        self.failing_domains: Counter[str] = Counter()

    async def run(self, claim: Claimed, supervisor: Supervisor = UNSUPERVISED) -> Settlement | None:
        """Run one job. None: nothing to write, because its handler did or its lease is gone."""
        known = self._registry.find(claim.kind)
        if known is None:
            return self._settle(None, claim, _unknown(claim.kind))
        if known.kind.batch > 1:
            ended = await self.run_batch([claim], supervisor)
            return ended[0][1] if ended else None
        work = self._open(known, claim)
        if isinstance(work, Setback):
            return self._settle(None, claim, work)
        with log.bind(job_id=claim.id, kind=claim.kind):
            began = perf_counter()
            answer = await self._call(known, work, supervisor)
            took_ms = (perf_counter() - began) * 1000
            metrics.duration_of(claim.kind).observe(took_ms)
            try:
                outcome = outcome_of(answer)
            except BaseException as error:  # noqa: BLE001  an answer can be any object
                outcome = _failure(known.kind, error)
            return self._conclude(known.kind, claim, work, outcome, took_ms)

    async def run_batch(
        self, claims: Sequence[Claimed], supervisor: Supervisor = UNSUPERVISED
    ) -> list[Ended]:
        """Run several jobs of one batch kind with one call of its handler."""
        known = self._registry.find(claims[0].kind)
        if known is None:
            unknown = _unknown(claims[0].kind)
            return [(claim, self._settle(None, claim, unknown)) for claim in claims]
        ended: list[Ended] = []
        works: list[Work[Any]] = []
        readable: list[Claimed] = []
        for claim in claims:
            work = self._open(known, claim)
            if isinstance(work, Setback):
                ended.append((claim, self._settle(None, claim, work)))
            else:
                works.append(work)
                readable.append(claim)
        if not works:
            return ended
        with log.bind(job_id=readable[0].id, kind=known.kind.name):
            began = perf_counter()
            answer = await self._call(known, works, supervisor)
            took_ms = (perf_counter() - began) * 1000
            metrics.duration_of(known.kind.name).observe(took_ms)
            try:
                outcomes = outcomes_of(answer, len(works))
            except BaseException as error:  # noqa: BLE001  an answer can be any object
                outcomes = [_failure(known.kind, error)] * len(works)
            for claim, work, outcome in zip(readable, works, outcomes, strict=True):
                written = self._conclude(known.kind, claim, work, outcome, took_ms)
                if written is not None:
                    ended.append((claim, written))
            return ended

    def outlasted(self, claim: Claimed) -> Settlement:
        """The settlement of a job whose handler ran out of time and ignores its cancellation."""
        known = self._registry.find(claim.kind)
        kind = known.kind if known else None
        limit_s = (kind.policy if kind else Policy()).timeout_s
        outcome = Retry(f"ran longer than {limit_s:g} s and ignores that it was stopped")
        return self._settle(kind, claim, outcome, limit_s * 1000)

    def _open(self, known: Known, claim: Claimed) -> Work[Any] | Setback:
        """Arguments that cannot be decoded may be those of a newer release, whose workers can."""
        try:
            args = known.decode(claim.args)
        except Exception as error:  # noqa: BLE001  argument types may raise anything
            return Setback(f"the arguments cannot be decoded: {described(str, error)}")
        return Work(self._db, claim, args, self._settled, self._domain_limit)

    async def _call(
        self, known: Known, handed: Work[Any] | list[Work[Any]], supervisor: Supervisor
    ) -> object:
        """What the handler answers, or `Failed` where it gave no answer."""
        kind = known.kind
        deadline = self._deadlines.within(kind.policy.timeout_s, supervisor.outlasted)
        try:
            with deadline:
                return await known.handler(handed)
        except LeaseLost:
            return Failed(None)
        except asyncio.CancelledError as error:
            if supervisor.is_stopped():
                raise
            # We did not stop this handler: it cancelled itself, or something it waited for was
            # cancelled. A failure like any other.
            return Failed(_failure(kind, error, expired=deadline.is_expired))
        except KeyboardInterrupt:
            raise
        except GeneratorExit as error:
            if not deadline.is_in_its_task():  # the coroutine is being closed from outside
                raise
            return Failed(_failure(kind, error, expired=deadline.is_expired))
        except BaseException as error:  # noqa: BLE001  SystemExit too: the worker goes on
            return Failed(_failure(kind, error, expired=deadline.is_expired))

    def _conclude(
        self, kind: Kind, claim: Claimed, work: Work[Any], outcome: Verdict | None, took_ms: float
    ) -> Settlement | None:
        waited_s = time() - took_ms / 1000 - claim.due_epoch_s
        metrics.pickup_of(claim.lane).observe(max(waited_s, 0.0))
        if outcome is not None and work.settled_as is None:
            return self._settle(kind, claim, outcome, took_ms)
        if claim.domain or work.settled_as == State.QUEUED:
            self._signals.work.set()  # a slot is free, or the job is queued again
        return None

    def _settle(
        self, kind: Kind | None, claim: Claimed, outcome: Verdict, took_ms: float = 0.0
    ) -> Settlement:
        if outcome is DONE:
            return SUCCEEDED
        written = settlement.settle(
            outcome,
            attempts=claim.attempts,
            max_attempts=claim.max_attempts,
            policy=kind.policy if kind else Policy(),
            chance=random.random(),  # noqa: S311  spreads retries, guards nothing
            setbacks=claim.setbacks,
        )
        self._log_unfinished(claim, outcome, written, took_ms, is_known=kind is not None)
        return written

    def _log_unfinished(
        self,
        claim: Claimed,
        outcome: Verdict,
        written: Settlement,
        took_ms: float,
        *,
        is_known: bool,
    ) -> None:
        is_failure = not written.refund and not isinstance(outcome, Cancelled)
        if is_failure and claim.domain:
            self.failing_domains[claim.domain] += 1
        (_log.warning if is_failure or not is_known else _log.info)(
            "job did not finish",
            job_id=claim.id,
            kind=claim.kind,
            domain=claim.domain,
            outcome=written.name,
            attempt=claim.attempts,
            job_duration_ms=round(took_ms, 1),
            reason=written.error,
        )


def _failure(kind: Kind, error: BaseException, *, expired: bool = False) -> Verdict:
    try:
        return _meaning(kind, error, expired=expired)
    except BaseException:  # noqa: BLE001  an error whose own attributes raise
        return Retry(f"{described(_name, error)}, which cannot be shown")


def _name(error: object) -> str:
    return type(error).__name__


def _meaning(kind: Kind, error: BaseException, *, expired: bool) -> Verdict:
    if expired:
        return Retry(f"ran longer than {kind.policy.timeout_s:g} s and was stopped")
    if isinstance(error, Contended | DatabaseUnavailable | CommitUnconfirmed):
        cause = error.facts.get("reason")
        return Setback(f"{error} ({cause})" if cause else f"{error}")
    reason = f"{_name(error)}: {described(str, error)}"
    if isinstance(error, kind.discard_on):
        return Discard(reason)
    try:
        _log.warning("handler raised", reason=reason, exc_info=error)
        reports.failure(error, kind=kind.name)
    except BaseException:  # noqa: BLE001  objects in its frames may raise when shown
        _log.warning("handler raised an error that cannot be shown", reason=reason)
    return Retry(reason)


def _unknown(kind: str) -> Setback:
    return Setback(f"this worker does not know the kind {kind}")
