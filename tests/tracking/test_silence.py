"""A browser that is not heard of: rested after half an hour, stopped after a day, and not lost."""

from __future__ import annotations

import asyncio
from uuid import UUID

from mindhit.db import Database
from mindhit.tracking import SessionId
from mindhit.tracking.maintenance import silence
from mindhit.tracking.maintenance.sweeping import rest_silent
from tests.tracking.endings import END, LOG, A, B, C, refold, status, whole
from tests.tracking.kit import (
    START,
    Recorder,
    alive,
    event,
    execute,
    fetch,
    let_pass,
    nav,
    recorder,
    session_row,
    sweep,
    timeline,
    visits,
    work_off,
)
from tests.tracking.readers import reader

WAITING = """
select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"""


async def test_half_an_hour_of_silence_closes_what_is_open(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:2], alive(3, 30_000))
        await let_pass(db, session, minutes=29)
        await sweep(db)
        assert [visit["url"] for visit in await visits(db, session)] == [A]
        await let_pass(db, session, minutes=2)
        await sweep(db)
        found = [(visit["url"], visit["duration_ms"]) for visit in await visits(db, session)]
        assert found == [(A, 1_000), (B, 29_000)]
        row = await session_row(db, session)
        assert (row["status"], row["is_resting"], row["page_count"]) == ("recording", True, 2)
        before = await timeline(db, session)
        await sweep(db)
        assert await timeline(db, session) == before
        await refold(ada, session)
        assert await timeline(db, session) == before


# What comes after the silence, in ms after the last event before it, and when it was stopped.
AFTER_SILENCE = {
    "a real gap": ([alive(3, 30_000), nav(4, 3_600_000, C), alive(5, 3_601_000)], 3_602_000),
    "a gap just long enough": ([alive(3, 30_000), nav(4, 210_001, C)], 220_000),
    "no gap: it was held back": ([alive(3, 30_000), nav(4, 210_000, C)], 220_000),
    "no gap, by the millisecond": ([alive(3, 30_000), nav(4, 30_000, C)], 30_000),
    "a clock that was set back": ([alive(3, 30_000), nav(4, 10_000, C)], 30_500),
    "a restart": ([alive(3, 30_000), event(4, "ALIVE", 40_000, payload={"restart": True})], 50_000),
    "nothing, stopped at the last event": ([alive(3, 30_000)], 30_000),
    "nothing, stopped before it": ([alive(3, 30_000)], 20_000),
    "nothing, stopped soon after": ([alive(3, 30_000)], 90_000),
    "nothing, stopped long after": ([alive(3, 30_000)], 7_200_000),
    "an event that cannot be read": (
        [alive(3, 30_000), event(4, "NONE"), nav(5, 31_000, C)],
        32_000,
    ),
}


async def test_a_recording_that_was_silent_goes_on_as_if_it_had_not_been(db: Database) -> None:
    async with recorder(db) as ada:
        for name, (rest, end) in AFTER_SILENCE.items():
            log = [*LOG[:2], *rest]
            session = await ada.start(started_at=START)
            await ada.send(session, *log[:3])
            await let_pass(db, session, minutes=31)
            await sweep(db)
            assert (await session_row(db, session))["is_resting"], name
            for each in log[3:]:
                await ada.send(session, each)
            await ada.stop(session, end, log[-1]["seq"])
            await work_off(db)
            assert await status(db, session) == "completed", name
            assert await timeline(db, session) == await whole(ada, log, end), name


async def test_a_silent_recording_that_goes_on_is_folded_again_before_it_is_stopped(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:2])
        await let_pass(db, session, minutes=31)
        await sweep(db)
        assert len(await visits(db, session)) == 1  # the other one is 0 ms long
        await ada.send(session, alive(3, 60_000))
        await work_off(db)
        row = await session_row(db, session)
        assert (row["is_stale"], row["is_resting"]) == (False, False)
        await ada.send(session, nav(4, 61_000, C))
        found = [(visit["url"], visit["duration_ms"]) for visit in await visits(db, session)]
        assert found == [(A, 1_000), (B, 60_000)]


async def test_a_day_of_silence_stops_the_session_at_its_last_event(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG)
        await let_pass(db, session, hours=23)
        await sweep(db)
        assert await status(db, session) == "recording"
        await let_pass(db, session, hours=1, minutes=1)
        await sweep(db)
        await work_off(db)
        assert await status(db, session) == "completed"
        assert await timeline(db, session) == await whole(ada, end=10_000)
        assert (await session_row(db, session))["ended_at"].timestamp() * 1000 == START + 10_000
        assert (await ada.stop(session, END, 10))["status"] == "completed"


async def test_a_session_of_which_nothing_ever_came_is_stopped_too(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await let_pass(db, session, hours=25)
        await sweep(db)
        await work_off(db)
        row = await session_row(db, session)
        assert (row["status"], row["ended_at"]) == ("completed", row["started_at"])


async def test_what_comes_after_a_day_of_silence_is_late_and_not_lost(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:4])
        for silence in ({"minutes": 31}, {"hours": 24}):
            await let_pass(db, session, **silence)
            await sweep(db)
        await work_off(db)
        assert await status(db, session) == "completed"
        receipt = await ada.send(session, *LOG[4:])
        assert receipt["ackedSeq"] == 10
        await work_off(db)
        assert await timeline(db, session) == await whole(ada, end=10_000)


