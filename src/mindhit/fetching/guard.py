"""The guard: connects to public addresses and to nothing else.

Whatever names a server for us (a page's address, a redirect, a DNS answer, a webhook, the base URL of a
model) may name this machine, its network or the metadata service of its cloud. Three checks, each for a
way around the one before:

1. `check_url`: an address written as a literal, in any spelling that the WHATWG parser knows, and the
   port. Opens nothing, so that a mistake is reported before anything is tried.
2. The resolver: one forbidden address among a name's answers refuses the name. The connection is made
   to these answers and to no later one, so a name that changes between check and connect gains nothing.
3. The socket: the address that is about to be connected to, in the function that makes the socket.
   Literals never pass the resolver (aiohttp skips it), and nothing else gets past this one.

This module loads no HTTP library, so that whoever takes an address from a person can check it. Two
connect through it: `guarded_session` (sessions.py) for aiohttp, and the providers of models, whose
libraries have a client of their own.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, TypeAlias

from mindhit.fetching.model import AddressForbidden, Permanent
from mindhit.urls import NotAPage, address
from mindhit.urls.forbidden_ranges import is_forbidden

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# Whatever an operator allows: link-local, where most clouds have their metadata, and the metadata that
# lies elsewhere (Alibaba, Azure, Oracle, Amazon by IPv6).
NEVER_ALLOWED: Final[tuple[Network, ...]] = tuple(
    ip_network(network)
    for network in (
        "169.254.0.0/16",
        "100.100.100.200/32",
        "168.63.129.16/32",
        "192.0.0.192/32",
        "fe80::/10",
        "fd00:ec2::/32",
        "fd20:ce::254/128",
    )
)

# IPv6 networks whose addresses end in the IPv4 address they stand for: translated, and compatible.
_EMBEDDING: Final = (ip_network("64:ff9b::/96"), ip_network("::ffff:0:0:0/96"), ip_network("::/96"))

# Ports of protocols in which a line of HTTP may mean something: those that browsers refuse too.
BAD_PORTS: Final = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179),
        *(389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601),
        *(636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000),
        *(6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)
_HOST = re.compile(r"https?://(?:\[([^]]*)\]|([^/:]*))(?::(\d+))?(?:/|$)")


class Guard:
    """`allowed` are private networks that may be connected to all the same."""

    def __init__(self, allowed: Iterable[str | Network] = ()) -> None:
        self._allowed = tuple(ip_network(each) for each in allowed)

    def permits(self, found: Address) -> bool:
        if not is_forbidden(found):
            return True
        found = _plain(found)
        return any(found in network for network in self._allowed) and not any(
            found in network for network in NEVER_ALLOWED
        )

    def check(self, host: str) -> None:
        """Raises `AddressForbidden` for an address, as the system writes it, that may not be
        connected to; also for what is no address at all."""
        try:
            found = ip_address(host)
        except ValueError:
            raise AddressForbidden(reason="not an address") from None
        if not self.permits(found):
            raise AddressForbidden(reason=host)

    def check_url(self, text: str) -> str:
        """The address of a page, without credentials and fragment, if its host, where that is a
        literal, and its port may be connected to. Raises `AddressForbidden`, or `Permanent` for
        what is no address of a page."""
        try:
            url = address(text)
        except NotAPage as error:
            raise Permanent(reason=str(error.reason)) from None
        found = _HOST.match(url)
        if found is None:
            raise Permanent(reason="it is not a URL")
        literal, name, port = found.groups()
        if port and int(port) in BAD_PORTS:
            raise AddressForbidden(
                "MindHit does not connect to this port: it belongs to another protocol.",
                reason=f"port {port}",
            )
        if literal or _is_literal(name):
            self.check(literal or name)
        return url

    def open_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for what is about to be connected to, if that may be."""
        family, kind, protocol, _, to = info
        self.check(to[0])
        return socket.socket(family=family, type=kind, proto=protocol)


def _is_literal(host: str) -> bool:
    """The parser has written every spelling of an IPv4 address as four numbers."""
    return host.replace(".", "").isdigit()


def _plain(found: Address) -> Address:
    """Networks are compared with the IPv4 address that an IPv6 one stands for, if it does."""
    if isinstance(found, IPv4Address):
        return found
    if found.ipv4_mapped or found.sixtofour:
        return found.ipv4_mapped or found.sixtofour or found
    is_embedding = any(found in network for network in _EMBEDDING)
    return IPv4Address(int(found) & 0xFFFF_FFFF) if is_embedding else found


PUBLIC: Final = Guard()
# For a server that the operator chose: anywhere, but never the metadata of a cloud.
ANYWHERE: Final = Guard(["0.0.0.0/0", "::/0"])
