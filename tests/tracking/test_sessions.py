"""Sessions as a recorder starts, names, stops and deletes them: each twice is the same as once."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any
from uuid import UUID

import httpx2

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking import SessionId
from tests.accounts.kit import traces
from tests.tracking.kit import (
    START,
    Recorder,
    activate,
    alive,
    fetch,
    let_pass,
    nav,
    recorder,
    session_row,
    stored_seqs,
    sweep,
    work_off,
)
from tests.tracking.readers import reader

A = "https://example.org/a"


async def begin(ada: Recorder, session: str, **more: Any) -> httpx2.Response:
    return await ada.client.post("/v1/sessions/start", json={"session_id": session, **more})


async def end(ada: Recorder, session: str, **more: Any) -> httpx2.Response:
    return await ada.client.post(f"/v1/sessions/{session}/stop", json=more)


async def remove(ada: Recorder, session: str) -> None:
    async with ada.db.transaction() as tx:
        await tracking.delete(tx, ada.person.id, SessionId(UUID(session)))


async def test_what_is_no_number_is_not_taken_for_one(db: Database) -> None:
    session = str(uuid.uuid4())
    async with recorder(db) as ada:
        wrong: object
        for wrong in (True, False, "1762000000000", [START], {}):
            assert (await begin(ada, session, started_at=wrong)).status_code == 422, wrong
        assert (await begin(ada, session, started_at=START)).status_code == 201
        for wrong in (True, False, "7", 7.5):
            assert (await end(ada, session, last_seq=wrong)).status_code == 422, wrong
        for wrong in (True, False, -1):
            assert (await end(ada, session, ended_at=wrong)).status_code == 422, wrong
        assert (await end(ada, session, ended_at=START + 0.5, last_seq=0)).status_code == 202


async def test_starting_twice_is_the_same_as_once(db: Database) -> None:
    session = str(uuid.uuid4())
    async with recorder(db) as ada:
        first = await begin(ada, session, started_at=START, title="Once")
        assert first.status_code == 201
        await ada.send(session, activate(1, 0, A), alive(2, 10))
        again = await begin(ada, session, started_at=START + 5_000, title="Twice")
        assert again.status_code == 201
        assert first.json()["missing"] == []
        assert again.json() == {**first.json(), "acked_seq": 2, "page_count": 1}
        row = await session_row(db, session)
        assert (row["title"], row["started_at"].timestamp() * 1000) == ("Once", START)
        await ada.stop(session, 20, 2)
        stopped = await begin(ada, session)
        assert (stopped.status_code, stopped.json()["status"]) == (201, "processing")


async def test_whoever_starts_or_stops_again_is_told_what_is_missing(db: Database) -> None:
    """A browser that never saw the answers to its batches: what it may delete stands here too."""
    session = str(uuid.uuid4())
    async with recorder(db) as ada:
        await begin(ada, session, started_at=START)
        await ada.send(session, activate(1, 0, A), alive(4, 40))
        await let_pass(db, session, minutes=6)
        receipt = await ada.send(session, alive(7, 70))
        assert (receipt["ackedSeq"], receipt["missing"]) == (4, [[2, 3], [5, 6]])
        for answer in (await begin(ada, session), await end(ada, session, last_seq=9)):
            assert answer.json()["acked_seq"] == 4
            assert answer.json()["missing"][:2] == [[2, 3], [5, 6]]
        assert answer.json()["missing"][2:] == [[8, 9]]


async def test_a_session_begins_with_its_first_event_if_that_was_earlier(db: Database) -> None:
    """Whoever starts without saying when, after a week offline: the start is a guess."""
    async with reader(db) as ada:
        session = await ada.records.start()
        await ada.records.send(session, alive(2, 5_000))
        await ada.records.send(session, activate(1, 0, A), nav(3, 60_000, f"{A}/b"))
        week = {"from": "2025-06-15T00:00:00Z", "to": "2025-06-16T00:00:00Z"}
        assert (await ada.get("/totals", **week))["focused_ms"] == 60_000
        stopped = await ada.records.stop(session, 90_000, 3)
        assert (stopped["started_at"], stopped["ended_at"]) == (
            "2025-06-15T15:06:40Z",
            "2025-06-15T15:08:10Z",
        )
        await work_off(db)
        assert (await ada.get("/totals", **week))["focused_ms"] == 90_000
        shown = await ada.show(session)
        assert shown["session"]["total_duration_ms"] == 90_000
        assert shown["pauses"] == []


async def test_a_start_that_was_given_up_on_is_the_first_event_that_came(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start()
        await ada.send(session, activate(3, 0, A), alive(4, 1_000))
        await let_pass(db, session, minutes=6)
        await sweep(db)
        assert (await session_row(db, session))["started_at"].timestamp() * 1000 == START
        odd = await ada.start()
        await ada.send(odd, {"seq": 1, "t": 5, "type": "ALIVE"})
        assert (await session_row(db, odd))["started_at"].year == 2010


async def test_many_starts_at_once_are_one(db: Database) -> None:
    session = str(uuid.uuid4())
    async with recorder(db) as ada:
        answers = await asyncio.gather(*(begin(ada, session, started_at=START) for _ in range(8)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.text for answer in answers}) == 1
    assert len(await fetch(db, "select id from sessions")) == 1


async def test_somebody_elses_id_cannot_be_used_and_tells_nothing(db: Database) -> None:
    session = str(uuid.uuid4())
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        await begin(ada, session, started_at=START, title="Private")
        taken = await begin(bob, session)
        assert taken.status_code == 409
        assert "private" not in taken.text.lower()
        assert (await end(bob, session)).status_code == 404
        assert (await bob.post(session, [alive(1, 0)])).status_code == 404
    assert (await session_row(db, session))["status"] == "recording"


async def test_without_an_id_the_server_makes_one(db: Database) -> None:
    async with recorder(db) as ada:
        first = await ada.client.post("/v1/sessions/start")
        second = await ada.client.post("/v1/sessions/start", json={})
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.json()["session_id"] != second.json()["session_id"]


async def test_a_start_that_cannot_be_is_refused(db: Database) -> None:
    now = time.time() * 1000
    async with recorder(db) as ada:
        for wrong in (
            {"started_at": now + 2 * 86_400_000},
            {"started_at": 1_200_000_000_000},
            {"started_at": -1},
            {"started_at": 1e300},
            {"started_at": "yesterday"},
            {"started_at": "2025-06-15T12:00:00"},
            {"session_id": "one"},
            {"session_id": 1},
            {"title": "x" * 256},
            {"title": "two\nlines"},
            {"title": "\x00"},
            {"title": 7},
        ):
            answer = await ada.client.post("/v1/sessions/start", json=wrong)
            assert answer.status_code == 422, wrong
        for body in (b'{"title":"\\ud800"}', b"\xff", b"[]", b"{"):
            answer = await ada.client.post("/v1/sessions/start", content=body)
            assert answer.status_code == 422, body
    assert await fetch(db, "select id from sessions") == []


async def test_a_start_may_lie_long_ago_and_has_a_place_for_its_log(db: Database) -> None:
    async with recorder(db) as ada:
        for at in ("2010-01-01T00:00:00Z", "2016-02-29T23:30:00-05:00", START, time.time() * 1000):
            session = await ada.start(started_at=at, title=" A title ")
            row = await session_row(db, session)
            assert (await ada.send(session, alive(1, 0)))["accepted"] == 1
            assert row["title"] == "A title"
            assert row["month"] == row["started_at"].date().replace(day=1)


async def test_stopping_twice_is_the_same_as_once(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A))
        first = await end(ada, session, ended_at=START + 10, last_seq=1)
        again = await end(ada, session, ended_at=START + 99, last_seq=1)
        assert (first.status_code, again.status_code) == (202, 202)
        assert first.json() == again.json()
        await work_off(db)
        after = await end(ada, session)
        assert (after.json()["status"], after.json()["ended_at"]) == (
            "completed",
            first.json()["ended_at"],
        )
        jobs = await fetch(db, "select id from jobs where kind = 'tracking:close'")
        assert len(jobs) == 1


async def test_a_second_stop_may_only_add_what_the_first_did_not_know(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        for last_seq, kept in ((None, None), (3, 3), (2, 3), (5, 5), (None, 5)):
            assert (await end(ada, session, last_seq=last_seq)).status_code == 202
            assert (await session_row(db, session))["last_seq"] == kept


async def test_an_end_before_the_start_or_in_the_future_is_brought_near(db: Database) -> None:
    async with recorder(db) as ada:
        early = await ada.start(started_at=START)
        await end(ada, early, ended_at=START - 1_000)
        row = await session_row(db, early)
        assert row["ended_at"] == row["started_at"]
        late = await ada.start(started_at=START)
        await end(ada, late, ended_at=253_402_300_799_000)
        row = await session_row(db, late)
        assert (row["ended_at"] - row["stopped_at"]).days == 1


async def test_a_stop_that_cannot_be_is_refused(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        for wrong in (
            {"last_seq": -1},
            {"last_seq": 2**31},
            {"last_seq": "x"},
            {"ended_at": "noon"},
        ):
            assert (await end(ada, session, **wrong)).status_code == 422, wrong
        assert (await end(ada, str(uuid.uuid4()))).status_code == 404
        assert (await end(ada, "x")).status_code == 422
    assert (await session_row(db, session))["status"] == "recording"


async def test_a_deleted_session_takes_nothing_and_leaves_nothing(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START, title="To be forgotten")
        kept = await ada.start(started_at=START)
        marked = {"tabId": 1, "url": "https://forgotten.example/", "payload": {"text": "forgotten"}}
        await ada.send(
            session,
            activate(1, 0, "https://forgotten.example/"),
            {"seq": 2, "t": START, "type": "HIGHLIGHT", **marked},
            {**activate(3, 10, A), "payload": {"title": "forgotten"}},
            alive(5, 20),
        )
        await ada.send(kept, activate(1, 0, A))
        await remove(ada, session)
        for answer in (
            await begin(ada, session, started_at=START),
            await end(ada, session),
            await ada.post(session, [alive(4, 15)]),
        ):
            assert answer.status_code in {404, 409}
        assert (await begin(ada, session)).json()["detail"].startswith("This session was deleted")
        assert await stored_seqs(db, session) == []
        assert await stored_seqs(db, kept) == [1]
    await work_off(db)
    assert await traces(db, "forgotten") == {}
    urls = await fetch(db, "select url from urls")
    assert [each["url"] for each in urls] == [A]


async def test_an_id_whose_session_was_deleted_is_spent_for_everybody(db: Database) -> None:
    """Its reader is told to let go, whoever has tried it since; others that they need another one,
    as if it were there."""
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        session, live = await ada.start(started_at=START), await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A))
        await remove(ada, session)
        taken, known = await begin(bob, session), await begin(bob, live)
        assert taken.status_code == known.status_code == 409
        assert taken.json()["type"] == known.json()["type"]
        assert taken.json()["detail"] == known.json()["detail"]
        assert (await bob.post(session, [alive(1, 0)])).status_code == 404
        for _ in range(2):
            gone = await begin(ada, session)
            assert gone.status_code == 409
            assert gone.json()["detail"].startswith("This session was deleted")
        assert (await ada.post(session, [alive(1, 0)])).status_code == 404
    assert len(await fetch(db, "select id from sessions")) == 1


async def test_only_its_reader_deletes_a_session(db: Database) -> None:
    async with reader(db) as ada, reader(db, "bob@example.org") as bob:
        session = await ada.records.start(started_at=START)
        assert (await bob.browser.delete(f"/v1/sessions/{session}")).status_code == 404
        assert (await session_row(db, session))["status"] == "recording"
        assert (await ada.browser.delete(f"/v1/sessions/{session}")).status_code == 204
        assert (await ada.browser.delete(f"/v1/sessions/{session}")).status_code == 404
    assert await fetch(db, "select id from sessions") == []


async def test_a_stop_may_come_before_everything_else(db: Database) -> None:
    """Also of a session whose start was not told: the server's clock knows nothing of its time."""
    ends = []
    async with recorder(db) as ada:
        for is_stopped_first in (False, True):
            session = str(uuid.uuid4())
            assert (await begin(ada, session)).status_code == 201
            if is_stopped_first:
                await ada.stop(session, 5_000, 3)
            await ada.send(session, activate(1, 0, A), alive(2, 1_000), alive(3, 2_000))
            if not is_stopped_first:
                await ada.stop(session, 5_000, 3)
            await work_off(db)
            row = await session_row(db, session)
            ends.append((row["started_at"], row["ended_at"], row["total_duration_ms"]))
    assert ends[0] == ends[1]
    assert [int(each.timestamp() * 1000) - START for each in ends[0][:2]] == [0, 5_000]
    assert ends[0][2] == 5_000


