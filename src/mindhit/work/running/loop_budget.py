"""Shares the event loop between handlers that never wait and everything else.

A handler that never waits keeps the event loop to itself, and so do ten runners that always find a
next job. Together they get half a millisecond, then claims, settles and heartbeats go first. A budget
for each runner would be ten in a row: an answer of the database then waited for 10 ms, several times
on its way through the driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

BUDGET_S = 0.0005


class LoopBudget:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._ends_at = 0.0
        self._is_refill_scheduled = False

    def is_spent(self) -> bool:
        return self._clock() >= self._ends_at

    async def refill(self) -> None:
        """Return with budget left, after everything else that was ready has run."""
        while self.is_spent():
            if not self._is_refill_scheduled:
                self._is_refill_scheduled = True
                asyncio.get_running_loop().call_soon(self._refill)
            await asyncio.sleep(0)

    def _refill(self) -> None:
        self._is_refill_scheduled = False
        self._ends_at = self._clock() + BUDGET_S
