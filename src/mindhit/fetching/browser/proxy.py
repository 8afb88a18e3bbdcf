"""The proxy between a headless browser and the network: the guard for whatever a page's scripts do.

A page asks for scripts, styles and data from anywhere, by any name. The browser resolves nothing and
connects to nothing but this proxy, which dials through the guard, at most as many connections to one
site as there are places (places.py), and ends all of them when the page has had its share of bytes.

It speaks what a browser needs of RFC 9110: CONNECT for https and web sockets, and requests with an
absolute address for http, one per connection.
"""

from __future__ import annotations

import asyncio
import re
import socket
from contextlib import suppress
from types import TracebackType
from typing import Final, NamedTuple, Self

from aiohttp.abc import AbstractResolver

from mindhit.fetching.browser.places import OwnPlaces, Places
from mindhit.fetching.guard import Guard
from mindhit.fetching.limits import CONNECT_S, HEAD_BYTES
from mindhit.fetching.model import FetchFailed
from mindhit.fetching.sessions import CheckedResolver, SystemResolver

MOST_CONNECTIONS: Final = 64
PAGE_BYTES: Final = 20 * 2**20  # of all that one page loads
CHUNK: Final = 64 * 1024
_CONNECT: Final = re.compile(rb"CONNECT (\[[0-9a-fA-F:.]+\]|[^\s:/]+):(\d{1,5}) HTTP/1\.[01]\r\n")
_REQUEST: Final = re.compile(
    rb"([A-Z]+) http://(\[[0-9a-fA-F:.]+\]|[^\s:/?#]+)(?::(\d{1,5}))?([^\s]*) HTTP/1\.[01]\r\n"
)
# Of the connection between browser and proxy; not for the site.
_HOP_BY_HOP: Final = re.compile(
    rb"(?im)^(?:proxy-[a-z-]+|connection|keep-alive|te|upgrade):[^\r\n]*\r\n"
)


class _Wanted(NamedTuple):
    host: str
    port: int
    first: bytes  # sent to the site; empty: answer 200, it is a tunnel


class EgressProxy:
    """`async with EgressProxy(guard) as proxy: proxy.port`. `refused` counts what the guard stopped."""

    def __init__(
        self,
        guard: Guard,
        resolver: AbstractResolver | None = None,
        places: Places | None = None,
    ) -> None:
        self._guard = guard
        self._resolver = resolver
        self._places = places or OwnPlaces()
        self._tasks: set[asyncio.Task[None]] = set()
        self._bytes_left = PAGE_BYTES
        self.refused = 0
        self.port = 0

    async def __aenter__(self) -> Self:
        self._names = CheckedResolver(self._guard, self._resolver or SystemResolver())
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0, limit=HEAD_BYTES)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._names.close()

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if len(self._tasks) <= MOST_CONNECTIONS:
                await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # either side went away, or what came is not HTTP
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wanted = _parse(await reader.readuntil(b"\r\n\r\n"))
        if wanted is None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n")
            return
        async with self._places.place(wanted.host):
            try:
                site_reader, site_writer = await self._dial(wanted.host, wanted.port)
            except (FetchFailed, OSError, TimeoutError) as error:
                self.refused += isinstance(error, FetchFailed)
                status = b"403 Forbidden" if isinstance(error, FetchFailed) else b"502 Bad Gateway"
                writer.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\n\r\n")
                return
            try:
                if wanted.first:
                    site_writer.write(wanted.first)
                else:
                    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await self._relay(reader, writer, site_reader, site_writer)
            finally:
                site_writer.close()

    async def _relay(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        site_reader: asyncio.StreamReader,
        site_writer: asyncio.StreamWriter,
    ) -> None:
        """Until either side ends: what a browser sends after the site is done, nobody reads."""
        up = asyncio.ensure_future(self._copy(reader, site_writer))
        down = asyncio.ensure_future(self._copy(site_reader, writer))
        try:
            await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
            if up.done() and not down.done():
                await asyncio.wait((down,), timeout=CONNECT_S)
        finally:
            for each in (up, down):
                each.cancel()
            await asyncio.gather(up, down, return_exceptions=True)

    async def _copy(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while chunk := await source.read(CHUNK):
            self._bytes_left -= len(chunk)
            if self._bytes_left < 0:
                return
            sink.write(chunk)
            await sink.drain()
        with suppress(OSError, RuntimeError):
            if sink.can_write_eof():
                sink.write_eof()

    async def _dial(
        self, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to one of the addresses that were checked, and to no other."""
        self._guard.check_url(f"http://{host}:{port}/")
        loop = asyncio.get_running_loop()
        failure: OSError | None = None
        async with asyncio.timeout(CONNECT_S):
            for each in await self._names.resolve(host.strip("[]"), port):
                opened = self._guard.open_socket(
                    (each["family"], socket.SOCK_STREAM, 0, "", (each["host"], port))
                )
                opened.setblocking(False)
                try:
                    await loop.sock_connect(opened, (each["host"], port))
                except OSError as error:
                    opened.close()
                    failure = error
                    continue
                except BaseException:
                    opened.close()
                    raise
                return await asyncio.open_connection(sock=opened)
        raise failure or OSError("the name has no address")


def _parse(head: bytes) -> _Wanted | None:
    if tunnel := _CONNECT.match(head):
        host, port = tunnel[1].decode("ascii", "replace"), int(tunnel[2])
        return _Wanted(host.lower(), port, b"") if 0 < port < 65536 else None
    request = _REQUEST.match(head)
    if request is None:
        return None
    port = int(request[3] or 80)
    if not 0 < port < 65536:
        return None
    target = request[4] if request[4].startswith(b"/") else b"/" + request[4]
    headers = _HOP_BY_HOP.sub(b"", head[request.end() :])
    first = request[1] + b" " + target + b" HTTP/1.1\r\nconnection: close\r\n" + headers
    return _Wanted(request[2].decode("ascii", "replace").lower(), port, first)
