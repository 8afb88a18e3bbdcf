"""What may not be connected to is refused: by its number in every spelling, by name, by redirect.

No test opens a socket to a forbidden address: opening one fails the test.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

import pytest
from aiohttp import ClientConnectorError, web
from hypothesis import given
from hypothesis import strategies as st

from mindhit.fetching import (
    AddressForbidden,
    Guard,
    Moved,
    Page,
    Permanent,
    forbidden_in,
    guarded_session,
)
from mindhit.fetching.guard import NEVER_ALLOWED
from mindhit.urls.forbidden_ranges import FORBIDDEN_V4, FORBIDDEN_V6
from tests.fetching.kit import LOOPBACK, Names, Site, fetcher, html, redirect, server

PUBLIC = "93.184.216.34"
INSIDE = [
    *(str(network[at]) for network in FORBIDDEN_V4 for at in (0, -1)),
    *(str(network[at]) for network in FORBIDDEN_V6 for at in (0, -1)),
    *("::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
    # IPv4 inside IPv6: mapped, compatible, translated, NAT64, local NAT64, 6to4, Teredo
    *(
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        f"::ffff:{PUBLIC}",
        "::127.0.0.1",
        "::ffff:0:127.0.0.1",
    ),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"),
]
OUTSIDE = [PUBLIC, "1.1.1.1", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "64:ff9b::101:101"]
LITERALS = [
    *("127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1"),
    *(
        "127.0.1",
        "0",
        "0x0",
        "0.0.0.0",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
        "127。0。0。1",
        "127.0.0.1.",
    ),
    *("169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518"),
    *("10.0.0.1", "012.1", "192.168.0.1", "0xc0a80001", "3232235521", "172.16.0.1", "100.64.0.1"),
    *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]"),
    *("[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[2001:0:0:0:0:0:0:1]"),
    *("[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "user:pass@127.0.0.1", "example.org@[::1]"),
]


@pytest.fixture(autouse=True)
def _no_sockets_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connecting to anything but a test's own server fails."""
    connect = socket.socket.connect

    def checked(self: socket.socket, to: Any) -> Any:
        assert self.family == socket.AF_UNIX or to[0].startswith("127."), f"connected to {to}"
        return connect(self, to)

    monkeypatch.setattr(socket.socket, "connect", checked)


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_is_refused(address: str) -> None:
    with pytest.raises(AddressForbidden):
        Guard().check(address)


@pytest.mark.parametrize("address", INSIDE)
def test_no_socket_is_made_for_an_address_inside(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_socket(**_: object) -> None:
        pytest.fail("a socket was made")

    monkeypatch.setattr(socket, "socket", no_socket)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with pytest.raises(AddressForbidden):
        Guard().open_socket((family, socket.SOCK_STREAM, 0, "", (address, 80)))


@pytest.mark.parametrize("address", OUTSIDE)
def test_an_address_outside_is_not(address: str) -> None:
    Guard().check(address)
    written = f"[{address}]" if ":" in address else address
    assert Guard().check_url(f"http://{written}/a") == f"http://{_as_parsed(written)}/a"


def _as_parsed(host: str) -> str:
    return f"[{ip_address(host[1:-1]).compressed}]" if host.startswith("[") else host


@pytest.mark.parametrize("host", LITERALS)
@pytest.mark.parametrize(
    "around", ["http://{}/", "https://{}:8443/a?b", "HTTP:\\\\{}\\", "http://{}"]
)
def test_a_literal_inside_is_refused_in_every_spelling(host: str, around: str) -> None:
    with pytest.raises(AddressForbidden):
        Guard().check_url(around.format(host))


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://[fe80::1%25eth0]/",
            "http://[::1%eth0]/",
            "ftp://example.org/",
            "file:///etc/passwd",
        ),
        *(
            "gopher://127.0.0.1/",
            "javascript:alert(1)",
            "//example.org",
            "",
            "http://",
            "http:// /",
        ),
        *(
            "http://256.256.256.256/",
            "http://1.2.3.4.5/",
            "http://0x1ffffffff/",
            "data:text/html,x",
        ),
    ],
)
def test_what_is_no_page_is_refused(url: str) -> None:
    with pytest.raises(Permanent):
        Guard().check_url(url)


@pytest.mark.parametrize("port", [22, 25, 6667, 10080])
def test_ports_of_other_protocols_are_refused_as_in_browsers(port: int) -> None:
    with pytest.raises(AddressForbidden):
        Guard().check_url(f"http://example.org:{port}/")
    assert Guard().check_url("http://example.org:8080/") == "http://example.org:8080/"


def test_credentials_and_fragments_are_not_sent() -> None:
    assert Guard().check_url("http://me:secret@example.org/a#b") == "http://example.org/a"


@given(st.ip_addresses())
def test_what_is_allowed_is_only_what_was_named(address: Any) -> None:
    guard = Guard(["192.168.1.0/24", "fd12::/16"])
    is_named = address in IPv4Network("192.168.1.0/24") or address in IPv6Network("fd12::/16")
    assert guard.permits(address) == (is_named or Guard().permits(address))


def test_metadata_and_link_local_can_never_be_allowed() -> None:
    everything = Guard(["0.0.0.0/0", "::/0"])
    for network in NEVER_ALLOWED:
        for address in (network[0], network[-1]):
            assert not everything.permits(address)
            if address.version == 4:
                assert not everything.permits(ip_address(f"::ffff:{address}"))
    assert everything.permits(ip_address("10.0.0.1"))


