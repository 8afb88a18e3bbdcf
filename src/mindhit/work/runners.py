"""Runs what was claimed, N jobs at a time, and passes on what came of each.

Nearly every job is alone and ends at once: its way through here has no list in it. Jobs of a batch
kind go together.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from math import inf
from typing import Any, cast

from mindhit.work.completer import Completer
from mindhit.work.deadlines import AGAIN_S, PATIENCE
from mindhit.work.executor import Executor
from mindhit.work.holdings import Held, Holdings, Runner
from mindhit.work.kinds import Registry
from mindhit.work.model import Claimed
from mindhit.work.policy import HANDED_BACK, Settlement
from mindhit.work.turns import Turns

Taken = Held | list[Held]


class Runners:
    """N tasks, and the jobs that wait for one of them. `freed` is called when a job has ended."""

    def __init__(
        self,
        registry: Registry,
        executor: Executor,
        holdings: Holdings,
        completer: Completer,
        *,
        concurrency: int,
        freed: Callable[[], None],
        ended: Callable[[Runner], None],
        parting_s: float = AGAIN_S,
    ) -> None:
        self._registry = registry
        self._executor = executor
        self._holdings = holdings
        self._completer = completer
        self._freed = freed
        self._ended = ended
        self._concurrency = concurrency
        self._parting_s = parting_s
        self._waiting: deque[Taken] = deque()
        self._at_work: dict[Runner, Taken] = {}
        self._stopped: set[Runner] = set()  # with handlers that were told to stop
        self._contexts: dict[Runner, Context] = {}
        self._clean = Context()  # as handlers are to find it
        self._clean_values: list[tuple[ContextVar[Any], object]] = []
        self._some = asyncio.Event()
        self._turns = Turns()
        self._is_over = False
        self.given_up: set[Runner] = set()  # with handlers that do not end when they are told to
        self.ended = 0  # since the start: its growth is the pace

    def start(self) -> None:
        self._clean = copy_context()
        self._clean_values = list(self._clean.items())
        for _ in range(self._concurrency):
            self._start_one()

    def end(self) -> set[Runner]:
        """No runner takes another job; all are cancelled. Those that have not ended yet."""
        self._is_over = True
        self.cancel()
        running = self._contexts.keys() - self.given_up
        for task in running - self._at_work.keys():
            task.cancel()
        return running

    @property
    def busy(self) -> int:
        return len(self._at_work)

    @property
    def is_idle(self) -> bool:
        return not self._at_work and not self._waiting

    @property
    def is_one_free(self) -> bool:
        return len(self._at_work) < self._concurrency and not self._waiting

    def add(self, claims: list[Held]) -> None:
        self._waiting.extend(self._together(claims))
        self._some.set()

    def take_back(self, added_before: float = inf) -> list[Held]:
        """What has waited since before a moment and has not begun; now it never will."""
        late: list[Held] = []
        while self._waiting and _several(self._waiting[0])[0].added_at < added_before:
            late += _several(self._waiting.popleft())
        return [held for held in late if not held.is_lost]

    def cancel(self) -> None:
        """Tell every handler that runs to stop; its job is handed back when it does."""
        for task in self._at_work:
            self._tell(task)

    def stop(self, runner: Runner) -> None:
        """Tell the handler of one runner to stop, which has lost a lease; again, if it swallows that;
        and then wait for it no longer. Of a batch, the other jobs are handed back."""
        if (work := self._at_work.get(runner)) is not None:
            self._insist(runner, work, told=0)

    def is_stopped(self) -> bool:
        """Was the handler that runs in the present task told to stop?"""
        me = asyncio.current_task()
        return me in self._stopped or me in self.given_up

    def doing(self, runner: Runner | None) -> list[Claimed]:
        """What a runner is at; for other threads, too."""
        work = self._at_work.get(runner) if runner is not None else None
        return [] if work is None else [held.claim for held in _several(work)]

    def _tell(self, runner: Runner) -> None:
        self._stopped.add(runner)
        runner.cancel()

    def _insist(self, runner: Runner, work: Taken, told: int) -> None:
        if self._at_work.get(runner) is not work:
            return
        if told > PATIENCE:
            self.give_up(lambda _: HANDED_BACK, runner)
            return
        self._tell(runner)
        asyncio.get_running_loop().call_later(self._parting_s, self._insist, runner, work, told + 1)

    def give_up(self, settle: Callable[[Claimed], Settlement], *runners: Runner) -> None:
        """Wait no longer for the handlers of these runners, or of all: settle their jobs without
        them, and have others in their runners' places. What such a handler still does under its
        lease is fenced off, as any zombie's."""
        for task in runners or tuple(self._at_work):
            if (work := self._at_work.pop(task, None)) is None:
                continue
            self.given_up.add(task)
            self._stopped.discard(task)
            self._let_go(_several(work), settle)
            if not self._is_over:
                self._start_one()
        self._freed()

    def force(self) -> set[Runner]:
        """The last word to handlers that were given up: their frames are closed under them.

        `asyncio.run` would wait for them for ever. What swallows cancellations does not catch
        GeneratorExit; a handler that swallows even that stays until the process is killed.
        """
        for task in self.given_up:
            with suppress(Exception):  # its last words may be anything
                self._contexts[task].run(cast("Coroutine[Any, Any, None]", task.get_coro()).close)
            task.cancel()
        return set(self.given_up)

    def _start_one(self) -> None:
        context = self._clean.copy()
        task = asyncio.create_task(self._run(), context=context)
        self._contexts[task] = context
        task.add_done_callback(self._gone)

    def _gone(self, task: Runner) -> None:
        del self._contexts[task]
        self._stopped.discard(task)
        if task not in self.given_up:
            self._at_work.pop(task, None)  # where it broke and did not end
            self._ended(task)
            return
        self.given_up.remove(task)
        if not task.cancelled():
            task.exception()  # how one that was forced ended is of no interest

    def _together(self, claims: list[Held]) -> Iterator[Taken]:
        """Claims of a batch kind go to its handler together, all others one by one."""
        bundles: dict[str, list[Held]] = {}
        for held in claims:
            known = self._registry.find(held.claim.kind)
            if known is None or known.kind.batch <= 1:
                yield held
                continue
            bundle = bundles.setdefault(held.claim.kind, [])
            bundle.append(held)
            if len(bundle) == known.kind.batch:
                yield bundles.pop(held.claim.kind)
        yield from bundles.values()

    async def _run(self) -> None:
        me = asyncio.current_task()
        assert me is not None
        while not self._is_over and me not in self.given_up:
            while not self._waiting:
                self._some.clear()
                await self._some.wait()
            next_ = self._waiting.popleft()
            if not self._waiting:
                self._freed()  # the next runner is free as soon as nobody waits for it
            if isinstance(next_, list):
                await self._run_together(next_, me)
            elif not next_.is_lost:
                await self._run_one(next_, me)
            if not self._is_clean():
                # What this handler has set and left cannot be taken back; the next one starts clean.
                if not self._is_over and me not in self.given_up:
                    self._start_one()
                return
            if self._turns.is_over():
                await self._turns.next()

    def _is_clean(self) -> bool:
        """Has the context the values it had before any handler ran? The very same ones, and found in
        0.2 µs: a task for every run would need no such question, and cost fifty times as much."""
        context = copy_context()
        if len(context) != len(self._clean_values):
            return False
        for name, value in self._clean_values:  # noqa: SIM110  half the time of all()
            if context.get(name) is not value:
                return False
        return True

    async def _run_one(self, held: Held, me: Runner) -> None:
        self._at_work[me] = held
        held.runner = me
        try:
            settlement = await self._executor.run(held.claim)
        except asyncio.CancelledError:
            settlement = HANDED_BACK
        if me in self._stopped or me.cancelling():
            await self._come_round(me)
        if not self._is_done(me):
            return
        held.runner = None
        self.ended += 1
        if held.is_lost:
            self._holdings.release(held)
        elif settlement is None or held.is_settled:
            self._holdings.leave(held)
        else:
            self._holdings.end(held)
            self._completer.add_one(held.claim, settlement)
        self._freed()

    async def _run_together(self, bundle: list[Held], me: Runner) -> None:
        held = [each for each in bundle if not each.is_lost]
        if not held:
            return
        self._at_work[me] = held
        for each in held:
            each.runner = me
        try:
            ended = await self._executor.run_together([each.claim for each in held])
        except asyncio.CancelledError:
            ended = [(each.claim, HANDED_BACK) for each in held]
        if me in self._stopped or me.cancelling():
            await self._come_round(me)
        if self._is_done(me):
            settlements = dict[int, Settlement]((claim.id, how) for claim, how in ended)
            for each in held:
                self._holdings.release(each)  # those that were lost by now
            self._let_go(held, lambda claim: settlements.get(claim.id))
            self._freed()

    def _let_go(self, several: list[Held], settle: Callable[[Claimed], Settlement | None]) -> None:
        """Settle what these runs came to; what its handler settled, or what was lost, needs none."""
        self.ended += len(several)
        for held in several:
            held.runner = None
            settlement = None if held.is_settled or held.is_lost else settle(held.claim)
            if settlement is None:
                self._holdings.leave(held)
            elif not held.is_lost:
                self._holdings.end(held)
                self._completer.add_one(held.claim, settlement)

    def _is_done(self, me: Runner) -> bool:
        """The handler has ended; False where it was given up long before."""
        return self._at_work.pop(me, None) is not None

    async def _come_round(self, me: Runner) -> None:
        """Lost leases, the end of the grace and a handler's time all cancel the handler, not the
        runner. Whatever came of it, no trace may be left: the next handler's own CancelledError
        would be taken for a stop, and its attempt not be counted. A cancellation that has not come
        yet, of a handler that cancelled its own task and ended, is taken here.
        """
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        while me.cancelling():
            me.uncancel()
        self._stopped.discard(me)


def _several(each: Taken) -> list[Held]:
    return each if isinstance(each, list) else [each]
