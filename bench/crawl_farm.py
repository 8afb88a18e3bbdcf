"""The farm of bench/crawl.py: ten hosts, and what they saw of a crawler.

A process of its own that does as little as possible for a request, so that the crawlers are measured.
An answer takes 2 ms: without any time, no two requests would ever be seen at once. `/stats` answers
with the first and last moment, the most requests at once on one host, and forgets all of it.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

import asyncio
import json
import time
from collections import Counter

import uvloop

from bench.crawl_pages import HOSTS, page

ANSWER_S = 0.002
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
NO_ROBOTS = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class Seen:
    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.first_at = self.last_at = 0.0
        self.in_flight: Counter[str] = Counter()
        self.most = 0
        self.pages: set[str] = set()

    def begin(self, host: str, path: str) -> None:
        self.first_at = self.first_at or time.monotonic()
        self.in_flight[host] += 1
        self.most = max(self.most, self.in_flight[host])
        self.pages.add(path)

    def end(self, host: str) -> None:
        self.in_flight[host] -= 1
        self.last_at = time.monotonic()


class Farm(asyncio.Protocol):
    def __init__(self, host: str, seen: Seen) -> None:
        self._host = host
        self._seen = seen
        self._received = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            self._asked(head.split(b" ", 2)[1].decode())

    def _asked(self, path: str) -> None:
        if path == "/stats":
            self._tell()
            return
        self._seen.begin(self._host, path)
        asyncio.get_running_loop().call_later(ANSWER_S, self._answer, path)

    def _answer(self, path: str) -> None:
        self._seen.end(self._host)
        if path == "/robots.txt":
            self._transport.write(NO_ROBOTS)
        else:
            body = page(path)
            self._transport.write(HEAD % len(body) + body)

    def _tell(self) -> None:
        seen = self._seen
        body = json.dumps(
            {
                "first_at": seen.first_at,
                "last_at": seen.last_at,
                "most": seen.most,
                "pages": len([path for path in seen.pages if path.startswith("/page/")]),
            }
        ).encode()
        seen.forget()
        self._transport.write(HEAD % len(body) + body)


async def main(port: int) -> None:
    loop, seen = asyncio.get_running_loop(), Seen()
    for host in HOSTS:
        await loop.create_server(lambda host=host: Farm(host, seen), host, port, backlog=1024)
    sys.stderr.write("farm is open\n")
    await loop.create_future()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
