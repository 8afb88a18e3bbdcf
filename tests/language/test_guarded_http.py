"""A server that a person chose must not lead into this machine's network. No test connects to one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_address

import pytest

from mindhit.fetching import AddressForbidden
from mindhit.language.providers.guarded_http import (
    Address,
    ResponseTooLarge,
    guarded_client,
    permitted_addresses,
)
from tests.language.wire import ModelServer, Raw, model_server

NOBODY: frozenset[str] = frozenset()


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as made:
        yield made


class Names:
    """What a name resolves to, one answer after the other."""

    def __init__(self, *answers: str) -> None:
        self.left = list(answers)

    async def __call__(self, _host: str, _port: int) -> Sequence[Address]:
        return [ip_address(each) for each in self.left.pop(0).split()]


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0"),
        *("2130706433", "0x7f.1", "0177.0.0.1", "127.1"),
        *("[::1]", "[fd00::1]", "[::ffff:127.0.0.1]", "[fe80::1]", "100.100.100.200"),
    ],
)
async def test_literal_private_addresses_are_refused(host: str) -> None:
    with pytest.raises(AddressForbidden):
        await permitted_addresses(host, 80, NOBODY, Names())


@pytest.mark.parametrize("answer", ["10.0.0.1", "93.184.216.34 127.0.0.1", "::1", "fd00:ec2::254"])
async def test_a_name_with_one_private_address_is_refused(answer: str) -> None:
    with pytest.raises(AddressForbidden):
        await permitted_addresses("models.example", 443, NOBODY, Names(answer))


async def test_public_names_and_what_the_operator_allows_pass() -> None:
    public = await permitted_addresses("models.example", 443, NOBODY, Names("93.184.216.34"))
    assert [str(each) for each in public] == ["93.184.216.34"]
    for host in ("gpu.lan", "GPU.lan."):
        allowed = await permitted_addresses(host, 80, frozenset({"gpu.lan"}), Names("10.0.0.9"))
        assert [str(each) for each in allowed] == ["10.0.0.9"]
    assert await permitted_addresses("gpu.lan", 80, None, Names("10.0.0.9"))


@pytest.mark.parametrize("answer", ["169.254.169.254", "100.100.100.200", "fd00:ec2::254"])
@pytest.mark.parametrize("allowed", [None, frozenset({"gpu.lan"})], ids=["operator", "person"])
async def test_metadata_services_are_refused_whatever_is_allowed(
    answer: str, allowed: frozenset[str] | None
) -> None:
    with pytest.raises(AddressForbidden):
        await permitted_addresses("gpu.lan", 80, allowed, Names(answer))


@pytest.mark.parametrize("port", [22, 25, 6667])
async def test_ports_of_other_protocols_are_refused(port: int) -> None:
    with pytest.raises(AddressForbidden):
        await permitted_addresses("models.example", port, None, Names())


async def test_it_connects_to_the_address_it_checked(server: ModelServer) -> None:
    """The name resolves once; a second answer would lead elsewhere."""
    names = Names("127.0.0.1")
    port = server.url.rpartition(":")[2]
    async with guarded_client(frozenset({"models.test"}), 10, names) as client:
        url = f"http://models.test:{port}/v1/chat/completions"
        assert (await client.post(url, json={"messages": []})).status_code == 200
    assert server.seen[0].headers["Host"] == f"models.test:{port}"
    assert names.left == []


async def test_an_endless_answer_is_cut_off(server: ModelServer) -> None:
    server.otherwise = Raw(b"x" * 5_000_000)
    async with guarded_client(None, 10) as client:
        with pytest.raises(ResponseTooLarge):
            await client.post(f"{server.url}/v1/chat/completions", json={"messages": []})


async def test_an_address_of_version_6_is_taken_as_the_client_writes_it() -> None:
    found = await permitted_addresses("::1", 11434, frozenset({"::1"}))
    assert [str(each) for each in found] == ["::1"]
    with pytest.raises(AddressForbidden):
        await permitted_addresses("::1", 11434, frozenset())
