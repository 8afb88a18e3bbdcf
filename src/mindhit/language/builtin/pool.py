"""A few processes that read texts, so that no event loop waits for one.

    take ──▶ start, if none runs ──▶ ask ──▶ answer ──▶ give back ──▶ idle for a while ──▶ end
                                      └─ too long, crashed or cancelled ──▶ kill; the next one starts afresh

Each is a `Child` of process_pool. The first process alone reads Korean, with its model of hundreds of megabytes; it reads other
languages when the others are busy. A process that has been idle gives its memory back by ending.
"""

from __future__ import annotations

import asyncio
from collections import deque

from mindhit import log
from mindhit.language.builtin.messages import (
    Answer,
    Failed,
    Load,
    Ready,
    Request,
    decode_answer,
    encode,
)
from mindhit.process_pool import Child, ProcessDied, TookTooLong

_log = log.get(__name__)

# Reading the longest text takes two seconds on a slow machine, a session of 500 pages about as much.
SECONDS_PER_REQUEST = 20.0
# An interpreter with numpy takes half a second, the Korean model up to ten on a busy machine.
SECONDS_TO_START = 90.0
IDLE_SECONDS = 300.0
PROCESSES = 2
_PROCESS = "mindhit.language.builtin.process"
# Threads of numpy's own would take the cores that the other processes are there for.
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class TooSlow(Exception):
    """A text took longer than its time; its process was killed."""


class Crashed(Exception):
    """A process ended, or failed, while it read a text."""


class _Reader:
    """One process, started when it is first needed and again after it was killed."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._has_korean = False
        self._is_korean_broken = False  # its model ended a process, or can't be loaded

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self.is_running else None

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.is_running

    async def ask(self, request: Request, *, korean: bool, seconds: float) -> Answer:
        """The answer, or `TooSlow` or `Crashed`; then the process is gone."""
        try:
            child = await self._get_ready(korean=korean)
            return decode_answer(await child.ask(encode(request), seconds))
        except TookTooLong:
            await self.kill()
            raise TooSlow from None
        except ProcessDied:
            await self.kill()
            raise Crashed from None

    async def kill(self) -> None:
        child, self._child = self._child, None
        self._has_korean = False
        if child is not None:
            await child.kill()

    async def _get_ready(self, *, korean: bool) -> Child:
        if self._child is None or not self.is_running:
            await self.kill()
            self._child = await Child.start(_PROCESS, **_ENVIRONMENT)
            await self._load(self._child, Load(is_broken=self._is_korean_broken))
        if korean and not self._has_korean and not self._is_korean_broken:
            await self._load_korean(self._child)
        return self._child

    async def _load_korean(self, child: Child) -> None:
        """Without its model Korean is read by spaces and endings, and the results say so."""
        try:
            answer = await self._load(child, Load(korean=True))
        except (ProcessDied, TookTooLong):
            self._is_korean_broken = True
            _log.error("the model of Korean ends its process; Korean is read without it")
            raise ProcessDied from None  # the next attempt goes without
        self._has_korean = True
        if isinstance(answer, Ready) and not answer.korean:
            _log.warning("Korean is read without its model: it is missing, or can't be loaded")

    async def _load(self, child: Child, load: Load) -> Answer:
        return decode_answer(await child.ask(encode(load), SECONDS_TO_START))


async def reads_korean_morphemes() -> bool:
    """Whether the Korean model works here, by trying it in a process: it takes seconds."""
    try:
        child = await Child.start(_PROCESS, **_ENVIRONMENT)
        ready = decode_answer(await child.ask(encode(Load(korean=True)), SECONDS_TO_START))
    except (ProcessDied, TookTooLong):
        return False
    await child.kill()
    return isinstance(ready, Ready) and ready.korean


class Pool:
    """At most `processes` texts at once; further ones wait their turn, first come first served."""

    def __init__(
        self,
        processes: int = PROCESSES,
        *,
        seconds: float = SECONDS_PER_REQUEST,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        if processes < 1:
            raise ValueError("A pool needs a process.")
        self._readers = [_Reader() for _ in range(processes)]
        self._free = set(range(processes))
        self._waiting: deque[tuple[bool, asyncio.Future[int]]] = deque()
        self._seconds, self._idle_seconds = seconds, idle_seconds
        self._endings: dict[int, asyncio.TimerHandle] = {}
        self._ended: set[asyncio.Task[None]] = set()

    @property
    def pids(self) -> list[int]:
        """Of the processes that run, the one that reads Korean first."""
        return [reader.pid for reader in self._readers if reader.pid is not None]

    async def ask(self, request: Request, *, korean: bool = False) -> Answer:
        """The answer of the first process that is free, or `TooSlow`, or `Crashed`."""
        place = await self._take(korean=korean)
        try:
            answer = await self._ask_again_if_gone(self._readers[place], request, korean=korean)
        finally:
            self._give_back(place)
        if isinstance(answer, Failed):
            _log.error("reading failed", error=answer.error, where=answer.where)
            raise Crashed
        return answer

    async def close(self) -> None:
        for timer in self._endings.values():
            timer.cancel()
        self._endings.clear()
        await asyncio.gather(*(reader.kill() for reader in self._readers), *self._ended)

    async def _ask_again_if_gone(
        self, reader: _Reader, request: Request, *, korean: bool
    ) -> Answer:
        """One that was killed from outside while it read deserves a second try, not a third."""
        try:
            return await reader.ask(request, korean=korean, seconds=self._seconds)
        except Crashed:
            _log.warning("a reading process ended unexpectedly")
            return await reader.ask(request, korean=korean, seconds=self._seconds)

    async def _take(self, *, korean: bool) -> int:
        if (place := self._find_free(korean=korean)) is None:
            turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._waiting.append((korean, turn))
            try:
                place = await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._give_back(turn.result())
                raise
        if timer := self._endings.pop(place, None):
            timer.cancel()
        return place

    def _find_free(self, *, korean: bool) -> int | None:
        """The last one that is free: the first is kept for Korean as long as possible."""
        fit = [place for place in self._free if place == 0 or not korean]
        if not fit:
            return None
        # One that already runs spares half a second.
        place = max(fit, key=lambda each: (self._readers[each].is_running and each != 0, each))
        self._free.discard(place)
        return place

    def _give_back(self, place: int) -> None:
        for korean, turn in tuple(self._waiting):
            if turn.done():
                self._waiting.remove((korean, turn))
            elif place == 0 or not korean:
                self._waiting.remove((korean, turn))
                turn.set_result(place)
                return
        self._free.add(place)
        loop = asyncio.get_running_loop()
        self._endings[place] = loop.call_later(self._idle_seconds, self._end, place)

    def _end(self, place: int) -> None:
        self._endings.pop(place, None)
        task = asyncio.ensure_future(self._readers[place].kill())
        self._ended.add(task)
        task.add_done_callback(self._ended.discard)
