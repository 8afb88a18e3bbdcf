"""Links are read: politely, once, into the right state, and without their text."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import pytest
from aiohttp import web

from mindhit import library, tracking, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.library.job_types import EnrichLink
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, rows, settings, snapshot
from tests.fetching.kit import Handle, Site, html, raw, redirect, serving

ROOT = Path(__file__).parents[2]
LOCAL = ("127.0.0.0/8",)
LIMIT = 2
PATIENCE_S = 120
# Part of every article, and of no summary: it says nothing.
SECRET = "so it was then and so it is now"
# Each of them once in an article: keywords and summary have room for a few.
WORDS = [f"zorb{first}{second}" for first in "abcdef" for second in "lmnp"]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def article(title: str, words: str = "garden") -> str:
    said = " ".join(
        f"The {words} number {n} has its own story, which the people of the town tell gladly."
        for n in range(40)
    )
    return (
        f'<html lang="en-GB"><head><title>{title}</title>'
        '<meta name="description" content="What it is about.">'
        '<meta property="og:image" content="/big.png"><meta property="og:site_name" content="Town">'
        '<link rel="icon" href="/icon.png"><link rel="canonical" href="/the-one">'
        f"</head><body><article><h1>{title}</h1><p>{said}</p><p>And {SECRET}.</p>"
        f"<p>{' '.join(f'Somebody called it {word}.' for word in WORDS)}</p>"
        f"<p>{said}</p></article></body></html>"
    )


async def save(db: Database, person: Person, *addresses: str, folder: str | None = None) -> None:
    async with db.transaction() as tx:
        where = None if folder is None else (await library.add_folder(tx, person.id, folder)).id
        for address in addresses:
            await library.add_page(tx, person.id, address, folder_id=where)


Run = Callable[[], Awaitable[int]]


@pytest.fixture
async def run(db: Database) -> Run:
    """Runs what is due, by a worker that may read pages on this machine."""
    product = wiring.product(settings(fetching=True, allowed_networks=LOCAL))
    wiring.install(product)
    return lambda: drain(db, product.jobs)


async def states(db: Database) -> dict[str, tuple[str, str | None]]:
    found = await rows(
        db, "select u.url, m.state, m.reason from link_metadata m join urls u on u.id = m.url_id"
    )
    return {each["url"].partition("://")[2].partition("/")[0].partition(":")[0]
            + "/" + each["url"].partition("://")[2].partition("/")[2]: (each["state"], each["reason"])
            for each in found}  # fmt: skip


async def test_a_link_gets_what_its_page_says_of_itself(db: Database, run: Run) -> None:
    ada = await add(db)
    site = Site(
        "127.0.0.1", pages={"/a": html(article("A garden")), "/icon.png": raw(PNG, "image/png")}
    )
    async with serving(site):
        await save(db, ada, site.url("/a"))
        await run()
        async with db.read() as tx:
            [page] = await library.list_pages(tx, ada.id, library.PageFilter(), limit=5)
    assert page.enrichment is not None
    assert (page.enrichment.state, page.enrichment.attempts) == ("enriched", 1)
    link = page.link
    assert link is not None
    assert (link.title, link.description, link.site_name) == (
        "A garden",
        "What it is about.",
        "Town",
    )
    assert (link.language, link.image) == ("en", site.url("/big.png"))
    assert link.canonical == site.url("/the-one")
    assert link.favicon is not None
    assert link.favicon.startswith("data:image/png;base64,")
    assert link.summary
    assert link.keywords
    assert link.engine is not None
    assert link.engine.startswith("builtin")
    [row] = await rows(db, "select * from enrichment_jobs")
    assert (row["status"], row["attempts"], row["max_attempts"]) == ("succeeded", 1, 2)
    assert row["link_canonical_id"] == page.url_id
    await check_that_texts_are_nowhere(db)


async def check_that_texts_are_nowhere(db: Database) -> None:
    """Neither stored nor indexed, but for the words that keywords and summaries took from them."""
    everything = await snapshot(db)
    kept = {word for word in WORDS if any(word in row for row in everything["link_metadata"])}
    assert len(kept) < len(WORDS) / 2
    for word in {SECRET, *WORDS} - kept:
        found = {
            table
            for table, texts in everything.items()
            if any(word in text or word.encode().hex() in text for text in texts)
        }
        assert found == set(), word


async def test_a_link_in_three_folders_of_two_people_is_read_once(db: Database, run: Run) -> None:
    ada, eve = await add(db), await add(db, "eve@example.org")
    site = Site("127.0.0.1", pages={path: html(article("A")) for path in ("/a", "/a/")})
    async with serving(site):
        for folder in ("f", "g", "h"):
            await save(db, ada, site.url("/a?utm_source=x"), folder=folder)
        async with db.transaction() as tx:
            await tx._connection.execute("update pages set tags = '{hers}', note = 'her note'")
        await save(db, eve, site.url("/a/"))
        await run()
        await save(db, eve, site.url("/a"), folder="later")
        await run()
    assert [path.partition("?")[0] for path in site.asked if "robots" not in path] in (
        ["/a", "/icon.png"], ["/a/", "/icon.png"],
    )  # fmt: skip
    stamped = await rows(db, "select user_id, min(seq) as low from pages group by user_id")
    counters = {
        each["user_id"]: each["seq"] for each in await rows(db, "select * from user_sync_state")
    }
    assert all(each["low"] <= counters[each["user_id"]] for each in stamped)
    async with db.read() as tx:
        for person in (ada, eve):
            pages = await library.list_pages(tx, person.id, library.PageFilter(), limit=9)
            assert {page.link.title for page in pages if page.link} == {"A"}
            is_hers = person is ada
            assert {(*page.tags, page.note) for page in pages} == {
                ("hers", "her note") if is_hers else (None,)
            }


async def test_a_transient_failure_gets_a_second_attempt_after_five_minutes(
    db: Database, run: Run
) -> None:
    ada = await add(db)
    site = Site("127.0.0.1", pages={"/a": html("", 500)})
    async with serving(site):
        await save(db, ada, site.url("/a"))
        await run()
        [row] = await rows(
            db, "select status, attempts, run_after - now() as wait from enrichment_jobs"
        )
        assert (row["status"], row["attempts"]) == ("failed", 1)
        assert 290 < row["wait"].total_seconds() < 340
        await pass_time(db, 200)
        assert await run() == 0
        await pass_time(db, 200)
        await run()
    [row] = await rows(db, "select status, attempts, last_error from enrichment_jobs")
    assert (row["status"], row["attempts"]) == ("dead", 2)
    assert "500" in row["last_error"]
    assert site.asked.count("/a") == 2
    assert await rows(db, "select from blocked_domains") == []


async def test_a_dead_link_is_read_again_by_hand_only(db: Database, run: Run) -> None:
    ada = await add(db)
    site = Site("127.0.0.1", pages={"/a": html("", 403)})
    async with serving(site):
        await save(db, ada, site.url("/a"))
        await run()
        await save(db, ada, site.url("/a"), folder="again")
        await run()
        assert site.asked.count("/a") == 1
        [blocked] = await rows(db, "select domain, reason from blocked_domains")
        assert blocked["domain"] == "127.0.0.1"
        site.pages["/a"] = html(article("Back"))
        async with db.transaction() as tx:
            [page, _] = await library.list_pages(tx, ada.id, library.PageFilter(), limit=5)
            again = await library.retry_page(tx, ada.id, library.PageId(page.id))
            assert again.enrichment is not None
            assert again.enrichment.state == "waiting"
        await run()
        async with db.read() as tx:
            after = await library.show_page(tx, ada.id, library.PageId(page.id))
    assert after.link is not None
    assert after.link.title == "Back"


async def test_what_the_server_may_not_read_is_not_asked_for(db: Database, run: Run) -> None:
    ada = await add(db)
    site = Site("127.0.0.1", pages={"*": html(article("A"))})
    async with serving(site):
        await save(db, ada, site.url("/reset?token=abc"), "http://nas.local/", "http://10.0.0.5/x")
        await run()
        async with db.transaction() as tx:
            await tx._connection.execute("update user_settings set server_fetch = false")
        await save(db, ada, site.url("/a"))
        await run()
        async with db.transaction() as tx:
            await tx._connection.execute("update user_settings set server_fetch = true")
            [url] = await tracking.hold(tx, ada.id, "browser", [site.url("/password-field")])
            await tx._connection.execute(
                "update reader_urls set no_fetch = true where url_id = $1", url
            )
        await save(db, ada, site.url("/password-field"))
        await run()
        async with db.read() as tx:
            pages = await library.list_pages(tx, ada.id, library.PageFilter(), limit=9)
    assert site.asked == []
    assert {page.enrichment.state for page in pages if page.enrichment} == {"skipped"}
    assert await rows(db, "select from jobs where kind = 'library:enrich'") == []
    assert await rows(db, "select from link_metadata") == []


async def test_a_link_whose_job_died_with_its_workers_is_dead(db: Database) -> None:
    from mindhit.library.pruning import prune

    ada = await add(db)
    wiring.install(wiring.product(settings()))
    await save(db, ada, "http://127.0.0.1:9/a")
    async with db.transaction() as tx:
        await tx._connection.execute("update link_metadata set job_id = (select min(id) from jobs)")
        await tx._connection.execute(
            "update jobs set kind = 'library:enrich', status = 'dead', finished_at = now(),"
            " last_error = 'killed'"
        )
    await prune(db)
    [row] = await rows(db, "select state, reason from link_metadata")
    assert (row["state"], row["reason"]) == ("dead", "killed")


async def endless(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Type": "text/html"})
    await answer.prepare(request)
    try:
        while True:
            await answer.write(b"<p>on and on</p>" * 1000)
    except ConnectionError:
        return answer


async def silent(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(30)
    return web.Response()


def slow(text: str) -> Handle:
    async def answer(_: web.Request) -> web.Response:
        await asyncio.sleep(0.3)  # long enough for a third request to be seen
        return web.Response(text=text, content_type="text/html")

    return answer


def busy_first(text: str) -> Handle:
    began: list[float] = []

    async def answer(_: web.Request) -> web.Response:
        began.append(monotonic())
        if monotonic() - began[0] < 1:
            return web.Response(status=429, headers={"Retry-After": "1"})
        return web.Response(text=text, content_type="text/html")

    return answer


CAPTCHA = "<title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x.js'></script>"
BOMB = gzip.compress(b"0" * 20_000_000)
KOREAN = "<title>우리 동네 이야기</title><p>" + "정원을 가꾸는 사람들의 이야기를 적었습니다. " * 60
Check = Callable[[str, str | None], bool]


def is_dead(word: str) -> Check:
    return lambda state, reason: state == "dead" and word in (reason or "")


def is_enriched(state: str, _reason: str | None) -> bool:
    return state == "enriched"


# What a site is like → its page, and how its link ends.
KINDS: list[tuple[Handle, Check]] = [
    (slow(article("Slow")), is_enriched),
    (html("", 403), is_dead("403")),
    (html("", 404), is_dead("404")),
    (busy_first(article("Busy")), is_enriched),
    (html(CAPTCHA, 403), is_dead("test for humans")),
    (html(article("Robots")), is_dead("robots.txt")),
    (redirect("/page"), is_dead("redirects")),
    (endless, is_dead("larger")),
    (raw(BOMB, "text/html", Content_Encoding="gzip"), is_dead("larger")),
    (raw(b"<title>\xff\xfe\xfa broken</title><p>" + b"text \xe9\xe8 " * 200), is_enriched),
    (raw(KOREAN.encode("euc-kr"), "text/html; charset=euc-kr"), is_enriched),
    (silent, is_dead("no answer")),
    (raw(zlib.compress(b"x"), "application/pdf"), is_dead("not text")),
]
ROBOTS = 5
PAGES_OF_SLOW = 6


@asynccontextmanager
async def workers(dsn: str, log: Path, count: int = 3) -> AsyncIterator[None]:
    program = [sys.executable, "-m", "tests.library.farm_worker", dsn]
    with log.open("wb") as out:
        running = [
            await asyncio.create_subprocess_exec(*program, cwd=ROOT, stdout=out, stderr=out)
            for _ in range(count)
        ]
        try:
            yield
        finally:
            for process in running:
                process.terminate()
            codes = [await process.wait() for process in running]
    assert codes == [0] * count


async def until(is_done: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await is_done():
            await asyncio.sleep(0.1)


async def test_a_farm_of_fifty_sites_ends_as_each_deserves(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    ada = await add(db)
    wiring.install(wiring.product(settings()))
    farm = []
    for number in range(50):
        page, _ = KINDS[number % len(KINDS)]
        site = Site(f"127.0.0.{60 + number}", pages={"*": page})
        if number % len(KINDS) == ROBOTS:
            site.robots = "User-agent: *\nDisallow: /"
        farm.append(site)

    async def is_done() -> bool:
        [row] = await rows(db, "select count(*) as n from link_metadata where state <> 'waiting'")
        return bool(row["n"] == expected)

    async with serving(*farm):
        addresses = [
            site.url(f"/page{path}")
            for number, site in enumerate(farm)
            for path in ([""] if number % len(KINDS) else [f"/{n}" for n in range(PAGES_OF_SLOW)])
        ]
        expected = len(addresses)
        for folder in ("one", "two", "three"):
            await save(db, ada, *addresses, folder=folder)
        async with workers(database_url, tmp_path / "log"):
            await until(is_done)
    found = await states(db)
    assert len(found) == expected
    for number, site in enumerate(farm):
        fits = KINDS[number % len(KINDS)][1]
        for path, (state, reason) in found.items():
            if path.startswith(f"{site.host}/"):
                assert fits(state, reason), (path, state, reason)
    assert max(site.most_in_flight for site in farm) == LIMIT
    once = [site for number, site in enumerate(farm) if number % len(KINDS) in {0, 1, 2, 10}]
    for site in once:
        pages = [path for path in site.asked if path.startswith("/page")]
        assert len(pages) == len(set(pages)), site.host
    refused = {each["domain"] for each in await rows(db, "select domain from blocked_domains")}
    assert refused == {
        site.host for number, site in enumerate(farm) if number % len(KINDS) in {1, 4, ROBOTS}
    }
    titles = {each["title"] for each in await rows(db, "select title from link_metadata")}
    assert "우리 동네 이야기" in titles
    await check_that_texts_are_nowhere(db)
    check_log(tmp_path / "log")


def check_log(log: Path) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert sum(line.get("batch_claimed_count", 0) for line in lines) > 0
    ended = [line for line in lines if line.get("event") == "link"]
    assert {"enriched", "discard", "retry"} <= {line["outcome"] for line in ended}
    assert all(line["job_duration_ms"] >= 0 for line in ended)


def test_the_kind_has_the_numbers_of_the_specification() -> None:
    from mindhit.work import kind_of

    kind = kind_of(EnrichLink)
    assert (kind.name, kind.policy.attempts, kind.policy.backoff_s) == (
        "library:enrich",
        2,
        (300.0,),
    )
    assert (kind.key, kind.domain, kind.policy.timeout_s) == (("link_id",), "domain", 600.0)
