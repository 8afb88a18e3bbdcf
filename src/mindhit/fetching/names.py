"""Names to addresses: in threads of their own, and not for longer than a deadline.

The system's resolver blocks its thread, for half a minute where a name's server is silent. In the event
loop's own pool, of six threads on two cores, six such names would hold up every other call that needs a
thread. Here whoever waits stops waiting after `LOOKUP_S`, while the thread ends when the resolver gives up,
and a host that is being looked up is not looked up a second time, whatever its port.

One job after the other can so leave a thread behind every five seconds: seven for each job that runs at once
(`THREADS_PER_JOB` is one more). A worker makes room for its jobs (`make_room`), and then silent names hold up
nobody: with up to `MOST_THREADS / THREADS_PER_JOB` jobs at once. Beyond that, other names wait if every job
meets a silent one. Providers of models have threads of their own. Threads are started when they are needed,
and don't keep the process alive.

This module loads no HTTP library: the providers of models resolve through it too.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from copy import copy
from dataclasses import dataclass, field
from threading import Condition, Thread
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

THREADS: Final = 64
MOST_THREADS: Final = 1024
THREADS_PER_JOB: Final = 8
LOOKUP_S: Final = (
    5.0  # a resolver asks its second server after 5 s; then the job is tried again later
)
Found: TypeAlias = list[tuple[Any, ...]]  # as getaddrinfo answers
LookUp: TypeAlias = Callable[[str, int], Found]


class _Wanted(NamedTuple):
    host: str
    family: int


@dataclass(slots=True)
class _Lookup:
    until: float  # nobody waits for it any longer than that
    answer: Future[Found | Exception] = field(default_factory=Future)


def ask_the_system(host: str, family: int) -> Found:
    """Only families of which this machine has an address, as aiohttp asks too."""
    flags = socket.AI_ADDRCONFIG
    return socket.getaddrinfo(host, 0, family, socket.SOCK_STREAM, flags=flags)


class Names:
    """For any number of event loops. The process has `NAMES`, and `PROVIDER_NAMES`."""

    def __init__(
        self,
        look_up: LookUp = ask_the_system,
        *,
        threads: int = THREADS,
        deadline_s: float = LOOKUP_S,
    ) -> None:
        self._look_up = look_up
        self._most = threads
        self.deadline_s = deadline_s
        self._changed = Condition()
        self._under_way: dict[_Wanted, _Lookup] = {}
        self._queue: deque[_Wanted] = deque()
        self._threads = 0
        self._idle = 0

    def make_room(self, jobs: int) -> None:
        """For so many jobs at once, each of which may meet silent names only."""
        with self._changed:
            self._most = max(self._most, min(THREADS_PER_JOB * jobs, MOST_THREADS))

    async def resolve(self, host: str, port: int, family: int = socket.AF_UNSPEC) -> Found:
        """Raises OSError, also after the deadline, and UnicodeError for what can't be a name."""
        answer = self._ask(_Wanted(host, family))
        try:
            async with asyncio.timeout(self.deadline_s):
                # Shielded: others may be waiting for the same name.
                found = await asyncio.shield(asyncio.wrap_future(answer))
        except TimeoutError:
            raise OSError("the name was not resolved in time") from None
        if isinstance(found, Exception):
            raise copy(found) from found  # one each: raising changes it
        return [(*each, (to[0], port, *to[2:])) for *each, to in found]

    def _ask(self, wanted: _Wanted) -> Future[Found | Exception]:
        until = monotonic() + self.deadline_s
        with self._changed:
            lookup = self._under_way.get(wanted)
            if lookup is not None:
                lookup.until = until
                return lookup.answer
            lookup = self._under_way[wanted] = _Lookup(until)
            self._queue.append(wanted)
            if self._idle >= len(self._queue):
                self._changed.notify()
            elif self._threads < self._most:
                self._threads += 1
                Thread(target=self._serve, name=f"names {self._threads}", daemon=True).start()
        return lookup.answer

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while not self._queue:
                    self._changed.wait()
                self._idle -= 1
                wanted = self._queue.popleft()
            self._answer(wanted)

    def _answer(self, wanted: _Wanted) -> None:
        with self._changed:
            lookup = self._under_way[wanted]
            if monotonic() > lookup.until:  # nobody waits for it
                del self._under_way[wanted]
                lookup.answer.set_result(OSError("the name was not resolved in time"))
                return
        found: Found | Exception
        try:
            found = self._look_up(*wanted)
        except Exception as error:  # noqa: BLE001  raised again where the name is asked for
            found = error
        with self._changed:
            del self._under_way[wanted]
        lookup.answer.set_result(found)


NAMES: Final = Names()
PROVIDER_NAMES: Final = Names()  # what sites do to the others doesn't keep models waiting
