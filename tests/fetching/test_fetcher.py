"""From an address to a page: redirects, conditions, what answers mean, robots.txt and its cache."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import brotli
import pytest
from aiohttp import web
from prometheus_client import REGISTRY

from mindhit.db import Database, Nothing, Write
from mindhit.fetching import (
    Blocked,
    CaptchaPage,
    FetchFailed,
    FetchingOff,
    Moved,
    Page,
    Permanent,
    RobotsDisallow,
    Step,
    Throttled,
    Transient,
    Unchanged,
    Validators,
)
from mindhit.fetching.limits import LONGEST_WAIT_S, USUAL_WAIT_S
from mindhit.fetching.retry_after import retry_after_s
from tests.fetching.kit import (
    Handle,
    Site,
    fetcher,
    html,
    raw,
    raw_server,
    redirect,
    server,
    serving,
)

NOW = datetime(2026, 11, 17, tzinfo=UTC)
PAST = Write(Nothing, "update robots_cache set expires_at = now() - interval '1 s'")


async def page_of(handle: Handle, path: str = "/a") -> Page:
    async with server(Site("127.0.0.1", pages={path: handle})) as site, fetcher() as fetch:
        fetched = await fetch.fetch(site.url(path))
        assert isinstance(fetched, Page)
        return fetched


async def failure_of(handle: Handle) -> FetchFailed:
    async with server(Site("127.0.0.1", pages={"/a": handle})) as site, fetcher() as fetch:
        with pytest.raises(FetchFailed) as failed:
            await fetch.fetch(site.url("/a"))
        return failed.value


async def test_a_page_has_what_its_readers_need() -> None:
    body = "<title>안녕</title>".encode("cp949")
    page = await page_of(
        raw(body, "Text/HTML; charset=euc-kr", ETag='"1"', Last_Modified="then", Server="x")
    )
    assert (page.status, page.content_type, page.charset) == (200, "text/html", "euc-kr")
    assert (page.body, page.text, page.is_html) == (body, "<title>안녕</title>", True)
    assert page.headers == {"etag": '"1"', "last-modified": "then"}
    assert page.validators == Validators('"1"', "then")
    assert page.url.endswith("/a")
    assert page.took_ms > 0


async def test_a_large_page_is_decoded_too() -> None:
    text = "대한민국의 수도는 서울이다. " * 20_000
    page = await page_of(raw(text.encode("cp949"), "text/html"))
    assert (page.text, page.charset) == (text, "euc-kr")


@pytest.mark.parametrize(
    ("encoding", "compress"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", lambda body: gzip.compress(body[:9]) + gzip.compress(body[9:])),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body, wbits=-15)),
        ("br", brotli.compress),
        ("identity", bytes),
        ("gzip, br", lambda body: brotli.compress(gzip.compress(body))),
    ],
)
async def test_every_encoding_we_ask_for_is_undone(encoding: str, compress: object) -> None:
    body = b"<p>" + bytes(range(32, 127)) * 5000
    assert callable(compress)
    page = await page_of(raw(compress(body), Content_Encoding=encoding))
    assert page.body == body


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("zstd", b"\x28\xb5\x2f\xfd"),
        ("gzip", b"no gzip at all"),
        ("br", b"\xff\xff\xff\xff\xff"),
        ("gzip, gzip, gzip", b""),
    ],
)
async def test_an_encoding_that_cannot_be_undone_is_permanent(encoding: str, body: bytes) -> None:
    assert isinstance(await failure_of(raw(body or b"x", Content_Encoding=encoding)), Permanent)


async def test_redirects_within_a_domain_are_followed() -> None:
    pages = {
        "/a": redirect("/b", 301),
        "/b": redirect("c?x=1#part", 303),
        "/c": redirect("/ä", 307),
        "/ä": html("<p>here"),
    }
    async with server(Site("127.0.0.1", pages=pages)) as site, fetcher() as fetch:
        page = await fetch.fetch(site.url("/a"), within="127.0.0.1")
        assert isinstance(page, Page)
        assert (page.url, page.hops) == (site.url("/%C3%A4"), 3)
    assert site.asked == ["/robots.txt", "/a", "/b", "/c?x=1", "/%C3%A4"]


async def test_a_redirect_to_another_domain_is_left_to_the_queue() -> None:
    here, there = Site("127.0.0.1"), Site("127.0.0.2", pages={"*": html()})
    async with serving(here, there), fetcher() as fetch:
        here.pages["/a"] = redirect(there.url("/b"))
        moved = await fetch.fetch(here.url("/a"), within="127.0.0.1")
        assert moved == Moved(there.url("/b"), "127.0.0.2", 1)
        assert there.asked == []
        assert isinstance(await fetch.fetch(here.url("/a")), Page)  # nobody's slot, everywhere
        assert there.asked == ["/robots.txt", "/b"]


@pytest.mark.parametrize("target", ["ftp://example.org/", "javascript:x", "http://", "mailto:a@b"])
async def test_a_redirect_to_what_is_no_page_is_permanent(target: str) -> None:
    assert isinstance(await failure_of(redirect(target)), Permanent)


async def test_hops_on_other_domains_count() -> None:
    async with (
        server(Site("127.0.0.1", pages={"*": redirect("/again")})) as site,
        fetcher() as fetch,
    ):
        with pytest.raises(Permanent, match="no page"):
            await fetch.fetch(site.url("/a"), hops=9)
    assert site.asked == ["/robots.txt", "/a", "/again"]


async def test_an_unchanged_page_is_not_sent_again() -> None:
    async def answer(request: web.Request) -> web.Response:
        known = request.headers.get("If-None-Match"), request.headers.get("If-Modified-Since")
        assert known == ('"1"', "Tue, 17 Nov 2026 00:00:00 GMT")
        return web.Response(status=304)

    known = Validators('"1"', "Tue, 17 Nov 2026 00:00:00 GMT")
    async with server(Site("127.0.0.1", pages={"/a": answer})) as site, fetcher() as fetch:
        assert await fetch.fetch(site.url("/a"), known=known) == Unchanged(site.url("/a"), known)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *((status, Permanent) for status in (400, 401, 404, 405, 410, 451, 501, 304, 300)),
        *((status, Transient) for status in (408, 425, 500, 502, 503, 504, 520)),
        (403, Blocked),
        (429, Throttled),
    ],
)
async def test_every_status_has_its_class(status: int, kind: type[FetchFailed]) -> None:
    failed = await failure_of(html("<p>no", status))
    assert type(failed) is kind
    assert failed.facts["status"] == status


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (403, "<title>Just a moment...</title>", {}),
        (503, '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>', {}),
        (403, '<script src="https://www.google.com/recaptcha/api.js"></script>', {}),
        (200, "<title>Robot Check</title><script src=https://www.google.com/recaptcha/api.js>", {}),
        (200, '<div id="px-captcha"></div>', {}),
        (200, "<p>", {"cf_mitigated": "challenge"}),
        (429, "<title>Attention Required! | Cloudflare</title>", {}),
    ],
)
async def test_a_captcha_is_known_as_one(status: int, body: str, headers: dict[str, str]) -> None:
    assert type(await failure_of(html(body, status, **headers))) is CaptchaPage


async def test_a_page_that_embeds_a_captcha_is_a_page() -> None:
    article = "<title>News</title>" + "<p>word " * 3000
    embedded = '<script src="https://www.google.com/recaptcha/api.js"></script>'
    assert (await page_of(html(article + embedded))).status == 200
    assert (await page_of(html("<title>Short</title>" + embedded))).status == 200


@pytest.mark.parametrize(
    "content_type", ["image/png", "application/pdf", "video/mp4", "application/octet-stream"]
)
async def test_what_is_not_text_is_permanent_and_not_read(content_type: str) -> None:
    failed = await failure_of(raw(b"\0" * 100, content_type))
    assert type(failed) is Permanent
    assert content_type in failed.reason


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<!doctype html><p>", "text/html"),
        (b"<?xml version='1.0'?><a/>", "application/xml"),
        (b' {"a": 1}', "application/json"),
        (b"plain words", "text/plain"),
    ],
)
async def test_a_body_without_a_type_is_what_it_looks_like(body: bytes, content_type: str) -> None:
    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()

    async with raw_server(talk) as base, fetcher() as fetch:
        page = await fetch.fetch(f"{base}/a")
        assert isinstance(page, Page)
        assert page.content_type == content_type


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("1.5", 1),
        ("99999999999", LONGEST_WAIT_S),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90),
        (format_datetime(NOW - timedelta(days=1), usegmt=True), 0),
        (format_datetime(NOW + timedelta(days=400), usegmt=True), LONGEST_WAIT_S),
        ("Tue, 17 Nov 2026 00:00:30", 30),
        *((nonsense, None) for nonsense in ("", "soon", "-5", "Tue, 99 Nov 2026", "１２")),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(said: str | None, seconds: float | None) -> None:
    assert retry_after_s(said, NOW) == seconds


@pytest.mark.parametrize(
    ("status", "headers", "wait_s"),
    [
        (429, {"Retry_After": "17"}, 17),
        (503, {"Retry_After": "17"}, 17),
        (429, {}, USUAL_WAIT_S),
    ],
)
async def test_a_site_that_is_asked_too_often_says_when(
    status: int, headers: dict[str, str], wait_s: float
) -> None:
    failed = await failure_of(html("", status, **headers))
    assert isinstance(failed, Throttled)
    assert failed.retry_after_s == wait_s


async def test_what_breaks_on_the_way_is_transient() -> None:
    async def cut(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>")
        await writer.drain()

    async with raw_server(cut) as base, fetcher() as fetch:
        with pytest.raises(Transient):
            await fetch.fetch(f"{base}/a")
    async with fetcher() as fetch:
        with pytest.raises(Transient):
            await fetch.fetch("http://no-such-name.example/")


async def test_what_is_not_http_is_permanent() -> None:
    async def mumble(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()

    async with raw_server(mumble) as base, fetcher() as fetch:
        with pytest.raises(Permanent):
            await fetch.fetch(f"{base}/a")


async def test_switched_off_nothing_is_asked() -> None:
    async with server() as site, fetcher(fetching=False) as fetch:
        with pytest.raises(FetchingOff):
            await fetch.fetch(site.url())
    assert site.asked == []


async def test_we_say_who_we_are() -> None:
    site = Site("127.0.0.1", pages={"*": html()})
    async with server(site), fetcher(fetch_user_agent="MindHit test") as fetch:
        await fetch.fetch(site.url("/a"))
        await fetch.fetch(site.url("/b"), user_agent="Somebody else")
    agents = [request.headers["User-Agent"] for request in site.requests]
    assert agents == ["MindHit test", "MindHit test", "Somebody else"]


async def test_every_decision_can_be_watched() -> None:
    steps: list[Step] = []
    pages = {"/a": redirect("/b"), "/b": html()}
    async with server(Site("127.0.0.1", pages=pages)) as site, fetcher() as fetch:
        await fetch.fetch(site.url("/a"), watch=steps.append)
    said = [(step.what, step.url.rpartition("/")[2]) for step in steps]
    assert said == [
        *(("robots", "a"), ("status", "a"), ("redirect", "a")),
        *(("robots", "b"), ("status", "b"), ("body", "b")),
    ]


async def test_outcomes_are_counted() -> None:
    def count(outcome: str) -> float:
        return REGISTRY.get_sample_value("mindhit_fetches_total", {"outcome": outcome}) or 0

    pages, blocked = count("page"), count("blocked")
    await page_of(html())
    await failure_of(html("", 403))
    assert (count("page") - pages, count("blocked") - blocked) == (1, 1)


# robots.txt


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_a_site_without_rules_allows_everything(status: int) -> None:
    site = Site("127.0.0.1", robots=html("no", status), pages={"*": html()})
    async with server(site), fetcher() as fetch:
        assert isinstance(await fetch.fetch(site.url("/a")), Page)


@pytest.mark.parametrize("status", [500, 503, 599])
async def test_a_site_that_cannot_say_its_rules_is_left_alone_for_now(status: int) -> None:
    site = Site("127.0.0.1", robots=html("no", status), pages={"*": html()})
    async with server(site), fetcher() as fetch:
        for _ in range(2):
            with pytest.raises(Transient):
                await fetch.fetch(site.url("/a"))
    assert site.asked == ["/robots.txt"]


async def test_a_site_that_wants_its_rules_read_later_is_throttled() -> None:
    site = Site("127.0.0.1", robots=html("", 429, Retry_After="30"))
    async with server(site), fetcher() as fetch:
        with pytest.raises(Throttled) as throttled:
            await fetch.fetch(site.url("/a"))
    assert throttled.value.retry_after_s == 30


async def test_disallowed_pages_are_not_asked_for_also_after_redirects() -> None:
    site = Site(
        "127.0.0.1",
        robots="User-agent: *\nDisallow: /private",
        pages={"/a": redirect("/private/b"), "*": html()},
    )
    async with server(site), fetcher() as fetch:
        for path in ("/private/x", "/a"):
            with pytest.raises(RobotsDisallow):
                await fetch.fetch(site.url(path))
        assert isinstance(await fetch.fetch(site.url("/public")), Page)
    assert site.asked == ["/robots.txt", "/a", "/public"]


@pytest.mark.parametrize(("redirects", "is_obeyed"), [(5, True), (6, False)])
async def test_robots_txt_is_followed_over_five_redirects(redirects: int, is_obeyed: bool) -> None:
    pages = {f"/r{n}": redirect(f"/r{n + 1}") for n in range(1, redirects)}
    pages[f"/r{redirects}"] = raw(b"User-agent: *\nDisallow: /", "text/plain")
    site = Site("127.0.0.1", robots=redirect("/r1"), pages={**pages, "/a": html()})
    async with server(site), fetcher() as fetch:
        if is_obeyed:
            with pytest.raises(RobotsDisallow):
                await fetch.fetch(site.url("/a"))
        else:
            assert isinstance(await fetch.fetch(site.url("/a")), Page)


async def test_robots_txt_larger_than_500_kib_is_read_to_there() -> None:
    body = "User-agent: *\nDisallow: /a\n" + "# padding\n" * 100_000
    site = Site("127.0.0.1", robots=body, pages={"*": html()})
    async with server(site), fetcher() as fetch:
        with pytest.raises(RobotsDisallow):
            await fetch.fetch(site.url("/a"))
        assert isinstance(await fetch.fetch(site.url("/b")), Page)


async def test_robots_txt_is_asked_for_once_by_many_and_kept_for_others(db: Database) -> None:
    site = Site("127.0.0.1", robots="User-agent: *\nDisallow: /no", pages={"*": html()})
    async with server(site), fetcher(db) as fetch, fetcher(db) as another:
        await asyncio.gather(*(fetch.fetch(site.url(f"/{n}")) for n in range(10)))
        assert site.asked.count("/robots.txt") == 1
        with pytest.raises(RobotsDisallow):
            await another.fetch(site.url("/no"))
        assert site.asked.count("/robots.txt") == 1


async def test_rules_that_have_expired_are_asked_for_again_and_old_ones_deleted(
    db: Database,
) -> None:
    here, there = Site("127.0.0.1", pages={"*": html()}), Site("127.0.0.2", pages={"*": html()})
    async with serving(here, there):
        async with fetcher(db) as fetch:
            await fetch.fetch(here.url("/a"))
            await fetch.fetch(there.url("/a"))
        async with db.transaction() as tx:
            assert await tx.run(PAST) == 2
        async with fetcher(db) as fetch:
            await fetch.fetch(here.url("/a"))
    assert here.asked.count("/robots.txt") == 2
    async with db.read() as tx:
        origins = await tx._connection.fetch("select origin from robots_cache")
    assert [row["origin"] for row in origins] == [here.url("").rstrip("/")]


async def test_robots_txt_with_nul_is_stored(db: Database) -> None:
    site = Site("127.0.0.1", robots="User-agent: *\nDisallow: /a\0b", pages={"*": html()})
    async with server(site), fetcher(db) as fetch:
        assert isinstance(await fetch.fetch(site.url("/a")), Page)


async def test_a_fetcher_that_nobody_closes_ends_with_its_loop() -> None:
    from mindhit.fetching import Fetcher, FetchSettings, Guard
    from tests.fetching.kit import LOOPBACK, Names

    async with server(Site("127.0.0.1", pages={"*": html()})) as site:
        fetch = Fetcher(None, FetchSettings(), guard=Guard([LOOPBACK]), resolver=Names({}))
        await fetch.fetch(site.url())
        keeper = fetch._keeper
        assert keeper is not None
        keeper.cancel()
        await asyncio.wait([keeper])
        assert fetch._session is not None
        assert fetch._session.closed
        assert isinstance(await fetch.fetch(site.url()), Page)  # and opens again if it is needed
        await fetch.close()
