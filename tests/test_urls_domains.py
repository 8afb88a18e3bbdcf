"""Domains as users write them, and what lies under them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.urls import NotAPage, clean_domain, matches_domain


@pytest.mark.parametrize(
    "text",
    [
        "example.com",
        "Example.com",
        " www.example.com ",
        "*.example.com",
        ".example.com",
        "*.www.example.com",
        "example.com.",
        "example.com:8080",
        "example.com/page?x",
        "//example.com",
        "https://Example.com/",
        "http://reader@www.example.com/page",
        "https://*.example.com/*",
    ],
)
def test_a_domain_is_understood_however_a_user_spells_it(text: str) -> None:
    assert clean_domain(text) == "example.com"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "*",
        "*.",
        ".",
        "https://",
        "a b.com",
        "a.com,b.com",
        "ftp://example.com",
        "\ud800",
        "a" * 2000,
    ],
)
def test_what_is_not_a_domain_is_refused(text: str) -> None:
    with pytest.raises(NotAPage):
        clean_domain(text)


@pytest.mark.parametrize(
    ("domain", "excluded", "matches"),
    [
        ("example.com", ["example.com"], True),
        ("mail.example.com", ["https://Example.com/"], True),
        ("a.b.example.com", ["other.org", "*.example.com"], True),
        ("example.com", ["www.example.com"], True),
        ("xn--3e0b707e.kr", ["한국.kr"], True),
        ("10.0.0.1", ["10.0.0.1"], True),
        ("notexample.com", ["example.com"], False),
        ("example.com", ["mail.example.com"], False),
        ("example.com.evil.org", ["example.com"], False),
        ("10.0.0.1", ["0.1"], False),
        ("example.com", [], False),
        ("example.com", ["", "*", "not a domain"], False),
    ],
)
def test_a_domain_matches_itself_and_what_lies_under_it(
    domain: str, excluded: list[str], matches: bool
) -> None:
    assert matches_domain(domain, excluded) is matches


# Surrogates too: `st.text()` alone leaves them out.
@given(st.text(st.characters(exclude_categories=())))
def test_cleaning_a_domain_twice_is_cleaning_it_once(text: str) -> None:
    try:
        domain = clean_domain(text)
    except NotAPage:
        return
    assert clean_domain(domain) == domain
    assert matches_domain(domain, [text])
