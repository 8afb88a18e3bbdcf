"""Internet addresses that the server never connects to on somebody's behalf.

A page that a person visited may be named by anybody, and so may what its name resolves to. Fetching it
must not reach this machine, its network, or the metadata service of the cloud it runs in. No I/O:
who connects resolves the name and asks `is_forbidden` about every address it got, and connects to
exactly that address.

The list is explicit and follows the IANA registries of special-purpose addresses (IPv4: RFC 6890 and
its successors; IPv6: everything outside global unicast, and the special blocks inside it). Python's
`is_global` is not used: its answer changes with the interpreter's version.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

FORBIDDEN_V4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host, this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers (CGNAT); 100.100.100.200 is Alibaba's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's host, reachable from every machine there
        "169.254.0.0/16",  # link-local; 169.254.169.254 is the metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF protocol assignments; 192.0.0.192 is Oracle's metadata
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays, deprecated
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112, delegated directly
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)

# Only 2000::/3 is given out for use on the internet. What lies outside it is loopback (::1),
# unspecified (::), IPv4-compatible (::/96), IPv4-mapped (::ffff:0:0/96), IPv4-translated
# (::ffff:0:0:0/96), local NAT64 (64:ff9b:1::/48), discard-only (100::/64), segment routing
# (5f00::/16), unique local (fc00::/7, where fd00:ec2::254 is Amazon's metadata), link-local
# (fe80::/10), site-local (fec0::/10), multicast (ff00::/8), or reserved.
GLOBAL_V6: Final = IPv6Network("2000::/3")
FORBIDDEN_V6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # IETF protocol assignments: Teredo, benchmarking, ORCHID, AMT, …
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds any IPv4 address
        "2620:4f:8000::/48",  # AS112, delegated directly
        "3ffe::/16",  # 6bone, returned
        "3fff::/20",  # documentation
    )
)

# The one embedding that may lead to a page: in networks without IPv4, every IPv4 site is resolved
# to an address of this prefix, so the IPv4 address in its last 32 bits decides.
NAT64: Final = IPv6Network("64:ff9b::/96")


def is_forbidden(address: IPv4Address | IPv6Address) -> bool:
    """Whether the server must not connect to `address`."""
    if isinstance(address, IPv4Address):
        return _is_in(address, FORBIDDEN_V4)
    if address.scope_id is not None:  # "fe80::1%eth0": meaningful on this machine only
        return True
    if address in NAT64:
        return _is_in(IPv4Address(int(address) & 0xFFFFFFFF), FORBIDDEN_V4)
    return address not in GLOBAL_V6 or any(address in network for network in FORBIDDEN_V6)


def _is_in(address: IPv4Address, networks: Sequence[IPv4Network]) -> bool:
    return any(address in network for network in networks)
