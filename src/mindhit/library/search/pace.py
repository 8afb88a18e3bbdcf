"""How fast a back-fill goes: after every portion it rests, so that what people wait for comes first.

A lower priority would not do: the database indexes too, under its own, and systems that group processes by
their sessions (autogroup) ignore one process's niceness beside another's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Pace:
    """`rest`: how long to rest after a portion, as a share of the time it took. A portion takes longer where
    others use the processors too, and so does the rest."""

    rest: float = 0.0

    @asynccontextmanager
    async def portion(self) -> AsyncIterator[None]:
        began = time.perf_counter()
        yield
        if (rest_s := self.rest_s(time.perf_counter() - began)) > 0:
            await asyncio.sleep(rest_s)

    def rest_s(self, taken_s: float) -> float:
        return self.rest * taken_s


AT_FULL_PACE: Final = Pace()
