"""Runs what was claimed, N jobs at a time, and passes on the outcome of each.

Nearly every job is alone and ends at once: its path through here contains no list. Jobs of a batch
kind are run together.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial
from math import inf
from typing import Any, cast

from mindhit.work.job_types import Registry
from mindhit.work.model import Claimed
from mindhit.work.running.completer import Completer
from mindhit.work.running.deadlines import CANCEL_AGAIN_S, CANCELLATIONS
from mindhit.work.running.executor import Executor
from mindhit.work.running.held_claims import HeldClaim, HeldClaims
from mindhit.work.running.loop_budget import LoopBudget
from mindhit.work.settlement import HANDED_BACK, Settlement
from mindhit.work.signals import Signals

Unit = HeldClaim | list[HeldClaim]  # what one call of a handler gets
CONCURRENCY = 10


class Runner:
    """One task that runs handlers, one after the other, and the context it runs them in."""

    __slots__ = ("_runners", "context", "is_cancelled", "is_given_up", "task", "work")

    task: asyncio.Task[None]

    def __init__(self, runners: Runners, context: Context) -> None:
        self._runners = runners
        self.context = context
        self.work: Unit | None = None  # what it runs now
        self.is_cancelled = False  # its handler was told to stop
        self.is_given_up = False  # its handler does not stop, and nobody waits for it any more

    def is_stopped(self) -> bool:
        return self.is_cancelled or self.is_given_up

    def stop(self) -> None:
        self._runners.stop(self)

    def outlasted(self) -> None:
        self._runners.give_up_outlasted(self)


class Runners:
    """N runners, and the jobs that wait for one of them."""

    def __init__(
        self,
        registry: Registry,
        executor: Executor,
        held_claims: HeldClaims,
        completer: Completer,
        *,
        concurrency: int,
        signals: Signals,
        cancel_again_s: float = CANCEL_AGAIN_S,
    ) -> None:
        self._registry = registry
        self._executor = executor
        self._held_claims = held_claims
        self._completer = completer
        self._signals = signals
        self._concurrency = concurrency
        self._cancel_again_s = cancel_again_s
        self._waiting: deque[Unit] = deque()
        self._runners: set[Runner] = set()
        self._clean = Context()  # what handlers start with
        self._clean_values: list[tuple[ContextVar[Any], object]] = []
        self._some = asyncio.Event()
        self._budget = LoopBudget()
        self._is_over = False
        self.busy = 0  # runners at work, those given up not counted
        self.ended = 0  # jobs since the start: its growth is the pace

    def start(self) -> None:
        self._clean = copy_context()
        self._clean_values = list(self._clean.items())
        for _ in range(self._concurrency):
            self._start_one()

    def end(self) -> set[asyncio.Task[None]]:
        """Cancel all runners; none takes another job. Returns those that have not ended yet."""
        self._is_over = True
        self.stop_all()
        left = [runner for runner in self._runners if not runner.is_given_up]
        for runner in left:
            if runner.work is None:
                runner.task.cancel()
        return {runner.task for runner in left}

    @property
    def is_one_free(self) -> bool:
        return self.busy < self._concurrency and not self._waiting

    @property
    def given_up(self) -> set[Runner]:
        """Those whose handlers ignore that they were cancelled."""
        return {runner for runner in self._runners if runner.is_given_up}

    def add(self, claims: list[HeldClaim]) -> None:
        self._waiting.extend(self._units(claims))
        self._some.set()

    def take_back(self, added_before: float = inf) -> list[HeldClaim]:
        """Take out what has waited since before a moment and has not started; now it won't."""
        late: list[HeldClaim] = []
        while self._waiting and _several(self._waiting[0])[0].added_at < added_before:
            late += _several(self._waiting.popleft())
        return [held for held in late if not held.is_lost]

    def stop_all(self) -> None:
        """Cancel every handler that runs; its job is handed back when it stops."""
        for runner in self._runners:
            if runner.work is not None:
                self._cancel(runner)

    def stop(self, runner: Runner) -> None:
        """Cancel the handler of one runner, which has lost a lease; again, if it swallows that; then
        stop waiting for it. The other jobs of its batch are handed back."""
        if runner.work is not None:
            self._stop_again(runner, runner.work, cancelled=0)

    def running(self, task: asyncio.Task[Any] | None) -> list[Claimed]:
        """What a runner's task works on. Can be called from any thread."""
        for runner in tuple(self._runners):
            if runner.task is task and (work := runner.work) is not None:
                return [held.claim for held in _several(work)]
        return []

    def _cancel(self, runner: Runner) -> None:
        runner.is_cancelled = True
        runner.task.cancel()

    def _stop_again(self, runner: Runner, work: Unit, cancelled: int) -> None:
        if runner.work is not work:
            return
        if cancelled > CANCELLATIONS:
            self.give_up(lambda _: HANDED_BACK, runner)
            return
        self._cancel(runner)
        asyncio.get_running_loop().call_later(
            self._cancel_again_s, self._stop_again, runner, work, cancelled + 1
        )

    def give_up_outlasted(self, runner: Runner) -> None:
        """Its handler ran out of time and ignored every cancellation."""
        self.give_up(self._executor.outlasted, runner)

    def give_up(self, settle: Callable[[Claimed], Settlement], *runners: Runner) -> None:
        """Stop waiting for the handlers of these runners, or of all: settle their jobs without them
        and start other runners instead. Whatever such a handler still writes under its lease is
        rejected, as with any lost lease."""
        for runner in runners or tuple(self._runners):
            work = runner.work
            if not self._finish(runner) or work is None:
                continue
            runner.is_given_up = True
            runner.is_cancelled = False
            self._settle_all(_several(work), settle)
            if not self._is_over:
                self._start_one()
        self._signals.room.set()

    def close_given_up(self) -> set[asyncio.Task[None]]:
        """The last resort for handlers that were given up: close their coroutines under them.

        `asyncio.run` would wait for them forever. A handler that swallows cancellations does not
        catch GeneratorExit; one that swallows even that stays until the process is killed.
        """
        left = self.given_up
        for runner in left:
            coroutine = cast("Coroutine[Any, Any, None]", runner.task.get_coro())
            with suppress(Exception):  # a handler may raise anything while it is closed
                runner.context.run(coroutine.close)
            runner.task.cancel()
        return {runner.task for runner in left}

    def _start_one(self) -> None:
        runner = Runner(self, self._clean.copy())
        runner.task = asyncio.create_task(self._run(runner), context=runner.context)
        self._runners.add(runner)
        runner.task.add_done_callback(partial(self._gone, runner))

    def _gone(self, runner: Runner, task: asyncio.Task[None]) -> None:
        self._runners.discard(runner)
        if not runner.is_given_up:
            self._finish(runner)  # where it broke in the middle of a job
            self._signals.part_ended(task)
        elif not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it

    def _units(self, claims: list[HeldClaim]) -> Iterator[Unit]:
        """Claims of a batch kind go to its handler together, all others one by one."""
        batches: dict[str, list[HeldClaim]] = {}
        for held in claims:
            known = self._registry.find(held.claim.kind)
            if known is None or known.kind.batch <= 1:
                yield held
                continue
            batch = batches.setdefault(held.claim.kind, [])
            batch.append(held)
            if len(batch) == known.kind.batch:
                yield batches.pop(held.claim.kind)
        yield from batches.values()

    async def _run(self, runner: Runner) -> None:
        while not self._is_over and not runner.is_given_up:
            while not self._waiting:
                self._some.clear()
                await self._some.wait()
            next_ = self._waiting.popleft()
            if not self._waiting:
                self._signals.room.set()  # the next runner is free as soon as nothing waits for it
            if isinstance(next_, list):
                await self._run_batch(next_, runner)
            elif not next_.is_lost:
                await self._run_one(next_, runner)
            if not self._is_clean():
                # What this handler left in the context cannot be undone; the next one starts clean.
                if not self._is_over and not runner.is_given_up:
                    self._start_one()
                return
            if self._budget.is_spent():
                await self._budget.refill()

    def _is_clean(self) -> bool:
        """Does the context have exactly the values it had before any handler ran? Costs 0.2 µs; a
        task for every run would not need this, and cost fifty times as much."""
        context = copy_context()
        if len(context) != len(self._clean_values):
            return False
        for name, value in self._clean_values:  # noqa: SIM110  half the time of all()
            if context.get(name) is not value:
                return False
        return True

    async def _run_one(self, held: HeldClaim, runner: Runner) -> None:
        runner.work = held
        self.busy += 1
        held.start(runner)
        try:
            settlement = await self._executor.run(held.claim, runner)
        except asyncio.CancelledError:
            settlement = HANDED_BACK
        if runner.is_cancelled or runner.task.cancelling():
            await self._clear_cancellation(runner)
        if not self._finish(runner):
            return
        held.runner = None
        self.ended += 1
        if held.is_lost:
            self._held_claims.free_slot(held)
        elif settlement is None or held.is_settled:
            self._held_claims.lease_gone(held)
        else:
            self._held_claims.mark_ended(held)
            self._completer.add(held.claim, settlement)
        self._signals.room.set()

    async def _run_batch(self, batch: list[HeldClaim], runner: Runner) -> None:
        held = [each for each in batch if not each.is_lost]
        if not held:
            return
        runner.work = held
        self.busy += 1
        for each in held:
            each.start(runner)
        try:
            ended = await self._executor.run_batch([each.claim for each in held], runner)
        except asyncio.CancelledError:
            ended = [(each.claim, HANDED_BACK) for each in held]
        if runner.is_cancelled or runner.task.cancelling():
            await self._clear_cancellation(runner)
        if self._finish(runner):
            settlements = dict[int, Settlement]((claim.id, how) for claim, how in ended)
            for each in held:
                self._held_claims.free_slot(each)  # of those lost meanwhile
            self._settle_all(held, lambda claim: settlements.get(claim.id))
            self._signals.room.set()

    def _settle_all(
        self, several: list[HeldClaim], settle: Callable[[Claimed], Settlement | None]
    ) -> None:
        """Settle these runs, except those that their handler settled or whose lease is lost."""
        self.ended += len(several)
        for held in several:
            held.runner = None
            settlement = None if held.is_settled or held.is_lost else settle(held.claim)
            if settlement is None:
                self._held_claims.lease_gone(held)
            elif not held.is_lost:
                self._held_claims.mark_ended(held)
                self._completer.add(held.claim, settlement)

    def _finish(self, runner: Runner) -> bool:
        """The runner is free again; False where its handler was given up before."""
        if runner.work is None:
            return False
        runner.work = None
        self.busy -= 1
        return True

    async def _clear_cancellation(self, runner: Runner) -> None:
        """A lost lease, the end of the grace and a time limit cancel the handler, not the runner. No
        trace of that may stay in the task: the next handler's own CancelledError would be taken for
        a stop, and its attempt not be counted. A cancellation that is still pending, because the
        handler cancelled its own task and returned, is consumed here.
        """
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        while runner.task.cancelling():
            runner.task.uncancel()
        runner.is_cancelled = False


def _several(unit: Unit) -> list[HeldClaim]:
    return unit if isinstance(unit, list) else [unit]
