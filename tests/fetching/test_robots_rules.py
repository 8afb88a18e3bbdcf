"""The rules of robots.txt as RFC 9309 has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.fetching.robots.rules import MOST_BYTES, MOST_CHARACTERS, MOST_STARS, parse

ALLOW, DISALLOW = True, False


@pytest.mark.parametrize(
    ("robots", "path", "verdict"),
    [
        ("", "/a", ALLOW),
        ("User-agent: *\nDisallow:", "/a", ALLOW),
        ("User-agent: *\nDisallow: /", "/a", DISALLOW),
        ("User-agent: *\nDisallow: /", "/robots.txt", ALLOW),
        ("user-AGENT:*\ndisALLOW:/a", "/abc", DISALLOW),
        ("User-agent: *\nDisallow: /a/", "/a", ALLOW),
        ("User-agent: *\nDisallow: /A", "/a", ALLOW),
        # the longest decides, of two as long the one that allows
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", ALLOW),
        ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", DISALLOW),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", ALLOW),
        ("User-agent: *\nAllow: /p\nDisallow: /", "/page", ALLOW),
        ("User-agent: *\nAllow: /$\nDisallow: /", "/", ALLOW),
        ("User-agent: *\nAllow: /$\nDisallow: /", "/page", DISALLOW),
        # wildcards
        ("User-agent: *\nDisallow: /*.php", "/x/index.php?a", DISALLOW),
        ("User-agent: *\nDisallow: /*.php$", "/index.php", DISALLOW),
        ("User-agent: *\nDisallow: /*.php$", "/index.php?a", ALLOW),
        ("User-agent: *\nDisallow: /a*b*c$", "/aXXbYYc", DISALLOW),
        ("User-agent: *\nDisallow: /a*b*c$", "/aXXcYYb", ALLOW),
        ("User-agent: *\nDisallow: *.pdf", "/x.pdf", DISALLOW),
        ("User-agent: *\nDisallow: /a*a$", "/a", ALLOW),
        ("User-agent: *\nDisallow: /***a", "/bba", DISALLOW),
        ("User-agent: *\nDisallow: /a$b", "/a$b", DISALLOW),
        # groups: ours, however many; else everybody's
        ("User-agent: mindhit\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/b", ALLOW),
        ("User-agent: *\nDisallow: /\n\nUser-agent: MindHit/2.0\nDisallow: /a", "/b", ALLOW),
        ("User-agent: a\nUser-agent: mindhit\nDisallow: /a", "/a", DISALLOW),
        ("User-agent: mindhit\nDisallow: /a\nUser-agent: mindhit\nDisallow: /b", "/b", DISALLOW),
        ("User-agent: mindhit\nUser-agent: *\nDisallow: /b", "/b", DISALLOW),
        ("User-agent: mindhitbot\nDisallow: /\n", "/b", ALLOW),
        ("User-agent: mindhit\n\nUser-agent: *\nDisallow: /", "/b", DISALLOW),
        ("User-agent: mindhit\nAllow: /x\nUser-agent: *\nDisallow: /", "/b", ALLOW),
        ("Disallow: /\nUser-agent: *\nDisallow: /a", "/b", ALLOW),
        ("User-agent: a\nSitemap: x\nUser-agent: mindhit\nDisallow: /", "/b", DISALLOW),
        # what can't be read is skipped
        ("User-agent: * # all\nDisallow: /a # not this", "/a", DISALLOW),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "/a", DISALLOW),
        ("User-agent: *\rDisallow: /a", "/a", DISALLOW),
        ("User-agent *\nDisallow /a", "/a", ALLOW),
        ("User-agent: *\nCrawl-delay: 5\nDisallow: /a", "/a", DISALLOW),
        ("User-agent: *\nDisallow: a", "/a", ALLOW),
        ("<html><body>404</body></html>", "/a", ALLOW),
        # one spelling for every character
        ("User-agent: *\nDisallow: /%ED%95%9C", "/%ed%95%9c", DISALLOW),
        ("User-agent: *\nDisallow: /한", "/%ED%95%9C", DISALLOW),
        ("User-agent: *\nDisallow: /a%7Eb", "/a~b", DISALLOW),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", ALLOW),
        ("User-agent: *\nDisallow: /*?print=", "/a?x=1", ALLOW),
        ("User-agent: *\nDisallow: /*?print=", "/a?print=1", DISALLOW),
    ],
)
def test_robots(robots: str, path: str, verdict: bool) -> None:
    assert parse(robots).allow(path) is verdict


def test_what_lies_behind_500_kib_is_not_read() -> None:
    early = "User-agent: *\nDisallow: /a\n"
    padded = early + "#" * MOST_BYTES + "\nDisallow: /b\n"
    assert not parse(padded).allow("/a")
    assert parse(padded).allow("/b")


def test_a_pattern_of_stars_is_matched_at_once() -> None:
    """A regular expression would need years."""
    rules = parse("User-agent: *\nDisallow: /" + "*a" * MOST_STARS + "$")
    assert rules.allow("/" + "a" * (MOST_STARS - 1) + "b" * 4000)


@given(st.text(max_size=300), st.text(max_size=50))
def test_whatever_a_site_writes_is_an_answer(robots: str, path: str) -> None:
    assert parse(f"User-agent: *\n{robots}").allow(f"/{path}") in {True, False}


def test_a_rule_with_too_many_stars_forbids_from_there_on() -> None:
    stars = "*".join("abcdefghijklmnopqrstuvwxyz")
    rules = parse(f"User-agent: *\nDisallow: /{stars}\nAllow: /{stars}\n")
    [rule] = rules.rules
    assert (rule.is_allowed, rule.pattern.count("*")) == (False, MOST_STARS - 1)
    assert not rules.allow("/abcdefghijklmnopqrstuvwxyz")
    assert rules.allow("/abc")


def test_the_rules_that_are_kept_have_a_limited_length() -> None:
    lines = "\n".join(f"Disallow: /{number:04}{'x' * 500}" for number in range(900))
    kept = parse(f"User-agent: *\n{lines}").rules
    assert sum(len(rule.pattern) for rule in kept) <= MOST_CHARACTERS
    assert len(kept) > 100
