"""Holes in a log: waited for, given up, filled after all."""

from __future__ import annotations

import pytest

from mindhit.db import Database
from mindhit.tracking.timeline import holes
from tests.tracking.endings import END, LOG, A, B, status, whole
from tests.tracking.kit import (
    START,
    activate,
    alive,
    event,
    execute,
    let_pass,
    recorder,
    session_row,
    stored_seqs,
    sweep,
    timeline,
    visits,
    work_off,
)
from tests.tracking.readers import reader


@pytest.mark.parametrize("who_gives_up", ["the sweep", "the next batch"])
async def test_a_hole_is_given_up_after_five_minutes_and_may_be_filled_after_all(
    db: Database, who_gives_up: str
) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], *LOG[6:9])
        await let_pass(db, session, seconds=295)
        await sweep(db)
        receipt = await ada.send(session)
        assert (receipt["ackedSeq"], receipt["missing"]) == (3, [[4, 6]])
        assert [visit["url"] for visit in await visits(db, session)] == [A]
        await let_pass(db, session, seconds=6)
        if who_gives_up == "the sweep":
            await sweep(db)
        receipt = await ada.send(session, LOG[9])
        assert (receipt["ackedSeq"], receipt["missing"]) == (10, [[4, 6]])
        assert [visit["url"] for visit in await visits(db, session)] == [A, B, A]
        row = await session_row(db, session)
        assert (row["holes"], row["hole_since"], row["is_stale"]) == ([[4, 6]], None, False)
        receipt = await ada.send(session, *LOG[3:5])
        assert (receipt["accepted"], receipt["missing"]) == (2, [[6, 6]])
        assert (await session_row(db, session))["is_stale"]
        await ada.send(session, *LOG[3:6])
        await work_off(db)
        assert not (await session_row(db, session))["is_stale"]
        await ada.stop(session, END, 10)
        await work_off(db)
        assert await timeline(db, session) == await whole(ada)


async def test_a_batch_that_brings_nothing_new_gives_up_a_hole_too(db: Database) -> None:
    """A browser that has nothing left but what it sends again."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], *LOG[6:9])
        await let_pass(db, session, minutes=6)
        receipt = await ada.send(session, LOG[0])
        assert (receipt["duplicates"], receipt["ackedSeq"], receipt["missing"]) == (1, 9, [[4, 6]])
        row = await session_row(db, session)
        assert (row["next_seq"], row["holes"], row["parked"]) == (10, [[4, 6]], [])
        assert [visit["url"] for visit in await visits(db, session)] == [A, B, A]


async def test_holes_that_became_one_take_what_is_missing_and_nothing_twice(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holes, "MAX_GIVEN_UP", 1)
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        lost, came = LOG[3:6:2], [*LOG[:3], LOG[4], *LOG[6:]]
        await ada.send(session, *came)
        await let_pass(db, session, minutes=6)
        receipt = await ada.send(session)
        assert (receipt["ackedSeq"], receipt["missing"]) == (10, [[4, 6]])
        again = await ada.send(session, LOG[4])
        assert (again["accepted"], again["duplicates"]) == (0, 1)
        receipt = await ada.send(session, *LOG[3:6])
        assert (receipt["accepted"], receipt["missing"]) == (len(lost), [])
        assert (await session_row(db, session))["event_count"] == len(LOG)
        await ada.stop(session, END, 10)
        await work_off(db)
        assert await timeline(db, session) == await whole(ada)


async def test_an_event_in_a_merged_hole_is_never_reported_missing_again(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that sends it again is told once that it is stored, and once is enough."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        with monkeypatch.context() as patch:
            patch.setattr(holes, "MAX_GIVEN_UP", 1)
            await ada.send(session, *LOG[:3], LOG[4], *LOG[6:])
            await let_pass(db, session, minutes=6)
            assert (await ada.send(session))["missing"] == [[4, 6]]
        again = await ada.send(session, LOG[4])
        assert (again["duplicates"], again["missing"]) == (1, [[4, 4], [6, 6]])
        assert (await session_row(db, session))["holes"] == [[4, 4], [6, 6]]
        assert (await ada.send(session))["missing"] == [[4, 4], [6, 6]]


async def test_what_filled_a_hole_is_folded_in_by_the_close_if_not_before(db: Database) -> None:
    """The session stops before anybody has folded it again, and whoever was to do it is gone."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], *LOG[6:])
        await let_pass(db, session, minutes=6)
        await sweep(db)
        await ada.send(session, *LOG[3:6])
        assert (await session_row(db, session))["is_stale"]
        await execute(db, "delete from jobs")
        await ada.stop(session, END, 10)
        await work_off(db)
        assert not (await session_row(db, session))["is_stale"]
        assert await timeline(db, session) == await whole(ada)


