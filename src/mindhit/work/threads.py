"""Threads for handlers that block, for which nobody waits when the process ends.

The standard pool's threads are waited for twice, by `asyncio.run` and when the interpreter ends:
one call that never returns, and a worker that was told to stop stays for ever. These end with the
process. What a handler left behind in one is cut off there, as it would be by a kill: its job was
handed back.

A call that nobody waits for any more (its handler's time was over) may hang for ever. Its thread does
not count from then on, and another takes its place; where too many were lost like that, the process
is better started anew.
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
    """Too many calls of handlers hang in threads, long after anybody waited for them."""


class Call(Future[Result]):
    """A call that tells, once, when nobody waits for it any more although it runs."""

    def __init__(self, left: Callable[[Call[Result]], None]) -> None:
        super().__init__()
        self._left = left
        self.is_left = False

    def cancel(self) -> bool:
        is_cancelled = super().cancel()
        if not is_cancelled:
            self._left(self)
        return is_cancelled


class Threads(ThreadPoolExecutor):
    """A pool to be an event loop's own (`asyncio.to_thread`), which takes no other kind."""

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
        future: Call[Result] = Call(self._leave)

        def call() -> bool:
            if not future.set_running_or_notify_cancel():
                return True
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001  it is the waiting caller's
                future.set_exception(error)
            else:
                future.set_result(result)
            return self._is_needed(future)

        with self._starting:
            if self._is_closed:
                raise RuntimeError("these threads have ended")
            self._calls.put(call)
            if not self._free.acquire(blocking=False) and self._started < self._most:
                self._start_one()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Every thread ends after what it is at; nobody waits for that."""
        with self._starting:
            self._is_closed = True
            for _ in range(self._started):
                self._calls.put(None)

    def _start_one(self) -> None:
        self._started += 1
        Thread(target=self._serve, name=f"handlers {self._started}", daemon=True).start()

    def _leave(self, call: Call[Result]) -> None:
        """Another thread in the place of the one that this call has."""
        with self._starting:
            if call.is_left or call.done() or self._is_closed:
                return
            call.is_left = True
            self._lost += 1
            self._started -= 1
            lost, is_too_much = self._lost, self._lost > self._most_lost
            if not is_too_much:
                self._start_one()
        _log.warning("a handler left a call behind in its thread", threads_lost=lost)
        if is_too_much:
            _log.error("too many threads are lost; the worker ends", threads_lost=lost)
            self._exhausted()

    def _is_needed(self, call: Call[Result]) -> bool:
        """Has the thread that was at this call still its place?"""
        with self._starting:
            self._lost -= call.is_left
            return not call.is_left

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            is_needed = call()
            del call  # with what it holds, while there is nothing to do
            if not is_needed:
                return
            self._free.release()