async def test_an_end_that_was_guessed_is_replaced_by_the_one_the_browser_sends(
    db: Database,
) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, A), alive(2, 1_000))
        assert (await end(ada.records, session, last_seq=2)).status_code == 202  # ends now, it says
        await work_off(db)
        assert await fetch(db, "select kind from session_pauses") == [{"kind": "asleep"}]
        assert (await end(ada.records, session, ended_at=START + 3_000)).status_code == 202
        await work_off(db)
        row = await session_row(db, session)
        assert int(row["ended_at"].timestamp() * 1000) == START + 3_000
        assert (row["total_duration_ms"], row["is_end_guessed"]) == (3_000, False)
        assert await fetch(db, "select kind from session_pauses") == []
        # A second word on it is not heard: it was no guess.
        await end(ada.records, session, ended_at=START + 9_000)
        await work_off(db)
        assert (await session_row(db, session))["ended_at"] == row["ended_at"]


async def test_an_end_in_the_far_future_is_none(db: Database) -> None:
    async with reader(db) as ada:
        session = await ada.records.start(started_at=START)
        await ada.records.send(session, activate(1, 0, A), alive(2, 1_000))
        await end(ada.records, session, last_seq=2)
        await work_off(db)
        await end(ada.records, session, ended_at=253_402_300_799_000)
        await work_off(db)
        row = await session_row(db, session)
        assert row["ended_at"].timestamp() < time.time() + 90_000
        answer = await ada.browser.get(f"/v1/sessions/{session}/export", params={"format": "md"})
        assert answer.status_code == 200
