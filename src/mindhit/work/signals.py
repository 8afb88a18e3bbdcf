"""What the parts of a worker tell upwards: one channel for all of them.

    notifier   notified                                    ┐
    rescuer    put jobs back                               │
    executor   freed a slot, or its job is queued again    ├─ work ─▶ claim loop: claim
    completer  freed a slot, or some job is queued again   ┘
    held claims, runners   something ended  ─ room ─▶ claim loop: claim; the stopping worker: go on
    any part that breaks   ─ broken ─▶ the worker ends with its error

Each only says that something may have changed; whoever waits looks for itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Signals:
    work: asyncio.Event = field(default_factory=asyncio.Event)  # there may be something to claim
    room: asyncio.Event = field(default_factory=asyncio.Event)  # there may be room to claim it
    broken: Callable[[BaseException], None] = field(default=lambda _: None)  # nothing else goes on

    def part_ended(self, part: asyncio.Task[None]) -> None:
        """For tasks that end only when they are cancelled."""
        if not part.cancelled() and (error := part.exception()) is not None:
            self.broken(error)
