"""What is kept, what is swept, and that nothing is swept which somebody is just referring to."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable
from datetime import UTC, date, datetime, timedelta
from random import Random
from uuid import UUID

import msgspec
import pytest

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking import LogGone, SessionId, store
from mindhit.tracking.maintenance import cleanup, retention
from mindhit.tracking.protocol import SentEvent
from tests.accounts.kit import run_jobs, settings
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
    session_row,
    stored_seqs,
    tidy,
    timeline,
    visits,
    work_off,
)

A, B = "https://example.org/a", "https://example.org/b"
MONTHS = """
select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i
  join pg_class c on c.oid = i.inhrelid where i.inhparent = 'raw_events'::regclass order by 1"""
# Everything that refers to a page or a text which is not there.
DANGLING = """
select 'page of an event' as what, url_id as id from raw_events
 where url_id is not null and url_id not in (select id from urls)
union all select 'page of a visit', url_id from page_visits
 where url_id not in (select id from urls)
union all select 'page before a visit', from_url_id from page_visits
 where from_url_id is not null and from_url_id not in (select id from urls)
union all select 'page of a highlight', url_id from highlights
 where url_id not in (select id from urls)
union all select 'page of a reader', url_id from reader_urls
 where url_id not in (select id from urls)
union all select 'text of a visit', content_id from page_visits
 where content_id is not null and content_id not in (select id from page_contents)
union all select 'text of a reader', content_id from reader_urls
 where content_id is not null and content_id not in (select id from page_contents)"""


def read(seq: int, at: int, url: str, text: str, tab: int = 1) -> Json:
    return event(seq, "CONTENT_EXTRACTED", at, tabId=tab, url=url, payload={"content": text})


async def months(db: Database) -> list[date]:
    return [each["month"] for each in await fetch(db, MONTHS)]


async def words(db: Database, sql: str) -> list[str]:
    return sorted(next(iter(each.values())) for each in await fetch(db, sql))


async def remove(ada: Recorder, session: str) -> None:
    async with ada.db.transaction() as tx:
        await tracking.delete(tx, ada.person.id, SessionId(UUID(session)))


async def until_it_waits(db: Database, task: asyncio.Task[None]) -> None:
    waiting = """
