"""How long the API's event loop was blocked; a process whose loop stays blocked is ended.

A request that computes without a pause blocks all others. The loop measures itself: it sleeps for `TICK_S` and
sees how much later it wakes. On a machine that is busy with something else it wakes late too: it is logged only
where the loop itself has computed. A thread beside the loop notes what it is doing while it is late, so that the
log says where. A loop that stays blocked is ended by the workers' watchdog, with its process; whoever supervises
the process starts it again.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from threading import Event, Thread, get_ident
from time import monotonic, thread_time
from typing import Final

from prometheus_client import Gauge, Histogram

from mindhit import log
from mindhit.work.running.watchdog import EXIT_CODE, Watchdog

TICK_S: Final = 0.02
IDLE_TICK_S: Final = 0.2
LONG_S: Final = 1.0  # is logged; shorter ones are in the metric
LOOK_S: Final = 0.25  # how often the thread looks whether the loop is late
FRAMES: Final = 12  # of a stack, the innermost; the outer ones are those of any request
ENDED_AFTER_S: Final = 60.0
_log = log.get(__name__)

HELD = Histogram(
    "mindhit_api_loop_hold_seconds",
    "How much later than asked the API's event loop woke up.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)
LONGEST = Gauge(
    "mindhit_api_loop_longest_hold_seconds",
    "Longest hold of the API's event loop since the process started.",
    multiprocess_mode="max",
)


class LoopWatch:
    """Create it in the loop's own thread."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._watched = get_ident()
        self._due = float("inf")  # when the loop should have woken
        self._where = ""
        self._over = Event()

    async def run(self, requests: set[asyncio.Task[None]]) -> None:
        """Measure until cancelled; less often while nothing is answered."""
        Thread(target=self._look, name="loop-watch", daemon=True).start()
        try:
            while True:
                asked_s = TICK_S if requests else IDLE_TICK_S
                began, computed = monotonic(), thread_time()
                self._where, self._due = "", began + asked_s
                await asyncio.sleep(asked_s)
                self._note(monotonic() - began - asked_s, thread_time() - computed)
        finally:
            self._over.set()

    def _look(self) -> None:
        """In a thread: keep the stack of a loop that is late, once per hold."""
        while not self._over.wait(LOOK_S):
            if not self._where and monotonic() - self._due > LONG_S / 2:
                frame = sys._current_frames().get(self._watched)  # noqa: SLF001  the only way
                self._where = "".join(traceback.format_stack(frame)[-FRAMES:])

    def _note(self, held_s: float, computed_s: float) -> None:
        HELD.observe(max(held_s, 0.0))
        if held_s > self.longest_s:
            self.longest_s = held_s
            LONGEST.set(held_s)
        if held_s > LONG_S and computed_s > LONG_S:
            _log.warning(
                "the event loop was held", seconds=round(held_s, 2), stack=self._where or None
            )


class ApiWatchdog(Watchdog):
    """Ends the process when its loop has been held for `ENDED_AFTER_S`, and logs where."""

    def __init__(self) -> None:
        super().__init__(ENDED_AFTER_S, list)

    def _end(self) -> None:
        try:
            frame = sys._current_frames().get(self._watched)  # noqa: SLF001  the only way
            _log.critical(
                "the API's event loop is held; ending the process",
                stack="".join(traceback.format_stack(frame)),
            )
        finally:
            os._exit(EXIT_CODE)