async def test_a_hole_that_is_filled_after_the_close_is_folded_in(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], *LOG[6:])
        await ada.stop(session, END, 10)
        await let_pass(db, session, minutes=3)
        await work_off(db)
        closed = (await session_row(db, session))["closed_at"]
        await ada.send(session, *LOG[2:7])
        row = await session_row(db, session)
        assert (row["is_stale"], row["status"]) == (True, "completed")
        await work_off(db)
        assert (await session_row(db, session))["closed_at"] == closed
        assert await timeline(db, session) == await whole(ada)


async def test_the_same_text_marked_twice_behind_a_hole_is_one_highlight(db: Database) -> None:
    again = event(11, "HIGHLIGHT", 10_500, tabId=1, url=A, payload={"text": "marked"})
    log = [*LOG, again]
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *log[:3], *log[6:])
        await ada.stop(session, END)
        await work_off(db)
        assert await status(db, session) == "completed"
        await ada.send(session, *log[3:6])
        await work_off(db)
        found = await timeline(db, session)
        assert [each["seq"] for each in found["highlights"]] == [3, 8]
        assert found == await whole(ada, log)


async def test_holes_that_were_all_filled_are_holes_no_more(db: Database) -> None:
    """Of more than 200, many were told as one: what came in between is asked for again, once."""
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        log = {n: event(n, "ALIVE", n) for n in range(1, 801)}
        odd, even = [*range(1, 801, 2)], [*range(2, 801, 2)]
        for part in (odd[:200], odd[200:]):
            await ada.records.send(session, *[log[n] for n in part])
        await let_pass(db, session, minutes=6)
        for part in (even[200:], even[:200]):
            receipt = await ada.records.send(session, *[log[n] for n in part])
        asked = [n for first, last in receipt["missing"] for n in range(first, last + 1)]
        for at in range(0, len(asked), 200):
            receipt = await ada.records.send(session, *[log[n] for n in asked[at : at + 200]])
            assert receipt["accepted"] == 0
        assert receipt["missing"] == []
        assert (await ada.records.send(session))["missing"] == []
        assert await stored_seqs(db, session) == [*range(1, 801)]
        await ada.records.stop(session, 1_000, 800)
        await work_off(db)
        assert not (await ada.show(session))["session"]["is_incomplete"]


async def test_more_holes_than_are_kept_apart_leave_a_session_complete_once_they_are_filled(
    db: Database,
) -> None:
    count = 2 * (holes.MAX_GIVEN_UP + 50) + 1
    log = [activate(1, 0, A), *(alive(seq, seq * 10) for seq in range(2, count + 1))]
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        for first in range(0, len(log), 200):
            await ada.records.send(session, *log[first : first + 200 : 2])
        await ada.records.stop(session, count * 10, count)
        await let_pass(db, session, minutes=3)
        await work_off(db)
        assert (await ada.show(session))["session"]["is_incomplete"]
        for first in range(1, len(log), 200):
            await ada.records.send(session, *log[first : first + 200 : 2])
        await work_off(db)
        shown = await ada.show(session)
    assert (shown["session"]["is_incomplete"], shown["holes"]) == (False, [])
    assert shown["session"]["event_count"] == count