select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"""
    while not await fetch(db, waiting):
        assert not task.done()
        await asyncio.sleep(0.01)


def started(doing: Awaitable[None]) -> asyncio.Task[None]:
    return asyncio.ensure_future(doing)


async def test_partitions_are_made_ahead(db: Database) -> None:
    await tidy(db)
    month = datetime.now(UTC).date().replace(day=1)
    expected = [month]
    for _ in range(2):
        expected.append(retention.next_month(expected[-1]))
    assert await months(db) == expected
    await tidy(db)
    assert await months(db) == expected


async def test_months_that_nobody_needs_are_dropped(db: Database) -> None:
    async with recorder(db) as ada:
        sessions = {}
        for year in (2019, 2020, 2021, 2022):
            sessions[year] = await ada.start(started_at=f"{year}-06-01T00:00:00Z")
        for year in (2020, 2021):
            await ada.send(sessions[year], activate(1, 0, A))
            await ada.stop(sessions[year], 10, 1)
        await ada.stop(sessions[2022], 10, 0)
        await work_off(db)
        await remove(ada, sessions[2020])
        await let_pass(db, sessions[2021], days=40)
        await tidy(db)
        kept = [month.year for month in await months(db) if month.year < 2025]
        # Of 2019 one is still recording, and the one of 2022 was stopped just now.
        assert kept == [2019, 2021, 2022]
        assert (await ada.send(sessions[2019], alive(1, 0)))["accepted"] == 1
        assert (await ada.send(sessions[2022], alive(1, 0)))["accepted"] == 1
        await let_pass(db, sessions[2022], days=31)
        await remove(ada, sessions[2022])
        await tidy(db, settings(raw_event_retention=31))
        kept = [month.year for month in await months(db) if month.year < 2025]
        assert kept == [2019]
        assert (await ada.send(sessions[2019], alive(2, 10)))["ackedSeq"] == 2
        assert await fetch(db, "select 1 from page_visits")  # timelines stay


async def test_a_month_is_not_dropped_under_a_session_that_is_being_started(db: Database) -> None:
    async with recorder(db) as ada:
        gone = await ada.start(started_at="2012-05-03T00:00:00Z")
        await remove(ada, gone)
        async with db.transaction() as tx:
            at = datetime(2012, 5, 4, tzinfo=UTC)
            made = await tracking.start(tx, ada.person.id, SessionId(uuid.uuid4()), at, at)
            assert await retention.drop_logs(db, datetime.now(UTC), None) == []
        assert (await ada.send(str(made.id), alive(1, 0)))["accepted"] == 1


async def test_a_month_that_somebody_reads_does_not_hold_up_the_rest(db: Database) -> None:
    async with recorder(db) as ada:
        for year in (2012, 2013):
            await remove(ada, await ada.start(started_at=f"{year}-05-03T00:00:00Z"))
        async with db.read() as tx:
            await tx._connection.fetch("select from raw_events_2012_05")
            # Whoever reads one month of the log locks the table that all of them are part of.
            assert await retention.drop_logs(db, datetime.now(UTC), None) in (
                [],
                [date(2013, 5, 1)],
            )
        dropped = await retention.drop_logs(db, datetime.now(UTC), None)
        assert date(2012, 5, 1) in dropped


async def test_logs_are_kept_as_long_as_the_operator_says(db: Database) -> None:
    forty_days = settings(raw_event_retention=40)
    async with recorder(db) as ada:
        logs = {}
        for days in (39, 41):
            session = logs[days] = await ada.start(started_at=START)
            await ada.send(session, activate(1, 0, A), nav(2, 1_000, B))
            await ada.stop(session, 2_000, 2)
            await work_off(db)
            await let_pass(db, session, days=days)
        before = await timeline(db, logs[41])
        recording = await ada.start(started_at=START)
        await ada.send(recording, activate(1, 0, A))
        await let_pass(db, recording, days=50)
        await tidy(db)
        assert await stored_seqs(db, logs[41]) == [1, 2]
        await tidy(db, forty_days)
        assert await stored_seqs(db, logs[39]) == [1, 2]
        assert await stored_seqs(db, recording) == [1]
        assert await stored_seqs(db, logs[41]) == []
        assert await timeline(db, logs[41]) == before
        with pytest.raises(LogGone):
            async with db.transaction() as tx:
                await tracking.refold(tx, ada.person.id, SessionId(UUID(logs[41])))
        assert await timeline(db, logs[41]) == before
        assert await fetch(db, DANGLING) == []


async def test_where_a_visit_came_from_is_known_after_its_log_is_gone(db: Database) -> None:
    """A link in a background tab: the page before it has no visit, and only events mention it."""
    before = "https://example.org/before"
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(
            session,
            activate(1, 0, A),
            nav(2, 100, before, tab=2),
            nav(3, 200, B, tab=2, transition="link"),
            activate(4, 1_000, B, tab=2),
        )
        await ada.stop(session, 2_000, 4)
        await work_off(db)
        assert [each["came_from"] for each in await visits(db, session)] == [None, before]
        await let_pass(db, session, days=41)
        await tidy(db, settings(raw_event_retention=40))
        assert await stored_seqs(db, session) == []
        assert [each["came_from"] for each in await visits(db, session)] == [None, before]
        assert await fetch(db, DANGLING) == []


async def test_a_log_that_is_still_to_be_folded_is_kept(db: Database) -> None:
    """However long the workers were away: without it the timeline would never be whole."""
    month = settings(raw_event_retention=31)
    async with recorder(db) as ada:
        unclosed, stale = await ada.start(started_at=START), await ada.start(started_at=START)
        for session in (unclosed, stale):
            await ada.send(session, activate(1, 0, A), alive(2, 1_000))
        await ada.stop(stale, 2_000, 2)
        await run_jobs(db)
        await ada.stop(unclosed, 2_000, 3)
        await ada.send(stale, nav(3, 1_500, B))
        for session in (unclosed, stale):
            await let_pass(db, session, days=32)
        async with db.transaction() as tx:
            await tx._connection.execute("update jobs set run_after = now() + interval '1 hour'")
        await tidy(db, month)
        assert await stored_seqs(db, unclosed) == [1, 2]
        assert await stored_seqs(db, stale) == [1, 2, 3]
        await work_off(db)
        await tidy(db, month)
        for session in (unclosed, stale):
            assert await stored_seqs(db, session) == []
            assert (await session_row(db, session))["status"] == "completed"
        assert len((await timeline(db, stale))["visits"]) == 2


async def test_pages_and_texts_that_nothing_refers_to_are_swept(db: Database) -> None:
    async with recorder(db) as ada:
        first, second = await ada.start(started_at=START), await ada.start(started_at=START)
        await ada.send(first, activate(1, 0, A), read(2, 1, A, "a, once"), nav(3, 1_000, B))
        await ada.send(first, read(4, 1_001, B, "b"), alive(5, 2_000))
        await ada.send(second, activate(1, 0, A), read(2, 1, A, "a, again"), alive(3, 1_000))
        await tidy(db)
        assert await words(db, "select content from page_contents") == ["a, again", "a, once", "b"]
        assert await words(db, "select url from urls") == [A, B]
        await remove(ada, first)
        await work_off(db)
        assert await words(db, "select content from page_contents") == ["a, again"]
        assert await words(db, "select url from urls") == [A]
        assert await fetch(db, DANGLING) == []
        await remove(ada, second)
        await work_off(db)
        for table in ("urls", "page_contents", "reader_urls", "page_visits", "raw_events"):
            assert await fetch(db, f"select 1 from {table}") == []


async def test_a_deletion_looks_at_its_own_pages_and_not_at_everybodys(db: Database) -> None:
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        hers, his = await ada.start(started_at=START), await bob.start(started_at=START)
        await ada.send(hers, activate(1, 0, A), nav(2, 10, B), alive(3, 20))
        await bob.send(his, activate(1, 0, B), alive(2, 10))
        stray = "insert into urls (id, url, domain) values (gen_random_uuid(), 'stray', 'stray')"
        await execute(db, stray)  # as a sweep that broke off leaves one
        await remove(ada, hers)
        await work_off(db)
        assert await words(db, "select url from urls") == [B, "stray"]
        await tidy(db)
        assert await words(db, "select url from urls") == [B]


async def test_a_text_that_only_the_log_knows_of_is_kept(db: Database) -> None:
    """Read in a tab behind, read again elsewhere, and only then looked at; or behind a hole."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(
            session,
            activate(1, 0, B),
            nav(2, 10, A, tab=2),
            read(3, 20, A, "as it was", tab=2),
            nav(4, 1_000, A),
            read(5, 1_010, A, "as it is"),
            nav(6, 2_000, B),
            read(9, 3_000, B, "behind a hole"),
        )
        await execute(db, "update page_contents set created_at = now() - interval '1 day'")
        await tidy(db)
        kept = ["as it is", "as it was", "behind a hole"]
        assert await words(db, "select content from page_contents") == kept
        await ada.send(session, activate(7, 2_500, A, tab=2), nav(8, 2_900, B, tab=2))
        await ada.stop(session, 4_000, 9)
        await work_off(db)
        seen = await fetch(
            db, "select c.content from page_visits v join page_contents c on c.id = v.content_id"
        )
        assert "as it was" in {each["content"] for each in seen}
        assert await fetch(db, DANGLING) == []


