"""Batches in, the timeline out: the ordinary way."""

from __future__ import annotations

from uuid import UUID

import msgspec

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking import SessionId
from mindhit.tracking.protocol import SentEvent
from tests.accounts.kit import run_jobs
from tests.tracking.kit import (
    START,
    activate,
    alive,
    event,
    nav,
    pauses,
    recorder,
    session_row,
    visits,
)

A, B = "https://example.org/a", "https://example.org/b"
RESTART = {"restart": True}


async def test_a_batch_becomes_visits(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        answer = await ada.send(
            session,
            activate(1, 0, A),
            nav(2, 1_000, B, title="B"),
            nav(3, 1_500, A, title="A again"),
        )
        assert answer == {
            "ackedSeq": 3,
            "accepted": 3,
            "duplicates": 0,
            "rejected": [],
            "missing": [],
            "pageCount": 2,
        }
        await ada.stop(session, 2_000, 3)
    await run_jobs(db)
    found = await visits(db, session)
    assert [(v["url"], v["entered"] - START, v["left"] - START) for v in found] == [
        (A, 0, 1_000),
        (B, 1_000, 1_500),
        (A, 1_500, 2_000),
    ]
    row = await session_row(db, session)
    assert (row["status"], row["page_count"], row["total_duration_ms"]) == ("completed", 2, 2_000)
    assert row["top_domains"] == ["example.org"]


async def test_what_lies_behind_a_hole_waits_for_it(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A))
        answer = await ada.send(session, nav(3, 2_000, A), nav(5, 3_000, B))
        assert answer["ackedSeq"] == 1
        assert answer["missing"] == [[2, 2], [4, 4]]
        assert await visits(db, session) == []
        answer = await ada.send(session, nav(4, 2_500, B), nav(2, 1_000, B))
        assert (answer["ackedSeq"], answer["missing"]) == (5, [])
        answer = await ada.send(session, nav(4, 2_500, B), alive(6, 3_100))
        assert (answer["duplicates"], answer["accepted"], answer["ackedSeq"]) == (1, 1, 6)
    found = await visits(db, session)
    assert [(v["url"], v["left"] - v["entered"]) for v in found] == [
        (A, 1_000),
        (B, 1_000),
        (A, 500),
    ]
    assert await pauses(db, session) == []


async def test_a_browser_that_restarts_on_a_page_that_is_not_recorded_did_restart(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        for kind in ("TAB_ACTIVATED", "NAV_COMMITTED"):
            session = await ada.start(started_at=START)
            first = event(
                3, kind, 10_000, tabId=9, windowId=9, url="chrome://newtab/", payload=RESTART
            )
            receipt = await ada.send(
                session, activate(1, 0, A), alive(2, 1_000), first, alive(4, 11_000)
            )
            assert [each["seq"] for each in receipt["rejected"]] == [3]
            [visit] = await visits(db, session)
            assert visit["duration_ms"] == 1_000, kind  # what was open ended with the last event
            [asleep] = await pauses(db, session)
            assert (asleep["kind"], asleep["left"] - asleep["entered"]) == ("asleep", 9_000)


async def test_a_batch_reads_nothing_of_what_came_before_it(db: Database) -> None:
    """What it costs must not grow with the session: no visit is read but of the pages it is about."""
    read = """
select idx_tup_fetch + seq_tup_read from pg_stat_xact_user_tables where relname = 'page_visits'"""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        for at in range(0, 1_000, 100):
            pages = range(at + 1, at + 101)
            await ada.send(
                session, *(nav(seq, seq * 10, f"https://example.org/{seq}") for seq in pages)
            )
        batch = [nav(1_001, 10_010, A), nav(1_002, 10_020, "https://example.org/7")]
        sent = msgspec.convert([*batch, alive(1_003, 10_030)], list[SentEvent])
        async with db.transaction() as tx:
            await tx._connection.execute("set local plan_cache_mode = force_generic_plan")
            await tracking.ingest_batch(tx, ada.person.id, SessionId(UUID(session)), sent)
            visits_read = await tx._connection.fetchval(read)
    assert visits_read <= 2
