"""Which text of a page is a reader's: the one that was read last, and none that was deleted."""

from __future__ import annotations

from uuid import UUID

import pytest

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking import SessionId
from tests.accounts.kit import traces
from tests.tracking.kit import (
    START,
    Json,
    Recorder,
    activate,
    alive,
    event,
    execute,
    fetch,
    let_pass,
    nav,
    recorder,
    sweep,
    tidy,
    work_off,
)
from tests.tracking.readers import reader

A, B = "https://example.org/a", "https://example.org/b"
HOUR = 3_600_000
NEWEST = """
select c.content, r.content_status as status
  from reader_urls r join urls u on u.id = r.url_id left join page_contents c on c.id = r.content_id
 where u.url = $1"""


def read(seq: int, at: int, url: str, text: str | None) -> Json:
    payload = {"extractionOk": False} if text is None else {"content": text}
    return event(seq, "CONTENT_EXTRACTED", at, tabId=1, url=url, payload=payload)


async def newest(db: Database, url: str = A) -> tuple[str | None, str | None]:
    [row] = await fetch(db, NEWEST, url)
    return row["content"], row["status"]


async def stopped(ada: Recorder, *events: Json) -> str:
    """A session whose timeline is closed."""
    session = await ada.start(started_at=START)
    await ada.send(session, *events)
    await ada.stop(session, 2 * HOUR)
    await work_off(ada.db)
    return session


async def test_what_was_read_in_a_deleted_session_is_gone_though_its_page_is_not(
    db: Database,
) -> None:
    async with reader(db) as ada:
        kept = await stopped(ada.records, activate(1, 0, A), alive(2, 1_000))
        text = {"content": "secretwords", "title": "secrettitle"}
        secret = event(2, "CONTENT_EXTRACTED", 1, tabId=1, url=A, payload=text)
        gone = await stopped(ada.records, activate(1, 0, A), secret, alive(3, 1_000))
        assert (await ada.show(kept))["page_visits"][0]["title"] == "secrettitle"
        assert (await ada.browser.delete(f"/v1/sessions/{gone}")).status_code == 204
        # At once it is no page's any more; and when the sweep was there, it is nowhere.
        assert (await ada.show(kept))["page_visits"][0]["title"] is None
        assert await ada.titles(search="secrettitle") == []
        await work_off(db)
        assert await traces(db, "secret") == {}
        assert await newest(db) == (None, None)
        assert len((await ada.show(kept))["page_visits"]) == 1


@pytest.mark.parametrize("is_log_kept", [True, False])
async def test_a_page_has_again_what_another_session_read_of_it(
    db: Database, is_log_kept: bool
) -> None:
    async with reader(db) as ada:
        for at, text in ((1, "first"), (5, "second")):
            log = [activate(1, 0, A), read(2, at, A, text), nav(3, 1_000, B)]
            await stopped(ada.records, *log)
        last = await stopped(
            ada.records, activate(1, HOUR, A), read(2, HOUR + 1, A, "third"), alive(3, HOUR + 9)
        )
        if not is_log_kept:
            await execute(db, "delete from raw_events")
        assert await newest(db) == ("third", "extracted")
        await ada.browser.delete(f"/v1/sessions/{last}")
        await work_off(db)
        left = sorted(each["content"] for each in await fetch(db, "select * from page_contents"))
        assert left == ["first", "second"]
        if is_log_kept:
            assert await newest(db) == ("second", "extracted")
        else:  # then of two visits that began together either may count
            assert (await newest(db))[1] == "extracted"


async def test_what_both_sessions_read_stays_with_the_other(db: Database) -> None:
    async with reader(db) as ada:
        sessions = []
        for at in (0, HOUR):
            log = [activate(1, at, A), read(2, at + 1, A, "the same"), alive(3, at + 1_000)]
            sessions.append(await stopped(ada.records, *log))
        await ada.browser.delete(f"/v1/sessions/{sessions[1]}")
        await work_off(db)
        assert await newest(db) == ("the same", "extracted")
        await ada.browser.delete(f"/v1/sessions/{sessions[0]}")
        await work_off(db)
        assert await fetch(db, "select 1 from page_contents") == []


async def test_what_the_server_fetched_is_nobodys_and_stays(db: Database) -> None:
    async with reader(db) as ada:
        await stopped(ada.records, activate(1, 0, A), alive(2, 1_000))
        gone = await stopped(ada.records, activate(1, 0, A), read(2, 1, A, None), alive(3, 1_000))
        public = "insert into page_contents (id, content, status) values ($1, 'public', 'crawled')"
        [page] = await fetch(db, "select id from urls")
        await execute(db, public, page["id"])
        await execute(db, "update reader_urls set content_id = url_id, content_status = 'crawled'")
        await ada.browser.delete(f"/v1/sessions/{gone}")
        await work_off(db)
        assert await newest(db) == ("public", "crawled")


