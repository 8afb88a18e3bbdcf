"""A transport that does what networks do: messages come several times, late, and in any order.

It is a queue like SQS, so that everything around it is the product's own: the relay that publishes and
marks, `receive_tasks` that makes jobs of messages. What was acknowledged comes again all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from mindhit import wiring
from mindhit.crawl.job_types import Relay
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.transport.port import Message, Received
from mindhit.crawl.transport.receiving import receive_tasks
from mindhit.crawl.transport.relay import relay
from mindhit.db import Database, Tx
from mindhit.work import Work, enqueue
from mindhit.work.testing import drain
from tests.crawl.kit import config, later


class Wire:
    is_transactional = False

    def __init__(self, random: Random, *, copies: int, at_once: int) -> None:
        """`copies` of each message, and `at_once` delivered before anything is executed: on average."""
        self._random = random
        self._copies = copies
        self._at_once = at_once
        self._bodies: list[str] = []
        self.delivered = 0

    async def publish(self, _tx: Tx | None, messages: Sequence[Message]) -> Mapping[str, str]:
        for each in messages:
            copies = self._random.randint(1, 2 * self._copies - 1)
            self._bodies += [msgspec.json.encode(each).decode()] * copies
        return {}

    async def receive(self, most: int, wait_s: float) -> list[Received]:  # noqa: ARG002
        """Any of them; the others are late."""
        if self._random.random() < most / self._at_once:
            return []
        return [Received(self._any(), "") for _ in range(min(most, len(self._bodies)))]

    async def ack(self, received: Received) -> None:
        """Copies are under way."""

    async def nack(self, received: Received, after_s: float) -> None:
        """Not said of messages that can be read."""

    async def extend(self, received: Received, for_s: float) -> None:
        """Copies are under way."""

    async def is_empty(self) -> bool:
        return not self._bodies

    async def close(self) -> None:
        """Nothing is open."""

    def _any(self) -> str:
        at = self._random.randrange(len(self._bodies))
        self._bodies[at], self._bodies[-1] = self._bodies[-1], self._bodies[at]
        self.delivered += 1
        return self._bodies.pop()


async def crawl_over(db: Database, wire: Wire) -> None:
    """Relay, receive and execute until every copy of every message has come."""
    settings = config()
    product = wiring.product(settings)
    wiring.install(product)

    async def relay_over(work: Work[Relay]) -> None:
        await relay(work.db, wire, settings[CrawlSettings])

    jobs: dict[type[Any], Any] = {**product.jobs, Relay: relay_over}
    while True:
        async with db.transaction() as tx:
            await enqueue(tx, Relay())
        await drain(db, jobs)
        if await wire.is_empty():
            return
        await receive_tasks(db, wire, wait_s=0)
        await later(db, seconds=31)  # what failed is tried again
