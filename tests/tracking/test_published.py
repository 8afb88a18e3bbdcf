"""What other slices are told, in the transaction in which it happens: stops and changed timelines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import pytest

from mindhit import tracking, work
from mindhit.db import Database
from mindhit.tracking import SessionId, SessionStopped, TimelineChanged
from mindhit.tracking.maintenance.silence import stop_silent
from mindhit.tracking.timeline import closing
from mindhit.work import Wires, job
from tests.tracking.endings import END, LOG, refold, status
from tests.tracking.kit import START, Recorder, fetch, let_pass, recorder, work_off

ENDED_AT = datetime.fromtimestamp((START + END) / 1000, UTC)


class Undone(Exception):
    """Rolls a transaction back."""


@job("test:summarise")
@dataclass(frozen=True, slots=True)
class Summarise:
    session_id: UUID
    user_id: UUID


@job("test:update")
@dataclass(frozen=True, slots=True)
class Update:
    session_id: UUID
    user_id: UUID


def subscribe() -> None:
    """Each job has no key: what is published twice is there twice."""
    work.install(
        Wires(
            subscriptions={
                SessionStopped: [lambda told: Summarise(told.session_id, told.user_id)],
                TimelineChanged: [lambda told: Update(told.session_id, told.user_id)],
            }
        )
    )


async def run_all(db: Database) -> None:
    """Running jobs installs the product's own wiring, as starting the API does."""
    await work_off(db)
    subscribe()


async def told(db: Database, kind: str) -> list[tuple[str, str]]:
    found = await fetch(
        db,
        "select args->>'session_id' as session, args->>'user_id' as person"
        "  from jobs where kind = $1 order by id",
        kind,
    )
    return [(each["session"], each["person"]) for each in found]


async def recorded(ada: Recorder) -> tuple[str, tuple[str, str]]:
    """A recording with some events, and what is told of it."""
    subscribe()
    session = await ada.start(started_at=START)
    await ada.send(session, *LOG[:5])
    return session, (session, str(ada.person.id))


async def test_a_stop_is_published_once(db: Database) -> None:
    async with recorder(db) as ada:
        session, it = await recorded(ada)
        assert await told(db, "test:summarise") == []
        await ada.stop(session, END, 5)
        assert await told(db, "test:summarise") == [it]
        await ada.stop(session, END, 10)
        assert await told(db, "test:summarise") == [it]


async def test_a_stop_that_is_rolled_back_is_not_published(db: Database) -> None:
    async with recorder(db) as ada:
        session, it = await recorded(ada)
        with pytest.raises(Undone):
            async with db.transaction() as tx:
                await tracking.stop(tx, ada.person.id, SessionId(UUID(session)), ENDED_AT, 5)
                raise Undone
        assert await told(db, "test:summarise") == []
        assert await status(db, session) == "recording"
        async with db.transaction() as tx:
            await tracking.stop(tx, ada.person.id, SessionId(UUID(session)), ENDED_AT, 5)
        assert await told(db, "test:summarise") == [it]


async def test_the_stop_of_a_silent_session_is_published(db: Database) -> None:
    async with recorder(db) as ada:
        session, it = await recorded(ada)
        await let_pass(db, session, hours=25)
        assert await stop_silent(db) == 1
        assert await told(db, "test:summarise") == [it]


async def test_reprocessing_publishes_the_stop_again(db: Database) -> None:
    async with recorder(db) as ada:
        session, it = await recorded(ada)
        await ada.stop(session, END, 5)
        await run_all(db)
        async with db.transaction() as tx:
            await tracking.reprocess(tx, ada.person.id, SessionId(UUID(session)))
        assert await told(db, "test:summarise") == [it, it]


async def test_closing_a_timeline_does_not_say_that_it_changed(db: Database) -> None:
    async with recorder(db) as ada:
        session, it = await recorded(ada)
        await refold(ada, session)  # while it is being recorded
        await ada.stop(session, END, 5)
        async with db.transaction() as tx:
            await closing.close(tx, ada.person.id, SessionId(UUID(session)))
        assert await status(db, session) == "completed"
        assert await told(db, "test:update") == []
        assert await told(db, "test:summarise") == [it]


async def test_a_closed_timeline_that_is_folded_again_is_published_with_it(db: Database) -> None:
    async with recorder(db) as ada:
        session, it = await recorded(ada)
        await ada.stop(session, END, 5)
        await run_all(db)
        await ada.send(session, *LOG[5:])
        with pytest.raises(Undone):
            async with db.transaction() as tx:
                await tracking.refold(tx, ada.person.id, SessionId(UUID(session)))
                raise Undone
        assert await told(db, "test:update") == []
        await refold(ada, session)
        assert await told(db, "test:update") == [it]