async def test_a_text_whose_log_is_no_longer_kept_stays_its_pages(db: Database) -> None:
    """Read after its visit had ended, so that only the page refers to it."""
    async with recorder(db) as ada:
        await stopped(ada, activate(1, 0, A), nav(2, 1_000, B), read(3, 1_001, A, "late"))
        await execute(db, "delete from raw_events")
        await tidy(db)
        assert await newest(db) == ("late", "extracted")


@pytest.mark.parametrize("way", ["after the close", "into a hole", "behind one", "by the close"])
async def test_a_text_that_comes_late_is_its_pages_text(db: Database, way: str) -> None:
    async with recorder(db) as ada:
        await stopped(ada, activate(1, 0, A), read(2, 1, A, "as it was"), alive(3, 1_000))
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, HOUR, A))
        text = read(2, HOUR + 1, A, "as it is")
        if way == "after the close":
            await ada.stop(session, HOUR + 10)
            await work_off(db)
            await ada.send(session, text)
            await work_off(db)
        elif way == "into a hole":
            await ada.send(session, alive(3, HOUR + 2))
            await let_pass(db, session, minutes=6)
            await sweep(db)
            await ada.send(session, text)
            await work_off(db)
        else:
            await ada.send(session, {**text, "seq": 3})
            assert await newest(db) == ("as it was", "extracted")
            await let_pass(db, session, minutes=6)
            if way == "behind one":
                await sweep(db)
            else:
                await ada.stop(session, HOUR + 10)
                await work_off(db)
        assert await newest(db) == ("as it is", "extracted")


@pytest.mark.parametrize("way", ["in order", "after the close"])
async def test_a_text_that_was_read_before_is_not_newer_for_coming_later(
    db: Database, way: str
) -> None:
    """A browser that was offline tells of this morning; another one has told of noon."""
    async with recorder(db) as ada:
        offline = await ada.start(started_at=START)
        await ada.send(offline, activate(1, 0, A))
        if way == "after the close":
            await ada.stop(offline, 1_000)
            await work_off(db)
        await stopped(ada, activate(1, HOUR, A), read(2, HOUR, A, "at noon"), alive(3, HOUR + 9))
        await ada.send(offline, read(2, 100, A, "this morning"), alive(3, 200))
        await work_off(db)
        assert await newest(db) == ("at noon", "extracted")


async def test_a_page_that_is_read_again_has_what_was_read_last(db: Database) -> None:
    """A page that settles after it was first read; in one batch, and in two."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A), read(2, 1, A, "half"), read(3, 5, A, "whole"))
        assert await newest(db) == ("whole", "extracted")
        await ada.send(session, read(4, 9, A, "settled"), read(5, 12, A, None))
        assert await newest(db) == ("settled", "extracted")


async def test_where_a_text_is_deleted_the_latest_of_the_other_sessions_is_there_at_once(
    db: Database,
) -> None:
    async with reader(db) as ada:
        sessions = [
            await stopped(ada.records, activate(1, 0, A), read(2, at, A, text), alive(3, 400))
            for at, text in ((100, "one"), (200, "two"), (300, "three"))
        ]
        assert (await ada.browser.delete(f"/v1/sessions/{sessions[2]}")).status_code == 204
        assert await newest(db) == ("two", "extracted")
        async with db.transaction() as tx:
            await tracking.refold(tx, ada.records.person.id, SessionId(UUID(sessions[0])))
        assert await newest(db) == ("two", "extracted")
        await work_off(db)
        assert await newest(db) == ("two", "extracted")


async def test_a_page_without_a_text_gets_none_of_another_reader(db: Database) -> None:
    async with reader(db) as ada, reader(db, "bob@example.org") as bob:
        hers = await stopped(ada.records, activate(1, 0, A), read(2, 1, A, "hers"), alive(3, 9))
        await stopped(bob.records, activate(1, 0, A), read(2, 5, A, "his"), alive(3, 9))
        assert (await ada.browser.delete(f"/v1/sessions/{hers}")).status_code == 204
        await stopped(ada.records, activate(1, 0, A), alive(2, 9))
        await work_off(db)
        told = await fetch(
            db,
            "select r.content_id, r.read_at from reader_urls r where r.user_id = $1",
            ada.records.person.id,
        )
        assert told == [{"content_id": None, "read_at": None}]
