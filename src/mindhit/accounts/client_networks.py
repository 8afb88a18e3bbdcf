"""What counts as one client where something is limited by where it comes from. Pure."""

from __future__ import annotations

import ipaddress
from typing import Final

IPV6_PREFIX: Final = 64  # what one household has


def network_of(address: str | None) -> str:
    """What counts as one client: an IPv4 address, or an IPv6 network of one household. Anything
    else (an account's name) stands for itself."""
    try:
        parsed = ipaddress.ip_address(address or "unknown")
    except ValueError:
        return address or "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, IPV6_PREFIX), strict=False))