async def test_one_forbidden_answer_among_many_refuses_the_name() -> None:
    names = Names({"mixed.example": [PUBLIC, "2606:4700::1111", "10.0.0.1"]})
    async with fetcher(names=names, allowed=()) as fetch:
        with pytest.raises(AddressForbidden):
            await fetch.fetch("http://mixed.example/")
    assert names.asked == ["mixed.example"]


async def test_an_answer_that_may_be_connected_to_does_not_save_the_name() -> None:
    """The socket alone would not notice: the first address is permitted, and answers."""
    async with server(Site("127.0.0.1", pages={"*": html()})) as site:
        names = Names({"mixed.example": ["127.0.0.1", "10.0.0.1"]})
        async with fetcher(names=names) as fetch:
            with pytest.raises(AddressForbidden):
                await fetch.fetch(f"http://mixed.example:{site.port}/")
    assert site.asked == []


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.1"])
async def test_a_name_that_leads_inside_is_refused(address: str) -> None:
    async with fetcher(names=Names({"inside.example": [address]}), allowed=()) as fetch:
        with pytest.raises(AddressForbidden):
            await fetch.fetch("https://inside.example/")


async def test_a_name_that_changes_after_the_check_gains_nothing() -> None:
    """It is resolved once for a connection, and connected to what was checked: the answer that
    turns inward is either not asked for or refused."""
    async with server(Site("127.0.0.1", pages={"*": html()})) as site:
        answers = [["127.0.0.1"], ["169.254.169.254"], ["169.254.169.254"]]
        names = Names({"turning.example": answers})
        url = f"http://turning.example:{site.port}/"
        async with fetcher(names=names) as fetch:
            assert isinstance(await fetch.fetch(url), Page)
            assert names.asked == ["turning.example"]
            fetch._open().connector.clear_dns_cache()  # type: ignore[union-attr]
            for connections in fetch._open().connector._conns.values():  # type: ignore[union-attr]
                for connection, _ in connections:
                    connection.close()
            with pytest.raises(AddressForbidden):
                await fetch.fetch(url)
    assert site.asked == ["/robots.txt", "/"]


async def test_the_socket_is_checked_even_if_the_resolver_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a resolver gives may differ from what it gave when it was checked."""
    from mindhit.fetching import sessions

    monkeypatch.setattr(sessions, "CheckedResolver", lambda _guard, resolver: resolver)
    names = Names({"lying.example": ["10.0.0.1", "::1"]})
    async with guarded_session(Guard(), resolver=names) as session:
        with pytest.raises(ClientConnectorError) as refused:
            await session.get("http://lying.example/")
    assert forbidden_in(refused.value) is not None


async def test_a_session_refuses_literals_which_no_resolver_sees() -> None:
    async with guarded_session(Guard(), resolver=Names({})) as session:
        for url in ("http://127.0.0.1/", "http://[::1]/", "http://[::ffff:169.254.169.254]/"):
            with pytest.raises(ClientConnectorError) as refused:
                await session.get(url)
            assert forbidden_in(refused.value) is not None


@pytest.mark.parametrize(
    "target",
    [
        *("http://169.254.169.254/latest/meta-data/", "http://2852039166/", "//10.0.0.1/"),
        *("http://[::1]/", "http://inside.example/", "http://0xa9.0xfe.0xa9.0xfe/"),
    ],
)
async def test_a_redirect_that_turns_inward_is_refused(target: str) -> None:
    pages = {"/a": redirect("/b"), "/b": redirect(target)}
    async with server(Site("127.0.0.1", pages=pages)) as site:
        names = Names({"inside.example": ["10.0.0.1"]})
        async with fetcher(names=names) as fetch:
            with pytest.raises(AddressForbidden):
                await fetch.fetch(site.url("/a"))
    assert site.asked == ["/robots.txt", "/a", "/b"]


async def test_a_robots_txt_that_redirects_inward_closes_the_site() -> None:
    site = Site(
        "127.0.0.1", robots=redirect("http://169.254.169.254/robots.txt"), pages={"*": html()}
    )
    async with server(site), fetcher() as fetch:
        with pytest.raises(Exception, match="did not answer"):
            await fetch.fetch(site.url("/a"))
    assert site.asked == ["/robots.txt"]


async def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with server(Site("127.0.0.1", pages={"*": html()})) as site, fetcher() as fetch:
        assert isinstance(await fetch.fetch(site.url()), Page)


async def test_no_cookie_is_kept_or_sent() -> None:
    async def bake(request: web.Request) -> web.Response:
        assert "Cookie" not in request.headers
        response = web.Response(text="<p>", content_type="text/html")
        response.set_cookie("who", "you")
        return response

    async with server(Site("127.0.0.1", pages={"*": bake})) as site, fetcher() as fetch:
        for _ in range(2):
            fetched = await fetch.fetch(site.url())
            assert not isinstance(fetched, Moved)
            assert isinstance(fetched, Page)
            assert fetched.status == 200


def test_test_farms_have_to_be_allowed() -> None:
    with pytest.raises(AddressForbidden):
        Guard().check("127.0.0.2")
    Guard([LOOPBACK]).check("127.0.0.2")
