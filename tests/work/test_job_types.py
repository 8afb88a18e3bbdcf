"""Kinds are declared once, and say what makes two jobs the same."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from mindhit.work import Registry, job, kind_of
from mindhit.work.model import UnknownKind
from tests.work.kit import Hosted, Keyed, Plain


@job("test:pair", key=("left", "right"))
@dataclass(frozen=True, slots=True)
class Pair:
    left: str
    right: str


def test_different_fields_never_make_the_same_key() -> None:
    parts = ["", "a", "/", "a/", "/a", "%", "%2F", "%25", "%252F", "a/a"]
    pairs = list(product(parts, parts))
    assert len({kind_of(Pair).key_of(Pair(*pair)) for pair in pairs}) == len(pairs)


def test_a_kind_says_key_and_domain_of_a_job() -> None:
    assert kind_of(Keyed).key_of(Keyed("a/b")) == "a/b"
    assert kind_of(Plain).key_of(Plain()) is None
    assert kind_of(Hosted).domain_of(Hosted("a.example")) == "a.example"
    assert kind_of(Plain).domain_of(Plain()) is None


def test_a_kind_is_a_dataclass_that_has_the_fields_it_names() -> None:
    with pytest.raises(TypeError, match="dataclass"):
        job("test:wrong")(int)
    with pytest.raises(TypeError, match="no field link_id"):
        job("test:wrong", key="link_id")(Plain)
    with pytest.raises(TypeError, match="no field host"):
        job("test:wrong", domain="host")(Plain)


def test_what_was_never_declared_is_no_kind() -> None:
    with pytest.raises(UnknownKind):
        kind_of(int)


def test_one_name_has_one_handler() -> None:
    @job("test:plain")
    @dataclass(frozen=True, slots=True)
    class Impostor:
        pass

    async def handle(work: object) -> None: ...

    with pytest.raises(ValueError, match="two handlers for the kind test:plain"):
        Registry({Plain: handle, Impostor: handle})
