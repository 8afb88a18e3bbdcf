"""Ends a worker whose event loop stands still.

A handler that never lets go of the loop (`while True: pass`) holds up everything that would stop it:
its deadline, the renewals, the worker's own stop. The job is rescued, and the next worker stands still.
So a thread beside the loop asks it for a sign of life, and where none comes for longer than a lease
says what ran and ends the process. Whoever looks after it starts it again; the job, rescued too
often, is dead in the end.

Silence is counted in steps of this thread: a process that was frozen as a whole, or a machine that
slept, wakes up to one step more and not to its end. What keeps even this thread from running (a
regular expression that does not come to an end has the interpreter to itself) burns CPU: a timer that
counts only that time is wound up at every step, and ends the process where nobody does.
"""

from __future__ import annotations

import asyncio
import faulthandler
import os
import signal
import sys
import traceback
from collections.abc import Callable
from threading import Event, Thread, get_ident

from mindhit import log

_log = log.get(__name__)
STEPS = 20  # of silence, before the end
EXIT_CODE = 70  # "internal software error", as sysexits.h has it


class Watchdog:
    """To be made in the loop's own thread. `doing` tells, from any thread, which jobs the loop is at."""

    def __init__(self, patience_s: float, doing: Callable[[], list[tuple[int, str]]]) -> None:
        self._step_s = patience_s / STEPS
        self._doing = doing
        self._loop = asyncio.get_running_loop()
        self._watched = get_ident()
        self._over = Event()
        self._beats = 0

    def start(self) -> None:
        if hasattr(signal, "SIGPROF"):
            faulthandler.register(signal.SIGPROF, chain=True)  # all stacks, and then the end
        self._wind_up()  # before the thread's first step, to which it may never come
        Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def _watch(self) -> None:
        silent, heard = 0, 0
        while not self._over.wait(self._step_s):
            self._wind_up()
            if self._beats > heard:
                silent, heard = 0, self._beats
            else:
                silent += 1
            if silent > STEPS:
                self._end()
            try:
                self._loop.call_soon_threadsafe(self._beat)
            except RuntimeError:  # the loop is closed: nothing is left to be watched
                break
        self._set_timer(0)

    def _beat(self) -> None:
        self._beats += 1

    def _wind_up(self) -> None:
        self._set_timer(2 * STEPS * self._step_s)

    def _set_timer(self, cpu_s: float) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, cpu_s)

    def _end(self) -> None:
        try:
            frame = sys._current_frames().get(self._watched)  # noqa: SLF001  the only way
            _log.critical(
                "the worker stands still and is ended",
                jobs=[{"job_id": job_id, "kind": kind} for job_id, kind in self._doing()],
                stack="".join(traceback.format_stack(frame)),
            )
        finally:
            os._exit(EXIT_CODE)
