"""URL identity: the table of groups, what is refused, and properties over any text."""

import hashlib
import re
import tomllib
import uuid
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from mindhit.urls import MAX_LENGTH, NotAPage, Reason, Url, address, normalise, parse

GROUPS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("url_groups.toml").read_text(encoding="utf-8")
)["group"]

SPELLINGS = [
    pytest.param(spelling, group["href"], id=f"{group['rule']}: {spelling!a}")
    for group in GROUPS
    for spelling in group["spellings"]
]

TRACKERS = ["utm_source", "UTM_Whatever", "fbclid", "gclid", "msclkid", "mc_eid", "NaPm", "pd_rd_i"]

# Surrogates and control characters too, which `st.text()` alone leaves out or seldom draws.
anything = st.text(st.characters(exclude_categories=())) | st.text(
    st.characters(categories=("Cs", "Cc", "Po", "Lo"))
)
hosts = st.sampled_from(
    ["example.com", "www.example.com", "WWW.com", "www.co.kr", "a.b.example.org", "www.youtube.com"]
) | st.sampled_from(["한국.kr", "xn--3e0b707e", "faß.de", "x.com.", "localhost", "127.1", "[::1]"])
pieces = st.text(st.sampled_from("aZ09-._~%%%26eEfF/+=!$'()*,;:@[]|^ \"<가é\\"), max_size=12)
names = pieces.filter(lambda name: "=" not in name)
paths = st.lists(pieces, max_size=4).map("/".join)
parameters = st.lists(st.tuples(pieces, pieces) | st.sampled_from(TRACKERS).map(lambda n: (n, "1")))


@st.composite
def urls(draw: st.DrawFn) -> str:
    """URLs as people and programs write them: mostly valid, rarely tidy."""
    scheme = draw(st.sampled_from(["http://", "https://", "HTTPS://"]))
    user = draw(st.sampled_from(["", "", "reader@", "reader:secret@"]))
    port = draw(st.sampled_from(["", "", ":80", ":443", ":8080"]))
    query = "&".join(f"{name}={value}" for name, value in draw(parameters))
    fragment = draw(st.sampled_from(["", "#", "#top", "#!/route?x=1"]))
    return f"{scheme}{user}{draw(hosts)}{port}/{draw(paths)}?{query}{fragment}"


@st.composite
def almost_settled(draw: st.DrawFn) -> str:
    """URLs at the border of what the parser leaves as it is."""
    labels = ["a", "b-c", "-d", "e-", "9", "0x1", "xn--a", "xn--3e0b707e", "F", "www", "com", ""]
    host = ".".join(draw(st.lists(st.sampled_from(labels), min_size=1, max_size=4)))
    segments = ["", ".", "..", "%2e", ".%2E", "...", ".a", "%2ea", "a.b", "%EA", "%", "a b", "|"]
    path = "/".join(draw(st.lists(st.sampled_from(segments), max_size=4)))
    rest = draw(st.sampled_from(["", "?", "#", "?'", "#'", "?a=%2e&b", "#`", "?a b", "?\n", "#|"]))
    return f"{draw(st.sampled_from(['http', 'https']))}://{host}/{path}{rest}"


def form_name(name: str) -> bytes:
    return unquote_to_bytes(name.replace("+", " "))


def page(text: str) -> Url:
    """The page at `text`, or no example at all."""
    try:
        return normalise(text)
    except NotAPage:
        reject()


@pytest.mark.parametrize(("spelling", "href"), SPELLINGS)
def test_every_spelling_of_a_group_is_one_page(spelling: str, href: str) -> None:
    assert normalise(spelling).href == href


def test_no_two_groups_are_one_page() -> None:
    hrefs = [group["href"] for group in GROUPS]
    assert len(hrefs) == len(set(hrefs))


