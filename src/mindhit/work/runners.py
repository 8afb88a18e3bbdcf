"""Runs what was claimed, N jobs at a time, and passes on what came of each.

Nearly every job is alone and ends at once: its way through here has no list in it. Jobs of a batch
kind go together.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator

from mindhit.work.completer import Completer
from mindhit.work.executor import Ended, Executor
from mindhit.work.holdings import Held, Holdings
from mindhit.work.kinds import Registry
from mindhit.work.policy import HANDED_BACK, Settlement
from mindhit.work.turns import Turns


class Runners:
    """N tasks, and the jobs that wait for one of them. `freed` is called when a job has ended."""

    def __init__(
        self,
        registry: Registry,
        executor: Executor,
        holdings: Holdings,
        *,
        concurrency: int,
        freed: Callable[[], None],
    ) -> None:
        self._registry = registry
        self._executor = executor
        self._holdings = holdings
        self._freed = freed
        self._concurrency = concurrency
        self._waiting: deque[Held | list[Held]] = deque()
        self._some = asyncio.Event()
        self._turns = Turns()
        self._is_over = False
        self.busy = 0
        self.ended = 0  # since the start: its growth is the pace

    def start(self, completer: Completer) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self._run(completer)) for _ in range(self._concurrency)]

    def end(self) -> None:
        """No runner takes another job, and one that is cancelled ends."""
        self._is_over = True

    @property
    def is_idle(self) -> bool:
        return self.busy == 0 and not self._waiting

    @property
    def is_one_free(self) -> bool:
        return self.busy < self._concurrency and not self._waiting

    def add(self, claims: list[Held]) -> None:
        self._waiting.extend(self._together(claims))
        self._some.set()

    def take_back(self) -> list[Held]:
        """What has not begun, and now never will."""
        waiting = [held for each in self._waiting for held in _several(each)]
        self._waiting.clear()
        return waiting

    def _together(self, claims: list[Held]) -> Iterator[Held | list[Held]]:
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

    async def _run(self, completer: Completer) -> None:
        me = asyncio.current_task()
        assert me is not None
        while not self._is_over:
            while not self._waiting:
                self._some.clear()
                await self._some.wait()
            next_ = self._waiting.popleft()
            if isinstance(next_, list):
                completer.add(await self._run_together(next_, me))
            elif not next_.is_lost and (settlement := await self._run_one(next_, me)):
                completer.add([(next_.claim, settlement)])
            if self._turns.is_over():
                await self._turns.next()

    async def _run_one(self, held: Held, me: asyncio.Task[None]) -> Settlement | None:
        self.busy += 1
        held.runner = me
        try:
            settlement = await self._executor.run(held.claim)
        except asyncio.CancelledError:
            _go_on(me)
            settlement = None if held.is_lost else HANDED_BACK
        finally:
            held.runner = None
            self.busy -= 1
            self.ended += 1
        if settlement is None:
            self._holdings.drop([held.claim])  # settled by its handler, or lost
        else:
            self._holdings.end(held)
        self._freed()
        return settlement

    async def _run_together(self, bundle: list[Held], me: asyncio.Task[None]) -> list[Ended]:
        held = [each for each in bundle if not each.is_lost]
        if not held:
            return []
        self.busy += 1
        for each in held:
            each.runner = me
        try:
            ended = await self._executor.run_together([each.claim for each in held])
        except asyncio.CancelledError:
            _go_on(me)
            ended = [(each.claim, HANDED_BACK) for each in held if not each.is_lost]
        finally:
            for each in held:
                each.runner = None
            self.busy -= 1
            self.ended += len(held)
        settling = {claim.id for claim, _ in ended}
        for each in held:
            if each.claim.id in settling:
                self._holdings.end(each)
        self._holdings.drop([each.claim for each in held if each.claim.id not in settling])
        self._freed()
        return ended


def _go_on(me: asyncio.Task[None]) -> None:
    """Lost leases and the end of the grace both cancel the handler, not the runner; a batch that
    lost several was cancelled as often."""
    while me.cancelling():
        me.uncancel()


def _several(each: Held | list[Held]) -> list[Held]:
    return each if isinstance(each, list) else [each]
