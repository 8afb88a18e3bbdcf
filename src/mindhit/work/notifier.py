"""Hears that there is work. A hint and no more: polling goes on whatever happens here."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from mindhit import log
from mindhit.db import NOT_NOW, Database
from mindhit.work import store

_log = log.get(__name__)
PROBE_S = 5.0
PING_S = 20.0


class Notifier:
    """Listens on a connection of its own, finds out at the start whether anything can be heard
    (through a transaction pooler nothing can, silently), and comes back after every cut."""

    def __init__(self, db: Database, wake: Callable[[], None]) -> None:
        self._db = db
        self._wake = wake
        self._heard = asyncio.Event()
        self.listening = asyncio.Event()

    async def run(self) -> None:
        while True:
            try:
                await self._listen()
            except NOT_NOW as error:
                _log.info("notifications are cut off; polling goes on", reason=str(error))
            self.listening.clear()
            await asyncio.sleep(random.uniform(0.5, 2))  # noqa: S311

    async def _listen(self) -> None:
        listener = await self._db.listen(store.CHANNEL, self._hear)
        try:
            if not await self._probe():
                _log.warning(
                    "notifications are not heard (a transaction pooler?); polling only",
                    way_out="set MINDHIT_WORKER_NOTIFY=false, or connect without the pooler",
                )
            self.listening.set()
            self._wake()  # what was announced while nobody listened
            while not listener.lost.is_set():
                try:
                    async with asyncio.timeout(PING_S):
                        await listener.lost.wait()
                except TimeoutError:
                    await listener.ping()
        finally:
            await listener.close()

    def _hear(self) -> None:
        self._heard.set()
        self._wake()

    async def _probe(self) -> bool:
        """Said over another connection than the one that listens, and over none of the pool's:
        handlers may have all of those."""
        self._heard.clear()
        voice = self._db.session()
        try:
            await voice.alone(store.NOTIFY, timeout_s=PROBE_S)
        finally:
            await voice.close()
        try:
            async with asyncio.timeout(PROBE_S):
                await self._heard.wait()
        except TimeoutError:
            return False
        return True
