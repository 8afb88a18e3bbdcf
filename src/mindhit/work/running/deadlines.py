"""Enforces the time limits of handlers, with one timer for all of them.

`asyncio.timeout` sets up a timer for every block: a third of the cost of running a small job (12 of
34 µs). Here the timer is set only for a deadline earlier than the one it already waits for; a handler
that ends in time never touches it.

A handler may swallow its cancellation and go on. It is cancelled again every few seconds, and after
`CANCELLATIONS` of these its runner stops waiting for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from math import inf
from time import monotonic
from typing import Self

# Between two cancellations; more than a cancelled transaction takes to close its connection to a
# server that does not respond (3 s).
CANCEL_AGAIN_S = 5.0
CANCELLATIONS = 2  # ignored by a handler before its runner gives it up


def _nobody_waits() -> None:
    """A block that nobody waits for may take as long as it likes."""


class Deadlines:
    def __init__(self, *, cancel_again_s: float = CANCEL_AGAIN_S) -> None:
        self._cancel_again_s = cancel_again_s
        self._running: set[Deadline] = set()
        self._timer_at = inf

    @cached_property
    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def within(self, seconds: float, outlasted: Callable[[], None] = _nobody_waits) -> Deadline:
        """A block that raises TimeoutError when it is not done in time, as asyncio.timeout does.

        `outlasted` is called once if the block ignores its cancellations.
        """
        return Deadline(self, monotonic() + seconds, outlasted)

    def add(self, deadline: Deadline) -> None:
        self._running.add(deadline)
        if deadline.at < self._timer_at:
            self._set_timer(deadline.at)

    def remove(self, deadline: Deadline) -> None:
        self._running.discard(deadline)

    def _set_timer(self, moment: float) -> None:
        self._timer_at = moment
        self.loop.call_later(max(moment - monotonic(), 0), self._expire_due, moment)

    def _expire_due(self, moment: float) -> None:
        if moment != self._timer_at:
            return  # an earlier deadline was added after this timer was set, and has set its own
        self._timer_at = inf
        now = monotonic()
        for deadline in [each for each in self._running if each.at <= now]:
            deadline.expire()
            deadline.at = now + self._cancel_again_s
            if deadline.expired == CANCELLATIONS + 1:
                deadline.outlasted()
        if self._running:
            self._set_timer(min(deadline.at for deadline in self._running))


class Deadline:
    """One block of one task. `expired` counts how often its time has run out."""

    __slots__ = ("_cancelled_before", "_deadlines", "at", "expired", "outlasted", "task")

    task: asyncio.Task[None]

    def __init__(self, deadlines: Deadlines, at: float, outlasted: Callable[[], None]) -> None:
        self.at = at
        self.expired = 0
        self.outlasted = outlasted
        self._deadlines = deadlines

    @property
    def is_expired(self) -> bool:
        return self.expired > 0

    def is_in_its_task(self) -> bool:
        """False where somebody else closes the block's frames."""
        return asyncio.current_task(self._deadlines.loop) is self.task

    def expire(self) -> None:
        self.expired += 1
        self.task.cancel()

    def __enter__(self) -> Self:
        task = asyncio.current_task(self._deadlines.loop)
        assert task is not None
        self.task = task
        self._cancelled_before = task.cancelling()
        self._deadlines.add(self)
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._deadlines.remove(self)
        if not self.expired:
            return
        for _expiry in range(self.expired):
            self.task.uncancel()
        if self.task.cancelling() > self._cancelled_before:
            return  # somebody else has cancelled the task as well
        if isinstance(error, asyncio.CancelledError):
            raise TimeoutError from error
