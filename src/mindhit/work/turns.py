"""Turn-taking in the event loop, between handlers that never wait and everything else.

A handler that never waits gives nobody else a turn; nor do ten runners that find their next job
waiting. Together they have half a millisecond, then claims, settles and heartbeats go first.
A turn for each runner would be ten in a row: an answer of the database then lay there for 10 ms,
several times on its way through the driver.
"""

from __future__ import annotations

import asyncio
from time import monotonic

TURN_S = 0.0005


class Turns:
    def __init__(self) -> None:
        self._ends_at = 0.0
        self._is_next_set = False

    def is_over(self) -> bool:
        return monotonic() >= self._ends_at

    async def next(self) -> None:
        """Return in a turn that is not over, after everything else that is ready had its own."""
        while self.is_over():
            if not self._is_next_set:
                self._is_next_set = True
                asyncio.get_running_loop().call_soon(self._begin)
            await asyncio.sleep(0)

    def _begin(self) -> None:
        self._is_next_set = False
        self._ends_at = monotonic() + TURN_S
