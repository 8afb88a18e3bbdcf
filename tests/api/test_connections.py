"""What a client may hold on to: headers, bodies, answers, connections, and by which name it may call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from mindhit import wiring
from mindhit.api.http import protocol
from mindhit.api.http.hosts import KnownHosts
from mindhit.api.http.protocol import LimitedProtocol, Places, limited

WAIT_S = 60.0


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the whole body, and answers its length; `/large` answers more than any buffer holds."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    body = b"x" * 20_000_000 if scope["path"] == "/large" else str(size).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@dataclass(slots=True)
class Site:
    port: int
    server: uvicorn.Server

    async def open(self, sent: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(sent)
        await writer.drain()
        return reader, writer

    async def say(self, sent: bytes) -> bytes:
        """All that is answered until the server closes the connection."""
        reader, writer = await self.open(sent)
        try:
            async with asyncio.timeout(WAIT_S):
                return await reader.read()
        finally:
            writer.close()

    async def later(self, seconds: float) -> None:
        """What the server does when so much time has passed, as soon as it has read what was sent."""
        await asyncio.sleep(0.2)
        for each in list(self.server.server_state.connections):
            assert isinstance(each, LimitedProtocol)
            each.sweep(monotonic() + seconds)

    async def until_connected(self, count: int) -> None:
        async with asyncio.timeout(WAIT_S):
            while len(self.server.server_state.connections) != count:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(places: Places) -> AsyncIterator[Site]:
    config = uvicorn.Config(
        echo, port=0, http=limited(places), ws="none", lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(WAIT_S):
            while not server.started:
                await asyncio.sleep(0.01)
        yield Site(server.servers[0].sockets[0].getsockname()[1], server)
    finally:
        server.force_exit = server.should_exit = True
        await running


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with serving(Places(100, 100)) as site:
        yield site


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


async def test_headers_have_a_limit_however_they_are_split(site: Site) -> None:
    too_much = protocol.HEADER_BYTES + 1
    for headers in (
        b"X: " + b"a" * too_much,
        b"\r\n".join([b"X: " + b"a" * 1_000] * (too_much // 1_000 + 1)),
    ):
        answer = await site.say(b"GET / HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n\r\n")
        assert status(answer) == 431
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["status"] == 431
    never_ending = await site.say(b"GET / HTTP/1.1\r\nX: " + b"a" * (2 * too_much))
    assert status(never_ending) == 431
    long_path = await site.say(b"GET /" + b"a" * too_much + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert status(long_path) == 431


async def test_a_body_does_not_count_as_headers(site: Site) -> None:
    size = 3 * protocol.HEADER_BYTES
    head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size
    answer = await site.say(head + b"b" * size)
    assert answer.endswith(str(size).encode())


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost:"])
async def test_headers_have_a_deadline(site: Site, sent: bytes) -> None:
    reader, writer = await site.open(sent)
    await site.until_connected(1)
    await site.later(protocol.HEADERS_S - 5)
    assert len(site.server.server_state.connections) == 1
    await site.later(protocol.HEADERS_S + 1)
    async with asyncio.timeout(WAIT_S):
        assert status(await reader.read()) == 408
    writer.close()


async def test_a_body_has_a_deadline_that_moves_with_what_comes(site: Site) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
    reader, writer = await site.open(head + b"b" * 10 * protocol.SLOWEST_BODY)
    await site.until_connected(1)
    await site.later(protocol.BODY_S + 5)
    assert len(site.server.server_state.connections) == 1
    await site.later(protocol.BODY_S + 12)
    async with asyncio.timeout(WAIT_S):
        assert status(await reader.read()) == 408
    writer.close()


async def test_an_answer_that_nobody_reads_is_given_up(site: Site) -> None:
    _, writer = await site.open(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    await site.until_connected(1)
    await site.later(0)
    await site.later(protocol.UNREAD_S - 5)
    assert len(site.server.server_state.connections) == 1
    for times in range(1, 100):  # until no buffer between us takes any more
        if not site.server.server_state.connections:
            break
        await site.later(times * (protocol.UNREAD_S + 1))
    assert not site.server.server_state.connections
    writer.close()


async def test_an_address_has_so_many_connections_and_a_proxy_any_number() -> None:
    request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    async with serving(Places(100, 2)) as site:
        held = [await site.open() for _ in range(2)]
        await site.until_connected(2)
        answer = await site.say(request)
        assert status(answer) == 503
        assert b"retry-after: 5" in answer.lower()
        held[0][1].close()
        await site.until_connected(1)
        assert status(await site.say(request)) == 200
        held[1][1].close()
    async with serving(Places(3, 2, ["127.0.0.0/8"])) as site:
        held = [await site.open() for _ in range(3)]
        await site.until_connected(3)
        assert status(await site.say(request)) == 503
        held[0][1].close()
        await site.until_connected(2)
        assert status(await site.say(request)) == 200
        for _, writer in held:
            writer.close()


async def test_what_is_not_http_is_answered_with_a_problem(site: Site) -> None:
    answer = await site.say(b"\x16\x03\x01 hello\r\n\r\n")
    assert status(answer) == 400
    assert b"application/problem+json" in answer


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("mind.example", 200),
        ("MIND.example:443", 200),
        ("also.example", 200),
        ("localhost:8787", 200),
        ("app.localhost", 200),
        ("127.0.0.1:8787", 200),
        ("192.168.1.20", 200),
        ("[::1]:8787", 200),
        ("evil.example", 421),
        ("mind.example.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("", 421),
    ],
)
async def test_only_our_own_names_are_answered(host: str, expected: int) -> None:
    settings = wiring.make_settings(base_url="https://mind.example", allowed_hosts="Also.example")
    told: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            told.append(int(str(message["status"])))

    scope = {"type": "http", "path": "/v1/about", "headers": [(b"host", host.encode())]}
    await KnownHosts(echo, settings)(scope, receive, send)  # type: ignore[arg-type]
    await KnownHosts(echo, settings)({**scope, "path": "/healthz"}, receive, send)  # type: ignore[arg-type]
    assert told == [expected, 200]
