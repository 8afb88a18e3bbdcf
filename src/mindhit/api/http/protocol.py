"""HTTP/1.1 on one connection: uvicorn's protocol, with limits on what a client may hold.

    headers    `HEADER_BYTES` in all and `HEADERS_S` to send them; a connection that sends nothing counts too
    body       `BODY_S`, and a second more for every `SLOWEST_BODY` bytes that came
    answer     given up when the client took nothing of it for `UNREAD_S`
    number     of connections, in all and from one address (the settings `connections` and
               `connections_per_address`)

The server looks at all connections once a second (`sweep`): a timer for each would be set and cancelled with
every request.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from time import monotonic
from typing import Any, Final

from prometheus_client import Counter as Metric
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mindhit.accounts import network_of
from mindhit.api.http.problems import problem

HEADER_BYTES: Final = 96 * 1024  # the parser refuses a longer line than 64 KiB by itself
HEADERS_S: Final = 20.0
BODY_S: Final = 60.0
LINGER_S: Final = 2.0  # a client that was refused may go on sending for so long
SLOWEST_BODY: Final = 4 * 1024  # bytes a second
UNREAD_S: Final = 120.0
REFUSED = Metric("mindhit_http_connections_refused", "Connections closed by a limit.", ["limit"])


class Places:
    """Who has how many connections. A trusted proxy has those of all its clients, and no limit of its own."""

    def __init__(self, most: int, per_address: int, proxies: Collection[str] = ()) -> None:
        self._most = most
        self._per_address = per_address
        self._proxies = [ip_network(each, strict=False) for each in proxies if each != "*"]
        self._is_any_proxy = "*" in proxies
        self._held: Counter[str] = Counter()

    def take(self, address: str | None) -> str | None:
        """The name of the limit that is reached, or None; then `give_back` when the connection is closed."""
        client = network_of(address)
        if self._held.total() >= self._most:
            return "connections"
        if self._held[client] >= self._per_address and not self._is_proxy(address):
            return "connections_per_address"
        self._held[client] += 1
        return None

    def give_back(self, address: str | None) -> None:
        client = network_of(address)
        self._held[client] -= 1
        if self._held[client] <= 0:
            del self._held[client]

    def _is_proxy(self, address: str | None) -> bool:
        try:
            parsed: IPv4Address | IPv6Address = ip_address(address or "")
        except ValueError:  # a Unix socket: only a proxy on this machine
            return True
        return self._is_any_proxy or any(parsed in each for each in self._proxies)


class LimitedProtocol(HttpToolsProtocol):
    """`places` is set by a subclass that `limited` makes."""

    places: Places

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._has_place = False
        self._is_reading_headers = True
        self._header_bytes = 0
        self._body_bytes = 0
        self._refused_at: float | None = None
        self._since = monotonic()
        self._unread = (0, monotonic())  # bytes that wait to be taken, and since when so many

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limit = self.places.take(self._address)
        if limit is not None:
            self.refuse(503, "Too many connections. Try again in a moment.", limit)
            return
        self._has_place = True
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in {socket.AF_INET, socket.AF_INET6}:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._has_place:
            self._has_place = False
            self.places.give_back(self._address)

    def data_received(self, data: bytes) -> None:
        if self._refused_at is not None or self.transport.is_closing():
            return
        if self._is_reading_headers:
            if self._header_bytes == 0:
                self._since = monotonic()
            self._header_bytes += len(data)
        super().data_received(data)
        if self._is_reading_headers and self._header_bytes > HEADER_BYTES:
            self._refuse_headers()

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEADER_BYTES:
            self._refuse_headers()
            return
        self._is_reading_headers = False
        self._body_bytes = 0
        self._since = monotonic()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self._is_reading_headers:  # refused
            return
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._is_reading_headers:
            return
        super().on_message_complete()
        self._is_reading_headers = True
        self._header_bytes = 0
        self._since = monotonic()

    def sweep(self, now: float) -> None:
        """Close the connection if its client takes too long."""
        if self._is_unread(now):  # closing it, too, would wait until it is read
            REFUSED.labels("answer").inc()
            self.transport.abort()
        elif self.transport.is_closing():
            return
        elif self._refused_at is not None:
            if now - self._refused_at > LINGER_S:
                self.transport.close()
        elif self.flow.read_paused:  # it is we who do not read
            self._since = now
        elif not self._is_reading_headers:
            if now - self._since > BODY_S + self._body_bytes / SLOWEST_BODY:
                self._end_body()
        elif not self._is_busy and now - self._since > HEADERS_S:
            self.refuse(408, "The request took too long to arrive.", "headers")

    @property
    def _is_busy(self) -> bool:
        """A request is being answered, or was and uvicorn has a timer for the next."""
        is_answering = self.cycle is not None and not self.cycle.response_complete
        return is_answering or self.timeout_keep_alive_task is not None

    def _is_unread(self, now: float) -> bool:
        waiting = self.transport.get_write_buffer_size()
        if waiting == 0 or waiting != self._unread[0]:
            self._unread = (waiting, now)
        return now - self._unread[1] > UNREAD_S

    def _end_body(self) -> None:
        if self.cycle.response_started:
            REFUSED.labels("body").inc()
            self.transport.close()
            return
        self.cycle.disconnected = True  # whoever waits for the body is told that nobody sends it
        self.cycle.message_event.set()
        self.refuse(408, "The request took too long to arrive.", "body")

    def _refuse_headers(self) -> None:
        self.refuse(
            431, f"The headers of a request can have at most {HEADER_BYTES} bytes.", "header_bytes"
        )

    @property
    def _address(self) -> str | None:
        return self.client[0] if self.client else None

    def send_400_response(self, msg: str) -> None:
        """What is not HTTP is answered with a problem document too."""
        if self._refused_at is None and not self.transport.is_closing():
            self._answer(400, msg)

    def refuse(self, status: int, detail: str, limit: str) -> None:
        if self._refused_at is None and not self.transport.is_closing():
            REFUSED.labels(limit).inc()
            self._answer(status, detail)

    def _answer(self, status: int, detail: str) -> None:
        answer = problem(status, detail, headers={"Retry-After": "5"} if status == 503 else None)
        phrase = {400: b"Bad Request", 408: b"Request Timeout", 503: b"Service Unavailable"}
        head = [
            b"HTTP/1.1 %d %b" % (status, phrase.get(status, b"Request Header Fields Too Large"))
        ]
        head += [b"%b: %b" % pair for pair in (*answer.raw_headers, (b"connection", b"close"))]
        self.transport.write(b"\r\n".join(head) + b"\r\n\r\n" + bytes(answer.body))
        # Closed at once, while the client is still sending, the connection would be reset and the answer lost.
        self._refused_at = monotonic()
        self.flow.resume_reading()
        self.transport.write_eof()


def limited(places: Places) -> type[LimitedProtocol]:
    return type("_Protocol", (LimitedProtocol,), {"places": places})
