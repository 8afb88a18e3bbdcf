"""Threads for handlers that block, for which nobody waits when the process ends.

The standard pool's threads are waited for twice, by `asyncio.run` and when the interpreter ends:
one call that never returns, and a worker that was told to stop stays for ever. These end with the
process. What a handler left behind in one is cut off there, as it would be by a kill: its job was
handed back.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")
MOST = min(32, (os.cpu_count() or 1) + 4)  # as many as the standard pool


class Threads(ThreadPoolExecutor):
    """A pool to be an event loop's own (`asyncio.to_thread`), which takes no other kind."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__(most)
        self._most = most
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._free = Semaphore(0)
        self._started = 0
        self._starting = Lock()
        self._is_closed = False

    def submit(
        self, fn: Callable[Params, Result], /, *args: Params.args, **kwargs: Params.kwargs
    ) -> Future[Result]:
        future: Future[Result] = Future()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001  it is the waiting caller's
                future.set_exception(error)
            else:
                future.set_result(result)

        with self._starting:
            if self._is_closed:
                raise RuntimeError("these threads have ended")
            self._calls.put(call)
            if not self._free.acquire(blocking=False) and self._started < self._most:
                self._started += 1
                Thread(target=self._serve, name=f"handlers {self._started}", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Every thread ends after what it is at; nobody waits for that."""
        with self._starting:
            self._is_closed = True
            for _ in range(self._started):
                self._calls.put(None)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # with what it holds, while there is nothing to do
            self._free.release()
