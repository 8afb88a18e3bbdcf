"""What other slices hear, in the transaction in which it happens: closed and changed timelines."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest

from mindhit import tracking, work
from mindhit.db import Database
from mindhit.tracking import SessionId, TimelineClosed
from mindhit.tracking.maintenance.silence import stop_silent
from mindhit.tracking.maintenance.sweeping import fail_stuck
from mindhit.tracking.timeline import closing
from mindhit.work import Wires, job
from tests.tracking.endings import END, LOG, refold, status
from tests.tracking.kit import (
    START,
    Recorder,
    execute,
    fetch,
    let_pass,
    recorder,
    session_row,
)


class Undone(Exception):
    """Rolls a transaction back."""


@job("test:process")
@dataclass(frozen=True, slots=True)
class Process:
    session_id: UUID
    user_id: UUID
    version: int


def subscribe() -> None:
    """The job has no key: what is published twice is there twice."""
    work.install(
        Wires(
            subscriptions={
                TimelineClosed: [lambda it: Process(it.session_id, it.user_id, it.version)]
            }
        )
    )


async def published(db: Database) -> list[tuple[str, str, int]]:
    found = await fetch(
        db,
        "select args->>'session_id' as session, args->>'user_id' as person,"
        " (args->>'version')::int as version from jobs where kind = 'test:process' order by id",
    )
    return [(each["session"], each["person"], each["version"]) for each in found]


async def recorded(ada: Recorder) -> str:
    subscribe()
    session = await ada.start(started_at=START)
    await ada.send(session, *LOG[:5])
    return session


async def close(ada: Recorder, session: str) -> None:
    async with ada.db.transaction() as tx:
        assert await closing.close(tx, ada.person.id, SessionId(UUID(session))) is None


def of(ada: Recorder, session: str, version: int) -> tuple[str, str, int]:
    return session, str(ada.person.id), version


async def test_a_timeline_that_is_closed_is_published_and_waits_for_what_is_made_of_it(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        session = await recorded(ada)
        await refold(ada, session)  # while it is being recorded
        await ada.stop(session, END, 5)
        assert await published(db) == []
        with pytest.raises(Undone):
            async with db.transaction() as tx:
                await closing.close(tx, ada.person.id, SessionId(UUID(session)))
                raise Undone
        assert await published(db) == []
        await close(ada, session)
        assert await published(db) == [of(ada, session, 1)]
        assert await status(db, session) == "processing"
        async with db.transaction() as tx:
            assert await tracking.complete(tx, ada.person.id, SessionId(UUID(session)), 1)
        assert await status(db, session) == "completed"


async def test_where_nobody_subscribes_closing_completes(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, *LOG[:5])
        await ada.stop(session, END, 5)
        await close(ada, session)
        row = await session_row(db, session)
        assert (row["status"], row["timeline_version"]) == ("completed", 1)


async def test_a_closed_timeline_that_is_folded_again_has_another_version_and_the_same_status(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        session = await recorded(ada)
        await ada.stop(session, END, 5)
        await close(ada, session)
        async with db.transaction() as tx:
            await tracking.complete(tx, ada.person.id, SessionId(UUID(session)), 1)
        await ada.send(session, *LOG[5:])
        await refold(ada, session)
        assert await published(db) == [of(ada, session, 1), of(ada, session, 2)]
        assert await status(db, session) == "completed"


async def test_what_was_made_of_an_earlier_timeline_has_no_effect(db: Database) -> None:
    async with recorder(db) as ada:
        session = await recorded(ada)
        id_ = SessionId(UUID(session))
        await ada.stop(session, END, 5)
        await close(ada, session)
        await refold(ada, session)
        async with db.transaction() as tx:
            assert not await tracking.complete(tx, ada.person.id, id_, 1)
            assert not await tracking.fail(tx, ada.person.id, id_, 1, "too late")
        assert await status(db, session) == "processing"
        async with db.transaction() as tx:
            assert await tracking.fail(tx, ada.person.id, id_, 2, "no model")
        row = await session_row(db, session)
        assert (row["status"], row["error"]) == ("failed", "no model")


async def test_what_was_completed_stays_so_when_processing_it_again_fails(db: Database) -> None:
    async with recorder(db) as ada:
        session = await recorded(ada)
        id_ = SessionId(UUID(session))
        await ada.stop(session, END, 5)
        await close(ada, session)
        async with db.transaction() as tx:
            assert await tracking.complete(tx, ada.person.id, id_, 1)
            assert await tracking.fail(tx, ada.person.id, id_, 1, "no model")
        row = await session_row(db, session)
        assert (row["status"], row["error"]) == ("completed", None)


async def test_reprocessing_publishes_the_timeline_again(db: Database) -> None:
    async with recorder(db) as ada:
        session = await recorded(ada)
        await ada.stop(session, END, 5)
        await close(ada, session)
        async with db.transaction() as tx:
            await tracking.complete(tx, ada.person.id, SessionId(UUID(session)), 1)
            await tracking.reprocess(tx, ada.person.id, SessionId(UUID(session)))
        assert await status(db, session) == "processing"
        await close(ada, session)
        assert await published(db) == [of(ada, session, 1), of(ada, session, 2)]
        assert await status(db, session) == "processing"


async def test_a_silent_session_that_is_stopped_is_published_when_it_is_closed(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        session = await recorded(ada)
        await let_pass(db, session, hours=25)
        assert await stop_silent(db) == 1
        await close(ada, session)
        assert await published(db) == [of(ada, session, 1)]


async def test_processing_that_does_not_get_on_for_a_day_has_failed(db: Database) -> None:
    async with recorder(db) as ada:
        session, other = await recorded(ada), await recorded(ada)
        for each in (session, other):
            await ada.stop(each, END, 5)
            await close(ada, each)
        day = "update sessions set updated_at = now() - $2::interval where id = $1"
        await execute(db, day.replace("$2::interval", "interval '25 hours'"), UUID(session))
        await execute(db, day.replace("$2::interval", "interval '23 hours'"), UUID(other))
        async with db.transaction() as tx:
            id_ = SessionId(UUID(other))
            await tracking.note_progress(tx, ada.person.id, id_, "summaries", 3, 9)
        assert await fail_stuck(db) == 1
        row = await session_row(db, session)
        assert (row["status"], row["error"]) == (
            "failed",
            "Processing didn't finish within a day.",
        )
        assert (await session_row(db, other))["progress"] == {
            "step": "summaries",
            "done": 3,
            "total": 9,
        }
        async with db.transaction() as tx:  # late is better than never
            assert await tracking.complete(tx, ada.person.id, SessionId(UUID(session)), 1)
        assert await status(db, session) == "completed"
