"""What the tests of fetching share: servers on 127.0.0.x, a resolver that answers what a test says."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from mindhit.db import Database
from mindhit.fetching import Fetcher, FetchSettings, Guard

LOOPBACK = "127.0.0.0/8"
Handle = Callable[[web.Request], Awaitable[web.StreamResponse]]
NO_ROBOTS = "User-agent: *\nAllow: /\n"


class Names(AbstractResolver):
    """Resolves names to what a test says; a list of lists is one answer after the other."""

    def __init__(self, names: Mapping[str, list[Any]]) -> None:
        self.names = {name: list(found) for name, found in names.items()}
        self.asked: list[str] = []

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_INET,  # noqa: ARG002
    ) -> list[ResolveResult]:
        self.asked.append(host)
        found = self.names.get(host)
        if found is None:
            raise OSError(f"no such name: {host}")
        if isinstance(found[0], list):
            found = found.pop(0) if len(found) > 1 else found[0]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in found
        ]

    async def close(self) -> None:
        """Nothing is open."""


@dataclass
class Site:
    """A server on one address. `pages` answer by path; what is asked is written down."""

    host: str
    port: int = 0
    robots: str | Handle | None = None
    pages: dict[str, Handle] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    requests: list[web.Request] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}:{self.port}{path}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path_qs)
        self.requests.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._page(request)
        finally:
            self.in_flight -= 1

    async def _page(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/robots.txt" and not callable(self.robots):
            if self.robots is None:
                return web.Response(status=404)
            return web.Response(text=self.robots)
        if request.path == "/robots.txt" and callable(self.robots):
            return await self.robots(request)
        page = self.pages.get(request.path) or self.pages.get("*")
        return await page(request) if page else web.Response(status=404)


def html(text: str = "<title>t</title>", status: int = 200, **headers: str) -> Handle:
    async def answer(_: web.Request) -> web.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(text=text, status=status, content_type="text/html", headers=named)

    return answer


def raw(
    body: bytes, content_type: str | None = "text/html", status: int = 200, **headers: str
) -> Handle:
    async def answer(_: web.Request) -> web.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if content_type is not None:
            named["Content-Type"] = content_type
        return web.Response(body=body, status=status, headers=named)

    return answer


def redirect(to: str, status: int = 302) -> Handle:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": to})

    return answer


@asynccontextmanager
async def serving(*sites: Site) -> AsyncIterator[None]:
    """All sites on one port, each on its own address."""
    runners = []
    port = 0
    try:
        for site in sites:
            application = web.Application()
            application.router.add_route("*", "/{path:.*}", site.answer)
            # Whoever has left is no longer in flight: a handler ends with its connection.
            runner = web.AppRunner(
                application, access_log=None, shutdown_timeout=0.1, handler_cancellation=True
            )
            await runner.setup()
            runners.append(runner)
            listening = web.TCPSite(runner, site.host, site.port or port)
            await listening.start()
            site.port = runner.addresses[0][1]
            port = port or site.port
        yield
    finally:
        for runner in runners:
            await runner.cleanup()


@asynccontextmanager
async def server(site: Site | None = None) -> AsyncIterator[Site]:
    site = site or Site("127.0.0.1")
    async with serving(site):
        yield site


@asynccontextmanager
async def raw_server(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[str]:
    """A server that says what a test wants, HTTP or not. Robots.txt is answered for it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if head.startswith(b"GET /robots.txt"):
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    await writer.drain()
                else:
                    await talk(reader, writer)
                    break
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"


@asynccontextmanager
async def fetcher(
    db: Database | None = None,
    *,
    names: Names | None = None,
    allowed: tuple[str, ...] = (LOOPBACK,),
    **settings: Any,
) -> AsyncIterator[Fetcher]:
    opened = Fetcher(
        db, FetchSettings(**settings), guard=Guard(allowed), resolver=names or Names({})
    )
    try:
        yield opened
    finally:
        await opened.close()
