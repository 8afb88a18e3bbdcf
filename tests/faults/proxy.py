"""A bad network between PostgreSQL and whoever connects through it.

The proxy listens on 127.0.0.1 and forwards to the server's unix socket. What can be wrong:

    cut         every connection is reset, and new ones are refused until it is over
    stalled     nothing gets through; afterwards everything arrives, as after lost packets
    black hole  connections stay open and are answered by nobody, for ever, as behind a router that
                forgot them; the server learns of their end when the hole closes
    delayed     every chunk takes a while longer

A trap turns one connection into a black hole at the moment when it sends certain bytes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit

SOCKET_NAME = ".s.PGSQL.5432"


class Pair:
    """One connection through the proxy: the client's side and the server's."""

    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self.client = client
        self.server = server
        self.is_swallowed = False

    def reset(self) -> None:
        for side in (self.client, self.server):
            side.transport.abort()


class Proxy:
    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._socket = f"{parse_qs(parts.query)['host'][0]}/{SOCKET_NAME}"
        self._who = f"{parts.username}:{parts.password}"
        self._database = parts.path.lstrip("/")
        self._pairs: set[Pair] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._refuses = False
        self._swallows = False
        self._delay_s = 0.0
        self._trap: bytes | None = None
        self._trapped_arrive = False
        self.trapped = asyncio.Event()
        self._server: asyncio.Server | None = None
        self.url = ""

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"postgresql://{self._who}@127.0.0.1:{port}/{self._database}?sslmode=disable"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        self._reset_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def cut(self, for_s: float) -> None:
        self._refuses = True
        self._reset_all()
        await asyncio.sleep(for_s)
        self._refuses = False

    async def stall(self, for_s: float) -> None:
        self._flows.clear()
        await asyncio.sleep(for_s)
        self._flows.set()

    async def swallow(self, for_s: float) -> None:
        """A black hole. Those who fell into it never come out again."""
        self._swallows = True
        for pair in self._pairs:
            pair.is_swallowed = True
        await asyncio.sleep(for_s)
        self._swallows = False
        for pair in [pair for pair in self._pairs if pair.is_swallowed]:
            pair.server.transport.abort()

    async def delay(self, by_s: float, for_s: float) -> None:
        self._delay_s = by_s
        await asyncio.sleep(for_s)
        self._delay_s = 0.0

    def trap(self, words: bytes, *, arrive: bool) -> None:
        """Swallow one connection from the moment it sends `words`: they arrive and their answer
        does not, or not even they do."""
        self._trap = words
        self._trapped_arrive = arrive
        self.trapped.clear()

    def _reset_all(self) -> None:
        for pair in list(self._pairs):
            pair.reset()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            # Cancelled only by our own stop, after which nobody is interested any more.
            with suppress(OSError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refuses:
            return
        from_server, to_server = await asyncio.open_unix_connection(self._socket)
        pair = Pair(writer, to_server)
        pair.is_swallowed = self._swallows
        self._pairs.add(pair)
        try:
            ways = [
                asyncio.create_task(self._carry(pair, reader, to_server, is_request=True)),
                asyncio.create_task(self._carry(pair, from_server, writer, is_request=False)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                if pair.is_swallowed:  # then neither side learns that the other ended
                    await asyncio.wait(ways)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        finally:
            self._pairs.discard(pair)
            pair.reset()

    async def _carry(
        self,
        pair: Pair,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        is_request: bool,
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if self._delay_s:
                    await asyncio.sleep(self._delay_s * random.uniform(0.5, 1.5))
                await self._flows.wait()
                is_caught = is_request and self._trap is not None and self._trap in data
                if is_caught:
                    pair.is_swallowed = True
                    self._trap = None
                    self.trapped.set()
                if not pair.is_swallowed or (is_caught and self._trapped_arrive):
                    writer.write(data)
                    await writer.drain()


@asynccontextmanager
async def bad_network(url: str) -> AsyncIterator[Proxy]:
    proxy = Proxy(url)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.stop()
