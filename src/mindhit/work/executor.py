"""Runs handlers: decodes arguments, holds them to their time, names what came of it.

Nothing a handler does gets past this file: a raise, a hang, nonsense for an answer each become an
outcome with a reason. Metrics, logs and reports of failures are written here, once for all kinds.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from mindhit import log
from mindhit.db import Contended, Database, DatabaseAway
from mindhit.log import reports
from mindhit.work import metrics, policy
from mindhit.work.deadlines import Deadline, Deadlines
from mindhit.work.handle import Work
from mindhit.work.kinds import Handler, Kind, Policy, Registry
from mindhit.work.model import (
    Cancelled,
    Claimed,
    Discard,
    Done,
    LeaseLost,
    Outcome,
    Retry,
    Snooze,
    State,
)
from mindhit.work.policy import Settlement

_log = log.get(__name__)
UNKNOWN_KIND_SNOOZE_S = 60.0
DONE = Done()

Ended = tuple[Claimed, Settlement]


class Executor:
    """Turns claims into settlements. What a handler settled itself needs none any more."""

    def __init__(
        self,
        db: Database,
        registry: Registry,
        *,
        requeued: Callable[[], None] = lambda: None,
        settled: Callable[[Claimed], None] = lambda _: None,
    ) -> None:
        self._db = db
        self._registry = registry
        self._requeued = requeued
        self._settled = settled
        self._deadlines = Deadlines()
        self.counts: Counter[str] = Counter()
        self.failing_domains: Counter[str] = Counter()

    async def run(self, claims: Sequence[Claimed]) -> list[Ended]:
        """Run one claim, or several of one batch kind."""
        known = self._registry.find(claims[0].kind)
        if known is None:
            return [self._ended(None, claim, _unknown(claim)) for claim in claims]
        kind, handler = known
        works: list[tuple[Claimed, Work[Any]]] = []
        ended: list[Ended] = []
        for claim in claims:
            try:
                args = msgspec.convert(claim.args, kind.args)
            except (msgspec.ValidationError, TypeError, ValueError) as error:
                wrong = Discard(f"the arguments do not decode: {error}")
                ended.append(self._ended(kind, claim, wrong))
            else:
                works.append((claim, Work(self._db, claim, args, self._settled)))
        if works:
            ended += await self._handle(kind, handler, works)
        return ended

    async def _handle(
        self, kind: Kind, handler: Handler, works: list[tuple[Claimed, Work[Any]]]
    ) -> list[Ended]:
        first = works[0][0]
        began = time.perf_counter()
        with log.bind(job_id=first.id, kind=kind.name):
            handed = [work for _, work in works] if kind.batch > 1 else works[0][1]
            deadline = self._deadlines.within(kind.policy.timeout_s)
            outcomes = await _answers(kind, handler, handed, len(works), deadline)
            took_ms = (time.perf_counter() - began) * 1000
            metrics.duration_of(kind.name).observe(took_ms)
            ended = []
            for (claim, work), outcome in zip(works, outcomes, strict=True):
                _observe_pickup(claim, took_ms)
                if outcome is None or work.settled_as is not None:
                    self._count(kind.name, "succeeded" if work.settled_as else "lost")
                    if claim.domain or work.settled_as == State.QUEUED:
                        self._requeued()  # a slot is free, or the job waits once more
                else:
                    ended.append(self._ended(kind, claim, outcome, took_ms))
            return ended

    def _ended(
        self, kind: Kind | None, claim: Claimed, outcome: Outcome, took_ms: float = 0.0
    ) -> Ended:
        if isinstance(outcome, Done):
            self._count(claim.kind, "succeeded")
            return claim, policy.SUCCEEDED
        settlement = policy.settle(
            outcome,
            attempts=claim.attempts,
            max_attempts=claim.max_attempts,
            policy=kind.policy if kind else Policy(),
            chance=random.random(),  # noqa: S311  spreads retries, guards nothing
        )
        self._count(claim.kind, _name(outcome, settlement))
        self._tell(claim, outcome, settlement, took_ms)
        return claim, settlement

    def _tell(
        self, claim: Claimed, outcome: Outcome, settlement: Settlement, took_ms: float
    ) -> None:
        quiet = isinstance(outcome, Snooze | Cancelled)
        if not quiet and claim.domain:
            self.failing_domains[claim.domain] += 1
        (_log.info if quiet else _log.warning)(
            "job did not finish",
            job_id=claim.id,
            kind=claim.kind,
            domain=claim.domain,
            outcome=_name(outcome, settlement),
            attempt=claim.attempts,
            job_duration_ms=round(took_ms, 1),
            reason=settlement.error,
        )
        if settlement.status is State.DEAD:
            reports.breadcrumb("job is dead", kind=claim.kind, job_id=claim.id)

    def _count(self, kind: str, outcome: str) -> None:
        metrics.settled_as(kind, outcome).inc()
        self.counts[outcome] += 1


async def _answers(
    kind: Kind, handler: Handler, handed: Any, expected: int, deadline: Deadline
) -> Sequence[Outcome | None]:
    """What the handler says of each job; None where the lease was lost and nothing may be said."""
    try:
        with deadline:
            answer = await handler(handed)
    except LeaseLost:
        # Of a batch perhaps one lease is lost; the others go back, and the lost one settles nothing.
        return [None if expected == 1 else Snooze(0, "a lease of its batch was lost")] * expected
    except asyncio.CancelledError as error:
        if _is_cancelled():
            raise
        # Nobody stopped this handler: something it waited for was cancelled, a failure like any.
        return [_failure(kind, error, expired=False)] * expected
    except Exception as error:  # noqa: BLE001  whatever it was, the worker goes on
        return [_failure(kind, error, expired=deadline.is_expired)] * expected
    if kind.batch == 1 or answer is None:
        return [_checked(answer)] * expected
    if not isinstance(answer, Sequence) or len(answer) != expected:
        return [_nonsense(answer)] * expected
    return [_checked(each) for each in answer]


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _checked(answer: object) -> Outcome:
    match answer:
        case None:
            return DONE
        case Done() | Discard(str()) | Cancelled(str()):
            return answer
        case Retry(str(), None | int() | float()) | Snooze(int() | float(), str()):
            return answer
    return _nonsense(answer)


def _nonsense(answer: object) -> Outcome:
    return Discard(f"the handler answered {_words(repr, answer):.200}, which is no outcome")


def _words(say: Callable[[object], str], thing: object) -> str:
    """What a thing says of itself; even that may fail."""
    try:
        return say(thing)
    except Exception:  # noqa: BLE001
        return "(no words for it)"


def _failure(kind: Kind, error: BaseException, *, expired: bool) -> Outcome:
    if expired:
        return Retry(f"ran longer than {kind.policy.timeout_s:g} s and was stopped")
    if isinstance(error, Contended | DatabaseAway):
        # Not the job's fault: no attempt is counted, it only steps back for a moment.
        return Snooze(random.uniform(0.5, 3), f"{error}")  # noqa: S311
    reason = f"{type(error).__name__}: {_words(str, error)}"
    if isinstance(error, kind.discard_on):
        return Discard(reason)
    _log.warning("handler raised", reason=reason, exc_info=error)
    reports.failure(error, kind=kind.name)
    return Retry(reason)


def _unknown(claim: Claimed) -> Outcome:
    metrics.UNKNOWN.inc()
    return Snooze(UNKNOWN_KIND_SNOOZE_S, f"no worker here knows the kind {claim.kind}")


def _name(outcome: Outcome, settlement: Settlement) -> str:
    if settlement.status is State.QUEUED:
        return "snoozed" if isinstance(outcome, Snooze) else "retried"
    return settlement.status.value


def _observe_pickup(claim: Claimed, took_ms: float) -> None:
    waited = (datetime.now(UTC) - claim.run_after).total_seconds() - took_ms / 1000
    metrics.pickup_of(claim.lane).observe(max(waited, 0.0))
