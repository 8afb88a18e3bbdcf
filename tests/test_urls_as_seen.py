"""Addresses as they were seen, and which of them the server may fetch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit import urls
from mindhit.urls import MAX_LENGTH, NotAPage, may_be_fetched, shown, title_from


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("http://nas.example/a", "http://nas.example/a"),
        ("https://www.only.example/", "https://www.only.example/"),
        ("https://WWW.Only.Example:443", "https://www.only.example/"),
        ("https://a.example/dir/", "https://a.example/dir/"),
        ("https://a.example:8443/x", "https://a.example:8443/x"),
        ("https://me:secret@a.example/x", "https://a.example/x"),
        ("https://a.example/?b=2&utm_source=mail&a=1&fbclid=x", "https://a.example/?b=2&a=1"),
        ("https://a.example/?utm%5Fsource=mail", "https://a.example/"),
        ("https://a.example/?UTM_Source=mail#part", "https://a.example/"),
        ("https://a.example/?q=a+b%20c&x", "https://a.example/?q=a+b%20c&x"),
        ("https://a.example/x?", "https://a.example/x?"),
        ("https://a.example/#/inbox/3", "https://a.example/#/inbox/3"),
        ("https://a.example/#!inbox", "https://a.example/#!inbox"),
        ("https://a.example/#token=1", "https://a.example/"),
        ("https://youtube.com/watch?v=1&si=x", "https://youtube.com/watch?v=1"),
        ("https://www.youtube.com/watch?v=1&si=x", "https://www.youtube.com/watch?v=1"),
        ("https://a.example/watch?v=1&si=x", "https://a.example/watch?v=1&si=x"),
    ],
)
def test_only_what_must_not_be_kept_is_removed(text: str, seen: str) -> None:
    assert shown(text) == seen


@given(
    st.sampled_from(["http", "https"]),
    st.sampled_from(["", "me:secret@", "secret@"]),
    st.from_regex(r"(www\.)?[a-z]{1,5}\.(example|com)(:81)?", fullmatch=True),
    st.text("/ab.%2", max_size=8),
    st.text("abut_m=&%+2", max_size=20),
    st.sampled_from(["", "#secret", "#/secret-route", "#!x"]),
)
def test_an_address_as_seen_is_of_the_same_page_and_stays_as_it_is(
    scheme: str, user: str, host: str, path: str, query: str, fragment: str
) -> None:
    text = f"{scheme}://{user}{host}/{path}?{query}{fragment}"
    seen = shown(text)
    assert shown(seen) == seen
    assert urls.normalise(seen) == urls.normalise(text)
    assert "secret@" not in seen
    assert seen.startswith(f"{scheme}://{host}/")


def test_what_is_not_a_page_has_no_address() -> None:
    for text in ("file:///etc/passwd", "about:blank", "", "https://"):
        with pytest.raises(NotAPage):
            shown(text)


def test_a_route_that_is_too_long_is_dropped_and_an_address_that_is_too_long_refused() -> None:
    assert shown("https://a.example/#/" + "x" * MAX_LENGTH) == "https://a.example/"
    with pytest.raises(NotAPage):
        shown("https://a.example/" + "x" * MAX_LENGTH)


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("https://a.example/papers/On%20Sleep.pdf?v=2#page=3", "On Sleep.pdf"),
        ("https://a.example/%ED%95%9C%EA%B8%80.PDF", "한글.PDF"),
        ("https://a.example/report.pdf/", None),
        ("https://a.example/paper.html", None),
        ("https://a.example/?file=x.pdf", None),
        ("https://a.pdf", None),
    ],
)
def test_a_document_without_a_title_is_named_after_its_file(
    address: str, title: str | None
) -> None:
    assert title_from(address) == title


# Fetching

PUBLIC = [
    "https://example.org/",
    "http://example.org:8080/a?page=2&sort=date",
    "https://en.wikipedia.org/wiki/Key_(music)?oldid=123456789",
    "https://8.8.8.8/",
    "https://example.org/?q=how+to+token+ring",
    "https://example.org/?monkey=1&keyboard=x&encode=2&design=3&authors=x",
    "https://example.org/?id=" + "1" * 40,
    "https://example.org/?name=" + "a" * 40,
    "https://example.org/?id=" + "a1" * 15,
]
NEVER = [
    "ftp://example.org/",
    "not an address",
    "http://localhost/",
    "http://nas/",
    "http://nas.local/",
    "http://router.lan/",
    "http://wiki.internal/",
    "http://box.home.arpa/",
    "http://app.localhost:3000/",
    "http://site.test/",
    "http://site.TEST./",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[fd00::1]/",
    "https://example.org/?token=x",
    "https://example.org/?a=1&accessToken=x",
    "https://example.org/?access_token=x",
    "https://example.org/?api-key=x",
    "https://example.org/?t%6Fken=x",
    "https://example.org/cb?code=x",
    "https://example.org/?sig=x",
    "https://example.org/?auth=x",
    "https://example.org/?otp=123456",
    "https://example.org/?password=x",
    "https://example.org/?session=x",
    "https://example.org/?SAMLResponse=x",
    "https://example.org/?X-Amz-Signature=x",
    "https://example.org/?id=" + "a1" * 16,
    "https://example.org/?id=a1b2c3d4-e5f6-a1b2-c3d4-e5f6a1b2c3d4",
    "https://example.org/?next=%2Freset%2F" + "Ab3" * 12,
    "https://example.org/#/reset?token=x",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_what_anybody_can_open_may_be_fetched(address: str) -> None:
    assert may_be_fetched(address)


@pytest.mark.parametrize("address", NEVER)
def test_what_is_private_or_a_key_is_never_fetched(address: str) -> None:
    assert not may_be_fetched(address)


def test_a_host_of_a_test_farm_is_exempt_but_not_its_keys() -> None:
    farm = ["127.0.0.5"]
    assert may_be_fetched("http://127.0.0.5:8000/page", farm)
    assert not may_be_fetched("http://127.0.0.6:8000/page", farm)
    assert not may_be_fetched("http://127.0.0.5:8000/page?token=x", farm)


@given(st.text())
def test_whatever_the_text_the_answer_is_yes_or_no(text: str) -> None:
    assert may_be_fetched(text) in {True, False}
