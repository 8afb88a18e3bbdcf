"""Threads for handlers that block; nobody waits for them when the process ends.

The standard pool's threads are waited for twice, by `asyncio.run` and when the interpreter exits: one
call that never returns keeps a stopping worker forever. These threads end with the process. A call
still running then is cut off as by a kill; its job was handed back.

A call that nobody waits for any more (its handler timed out) may hang forever. From then on its
thread does not count and another replaces it; when too many were lost like that, the worker ends, so
that it can be restarted.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import ParamSpec, TypeVar

from mindhit import log
from mindhit.errors import Broken

Params = ParamSpec("Params")
Result = TypeVar("Result")
MOST = min(32, (os.cpu_count() or 1) + 4)  # as many as the standard pool
MOST_LOST = 64
_log = log.get(__name__)


class OutOfThreads(Broken):
    """Too many calls of handlers hang in threads although nobody waits for them any more."""


class Call(Future[Result]):
    """A call that reports, once, that it was abandoned while running."""

    def __init__(self, abandoned: Callable[[Call[Result]], None]) -> None:
        super().__init__()
        self._abandoned = abandoned
        self.is_abandoned = False

    def cancel(self) -> bool:
        is_cancelled = super().cancel()
        if not is_cancelled:
            self._abandoned(self)
        return is_cancelled


class Threads(ThreadPoolExecutor):
    """A pool for `asyncio.to_thread`; the event loop accepts only a ThreadPoolExecutor."""

    def __init__(
        self,
        most: int = MOST,
        *,
        most_lost: int = MOST_LOST,
        exhausted: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(most)
        self._most = most
        self._most_lost = most_lost
        self._exhausted = exhausted
        self._lost = 0
        self._calls: SimpleQueue[Callable[[], bool] | None] = SimpleQueue()
        self._free = Semaphore(0)
        self._started = 0
        self._starting = Lock()
        self._is_closed = False

    def submit(
        self, fn: Callable[Params, Result], /, *args: Params.args, **kwargs: Params.kwargs
    ) -> Future[Result]:
        future: Call[Result] = Call(self._replace_thread)

        def call() -> bool:
            if not future.set_running_or_notify_cancel():
                return True
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001  raised again in the caller
                future.set_exception(error)
            else:
                future.set_result(result)
            return self._is_needed(future)

        with self._starting:
            if self._is_closed:
                raise RuntimeError("the thread pool is shut down")
            self._calls.put(call)
            if not self._free.acquire(blocking=False) and self._started < self._most:
                self._start_one()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Every thread ends after its current call; nobody waits for that."""
        with self._starting:
            self._is_closed = True
            for _ in range(self._started):
                self._calls.put(None)

    def _start_one(self) -> None:
        self._started += 1
        Thread(target=self._serve, name=f"handlers {self._started}", daemon=True).start()

    def _replace_thread(self, call: Call[Result]) -> None:
        """Start another thread for the one that an abandoned call occupies."""
        with self._starting:
            if call.is_abandoned or call.done() or self._is_closed:
                return
            call.is_abandoned = True
            self._lost += 1
            self._started -= 1
            lost, is_too_much = self._lost, self._lost > self._most_lost
            if not is_too_much:
                self._start_one()
        _log.warning("a handler left a call running in its thread", threads_lost=lost)
        if is_too_much:
            _log.error("too many threads are lost; the worker ends", threads_lost=lost)
            self._exhausted()

    def _is_needed(self, call: Call[Result]) -> bool:
        """Does the thread that made this call go on, or was it replaced?"""
        with self._starting:
            self._lost -= call.is_abandoned
            return not call.is_abandoned

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            is_needed = call()
            del call  # and what it references, while the thread is idle
            if not is_needed:
                return
            self._free.release()