async def test_a_page_is_not_swept_while_a_batch_that_names_it_is_written(db: Database) -> None:
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        hers, his = await ada.start(started_at=START), await bob.start(started_at=START)
        await ada.send(hers, activate(1, 0, A))
        await remove(ada, hers)
        async with db.transaction() as tx:
            sent = msgspec.convert([activate(1, 0, A)], list[SentEvent])
            await tracking.ingest_batch(tx, bob.person.id, SessionId(UUID(his)), sent)
            sweep = started(cleanup.forget(db, ada.person.id))
            await until_it_waits(db, sweep)
        await sweep
        assert await words(db, "select url from urls") == [A]
        assert await fetch(db, DANGLING) == []


async def test_a_batch_waits_for_the_sweep_of_its_page_and_brings_it_back(db: Database) -> None:
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        hers, his = await ada.start(started_at=START), await bob.start(started_at=START)
        await ada.send(hers, activate(1, 0, A), read(2, 1, A, "hers"))
        await remove(ada, hers)
        async with db.transaction() as tx:
            await tx._connection.execute("delete from reader_urls")
            await tx.run(store.cleanup.LOCK_URLS)
            await tx._connection.execute("delete from urls")
            batch = started(_send(bob, his, activate(1, 0, A)))
            await until_it_waits(db, batch)
        await batch
        assert await words(db, "select url from urls") == [A]
        assert await fetch(db, DANGLING) == []


