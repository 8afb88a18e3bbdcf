"""Addresses, tokens and codes: the pure rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.accounts import BadAddress, connections, email_addresses, tokens
from mindhit.accounts.tokens import TokenType


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada@example.org", " ADA@Example.ORG "),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("한글@예시.kr", "한글@예시.kr"),
        ("e\u0301a@example.org", "\u00e9a@example.org"),
    ],
)
def test_spellings_of_one_address(one: str, other: str) -> None:
    assert email_addresses.key(one) == email_addresses.key(other)
    assert email_addresses.is_same_address(one, other)


def test_other_addresses_are_other_addresses() -> None:
    assert email_addresses.key("ada+shop@example.org") != email_addresses.key("ada@example.org")
    assert not email_addresses.is_same_address("ada@example.org", "not an address")


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "ada", "@example.org", "ada@", "ada@example..org", "a b@example.org"),
        *("ada@example.org, eve@example.org", "Ada <ada@example.org>", "<ada@example.org>"),
        *("ada@example.org\r\nBcc: eve@example.org", "ada\x00@example.org", "a@" + "x" * 300),
    ],
)
def test_what_is_no_address(wrong: str) -> None:
    with pytest.raises(BadAddress):
        email_addresses.clean(wrong)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_an_address_or_refused(typed: str) -> None:
    try:
        clean = email_addresses.clean(typed)
    except BadAddress:
        return
    assert email_addresses.key(clean) == email_addresses.key(typed)
    assert not any(character in clean for character in "\r\n\0,;<>")


@given(st.sampled_from(TokenType), st.integers(0, 200), st.characters())
def test_a_mistyped_token_is_none(type_: TokenType, index: int, typed: str) -> None:
    token, hashed = tokens.new_token(type_)
    assert tokens.hash_of(token, type_) == hashed
    index %= len(token)
    if token[index] != typed:
        assert tokens.hash_of(token[:index] + typed + token[index + 1 :], type_) is None


def test_a_token_is_of_one_type() -> None:
    for type_ in TokenType:
        others = [other for other in TokenType if other is not type_]
        assert tokens.hash_of(tokens.new_token(type_)[0], *others) is None


@given(st.text(max_size=20))
def test_a_code_however_it_is_typed(noise: str) -> None:
    code = connections.make_code()
    assert connections.clean_code(code.lower().replace("-", " ")) == code
    assert connections.clean_code(noise) in {
        "",
        connections.clean_code(connections.clean_code(noise)),
    }
