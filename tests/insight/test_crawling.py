"""The fallback crawl: a failed extraction gets a text, and what may not be fetched never is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mindhit import wiring
from mindhit.accounts import UserId, change_preferences
from mindhit.db import Database
from mindhit.insight.job_types import CrawlPage
from mindhit.insight.jobs import Tools, jobs_with
from mindhit.work import enqueue
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, rows, settings, traces
from tests.fetching.kit import Site, html, serving
from tests.insight.kit import BREAD, Recorder, Seen, recorder

ARTICLE = f"<html><head><title>Bread</title></head><body><article><h1>Bread</h1><p>{BREAD}</p><p>{BREAD}</p></article></body></html>"
HOST = "127.0.0.1"


async def crawl(it: Recorder, url: str, *, is_late: bool = False) -> None:
    """Record a page whose extraction failed, and fetch it from a farm on this machine; `is_late`: after
    its session was completed."""
    await it.record([Seen(url, "A page", None, failed=True, no_fetch=False)])
    if is_late:
        await it.work()
    config = settings(fetching=True, allowed_networks=("127.0.0.0/8",), fetch_browser="off")
    [page] = await rows(
        it.db, "select url_id, user_id from reader_urls where content_status is not null"
    )
    async with it.db.transaction() as tx:
        await tx._connection.execute(
            "update reader_urls set content_status = 'pending', content_error = null"
        )
        await enqueue(tx, CrawlPage(page["user_id"], page["url_id"], HOST))
    tools = Tools(config, allowed=(HOST,))
    jobs = {**wiring.product(config).jobs, **jobs_with(tools)}
    await drain(it.db, jobs)


async def status(it: Recorder) -> tuple[str, str | None]:
    [page] = await rows(
        it.db,
        "select content_status, content_error from reader_urls where content_status is not null",
    )
    return page["content_status"], page["content_error"]


async def test_a_failed_extraction_gets_a_text_and_a_summary(db: Database) -> None:
    farm = Site(HOST, pages={"/bread": html(ARTICLE)})
    async with serving(farm), recorder(db, await add(db)) as it:
        await crawl(it, farm.url("/bread"), is_late=True)
        assert await status(it) == ("crawled", None)
    [text] = await rows(db, "select user_id, content, summary, keywords from page_contents")
    assert text["user_id"] is None
    assert "wild yeast" in text["content"]
    assert text["summary"]
    assert text["keywords"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [(html("gone", 404), "404"), (html("no", 403), "read this page"), (html("<p></p>"), "no text")],
)
async def test_what_cannot_be_fetched_has_failed_and_says_why(
    db: Database, answer: object, why: str
) -> None:
    farm = Site(HOST, pages={"/bread": answer})  # type: ignore[dict-item]
    async with serving(farm), recorder(db, await add(db)) as it:
        await crawl(it, farm.url("/bread"))
        state, error = await status(it)
    assert state == "failed"
    assert why in str(error)
    dead = await rows(db, "select from jobs where status = 'dead'")
    assert dead == []


async def test_robots_are_obeyed(db: Database) -> None:
    farm = Site(HOST, robots="User-agent: *\nDisallow: /\n", pages={"/bread": html(ARTICLE)})
    async with serving(farm), recorder(db, await add(db)) as it:
        await crawl(it, farm.url("/bread"))
        assert (await status(it))[0] == "failed"
    assert "/bread" not in farm.asked


@pytest.mark.parametrize(
    "rule", ["noFetch", "server_fetch", "excluded", "secret", "long value", "private host"]
)
async def test_what_may_not_be_fetched_is_never_asked_for(db: Database, rule: str) -> None:
    farm = Site(HOST, pages={"*": html(ARTICLE)})
    ada = await add(db)
    async with serving(farm), recorder(db, ada) as it:
        url = {
            "secret": farm.url("/bread?token=abc"),
            "long value": farm.url("/bread?x=" + "a1B2" * 9),
            "private host": farm.url("/bread").replace(HOST, "127.0.0.2"),
        }.get(rule, farm.url("/bread"))
        seen = Seen(url, "A page", None, failed=True, no_fetch=rule == "noFetch")
        await it.record([seen])
        [page] = await rows(db, "select url_id from reader_urls where content_status is not null")
        async with db.transaction() as tx:
            if rule == "server_fetch":
                await change_preferences(tx, UserId(ada.id), {"server_fetch": False})
            if rule == "excluded":
                await tx._connection.execute(
                    "update user_settings set excluded_domains = '{127.0.0.1}'"
                )
            await tx._connection.execute("update reader_urls set content_status = 'pending'")
            await enqueue(tx, CrawlPage(ada.id, page["url_id"], HOST))
        config = settings(fetching=True, allowed_networks=("127.0.0.0/8",), fetch_browser="off")
        tools = Tools(config, allowed=(HOST,))
        await drain(db, {**wiring.product(config).jobs, **jobs_with(tools)})
        assert (await status(it))[0] == "failed"
    assert farm.asked == []


async def test_a_recorded_failure_leads_to_a_crawl_job(db: Database) -> None:
    seen = Seen("https://public.example/a", "A page", None, failed=True, no_fetch=False)
    async with recorder(db, await add(db)) as it:
        await it.record([seen, replace(seen, url="http://nas.local/a")])
    found = await rows(db, "select domain, args::text from jobs where kind = 'crawl:url'")
    assert [each["domain"] for each in found] == ["public.example"]
    assert "/a" not in found[0]["args"]  # the address stays where it is deleted with the page


async def test_a_forgotten_site_is_in_no_job_either(db: Database) -> None:
    """The whole product is there, as in a worker; what waits to be fetched is not fetched here."""
    seen = Seen("https://canary.example/a", "Canary", None, failed=True, no_fetch=False)
    read = Seen("https://canary.example/b", "Canary birds", "A canary sings. " * 40)
    other = Seen("https://public.example/a", "A page", None, failed=True, no_fetch=False)
    async with recorder(db, await add(db)) as it:
        handlers = wiring.product(it.config).jobs
        most = {kind: run for kind, run in handlers.items() if kind is not CrawlPage}
        await it.record([seen, read, other])
        await drain(db, most)
        assert "jobs" in await traces(db, "canary")
        answer = await it.client.post("/v1/forget", json={"domain": "canary.example"})
        assert answer.status_code == 200, answer.text
        for _ in range(3):  # the second look, and processing once the timeline is quiet
            await pass_time(db, 4_000)
            await drain(db, most)
    assert await traces(db, "canary") == {}
    left = await rows(db, "select domain from jobs where kind = 'crawl:url'")
    assert [each["domain"] for each in left] == ["public.example"]
