"""Addresses that are never fetched, checked without a socket."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.urls.forbidden_ranges import FORBIDDEN_V4, is_forbidden

# By name, from the IANA registries: one address of each block, mostly its first or its last.
FORBIDDEN = [
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.1.2.3",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::8.8.8.8",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
]
ALLOWED = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2606:4700::1111",
    "2a00:1450::1",
    "64:ff9b::8.8.8.8",
]


@pytest.mark.parametrize("address", FORBIDDEN)
def test_special_addresses_are_forbidden(address: str) -> None:
    assert is_forbidden(ip_address(address))


@pytest.mark.parametrize("address", ALLOWED)
def test_their_neighbours_are_not(address: str) -> None:
    assert not is_forbidden(ip_address(address))


@given(st.integers(min_value=0, max_value=2**32 - 1).map(IPv4Address))
def test_what_is_not_global_is_forbidden(address: IPv4Address) -> None:
    """The interpreter's own list, where it knows a range, is never more careful than ours."""
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert is_forbidden(address)


@given(st.ip_addresses(v=6))
def test_what_is_not_global_is_forbidden_in_ipv6(address: IPv6Address) -> None:
    is_special = not address.is_global or address.is_multicast or address.ipv4_mapped is not None
    if is_special and address not in ip_network("64:ff9b::/96"):
        assert is_forbidden(address)


@given(st.sampled_from(FORBIDDEN_V4), st.data())
def test_no_embedding_makes_a_forbidden_address_allowed(
    network: object, data: st.DataObject
) -> None:
    inner = int(data.draw(st.ip_addresses(v=4, network=str(network))))
    for embedded in (
        inner,  # IPv4-compatible
        0xFFFF << 32 | inner,  # IPv4-mapped
        0xFFFF << 48 | inner,  # IPv4-translated
        0x64_FF9B << 96 | inner,  # NAT64
        0x2002 << 112 | inner << 80 | 1,  # 6to4
        0x2001_0000 << 96 | (inner ^ 0xFFFF_FFFF),  # Teredo
    ):
        assert is_forbidden(IPv6Address(embedded))
