"""What a server can send to use up our memory or time is stopped at the limits.

Each bomb is fetched by a process of its own, whose memory is measured.
"""

from __future__ import annotations

import asyncio
import json
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import brotli
import pytest

ROOT = Path(__file__).parents[2]
MOST_MIB = 16.0
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
Writer = asyncio.StreamWriter


def zeros(compress: Any, finish: Any, mib: int) -> bytes:
    piece = bytes(2**20)
    return b"".join([*(compress(piece) for _ in range(mib)), finish()])


@cache
def gzip_bomb() -> bytes:
    squeeze = zlib.compressobj(9, wbits=31)
    return zeros(squeeze.compress, squeeze.flush, 256)


@cache
def brotli_bomb() -> bytes:
    squeeze = brotli.Compressor(quality=5, lgwin=24)
    return zeros(squeeze.process, squeeze.finish, 64)


async def send(writer: Writer, encoding: bytes, body: bytes) -> None:
    length = b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (encoding, len(body))
    writer.write(OK + length + body)
    await writer.drain()


async def forever(writer: Writer, head: bytes, piece: bytes, pause_s: float = 0) -> None:
    """Until the other side has enough."""
    writer.write(head)
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause_s)


BOMBS: dict[str, Callable[[Writer], Awaitable[None]]] = {
    "/plain": lambda to: send(to, b"gzip", zlib.compress(b"<p>" + b"word " * 200_000, wbits=31)),
    "/gzip": lambda to: send(to, b"gzip", gzip_bomb()),
    "/br": lambda to: send(to, b"br", brotli_bomb()),
    "/gzip-gzip": lambda to: send(to, b"gzip, gzip", zlib.compress(gzip_bomb(), wbits=31)),
    "/members": lambda to: forever(
        to, OK + b"Content-Encoding: gzip\r\n\r\n", zlib.compress(b"", wbits=31) * 1000
    ),
    "/endless": lambda to: forever(to, OK + b"\r\n", b"x" * 65536),
    "/announced": lambda to: forever(
        to, OK + b"Content-Length: 1000000000000\r\n\r\n", b"x" * 65536
    ),
    "/error": lambda to: forever(
        to, b"HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\n\r\n", b"x" * 65536
    ),
    # a gigabyte of headers, one that does not end, a first line that does not end
    "/headers": lambda to: forever(to, OK, b"X-Header: " + b"x" * 4000 + b"\r\n"),
    "/header": lambda to: forever(to, OK + b"X-Header: ", b"x" * 65536),
    "/status": lambda to: forever(to, b"HTTP/1.1 200 ", b"x" * 65536),
    "/drip": lambda to: forever(to, OK + b"\r\n", b"x", 0.05),
    "/silent": lambda _: asyncio.sleep(3600),
    # interim answers without end
    "/hints": lambda to: forever(to, b"", b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" * 50),
}


async def bomb(path: str, writer: Writer) -> None:
    if path in BOMBS:
        await BOMBS[path](writer)
    else:
        to = int(path.removeprefix("/hop")) + 1
        head = b"HTTP/1.1 302 Found\r\nLocation: /hop%d\r\nContent-Length: 0\r\n\r\n"
        writer.write(head % to)
        await writer.drain()


@pytest.fixture
async def server() -> AsyncIterator[tuple[str, list[str]]]:
    asked: list[str] = []
    talks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: Writer) -> None:
        try:
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
                asked.append(path)
                if path == "/robots.txt":
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                else:
                    await bomb(path, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the other side has had enough
        finally:
            writer.close()

    def begin(reader: asyncio.StreamReader, writer: Writer) -> None:
        talks.add(asyncio.ensure_future(talk(reader, writer)))

    listening = await asyncio.start_server(begin, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", asked
    listening.close()
    for each in talks:
        each.cancel()
    await asyncio.gather(*talks, return_exceptions=True)


async def fetch(base: str, *paths: str, **limits: float) -> tuple[dict[str, list[str]], float]:
    """What becomes of each, one after the other in one process, and by how much that has grown."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.fetching.bombs", base),
        *(json.dumps(paths), json.dumps(limits)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), 120)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0
    answer = json.loads(said)
    return answer["said"], answer["grown_mib"]


TOO_LARGE = "larger than 5242880 bytes"
TOO_MUCH = {
    "/gzip": ("Permanent", TOO_LARGE),
    "/br": ("Permanent", TOO_LARGE),
    "/gzip-gzip": ("Permanent", TOO_LARGE),
    "/members": ("Permanent", "compressed in too many parts"),
    "/endless": ("Permanent", TOO_LARGE),
    "/announced": ("Permanent", TOO_LARGE),
    "/error": ("Transient", "the site answered 500"),
    "/headers": ("Permanent", "its head is too large"),
    "/header": ("Permanent", "its head is too large"),
    "/status": ("Permanent", "its head is too large"),
    "/hop1": ("Permanent", "more than 10 redirects"),
}


async def test_what_is_too_much_is_stopped_at_the_limit(server: tuple[str, list[str]]) -> None:
    base, asked = server
    said, grown_mib = await fetch(base, *TOO_MUCH, fetch_timeout=60, fetch_first_byte_timeout=60)
    for path, (outcome, reason) in TOO_MUCH.items():
        assert said[path][0] == outcome, path
        assert reason in said[path][1], path
    assert grown_mib < MOST_MIB
    assert [path for path in asked if path.startswith("/hop")] == [f"/hop{n}" for n in range(1, 12)]
    assert len(asked) == 2 + len(TOO_MUCH) + 10  # each bomb once


async def test_what_takes_too_long_is_stopped_in_time(server: tuple[str, list[str]]) -> None:
    """The answer to silence and to drops is a limit of time, set here and waited for."""
    base, _ = server
    paths = ["/drip", "/silent", "/hints"]
    said, grown_mib = await fetch(base, *paths, fetch_timeout=2, fetch_first_byte_timeout=1)
    assert [said[path][0] for path in paths] == ["Transient"] * 3
    assert grown_mib < MOST_MIB