def test_hash_and_id_come_from_the_href_alone() -> None:
    url = normalise("http://www.example.com:8080/page/?b=2&a=1#top")
    digest = hashlib.sha256(b"https://example.com:8080/page?a=1&b=2")
    assert url == Url(
        href="https://example.com:8080/page?a=1&b=2", domain="example.com", hash=digest.hexdigest()
    )
    assert url.id == uuid.UUID(bytes=digest.digest()[:16])


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("https://www.Example.com:8080/", "example.com"),
        ("https://www.한국.kr/", "xn--3e0b707e.kr"),
        ("https://blog.example.co.kr./", "blog.example.co.kr"),
        ("https://www.go.com/", "go.com"),
        ("https://www.t.co/", "t.co"),
        ("https://www/", "www"),
        ("https://www./", "www"),
        ("https://wwwexample.com/", "wwwexample.com"),
        ("https://[::1]:8080/", "[::1]"),
    ],
)
def test_the_domain_is_the_bare_host(text: str, domain: str) -> None:
    assert normalise(text).domain == domain


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.UNPARSABLE),
        ("   ", Reason.UNPARSABLE),
        ("example.com/page", Reason.UNPARSABLE),
        ("/page", Reason.UNPARSABLE),
        ("https://", Reason.UNPARSABLE),
        ("https:///", Reason.UNPARSABLE),
        ("https://exa mple.com/", Reason.UNPARSABLE),
        ("https://example.com:99999/", Reason.UNPARSABLE),
        ("https://1.2.3.4.5/", Reason.UNPARSABLE),
        ("https://exam\0ple.com/", Reason.UNPARSABLE),
        ("https://example.com/\ud800", Reason.UNPARSABLE),
        ("javascript:alert(1)", Reason.SCHEME),
        ("data:text/html,hello", Reason.SCHEME),
        ("about:blank", Reason.SCHEME),
        ("file:///etc/hosts", Reason.SCHEME),
        ("chrome://settings/", Reason.SCHEME),
        ("chrome-extension://abc/page.html", Reason.SCHEME),
        ("view-source:https://example.com/", Reason.SCHEME),
        ("blob:https://example.com/0a1b", Reason.SCHEME),
        ("ftp://example.com/", Reason.SCHEME),
        ("wss://example.com/", Reason.SCHEME),
        ("https://./", Reason.HOST),
        ("https://../", Reason.HOST),
        ("https://a..example.com/", Reason.HOST),
        ("https://.example.com/", Reason.HOST),
        (f"https://{'a.' * 130}com/", Reason.HOST),
        (f"https://example.com/{'a' * 100_000}", Reason.LENGTH),
        (f"https://example.com/?{'%3d' * 100_000}", Reason.LENGTH),
    ],
)
def test_what_is_not_a_page_is_refused_with_its_reason(text: str, reason: Reason) -> None:
    with pytest.raises(NotAPage) as refused:
        normalise(text)
    assert refused.value.reason is reason


def test_a_refusal_does_not_quote_the_text() -> None:
    with pytest.raises(NotAPage) as refused:
        normalise("ftp://reader:secret@example.com/")
    assert "secret" not in str(refused.value)


def test_only_what_remains_counts_towards_the_length() -> None:
    longest = "https://example.com/".ljust(MAX_LENGTH, "a")
    assert normalise(f"{longest}?utm_term={'b' * 50_000}#{'c' * 50_000}").href == longest
    with pytest.raises(NotAPage):
        normalise(f"{longest}a")


@pytest.mark.parametrize(
    ("text", "base", "href"),
    [
        ("../c?x#y", "https://example.com/a/b", "https://example.com/c?x#y"),
        ("//other.example/p", "http://example.com/", "http://other.example/p"),
        ("?q", "https://example.com/a/b#old", "https://example.com/a/b?q"),
        ("HTTP://EXAMPLE.com:80/%7e/.", None, "http://example.com/%7e/"),
        ("https://u:p@example.com/'?'", None, "https://u:p@example.com/'?%27"),
        ("https://example.com/\\a|b", None, "https://example.com//a|b"),
        ("https://☕.example/", None, "https://xn--53h.example/"),
        ("https://0300.168.0xF0", None, "https://192.168.0.240/"),
    ],
)
def test_the_parser_step_is_the_browsers(text: str, base: str | None, href: str) -> None:
    assert parse(text, base) == href


@given(anything)
def test_any_text_is_a_page_or_refused(text: str) -> None:
    for candidate in (text, f"https://{text}", f"https://example.com/{text}"):
        try:
            url = normalise(candidate)
        except NotAPage:
            continue
        assert re.fullmatch(r"https://[!-~]+", url.href)


@given(urls())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    url = page(text)
    assert normalise(url.href) == url


@given(urls())
def test_no_fragment_credential_or_tracker_survives(text: str) -> None:
    href = page(text).href
    assert "#" not in href
    assert "secret" not in href
    authority, _, rest = href.removeprefix("https://").partition("/")
    assert "@" not in authority
    names = [parameter.partition("=")[0] for parameter in rest.partition("?")[2].split("&")]
    assert not {name.lower() for name in TRACKERS} & {name.lower() for name in names}


@given(st.lists(st.tuples(names, pieces), unique_by=lambda p: form_name(p[0])), st.randoms())
def test_the_order_of_parameters_does_not_matter(
    pairs: list[tuple[str, str]], random: Random
) -> None:
    written = [f"{name}={value}" for name, value in pairs]
    shuffled = random.sample(written, len(written))
    # The closing `#` keeps a last value's blanks, which the parser would trim.
    one, other = (f"https://example.com/?{'&'.join(order)}#" for order in (written, shuffled))
    assert normalise(one) == normalise(other)


@settings(max_examples=500)
@given(urls() | almost_settled())
def test_the_short_way_gives_what_the_whole_parser_gives(text: str) -> None:
    # Browsers trim a blank in front; the short way refuses it.
    url = page(f" {text}")
    assert parse(text) == parse(f" {text}")
    assert normalise(text) == url


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        ("http://www.example.org/a/", "http://www.example.org/a/"),
        ("https://ada:secret@example.org/a?b=1#c", "https://example.org/a?b=1"),
        ("http://ada@example.org:8080/?utm_source=x", "http://example.org:8080/?utm_source=x"),
        ("HTTPS://EXAMPLE.org", "https://example.org/"),
    ],
)
def test_an_address_is_the_page_as_it_was_seen_without_credentials(seen: str, wanted: str) -> None:
    assert address(seen) == wanted


def test_only_the_web_has_addresses() -> None:
    with pytest.raises(NotAPage):
        address("ftp://example.org/a")
