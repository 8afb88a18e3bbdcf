"""How many connections a browser may have to one site at once: as many as the engine has slots.

A page loads scripts and data from many sites. Inside a job each connection takes a slot of its site, the
same that jobs take, so that a site never sees more of us at once, over all browsers, jobs and workers.
The job's own slot counts for its own site: the page itself was fetched before.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, Protocol

from mindhit.fetching.addresses import domain_of
from mindhit.urls import NotAPage
from mindhit.work import Work

PER_HOST: Final = 2  # where there is no job: as many as the engine's slots allow a domain
ASK_AGAIN_S: Final = 0.1  # for a slot that others have


class Places(Protocol):
    def place(self, host: str) -> AbstractAsyncContextManager[None]:
        """Waits for a free one."""


class OwnPlaces:
    """Of one browser that nobody else counts: a command's."""

    def __init__(self) -> None:
        self._of_domain: dict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(PER_HOST)
        )

    @asynccontextmanager
    async def place(self, host: str) -> AsyncIterator[None]:
        async with self._of_domain[_domain(host)]:
            yield


class SlotsOfJob:
    """Of a browser that a job has started."""

    def __init__(self, work: Work[Any]) -> None:
        self._work = work
        self._is_own_free = work.domain is not None

    @asynccontextmanager
    async def place(self, host: str) -> AsyncIterator[None]:
        domain = _domain(host)
        while True:
            if domain == self._work.domain and self._is_own_free:
                self._is_own_free = False
                try:
                    yield
                finally:
                    self._is_own_free = True
                return
            if (slot := await self._work.take_slot(domain)) is not None:
                try:
                    yield
                finally:
                    await asyncio.shield(self._work.give_slot_back(domain, slot))
                return
            await asyncio.sleep(ASK_AGAIN_S)


def _domain(host: str) -> str:
    try:
        return domain_of(f"http://{host}/")
    except NotAPage:
        return host
