"""The proxy of the headless browser: the guard decides, whatever name or address is asked for."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from mindhit.db import Database
from mindhit.fetching.browser import proxy as egress
from mindhit.fetching.browser.places import PER_HOST, SlotsOfJob
from mindhit.fetching.browser.proxy import EgressProxy
from mindhit.fetching.guard import Guard
from mindhit.work import Work
from tests.work.kit import Hosted, claimer, put, slots

LOOPBACK = Guard(["127.0.0.0/8"])
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Names(AbstractResolver):
    """Answers from a table; opens nothing."""

    def __init__(self, **names: str) -> None:
        self._names = {name.replace("_", "."): address for name, address in names.items()}
        self.asked: list[str] = []

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002
    ) -> list[ResolveResult]:
        self.asked.append(host)
        found = self._names.get(host, host)
        return [
            ResolveResult(
                hostname=host, host=found, port=port, family=socket.AF_INET, proto=0, flags=0
            )
        ]

    async def close(self) -> None:
        pass


@asynccontextmanager
async def site(serve: Serve) -> AsyncIterator[int]:
    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(served, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def ask(proxy: EgressProxy, head: str, more: bytes = b"") -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    try:
        writer.write(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + more)
        return await reader.read()
    finally:
        writer.close()


async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" + head)


async def test_a_request_reaches_the_site_without_what_is_meant_for_the_proxy() -> None:
    async with site(hello) as port, EgressProxy(LOOPBACK, Names(a_example="127.0.0.1")) as proxy:
        answer = await ask(
            proxy,
            f"GET http://a.example:{port}/path?q=1 HTTP/1.1\nhost: a.example:{port}\n"
            "Proxy-Connection: keep-alive\nProxy-Authorization: Basic eA==\naccept: */*",
        )
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"GET /path?q=1 HTTP/1.1\r\n" in answer
    assert b"accept: */*" in answer
    assert b"proxy" not in answer.lower()


async def test_a_tunnel_carries_both_ways() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"got " + await reader.readexactly(5))

    async with site(echo) as port, EgressProxy(LOOPBACK, Names(a_example="127.0.0.1")) as proxy:
        answer = await ask(proxy, f"CONNECT a.example:{port} HTTP/1.1", b"hello")
    assert answer == b"HTTP/1.1 200 Connection established\r\n\r\ngot hello"


@pytest.mark.parametrize(
    "head",
    [
        "CONNECT 169.254.169.254:80 HTTP/1.1",
        "CONNECT 10.0.0.1:443 HTTP/1.1",
        "CONNECT [::1]:443 HTTP/1.1",
        "CONNECT [::ffff:10.0.0.1]:443 HTTP/1.1",
        "CONNECT 2130706433:443 HTTP/1.1",
        "CONNECT inward.example:443 HTTP/1.1",
        "CONNECT public.example:25 HTTP/1.1",
        "GET http://192.168.0.1/admin HTTP/1.1",
        "GET http://0x7f.1/ HTTP/1.1",
        "GET http://inward.example/ HTTP/1.1",
    ],
)
async def test_what_the_guard_forbids_is_refused(head: str) -> None:
    names = Names(inward_example="10.1.2.3", public_example="203.0.113.1")
    async with EgressProxy(Guard(), names) as proxy:
        assert (await ask(proxy, head)).startswith(b"HTTP/1.1 403")
        assert proxy.refused == 1


async def test_allowed_networks_do_not_open_metadata_services() -> None:
    async with EgressProxy(Guard(["169.254.0.0/16"]), Names()) as proxy:
        answer = await ask(proxy, "GET http://169.254.169.254/latest HTTP/1.1")
    assert answer.startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize(
    "head",
    [
        "GET / HTTP/1.1",
        "GET ftp://a.example/ HTTP/1.1",
        "CONNECT a.example HTTP/1.1",
        "CONNECT a.example:99999 HTTP/1.1",
        "CONNECT a.example:0 HTTP/1.1",
        "nonsense",
    ],
)
async def test_what_is_no_request_to_a_site_is_refused(head: str) -> None:
    async with EgressProxy(LOOPBACK, Names()) as proxy:
        assert (await ask(proxy, head)).startswith(b"HTTP/1.1 400")


async def test_a_site_that_does_not_answer_is_a_bad_gateway() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        port = taken.getsockname()[1]
        async with EgressProxy(LOOPBACK, Names()) as proxy:
            answer = await ask(proxy, f"CONNECT 127.0.0.1:{port} HTTP/1.1")
    assert answer.startswith(b"HTTP/1.1 502")


async def test_a_host_gets_no_more_connections_at_once_than_a_domain_has_slots() -> None:
    now = most = 0
    both = asyncio.Event()

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        if now == PER_HOST:
            both.set()
        await both.wait()
        await hello(reader, writer)
        now -= 1

    async with site(counted) as port, EgressProxy(LOOPBACK, Names()) as proxy:
        head = f"GET http://127.0.0.1:{port}/ HTTP/1.1"
        answers = await asyncio.gather(*(ask(proxy, head) for _ in range(10)))
    assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    assert most == PER_HOST


async def test_browsers_of_several_jobs_share_the_slots_of_every_site(db: Database) -> None:
    """Two jobs of one site, each with a browser, whose pages load from it and from two others. No
    site ever sees more than its slots, of all jobs and browsers together."""
    now: Counter[str] = Counter()
    most: Counter[str] = Counter()
    names = Names(home_example="127.0.0.1", a_example="127.0.0.1", b_example="127.0.0.1")

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        host = head.split(b"x-host: ")[1].split(b"\r")[0].decode()
        now[host] += 1
        most[host] = max(most[host], now[host])
        await asyncio.sleep(0)
        now[host] -= 1
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")

    await put(db, Hosted("home.example", 1), Hosted("home.example", 2))
    works = [Work(db, claim, None) for claim in await claimer(db).claim(2)]
    first, second = (EgressProxy(LOOPBACK, names, SlotsOfJob(work)) for work in works)
    async with site(counted) as port, first, second:
        heads = [
            f"GET http://{host}:{port}/ HTTP/1.1\nx-host: {host}"
            for host in ("home.example", "a.example", "b.example")
            for _ in range(4)
        ]
        answers = await asyncio.gather(
            *(ask(proxy, head) for head in heads for proxy in (first, second))
        )
    assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    assert set(most) == {"home.example", "a.example", "b.example"}
    assert max(most.values()) <= PER_HOST
    assert await slots(db) == [("home.example", 1), ("home.example", 2)]  # the jobs' own


async def test_a_page_that_loads_too_much_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "PAGE_BYTES", 100_000)

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 10_000)
                await writer.drain()
        except OSError:
            pass

    async with site(endless) as port, EgressProxy(LOOPBACK, Names()) as proxy:
        answer = await ask(proxy, f"GET http://127.0.0.1:{port}/ HTTP/1.1")
    assert 0 < len(answer) <= 100_000


async def test_a_head_that_never_ends_is_dropped() -> None:
    async with EgressProxy(LOOPBACK, Names()) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        try:
            writer.write(b"GET http://a.example/ HTTP/1.1\r\n" + b"x: y\r\n" * 100_000)
            assert await reader.read() == b""
        except ConnectionError:
            pass  # reset: dropped as well
        finally:
            writer.close()
