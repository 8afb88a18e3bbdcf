"""Fetching in a job: under the right domain, from where it was redirected to, and not too early."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from mindhit.db import Database
from mindhit.fetching import (
    Blocked,
    Fetcher,
    FetchFailed,
    Page,
    Permanent,
    Throttled,
    Transient,
    fetch_in_slot,
    outcome_of,
)
from mindhit.fetching.lookups import Lookups
from mindhit.work import Discard, Handler, JobId, Outcome, Retry, Snooze, Work, enqueue, job
from mindhit.work.testing import drain, pass_time
from tests.fetching.kit import Site, fetcher, html, redirect, serving
from tests.work.kit import job_row, rows


@job("test:read", domain="domain", key="name", attempts=2, backoff_s=(60,))
@dataclass(frozen=True, slots=True)
class Read:
    name: str
    url: str
    domain: str | None


def reading(fetch: Fetcher, pages: list[Page]) -> Handler:
    async def read(work: Work[Read]) -> Outcome | None:
        try:
            fetched = await fetch_in_slot(work, fetch, work.args.url)
        except FetchFailed as error:
            return outcome_of(error)
        if isinstance(fetched, Snooze):
            return fetched
        assert isinstance(fetched, Page)
        pages.append(fetched)
        return None

    return read


async def put(db: Database, *jobs: Read) -> JobId:
    async with db.transaction() as tx:
        return [await enqueue(tx, each) for each in jobs][-1]


async def domains_left_alone(db: Database) -> list[str]:
    return [
        row["domain"]
        for row in await rows(db, "select domain from fetch_waits where until > now() + '40 s'")
    ]


async def test_a_job_follows_a_redirect_to_another_domain_without_an_attempt(db: Database) -> None:
    here, there = Site("127.0.0.1"), Site("127.0.0.2", pages={"/b": html("<p>here")})
    pages: list[Page] = []
    async with serving(here, there), fetcher(db) as fetch:
        here.pages["/a"] = redirect(there.url("/b"))
        id_ = await put(db, Read("k", here.url("/a"), "127.0.0.1"))
        assert await drain(db, {Read: reading(fetch, pages)}) == 2
        kept = await rows(db, "select job_id, asked, url, hops from fetch_redirects")
    assert kept == [{"job_id": id_, "asked": here.url("/a"), "url": there.url("/b"), "hops": 1}]
    assert [page.url for page in pages] == [there.url("/b")]
    stored = await job_row(db, id_)
    assert (stored["status"], stored["domain"], stored["attempts"]) == ("succeeded", "127.0.0.2", 1)


async def test_a_job_that_asks_for_another_page_now_starts_there(db: Database) -> None:
    here = Site("127.0.0.1", pages={"/new": html("<p>new")})
    there = Site("127.0.0.2", pages={"/b": html("", 503)})
    pages: list[Page] = []
    async with serving(here, there), fetcher(db) as fetch:
        here.pages["/a"] = redirect(there.url("/b"))
        await put(db, Read("k", here.url("/a"), "127.0.0.1"))
        await drain(db, {Read: reading(fetch, pages)})
        await put(db, Read("k", here.url("/new"), "127.0.0.1"))
        await pass_time(db, 100)
        await drain(db, {Read: reading(fetch, pages)})
    assert [page.url for page in pages] == [here.url("/new")]


async def test_redirects_in_a_circle_over_two_domains_end(db: Database) -> None:
    here, there = Site("127.0.0.1"), Site("127.0.0.2")
    async with serving(here, there), fetcher(db) as fetch:
        here.pages["*"], there.pages["*"] = redirect(there.url("/")), redirect(here.url("/"))
        id_ = await put(db, Read("k", here.url("/"), "127.0.0.1"))
        assert await drain(db, {Read: reading(fetch, [])}) == 11
    stored = await job_row(db, id_)
    assert stored["status"] == "dead"
    assert "more than 10 redirects" in stored["last_error"]


@pytest.mark.parametrize("domain", [None, "elsewhere.example"])
async def test_a_job_under_the_wrong_domain_goes_to_its_own_first(
    db: Database, domain: str | None
) -> None:
    site = Site("127.0.0.1", pages={"*": html()})
    pages: list[Page] = []
    async with serving(site), fetcher(db) as fetch:
        id_ = await put(db, Read("k", site.url("/a"), domain))
        assert await drain(db, {Read: reading(fetch, pages)}) == 2
    assert len(pages) == 1
    assert (await job_row(db, id_))["domain"] == "127.0.0.1"


async def test_a_site_that_asks_for_time_gets_it_from_all_jobs(db: Database) -> None:
    site = Site("127.0.0.1", pages={"/busy": html("", 429, Retry_After="50"), "/a": html()})
    pages: list[Page] = []
    async with serving(site), fetcher(db) as fetch:
        handlers = {Read: reading(fetch, pages)}
        await put(db, Read("busy", site.url("/busy"), "127.0.0.1"))
        await drain(db, handlers)
        await put(db, Read("a", site.url("/a"), "127.0.0.1"))
        await drain(db, handlers)
        assert site.asked == ["/robots.txt", "/busy"]
        waits = await rows(db, "select run_after > now() + interval '40 s' as waits from jobs")
        assert waits == [{"waits": True}, {"waits": True}]
        async with db.transaction() as tx:
            await tx._connection.execute("update fetch_waits set until = now()")
        await pass_time(db, 60)
        site.pages["/busy"] = html()
        await drain(db, handlers)
    assert len(pages) == 2


@pytest.mark.parametrize("status", [429, 503])
async def test_a_site_that_asks_for_time_for_its_robots_txt_gets_it_from_all_jobs(
    db: Database, status: int
) -> None:
    site = Site("127.0.0.1", robots=html("", status, Retry_After="50"), pages={"*": html()})
    async with serving(site), fetcher(db) as fetch:
        handlers = {Read: reading(fetch, [])}
        first = await put(db, Read("first", site.url("/a"), "127.0.0.1"))
        await drain(db, handlers)
        await put(db, Read("second", site.url("/b"), "127.0.0.1"))
        await drain(db, handlers)
        assert site.asked == ["/robots.txt"]
        waits = await rows(db, "select run_after > now() + interval '40 s' as waits from jobs")
        assert waits == [{"waits": True}, {"waits": True}]
        assert (await job_row(db, first))["attempts"] == 0
        assert await domains_left_alone(db) == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("status", "headers", "is_left_alone"),
    [
        (429, {"Retry_After": "50"}, True),
        (503, {"Retry_After": "50"}, True),
        (429, {}, True),
        (503, {}, False),
        (404, {"Retry_After": "50"}, False),
    ],
)
async def test_a_site_that_asks_for_time_for_its_icon_gets_it_too(
    db: Database, status: int, headers: dict[str, str], is_left_alone: bool
) -> None:
    site = Site("127.0.0.1", pages={"/icon.png": html("", status, **headers)})
    async with serving(site), fetcher(db) as fetch:
        icon = site.url("/icon.png")
        assert await fetch.fetch_bytes(icon, within="127.0.0.1", most_bytes=100) is None
    assert await domains_left_alone(db) == ["127.0.0.1"] * is_left_alone


async def test_a_file_of_a_page_comes_from_its_own_domain_only(db: Database) -> None:
    here, there = Site("127.0.0.1"), Site("127.0.0.2")
    here.pages["*"] = there.pages["*"] = html("icon")
    async with serving(here, there), fetcher(db) as fetch:
        icons = [
            await fetch.fetch_bytes(site.url("/icon"), within="127.0.0.1", most_bytes=100)
            for site in (here, there)
        ]
    assert icons == [b"icon", None]
    assert there.asked == []


async def test_what_is_no_page_is_dead_at_once(db: Database) -> None:
    async with fetcher(db) as fetch:
        id_ = await put(db, Read("k", "ftp://example.org/", None))
        await drain(db, {Read: reading(fetch, [])})
    assert (await job_row(db, id_))["status"] == "dead"


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Transient(reason="x"), Retry),
        (Permanent(reason="x"), Discard),
        (Blocked(reason="x"), Discard),
        (Throttled(30, reason="x"), Snooze),
    ],
)
def test_every_class_has_its_outcome(error: FetchFailed, outcome: type[Outcome]) -> None:
    answered = outcome_of(error)
    assert isinstance(answered, outcome)
    if isinstance(answered, Snooze):
        assert answered.for_s == 30


async def test_lookups_at_the_same_moment_share_a_statement_and_its_failure(
    database_url: str,
) -> None:
    db = await Database.open(database_url, size=1)
    lookups = Lookups()
    found = await asyncio.gather(
        *(lookups.whereabouts(db, JobId(n), f"{n}.example") for n in range(50))
    )
    assert {(each.url, each.wait_s) for each in found} == {(None, None)}
    await db.close()
    failed = await asyncio.gather(
        *(lookups.whereabouts(db, JobId(n), None) for n in range(3)), return_exceptions=True
    )
    assert len(failed) == 3
    assert all(isinstance(each, Exception) for each in failed)
