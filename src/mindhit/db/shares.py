"""A pool's connections, shared out: nobody and no kind of request can take all of them.

    one person, or one address that is not signed in    two of five
    what can wait (exports, searches) of one person     one of five: their recordings have the rest
    all that can wait                                   three of ten
    everything but recording                            four of five

Whoever wants more waits in a queue of their own, outside the pool's. Only what runs on somebody's behalf
(`on_behalf_of`) is counted; a process's own work is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from mindhit.db.failures import PoolExhausted


class Urgency(Enum):
    RECORDING = auto()  # what is lost if it is refused for long
    ORDINARY = auto()
    CAN_WAIT = auto()


@dataclass(slots=True)
class Use:
    """On whose behalf connections are taken: first an address, and a person once the caller is known.

    Until then nothing can wait: requests that would wait with a place of their address would keep everybody else at that
    address from signing in.
    """

    who: str
    urgency: Urgency = Urgency.ORDINARY
    is_anonymous: bool = False

    def sign_in(self, person: str) -> None:
        self.who, self.is_anonymous = person, False

    @property
    def can_wait(self) -> bool:
        return self.urgency is Urgency.CAN_WAIT and not self.is_anonymous


_use: ContextVar[Use | None] = ContextVar("use", default=None)


@contextmanager
def on_behalf_of(use: Use) -> Iterator[None]:
    before = _use.set(use)
    try:
        yield
    finally:
        _use.reset(before)


class ShareUsedUp(PoolExhausted):
    """Too many of your requests are waiting for the database. Try again in a moment."""


class PerPerson:
    """So many places for each; whoever wants more waits for one of their own. Nothing is kept of those who left."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._queues: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def place(self, who: str) -> AsyncIterator[None]:
        queue, users = self._queues.get(who) or (asyncio.Semaphore(self._most), 0)
        self._queues[who] = (queue, users + 1)
        try:
            async with queue:
                yield
        finally:
            queue, users = self._queues.pop(who)
            if users > 1:
                self._queues[who] = (queue, users - 1)


class Shares:
    def __init__(self, size: int) -> None:
        self.per_person: Final = max(1, size * 2 // 5)
        self._all_but_recording = asyncio.Semaphore(max(1, size * 4 // 5))
        self._can_wait = asyncio.Semaphore(max(1, size * 3 // 10))
        self.people: Final = PerPerson(self.per_person)
        self._waiting_of_people = PerPerson(max(1, self.per_person // 2))

    @asynccontextmanager
    async def turn(self, within_s: float) -> AsyncIterator[None]:
        """Hold a share while the block runs, or raise `ShareUsedUp`."""
        use = _use.get()
        if use is None:
            yield
            return
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(within_s):
                    for queue in self._queues(use):
                        await held.enter_async_context(queue)
            except TimeoutError:
                raise ShareUsedUp(reason=f"none in {within_s:g} s") from None
            yield

    def _queues(self, use: Use) -> list[AbstractAsyncContextManager[None]]:
        queues: list[AbstractAsyncContextManager[None]] = [self.people.place(use.who)]
        if use.can_wait:
            queues = [self._waiting_of_people.place(use.who), *queues, self._can_wait]
        return queues if use.urgency is Urgency.RECORDING else [*queues, self._all_but_recording]
