"""What other slices put back: summaries, keywords, titles, fetched texts; and the pages they hold."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest

from mindhit import tracking, urls, work
from mindhit.accounts import UserId, change_preferences
from mindhit.db import Database
from mindhit.tracking import (
    CrawledPage,
    SessionDescribed,
    SessionId,
    SessionNotFound,
    TextDescribed,
    TextMissing,
)
from mindhit.tracking.maintenance import cleanup
from mindhit.tracking.model import ContentId
from mindhit.tracking.timeline import closing
from mindhit.work import Wires, job
from tests.tracking.kit import (
    START,
    Json,
    Recorder,
    activate,
    alive,
    event,
    execute,
    fetch,
    nav,
    recorder,
    session_row,
)

A, B = "https://example.org/a", "http://www.example.org/b?x=1"


@job("test:index")
@dataclass(frozen=True, slots=True)
class Index:
    what: str
    id: UUID


@job("test:fetch")
@dataclass(frozen=True, slots=True)
class Fetch:
    address: str
    domain: str


def subscribe() -> None:
    work.install(
        Wires(
            subscriptions={
                SessionDescribed: [lambda it: Index("session", it.session_id)],
                TextDescribed: [lambda it: Index("text", it.content_id)],
                TextMissing: [lambda it: Fetch(it.address, it.domain)],
            }
        )
    )


async def indexed(db: Database) -> list[str]:
    found = await fetch(
        db, "select args->>'what' as what from jobs where kind = 'test:index' order by id"
    )
    return [each["what"] for each in found]


async def wanted(db: Database) -> list[Json]:
    sql = """
select args->>'address' as address, args->>'domain' as domain from jobs
 where kind = 'test:fetch' order by 1"""
    return await fetch(db, sql)


async def statuses(db: Database) -> dict[str, str | None]:
    sql = """
