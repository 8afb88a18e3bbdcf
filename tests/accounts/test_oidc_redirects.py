"""Where people are sent after signing in: never to another site."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import quote

import ada_url
import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.responses import RedirectResponse

from mindhit.accounts import Person
from mindhit.accounts.oidc import local_path
from mindhit.db import Database
from tests.accounts.oidc_kit import ADA, OURS, Site, open_site


@pytest.fixture
async def site(db: Database) -> AsyncIterator[Site]:
    async with open_site(db) as site:
        yield site


@pytest.fixture
async def ada(site: Site) -> Person:
    return await site.add(ADA)


ELSEWHERE = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/.//evil.example",
    "/%2e//evil.example",
    "/a/..//evil.example",
    "https://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "javascript:alert(1)",
    "evil.example",
    "?next",
    "#top",
    "@evil.example",
    "",
    "/" + "a" * 3000,
    "/a\r\nSet-Cookie: b=c",
    "/\0",
    "/\x85",
]
HERE = ["/", "/settings", "/%5Cevil", "/a%2F%2Fb", "/a?b=//c", "/a#//b", "/설정?q=책 한 권", "/@a"]


async def test_nobody_is_sent_elsewhere(site: Site, ada: Person) -> None:
    for asked in ELSEWHERE:
        answer = await site.sign_in(asked)
        assert answer.headers["location"] == "/", asked


async def test_people_come_back_to_where_they_were(site: Site, ada: Person) -> None:
    for asked in HERE:
        answer = await site.sign_in(asked)
        there = httpx2.URL(OURS).join(answer.headers["location"])
        assert there == httpx2.URL(OURS).join(quote(asked, safe="/?#%=@")), asked


nasty = st.lists(
    st.sampled_from(
        [
            "/",
            "\\",
            ".",
            "..",
            "%2e",
            "%2f",
            "%5c",
            ":",
            "?",
            "#",
            "@",
            " ",
            "\t",
            "\n",
            "\r",
            "\0",
            "\x7f",
            "\x85",
            "\u2028",
            "https:",
            "javascript:",
            "evil.example",
            "a",
            "//",
        ]
    ),
    max_size=12,
).map("".join)


@given(nasty | st.text() | nasty.map(lambda rest: "/" + rest))
@example("/.//evil.example")
def test_no_next_page_leaves_this_server(asked: str) -> None:
    """As browsers read it: ada is the parser of the WHATWG rules that Node and others use."""
    sent = RedirectResponse(local_path(asked)).headers["location"]
    for told in (sent, local_path(asked)):
        url = ada_url.URL(told, base="https://mind.example/v1/auth/oidc/callback")
        assert url.origin == "https://mind.example"
        assert not url.pathname.startswith("//")


@given(st.from_regex(r"(/[\w.%-]{1,9}){1,5}/?(\?[\w=&:/%]{0,20})?(#[\w/]{0,9})?", fullmatch=True))
def test_pages_of_this_server_are_kept_as_they_are(asked: str) -> None:
    assert local_path(asked) == asked
