"""The HTTP client that providers' libraries use: guarded, bounded, without the machine's proxies.

A person may choose a server by its address, so the address must not lead into this machine or its
network. The transport resolves the name itself, has every address checked by fetching's guard, and
connects to exactly the one it checked: a name that resolves to something else a moment later changes
nothing. TLS and the Host header keep the name. Redirects are not followed; an answer that is larger
than any model's is cut off. What the library put into the request beyond its protocol is taken out
(`allowed_requests.py`).

Imported late: `httpx2` comes with the extra `models`.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from mindhit import __version__
from mindhit.fetching import AddressForbidden, FetchFailed
from mindhit.fetching.guard import ANYWHERE, PUBLIC, Guard
from mindhit.fetching.names import PROVIDER_NAMES
from mindhit.language.limits import RESPONSE_BYTES
from mindhit.language.providers.allowed_requests import AllowedRequests

if TYPE_CHECKING:
    import httpx2

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
CONNECT_S: Final = 10.0
USER_AGENT: Final = f"MindHit/{__version__}"


class ResponseTooLarge(OSError):
    """An answer larger than any model's."""


@cache
def tls() -> ssl.SSLContext:
    """The machine's certificates, read once: it takes tens of milliseconds."""
    return ssl.create_default_context()


async def resolve(host: str, port: int) -> Sequence[Address]:
    found = await PROVIDER_NAMES.resolve(host, port)
    return [ip_address(each[4][0]) for each in found]


def guard_for(host: str, allowed_hosts: frozenset[str] | None) -> Guard:
    """`allowed_hosts` may be in private networks; None: all, since the operator chose the server."""
    is_allowed = allowed_hosts is None or _bare(host) in allowed_hosts
    return ANYWHERE if is_allowed else PUBLIC


async def permitted_addresses(
    host: str, port: int, allowed_hosts: frozenset[str] | None, resolver: Resolve = resolve
) -> Sequence[Address]:
    """Where to connect. One forbidden address is enough to refuse a name: it has no business there."""
    guard = guard_for(host, allowed_hosts)
    name = f"[{_bare(host)}]" if ":" in host else host
    guard.check_url(f"http://{name}:{port}/")
    try:
        found: Sequence[Address] = [ip_address(_bare(host))]
    except ValueError:
        found = await resolver(_bare(host), port)
    for each in found:
        guard.check(str(each))
    if not found:
        raise OSError("no address")
    return found


def guarded_client(
    allowed_hosts: frozenset[str] | None,
    timeout_s: float,
    resolver: Resolve = resolve,
    allowed: AllowedRequests | None = None,
) -> httpx2.AsyncClient:
    import httpx2  # noqa: PLC0415  see the module

    return httpx2.AsyncClient(
        transport=_guarded_transport(allowed_hosts, resolver, allowed),
        timeout=httpx2.Timeout(timeout_s, connect=CONNECT_S),
        follow_redirects=False,
        trust_env=False,
    )


async def _where_to(
    url: httpx2.URL, allowed_hosts: frozenset[str] | None, resolver: Resolve
) -> Sequence[Address]:
    import httpx2  # noqa: PLC0415

    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        return await permitted_addresses(url.host, port, allowed_hosts, resolver)
    except AddressForbidden:
        raise
    except FetchFailed as error:  # no host at all
        raise AddressForbidden(reason=error.message) from error
    except OSError as error:
        raise httpx2.ConnectError("the name can't be resolved") from error


def _guarded_transport(
    allowed_hosts: frozenset[str] | None, resolver: Resolve, allowed: AllowedRequests | None
) -> httpx2.AsyncBaseTransport:
    import httpx2  # noqa: PLC0415

    class Guarded(httpx2.AsyncBaseTransport):
        def __init__(self) -> None:
            self._inner = httpx2.AsyncHTTPTransport(verify=tls(), retries=0)

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            url = request.url
            if allowed is not None:
                allowed.check(str(url))
                request.headers = httpx2.Headers(allowed.headers(request.headers.multi_items()))
            addresses = await _where_to(url, allowed_hosts, resolver)
            request.headers["User-Agent"] = USER_AGENT  # one, where a library sends two
            request.extensions = {**request.extensions, "sni_hostname": url.host}
            # What is counted is what is read: nothing is unpacked above the bound.
            request.headers["Accept-Encoding"] = "identity"
            response = await self._first_to_answer(request, addresses)
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                await response.aclose()
                raise ResponseTooLarge
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _bounded(response.stream)
            return response

        async def _first_to_answer(
            self, request: httpx2.Request, addresses: Sequence[Address]
        ) -> httpx2.Response:
            """All of them were checked: `localhost` may be ::1 first, where nobody listens."""
            url = request.url
            for address in addresses[:-1]:
                request.url = url.copy_with(host=_as_host(address))
                try:
                    return await self._inner.handle_async_request(request)
                except (httpx2.ConnectError, httpx2.ConnectTimeout):
                    continue
            request.url = url.copy_with(host=_as_host(addresses[-1]))
            return await self._inner.handle_async_request(request)

        async def aclose(self) -> None:
            await self._inner.aclose()

    return Guarded()


def _bounded(stream: httpx2.AsyncByteStream) -> httpx2.AsyncByteStream:
    import httpx2  # noqa: PLC0415

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in stream:
                size += len(chunk)
                if size > RESPONSE_BYTES:
                    raise ResponseTooLarge
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


def _bare(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _as_host(address: Address) -> str:
    return f"[{address}]" if isinstance(address, IPv6Address) else str(address)
