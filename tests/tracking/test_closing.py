"""The end of a timeline: stops, holes, silence, what comes late, and folding again."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from random import Random
from uuid import UUID

import pytest

from mindhit import tracking, work
from mindhit.db import Database
from mindhit.tracking import SessionId, StillRecording, TextMissing
from mindhit.work import Wires, job
from tests.tracking import traces
from tests.tracking.endings import END, LOG, A, B, refold, status, whole
from tests.tracking.kit import (
    START,
    Recorder,
    alive,
    browsing,
    event,
    execute,
    fetch,
    in_pieces,
    let_pass,
    pauses,
    recorder,
    session_row,
    sweep,
    timeline,
    visits,
    work_off,
)


async def test_a_stopped_session_is_closed_when_its_last_event_has_come(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:4])
        stopped = await ada.stop(session, END, 10)
        assert (stopped["status"], stopped["acked_seq"]) == ("processing", 4)
        await work_off(db)
        assert await status(db, session) == "processing"
        await ada.send(session, *LOG[7:])
        await work_off(db)
        assert await status(db, session) == "processing"
        await ada.send(session, *LOG[4:7])
        await work_off(db)
        assert await status(db, session) == "completed"
        assert await timeline(db, session) == await whole(ada)


async def test_after_two_minutes_it_is_closed_with_what_came(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], *LOG[6:8])
        await ada.stop(session, END, 10)
        await let_pass(db, session, seconds=118)
        await work_off(db)
        assert await status(db, session) == "processing"
        await let_pass(db, session, seconds=2)
        await work_off(db)
        row = await session_row(db, session)
        assert (row["status"], row["holes"], row["next_seq"]) == ("completed", [[4, 6]], 9)
        assert [visit["url"] for visit in await visits(db, session)] == [A, B, A]
        receipt = await ada.send(session)
        assert (receipt["ackedSeq"], receipt["missing"]) == (8, [[4, 6], [9, 10]])


async def test_without_a_last_seq_nothing_is_waited_for(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], *LOG[6:])
        await ada.stop(session, END)
        await work_off(db)
        row = await session_row(db, session)
        assert (row["status"], row["holes"]) == ("completed", [[4, 6]])


async def test_the_tail_that_comes_a_week_later_is_folded_in(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:5])
        await ada.stop(session, END, 10)
        await let_pass(db, session, minutes=3)
        await work_off(db)
        await let_pass(db, session, days=7)
        receipt = await ada.send(session, *LOG[7:])
        assert (receipt["ackedSeq"], receipt["missing"]) == (5, [[6, 7]])
        await work_off(db)
        assert (await session_row(db, session))["holes"] == [[6, 7]]
        receipt = await ada.send(session, *LOG[5:7])
        assert (receipt["ackedSeq"], receipt["missing"]) == (10, [])
        await work_off(db)
        assert await status(db, session) == "completed"
        assert await timeline(db, session) == await whole(ada)


async def test_many_late_batches_are_folded_once(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, LOG[0])
        await ada.stop(session, END)
        await work_off(db)
        for late in LOG[1:]:
            await ada.send(session, late)
        queued = await fetch(db, "select kind from jobs where status = 'queued'")
        assert [each["kind"] for each in queued] == ["tracking:refold"]
        await work_off(db)
        assert await timeline(db, session) == await whole(ada)


async def test_late_events_are_taken_for_thirty_days(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:9])
        await ada.stop(session, END)
        await work_off(db)
        await let_pass(db, session, days=29, hours=23)
        assert (await ada.post(session, LOG[9:])).status_code == 200
        await work_off(db)
        assert await timeline(db, session) == await whole(ada)
        await let_pass(db, session, hours=2)
        refused = await ada.post(session, [alive(11, 10_500)])
        assert refused.status_code == 409
        assert "30 days" in refused.json()["detail"]
        assert await timeline(db, session) == await whole(ada)


async def test_made_again_it_is_closed_again_with_the_same_timeline(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG)
        with pytest.raises(StillRecording):
            await _reprocess(ada, session)
        await ada.stop(session, END, 10)
        await work_off(db)
        before = await timeline(db, session)
        await _reprocess(ada, session)
        assert await status(db, session) == "processing"
        await work_off(db)
        assert await status(db, session) == "completed"
        assert await timeline(db, session) == before


async def _reprocess(ada: Recorder, session: str) -> None:
    async with ada.db.transaction() as tx:
        await tracking.reprocess(tx, ada.person.id, SessionId(UUID(session)))


async def test_a_session_without_events_has_an_empty_timeline(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.stop(session, END, 0)
        await work_off(db)
        await refold(ada, session)
        assert await status(db, session) == "completed"
        assert (await visits(db, session), await pauses(db, session)) == ([], [])


async def _disturb(rng: Random, ada: Recorder, session: str, count: int) -> None:
    """Anything that may happen to a session between two batches."""
    match rng.randrange(8):
        case 0:
            await let_pass(ada.db, session, minutes=6)
            await sweep(ada.db)
        case 1:
            await let_pass(ada.db, session, minutes=31)
            await sweep(ada.db)
        case 2:
            await work_off(ada.db)
        case 3:
            await refold(ada, session)
        case 4 if rng.random() < 0.3:
            body = {"ended_at": traces.START, "last_seq": count}
            await ada.client.post(f"/v1/sessions/{session}/stop", json=body)
            await let_pass(ada.db, session, minutes=rng.choice([0, 3]))
            await work_off(ada.db)
        case 5 if rng.random() < 0.2:
            await let_pass(ada.db, session, hours=25)
            await sweep(ada.db)
            await work_off(ada.db)


async def test_whatever_happens_in_between_the_timeline_is_that_of_one_batch(db: Database) -> None:
    """Holes given up, silences, early stops, refolds: all in any order, between any batches."""
    stopped = {"ended_at": traces.START, "last_seq": 60}
    async with recorder(db) as ada:
        for seed in range(12):
            rng, log = Random(seed), browsing(300 + seed, 60)
            one = await ada.start(started_at=traces.START)
            await ada.send(one, *log)
            session = await ada.start(started_at=traces.START)
            for batch in in_pieces(rng, log, 12):
                await ada.send(session, *batch)
                await _disturb(rng, ada, session, len(log))
            for each in (one, session):
                answer = await ada.client.post(f"/v1/sessions/{each}/stop", json=stopped)
                assert answer.status_code == 202
            await work_off(db)
            assert await status(db, session) == "completed", seed
            assert await timeline(db, session) == await timeline(db, one), seed


@job("test:crawl", key="url_id")
@dataclass(frozen=True, slots=True)
class Crawl:
    """What a page without a text leads to, one day."""

    url_id: UUID
    address: str


def hear() -> None:
    work.install(Wires(subscriptions={TextMissing: [lambda it: Crawl(it.url_id, it.address)]}))


@pytest.mark.parametrize("way", ["in order", "parked", "given up", "closed over", "late"])
async def test_a_page_without_text_is_told_of_whatever_way_it_is_folded(
    db: Database, way: str
) -> None:
    failed = event(
        3, "CONTENT_EXTRACTED", 1_100, tabId=1, url=f"{B}#x", payload={"extractionOk": False}
    )
    async with recorder(db) as ada:
        hear()
        session = await ada.start(started_at=START)
        await ada.send(session, LOG[0])
        if way == "late":
            await ada.stop(session, END)
            await work_off(db)
            hear()
        if way in {"in order", "late"}:
            await ada.send(session, alive(2, 1_000))
        await ada.send(session, failed)
        if way == "parked":
            await ada.send(session, alive(2, 1_000))
        if way == "given up":
            await let_pass(db, session, minutes=6)
            await sweep(db)
        if way == "closed over":
            await ada.stop(session, END)
        if way in {"closed over", "late"}:
            await work_off(db)
    found = await fetch(
        db, "select args->>'address' as address from jobs where kind = 'test:crawl' order by 1"
    )
    # A was in focus for seconds and never gave a text: that counts when the timeline is closed.
    missing = [A, B] if way in {"closed over", "late"} else [B]
    assert [each["address"] for each in found] == missing
    read = await fetch(
        db, "select content_status from reader_urls where content_status is not null"
    )
    assert [each["content_status"] for each in read] == ["pending"] * len(missing)


async def test_a_refold_of_a_session_that_was_deleted_is_cancelled(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3])
        await ada.stop(session, END)
        await work_off(db)
        await ada.send(session, *LOG[3:])
        async with db.transaction() as tx:
            await tracking.delete(tx, ada.person.id, SessionId(uuid.UUID(session)))
        await work_off(db)
    found = await fetch(db, "select status from jobs where kind = 'tracking:refold'")
    assert [each["status"] for each in found] == ["canceled"]


async def test_a_timeline_that_cannot_be_closed_is_said_to_have_failed(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:2], LOG[3])
        await execute(db, 'update raw_events set payload = \'{"state": "odd"}\' where seq = 4')
        await ada.stop(session, END, 10)
        await let_pass(db, session, minutes=3)
        for _ in range(12):
            await work_off(db)
        row = await session_row(db, session)
        assert row["status"] == "failed"
        assert "ValidationError" in row["error"]