async def test_a_stop_that_comes_after_a_day_of_silence_says_when_it_ended(db: Database) -> None:
    """The sweep could only take the last event for the end; the browser knows better."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:4])
        await let_pass(db, session, hours=25)
        await sweep(db)
        await work_off(db)
        assert await status(db, session) == "completed"
        await ada.send(session, *LOG[4:])
        for _ in range(2):
            assert (await ada.stop(session, END, 10))["status"] == "completed"
        await work_off(db)
        assert await timeline(db, session) == await whole(ada)
        assert (await session_row(db, session))["ended_at"].timestamp() * 1000 == START + END


async def test_a_second_stop_that_does_not_say_when_moves_nothing(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG)
        await ada.stop(session, END, 10)
        await work_off(db)
        before = await session_row(db, session)
        answer = await ada.client.post(f"/v1/sessions/{session}/stop")
        assert answer.status_code == 202
        assert (await session_row(db, session))["ended_at"] == before["ended_at"]


async def test_a_session_that_nobody_folds_again_is_found(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:4])
        await ada.stop(session, END)
        await work_off(db)
        await ada.send(session, *LOG[4:])
        await execute(db, "delete from jobs")  # its refold died, and was pruned
        await let_pass(db, session, hours=2)
        await execute(db, "update sessions set updated_at = updated_at - interval '2 hours'")
        await sweep(db)
        await work_off(db)
        assert await timeline(db, session) == await whole(ada)


async def test_a_session_that_speaks_while_it_is_about_to_be_stopped_is_not(db: Database) -> None:
    """The sweep has found it silent, and waits for a batch that is just being written."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:4])
        await let_pass(db, session, hours=25)
        await execute(db, "update sessions set is_resting = true")
        async with db.transaction() as tx:
            row = "select 1 from sessions where id = $1 for no key update"
            await tx._connection.execute(row, UUID(session))
            sweeping = asyncio.create_task(sweep(db))
            while not await fetch(db, WAITING):
                await asyncio.sleep(0.01)
            await tx._connection.execute("update sessions set heard_at = now()")
        await sweeping
        assert await status(db, session) == "recording"


async def test_a_session_that_speaks_while_it_is_about_to_be_rested_is_not(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:2], alive(3, 30_000))
        await let_pass(db, session, minutes=31)
        async with db.transaction() as tx:
            row = "select 1 from sessions where id = $1 for no key update"
            await tx._connection.execute(row, UUID(session))
            resting = asyncio.create_task(rest_silent(db))
            while not await fetch(db, WAITING):
                await asyncio.sleep(0.01)
            await tx._connection.execute("update sessions set heard_at = now()")
        assert await resting == 1
        assert not (await session_row(db, session))["is_resting"]
        assert [visit["url"] for visit in await visits(db, session)] == [A]


async def test_a_session_that_is_to_be_folded_again_is_not_rested(db: Database) -> None:
    """What is open in it is not known yet; the refold says so, or the one who is waited for does."""
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:3], LOG[6])
        await let_pass(db, session, minutes=6)
        await sweep(db)
        await ada.send(session, *LOG[3:6])
        await let_pass(db, session, minutes=31)
        before = await timeline(db, session)
        assert before["totals"][0]["is_stale"]
        async with db.transaction() as tx:
            await silence.rest(tx, ada.person.id, SessionId(UUID(session)))
        assert await timeline(db, session) == before
        await ada.stop(session, END)
        await work_off(db)
        assert await timeline(db, session) == await whole(ada, LOG[:7])


async def test_a_state_that_cannot_be_decoded_is_rebuilt_from_the_log(db: Database) -> None:
    """Whatever wrote it, and whoever comes first. Nobody is answered 500 meanwhile, and nothing is
    lost."""
    async with reader(db) as ada:
        expected = await whole(ada.records)
        for who in ("a batch", "the sweep", "the close", "a refold"):
            session = await ada.records.start(started_at=START)
            await ada.records.send(session, *LOG[:7])
            await execute(db, "update sessions set fold_state = 'x' where id = $1", UUID(session))
            assert len((await ada.show(session))["page_visits"]) >= 4
            assert (await ada.get("/sessions", search="b"))["total"] > 0
            await _come_first(ada.records, session, who)
            assert (await ada.records.send(session, *LOG[7:]))["ackedSeq"] == 10
            await ada.records.stop(session, END, 10)
            await work_off(db)
            assert await status(db, session) == "completed", who
            assert await timeline(db, session) == expected, who


async def _come_first(ada: Recorder, session: str, who: str) -> None:
    if who == "a refold":
        await refold(ada, session)
    if who == "the sweep":
        await let_pass(ada.db, session, minutes=31)
        await sweep(ada.db)
        assert (await session_row(ada.db, session))["is_resting"]
    if who == "the close":
        await ada.stop(session, END, 7)
        await work_off(ada.db)
        assert await status(ada.db, session) == "completed"


async def test_a_session_that_is_broken_does_not_keep_the_sweep_from_the_others(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        sessions = sorted([await ada.start(started_at=START) for _ in range(3)])
        for session in sessions:
            await ada.send(session, *LOG[:2], alive(3, 30_000), LOG[6])
            await let_pass(db, session, minutes=31)
        odd = """update raw_events set payload = '{"state": "odd"}' where session_id = $1"""
        await execute(db, odd, UUID(sessions[0]))
        await execute(db, "update sessions set fold_state = 'x' where id = $1", UUID(sessions[0]))
        await sweep(db)
        for session in sessions[1:]:
            row = await session_row(db, session)
            assert (row["is_resting"], row["holes"]) == (True, [[4, 6]])
