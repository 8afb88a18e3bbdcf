"""The program's side: processes, and who has which."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TypeVar, TypeVarTuple, cast

import msgspec

from mindhit.errors import Broken
from mindhit.process_pool.child import Child, ProcessDied
from mindhit.process_pool.process import Call, Result, types_of

IDLE_S: Final = 60.0  # after which a process ends and gives its memory back
_PROCESS: Final = "mindhit.process_pool.process"

Arguments = TypeVarTuple("Arguments")
Returned = TypeVar("Returned")


class CallFailed(Broken):
    """The work failed."""


class ProcessPool:
    def __init__(self, processes: int = 1, *, memory_mb: int = 0, idle_s: float = IDLE_S) -> None:
        """`memory_mb` limits the address space of each process; 0 does not."""
        self._free = asyncio.Semaphore(processes)
        self._memory_mb = memory_mb
        self._idle_s = idle_s
        self._idle: list[tuple[Child, asyncio.TimerHandle]] = []
        self._busy: set[Child] = set()
        self._is_closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def run(
        self,
        function: Callable[[*Arguments], Returned],
        /,
        *arguments: *Arguments,
        timeout_s: float,
    ) -> Returned:
        """Raises `TookTooLong`, `ProcessDied`, or `CallFailed` with what the function raised."""
        call = Call(function.__module__, function.__qualname__, list(arguments))
        try:
            message = msgspec.msgpack.encode(call)
        except (UnicodeEncodeError, TypeError) as error:  # unpaired surrogates, no plain value
            raise CallFailed(f"{type(error).__name__}: the arguments can't be sent") from None
        async with self._free:
            child = await self._take()
            self._busy.add(child)
            try:
                answer = await child.ask(message, timeout_s)
            finally:
                self._busy.discard(child)
            try:
                value = _decoded(answer, function)
            except msgspec.MsgspecError:  # not the work of our code
                await child.kill()
                raise ProcessDied from None
            except CallFailed:
                self._give_back(child)
                raise
            self._give_back(child)
        return value

    async def close(self) -> None:
        """End all processes, also those that are busy: their calls raise `ProcessDied`."""
        self._is_closed = True
        idle, self._idle = self._idle, []
        for _, timer in idle:
            timer.cancel()
        ending = [child for child, _ in idle] + list(self._busy)
        await asyncio.gather(*(child.kill() for child in ending))

    @property
    def pids(self) -> list[int]:
        return [child.pid for child, _ in self._idle] + [each.pid for each in self._busy]

    async def _take(self) -> Child:
        if self._is_closed:
            raise ProcessDied
        while self._idle:
            child, timer = self._idle.pop()
            timer.cancel()
            if child.is_running:
                return child
        return await Child.start(_PROCESS, str(self._memory_mb))

    def _give_back(self, child: Child) -> None:
        if self._is_closed:
            child.retire()
            return
        loop = asyncio.get_running_loop()
        self._idle.append((child, loop.call_later(self._idle_s, self._retire, child)))

    def _retire(self, child: Child) -> None:
        self._idle = [(each, timer) for each, timer in self._idle if each is not child]
        child.retire()


def _decoded(answer: bytes, function: Callable[..., Returned]) -> Returned:
    result = msgspec.msgpack.decode(answer, type=Result)
    if result.error is not None:
        raise CallFailed(result.error)
    _, returned = types_of(function)
    return cast("Returned", msgspec.msgpack.decode(result.value, type=returned))
