"""Holds handlers to their time, with one timer for all of them.

`asyncio.timeout` sets up a timer for every block: a third of what running a small job cost
(12 of 34 µs). Here the timer is set only for a deadline nearer than the one it waits for already;
what ends in time never touches it.

A handler may swallow its cancellation and go on. It is told again every few seconds, and when it
has outlasted `PATIENCE` of these, whoever waits for it is told not to any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from math import inf
from time import monotonic
from typing import Self

AGAIN_S = 5.0  # more than a cancelled transaction takes to part with a server that is silent (3 s)
PATIENCE = 2


def _nobody_waits(_task: asyncio.Task[None]) -> None:
    """What nobody waits for may take as long as it likes."""


class Deadlines:
    """`outlasted` is called, once, with the task of a block that does not end when it is told to."""

    def __init__(
        self,
        outlasted: Callable[[asyncio.Task[None]], None] = _nobody_waits,
        *,
        again_s: float = AGAIN_S,
    ) -> None:
        self._outlasted = outlasted
        self._again_s = again_s
        self._running: set[Deadline] = set()
        self._rings_at = inf

    @cached_property
    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def within(self, seconds: float) -> Deadline:
        """A block that raises TimeoutError when it is not done in time, as asyncio.timeout does."""
        return Deadline(self, monotonic() + seconds)

    def add(self, deadline: Deadline) -> None:
        self._running.add(deadline)
        if deadline.at < self._rings_at:
            self._ring_at(deadline.at)

    def drop(self, deadline: Deadline) -> None:
        self._running.discard(deadline)

    def _ring_at(self, moment: float) -> None:
        self._rings_at = moment
        self.loop.call_later(max(moment - monotonic(), 0), self._ring, moment)

    def _ring(self, moment: float) -> None:
        if moment != self._rings_at:
            return  # a nearer deadline came after this timer was set, and has set its own
        self._rings_at = inf
        now = monotonic()
        for deadline in [each for each in self._running if each.at <= now]:
            deadline.expire()
            deadline.at = now + self._again_s
            if deadline.told == PATIENCE + 1:
                self._outlasted(deadline.task)
        if self._running:
            self._ring_at(min(deadline.at for deadline in self._running))


class Deadline:
    """One block of one task. `told` says how often its time has run out."""

    __slots__ = ("_cancelled_before", "_clock", "at", "task", "told")

    task: asyncio.Task[None]

    def __init__(self, clock: Deadlines, at: float) -> None:
        self.at = at
        self.told = 0
        self._clock = clock

    @property
    def is_expired(self) -> bool:
        return self.told > 0

    def is_in_its_task(self) -> bool:
        """False where somebody else closes the block's frames."""
        return asyncio.current_task(self._clock.loop) is self.task

    def expire(self) -> None:
        self.told += 1
        self.task.cancel()

    def __enter__(self) -> Self:
        task = asyncio.current_task(self._clock.loop)
        assert task is not None
        self.task = task
        self._cancelled_before = task.cancelling()
        self._clock.add(self)
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._clock.drop(self)
        if not self.told:
            return
        for _told in range(self.told):
            self.task.uncancel()
        if self.task.cancelling() > self._cancelled_before:
            return  # somebody else wants the task to end as well
        if isinstance(error, asyncio.CancelledError):
            raise TimeoutError from error
