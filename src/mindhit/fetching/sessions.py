"""HTTP through the guard: sessions of aiohttp that reach only what it permits.

For whoever speaks HTTP on behalf of somebody else. A session has no cookies, ignores proxies of the
environment, and its errors say `AddressForbidden` (`forbidden_in`). Redirects are the caller's to follow,
each through `Guard.check_url`.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from mindhit.fetching.guard import Guard
from mindhit.fetching.limits import CONNECT_S, HEADER_BYTES, HEADERS, LINE_BYTES, TOTAL_S
from mindhit.fetching.model import AddressForbidden
from mindhit.fetching.names import NAMES, Names


class SystemResolver(AbstractResolver):
    """The system's answers, from threads of their own (names.py)."""

    def __init__(self, names: Names = NAMES) -> None:
        self._names = names

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._names.resolve(host, port, family)
        return [
            ResolveResult(
                hostname=host,
                host=to[0],
                port=to[1],
                family=family,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for family, _, protocol, _, to in found
        ]

    async def close(self) -> None:
        """Nothing is open."""


class CheckedResolver(AbstractResolver):
    """Refuses a name if one of its addresses is forbidden: which one gets connected to is chance."""

    def __init__(self, guard: Guard, resolver: AbstractResolver) -> None:
        self._guard = guard
        self._resolver = resolver

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._resolver.resolve(host, port, family)
        for each in found:
            self._guard.check(each["host"])
        return found

    async def close(self) -> None:
        await self._resolver.close()


def guarded_session(
    guard: Guard,
    *,
    resolver: AbstractResolver | None = None,
    connect_s: float = CONNECT_S,
    total_s: float | None = TOTAL_S,
    silence_s: float | None = None,
    **more: Any,
) -> aiohttp.ClientSession:
    """A session that can reach only what the guard permits. Needs a running loop; close it."""
    connector = aiohttp.TCPConnector(
        resolver=CheckedResolver(guard, resolver or SystemResolver()),
        socket_factory=guard.open_socket,
        limit=0,  # slots limit what runs at once, per domain
    )
    timeout = aiohttp.ClientTimeout(total=total_s, sock_connect=connect_s, sock_read=silence_s)
    return aiohttp.ClientSession(
        connector=connector,
        timeout=timeout,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        max_line_size=LINE_BYTES,
        max_field_size=HEADER_BYTES,
        max_headers=HEADERS,
        **more,
    )


def forbidden_in(error: BaseException | None) -> AddressForbidden | None:
    """The guard's own error, out of what aiohttp made of it."""
    seen: Sequence[BaseException] = ()
    while error is not None and error not in seen:
        if isinstance(error, AddressForbidden):
            return error
        seen = (*seen, error)
        error = getattr(error, "os_error", None) or error.__cause__ or error.__context__
    return None
