"""Learns that there is work, by LISTEN/NOTIFY. Only a hint: polling goes on whatever happens here."""

from __future__ import annotations

import asyncio
import random

from mindhit import log
from mindhit.db import NOT_NOW, Database
from mindhit.work import store
from mindhit.work.signals import Signals

_log = log.get(__name__)
POLL_S = 5.0  # longest wait before an idle worker claims again without a notification
SHORTEST_POLL_S = 1.0
PROBE_S = 5.0
PING_S = 20.0


def poll_wait(poll_s: float) -> float:
    """How long an idle worker waits before it claims again, so that workers don't poll in step."""
    return random.uniform(min(SHORTEST_POLL_S, poll_s / 2), poll_s)  # noqa: S311


class Notifier:
    """Listens on a connection of its own, checks at the start whether notifications arrive (through a
    transaction pooler they silently don't), and reconnects after every lost connection."""

    def __init__(self, db: Database, signals: Signals) -> None:
        self._db = db
        self._signals = signals
        self._notified = asyncio.Event()
        self.listening = asyncio.Event()

    async def run(self) -> None:
        while True:
            try:
                await self._listen()
            except NOT_NOW as error:
                _log.info("lost the notifications; polling goes on", reason=str(error))
            self.listening.clear()
            await asyncio.sleep(random.uniform(0.5, 2))  # noqa: S311

    async def _listen(self) -> None:
        listener = await self._db.listen(store.CHANNEL, self._receive)
        try:
            if not await self._probe():
                _log.warning(
                    "notifications do not arrive (a transaction pooler?); polling only",
                    way_out="set MINDHIT_WORKER_NOTIFY=false, or connect without the pooler",
                )
            self.listening.set()
            self._signals.work.set()  # for what was announced while nobody listened
            while not listener.lost.is_set():
                try:
                    async with asyncio.timeout(PING_S):
                        await listener.lost.wait()
                except TimeoutError:
                    await listener.ping()
        finally:
            await listener.close()

    def _receive(self) -> None:
        self._notified.set()
        self._signals.work.set()

    async def _probe(self) -> bool:
        """Notifies over a connection other than the listening one, and outside the pool: handlers
        may hold all of the pool's."""
        self._notified.clear()
        sender = self._db.session()
        try:
            await sender.alone(store.NOTIFY, timeout_s=PROBE_S)
        finally:
            await sender.close()
        try:
            async with asyncio.timeout(PROBE_S):
                await self._notified.wait()
        except TimeoutError:
            return False
        return True