select coalesce(r.address, u.url) as address, r.content_status
  from reader_urls r join urls u on u.id = r.url_id"""
    return {each["address"]: each["content_status"] for each in await fetch(db, sql)}


async def closed(ada: Recorder, *events: Json) -> SessionId:
    session = await ada.start(started_at=START)
    await ada.send(session, *events)
    await ada.stop(session, 60_000, len(events))
    async with ada.db.transaction() as tx:
        await closing.close(tx, ada.person.id, SessionId(UUID(session)))
    return SessionId(UUID(session))


# Titles, keywords, summaries


async def test_a_suggested_title_never_takes_the_place_of_a_readers(db: Database) -> None:
    async with recorder(db) as ada:
        session = await closed(ada, activate(1, 0, A), alive(2, 9))
        subscribe()
        async with db.transaction() as tx:
            assert await tracking.suggest_title(tx, ada.person.id, session, " Made  up ")
            assert await tracking.suggest_title(tx, ada.person.id, session, "Made up again")
        row = await session_row(db, str(session))
        assert (row["title"], row["title_by"]) == ("Made up again", "generated")
        async with db.transaction() as tx:
            await tracking.rename(tx, ada.person.id, session, "Mine")
            assert not await tracking.suggest_title(tx, ada.person.id, session, "Theirs")
        row = await session_row(db, str(session))
        assert (row["title"], row["title_by"]) == ("Mine", "reader")
        assert await indexed(db) == ["session"] * 3


async def test_a_session_has_five_keywords_and_only_its_own_reader_gives_them(
    db: Database,
) -> None:
    async with recorder(db) as ada, recorder(db, "eve@example.org") as eve:
        session = await closed(ada, activate(1, 0, A), alive(2, 9))
        async with db.transaction() as tx:
            await tracking.put_keywords(tx, ada.person.id, session, ["a", "b", "a", *"cdef"])
        assert (await session_row(db, str(session)))["top_keywords"] == ["a", "b", "c", "d", "e"]
        with pytest.raises(SessionNotFound):
            async with db.transaction() as tx:
                await tracking.put_keywords(tx, eve.person.id, session, ["x"])


async def test_a_text_is_summarised_for_its_own_reader(db: Database) -> None:
    text = {"content": "text", "extractionOk": True}
    read = event(2, "CONTENT_EXTRACTED", 5, tabId=1, url=A, payload=text)
    async with recorder(db) as ada, recorder(db, "eve@example.org") as eve:
        await closed(ada, activate(1, 0, A), read, alive(3, 9))
        subscribe()
        [content] = await fetch(db, "select id from page_contents")
        id_ = ContentId(content["id"])
        async with db.transaction() as tx:
            for other in (eve.person.id, None):
                assert not await tracking.put_summary(tx, other, id_, "no", [], "x")
            assert await tracking.put_summary(tx, ada.person.id, id_, "Short.", ["k"], "built-in")
        [found] = await fetch(db, "select summary, keywords, summarised_by from page_contents")
        assert found == {"summary": "Short.", "keywords": ["k"], "summarised_by": "built-in"}
        assert await indexed(db) == ["text"]


# Texts that are missing


async def test_a_page_that_was_read_and_gave_no_text_waits_for_one_when_it_is_closed(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        subscribe()
        await closed(
            ada,
            activate(1, 0, A),
            nav(2, 2_999, B),
            nav(3, 6_000, "https://example.org/c"),
            event(4, "WINDOW_FOCUS_CHANGED", 7_000, windowId=-1),
        )
        assert await statuses(db) == {A: None, B: "pending", "https://example.org/c": None}
        assert await wanted(db) == [{"address": B, "domain": "example.org"}]


NEVER: dict[str, Json] = {
    "http://nas.local/": {},
    "http://192.168.1.4/": {},
    "https://example.org/?token=x": {},
    "https://bank.example/": {"noFetch": True},
}


async def test_what_may_not_be_fetched_has_failed_at_once(db: Database) -> None:
    async with recorder(db) as ada:
        subscribe()
        events = [
            nav(n + 2, 5_000 * n, url, **payload) for n, (url, payload) in enumerate(NEVER.items())
        ]
        await closed(ada, activate(1, 0, None), *events)
        assert await statuses(db) == dict.fromkeys(NEVER, "failed")
        assert await wanted(db) == []


async def test_who_does_not_want_it_has_nothing_fetched(db: Database) -> None:
    async with recorder(db) as ada:
        subscribe()
        async with db.transaction() as tx:
            await change_preferences(tx, UserId(ada.person.id), {"server_fetch": False})
        failed = event(2, "CONTENT_EXTRACTED", 5, tabId=1, url=A, payload={"extractionOk": False})
        await closed(ada, activate(1, 0, A), failed)
        assert (await statuses(db), await wanted(db)) == ({A: "failed"}, [])


async def test_what_the_server_fetched_is_given_to_pages_that_wait_and_to_no_others(
    db: Database,
) -> None:
    url_id = urls.normalise(B).id
    page = CrawledPage("Title", "Fetched text")
    async with recorder(db) as ada:
        subscribe()
        await closed(ada, activate(1, 0, B))
        async with db.transaction() as tx:
            assert await tracking.may_fetch(tx, ada.person.id, url_id) == B
            assert await tracking.put_crawled(tx, ada.person.id, url_id, page)
            assert await tracking.may_fetch(tx, ada.person.id, url_id) is None
            assert not await tracking.put_crawled(tx, ada.person.id, url_id, page)
            assert not await tracking.put_crawl_failed(tx, ada.person.id, url_id, "too late")
        [content] = await fetch(db, "select user_id, title, content, status from page_contents")
        assert list(content.values()) == [None, "Title", "Fetched text", "crawled"]
        assert await statuses(db) == {B: "crawled"}
        # What the reader's own browser reads later is better.
        text = {"content": "mine", "extractionOk": True}
        session = await ada.start(started_at=START)
        read = event(2, "CONTENT_EXTRACTED", 5, tabId=1, url=B, payload=text)
        await ada.send(session, activate(1, 0, B), read)
        assert await statuses(db) == {B: "extracted"}


async def test_a_fetch_that_failed_is_kept_with_its_reason(db: Database) -> None:
    async with recorder(db) as ada:
        await closed(ada, activate(1, 0, A))
        async with db.transaction() as tx:
            id_ = urls.normalise(A).id
            assert await tracking.put_crawl_failed(tx, ada.person.id, id_, "robots.txt")
        [page] = await fetch(db, "select content_status, content_error from reader_urls")
        assert list(page.values()) == ["failed", "robots.txt"]


# Holds


async def test_a_page_stays_while_somebody_holds_it(db: Database) -> None:
    async with recorder(db) as ada:
        async with db.transaction() as tx:
            held = await tracking.hold(tx, ada.person.id, "library", [B, A, B])
            assert held == [urls.normalise(each).id for each in (B, A, B)]
            await tracking.hold(tx, ada.person.id, "library", [A])
            await tracking.hold(tx, ada.person.id, "other", [A])
        await cleanup.forget(db, ada.person.id)
        assert await statuses(db) == {A: None, B: None}
        async with db.transaction() as tx:
            await tracking.release(tx, ada.person.id, "library", held)
        queued = await fetch(db, "select kind from jobs where kind = 'tracking:forget'")
        assert len(queued) == 1
        await cleanup.forget(db, ada.person.id)
        assert await statuses(db) == {A: None}
        async with db.transaction() as tx:
            await tracking.release(tx, ada.person.id, "other", held)
        await cleanup.forget(db, ada.person.id)
        assert await fetch(db, "select * from urls") == []


async def test_a_held_page_that_a_session_met_stays_when_it_is_released(db: Database) -> None:
    async with recorder(db) as ada:
        await closed(ada, activate(1, 0, A), alive(2, 9))
        async with db.transaction() as tx:
            held = await tracking.hold(tx, ada.person.id, "library", [A])
            await tracking.release(tx, ada.person.id, "library", held)
        await cleanup.forget(db, ada.person.id)
        assert await statuses(db) == {A: "pending"}


async def test_the_log_says_when_an_event_arrived(db: Database) -> None:
    async with recorder(db) as ada:
        await closed(ada, activate(1, 0, A), alive(2, 9))
        await execute(db, "update raw_events set received_at = null where seq = 1")
        found = await fetch(db, "select received_at is null as old from raw_events order by seq")
        assert [each["old"] for each in found] == [True, False]
