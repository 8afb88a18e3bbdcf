"""Ends a worker whose event loop is blocked.

A handler that never yields to the event loop (`while True: pass`) blocks everything that would stop
it: its deadline, the renewals, the worker's own stop. Its job is rescued and blocks the next worker.
So a thread beside the loop checks it for signs of life; when there is none for longer than a lease, it
logs what was running and ends the process. The supervisor restarts it, and the job, rescued too often,
is dead in the end.

Silence is counted in steps of this thread, so a process that was frozen as a whole, or a machine that
slept, resumes one step later and is not ended. What keeps even this thread from running (a regular
expression that never finishes holds the interpreter lock) uses CPU: a timer of CPU time is reset at
every step, and ends the process when no step comes.
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
    """Create it in the loop's own thread. `running` returns, in any thread, the jobs the loop runs."""

    def __init__(self, patience_s: float, running: Callable[[], list[tuple[int, str]]]) -> None:
        self._step_s = patience_s / STEPS
        self._running = running
        self._loop = asyncio.get_running_loop()
        self._watched = get_ident()
        self._over = Event()
        self._beats = 0

    def start(self) -> None:
        if hasattr(signal, "SIGPROF"):
            faulthandler.register(
                signal.SIGPROF, chain=True
            )  # prints all stacks, then the process ends
        self._reset_timer()  # before the first step, which may never come
        Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def _watch(self) -> None:
        silent, seen = 0, 0
        while not self._over.wait(self._step_s):
            self._reset_timer()
            if self._beats > seen:
                silent, seen = 0, self._beats
            else:
                silent += 1
            if silent > STEPS:
                self._end()
            try:
                self._loop.call_soon_threadsafe(self._beat)
            except RuntimeError:  # the loop is closed: nothing is left to watch
                break
        self._set_timer(0)

    def _beat(self) -> None:
        self._beats += 1

    def _reset_timer(self) -> None:
        self._set_timer(2 * STEPS * self._step_s)

    def _set_timer(self, cpu_s: float) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, cpu_s)

    def _end(self) -> None:
        try:
            frame = sys._current_frames().get(self._watched)  # noqa: SLF001  the only way
            _log.critical(
                "the worker's event loop is blocked; ending the process",
                jobs=[{"job_id": job_id, "kind": kind} for job_id, kind in self._running()],
                stack="".join(traceback.format_stack(frame)),
            )
        finally:
            os._exit(EXIT_CODE)