async def test_a_readers_text_is_not_swept_while_a_batch_brings_it_again(db: Database) -> None:
    async with recorder(db) as ada:
        gone, live = await ada.start(started_at=START), await ada.start(started_at=START)
        await ada.send(gone, activate(1, 0, A), read(2, 1, A, "the text"))
        await remove(ada, gone)
        async with db.transaction() as tx:
            log = [activate(1, 0, A), read(2, 1, A, "the text"), nav(3, 1_000, B)]
            sent = msgspec.convert(log, list[SentEvent])
            await tracking.ingest_batch(tx, ada.person.id, SessionId(UUID(live)), sent)
            sweep = started(cleanup.forget(db, ada.person.id))
            await until_it_waits(db, sweep)
        await sweep
        assert await words(db, "select content from page_contents") == ["the text"]
        assert await fetch(db, DANGLING) == []


async def _send(who: Recorder, session: str, *events: Json) -> None:
    await who.send(session, *events)


async def test_recording_deleting_and_sweeping_all_at_once_leave_nothing_dangling(
    db: Database,
) -> None:
    async def live(who: Recorder, seed: int) -> None:
        rng = Random(seed)
        for _ in range(8):
            session = await who.start(started_at=START)
            for at in range(0, 12, 3):
                page = f"https://example.org/{rng.randrange(6)}"
                text = f"text {rng.randrange(4)}"
                log = [
                    activate(at + 1, at, page),
                    read(at + 2, at, page, text),
                    alive(at + 3, at + 5),
                ]
                await who.send(session, *log)
            if rng.random() < 0.7:
                await remove(who, session)

    async def tidy_up(who: Recorder) -> None:
        for _ in range(8):
            await cleanup.forget(db, who.person.id)

    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        await asyncio.gather(
            *(live(who, n) for n, who in enumerate((ada, ada, bob, bob))),
            *(tidy_up(who) for who in (ada, bob)),
        )
    assert await fetch(db, DANGLING) == []


async def test_nobody_waits_for_the_long_part_of_somebodys_erasure(db: Database) -> None:
    """Here it takes for ever: a row of hers is held."""
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        hers, his = await ada.start(started_at=START), await bob.start(started_at=START)
        await ada.send(hers, activate(1, 0, A), read(2, 1, A, "hers"))

        async def erase() -> None:
            async with db.transaction() as tx:
                await tracking.erase(tx, ada.person.id, ada.person.email)

        async with db.transaction() as tx:
            await tx._connection.execute(
                "select 1 from sessions where id = $1 for update", UUID(hers)
            )
            erasing = started(erase())
            await until_it_waits(db, erasing)
            await asyncio.wait_for(bob.send(his, activate(1, 0, A)), 10)
        await erasing
        assert await words(db, "select url from urls") == [A]
        assert await fetch(db, DANGLING) == []


async def test_a_deleted_id_is_remembered_for_two_months(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A))
        await remove(ada, session)
        for days, count in ((59, 1), (2, 0)):
            await execute(
                db,
                "update deleted_sessions set deleted_at = deleted_at - $1::interval",
                timedelta(days=days),
            )
            await tidy(db)
            assert len(await fetch(db, "select 1 from deleted_sessions")) == count


async def test_public_texts_that_nobody_points_at_are_swept(db: Database) -> None:
    add = """
insert into page_contents (id, user_id, content, status, created_at)
values ($1, null, $2, 'crawled', now() - interval '2 days')"""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A))
        used, unused = uuid.uuid4(), uuid.uuid4()
        await execute(db, add, used, "used")
        await execute(db, add, unused, "unused")
        await execute(
            db, "update reader_urls set content_id = $1, content_status = 'crawled'", used
        )
        await tidy(db)
        assert await words(db, "select content from page_contents") == ["used"]
