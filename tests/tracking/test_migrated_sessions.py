"""Sessions of the version before this one: migrated, and folded again to the same timeline.

`sessions_of_0007.json` has what that version stored of four sessions: their events as they were
accepted, and the timeline that its fold made of them.
"""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from mindhit import tracking, work
from mindhit.db import Database, migrate
from mindhit.tracking import SessionId
from mindhit.work import Wires
from tests.conftest import drop, execute, with_database

BEFORE = 7  # the last migration of the version that stored them
SESSIONS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("sessions_of_0007.json").read_text(encoding="utf-8")
)
ADA = UUID(int=0xADA)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def at(ms: int) -> datetime:
    return EPOCH + timedelta(milliseconds=ms)


@pytest.fixture
async def old_url(server_url: str) -> AsyncIterator[str]:
    """A database of the version before, with its sessions."""
    name = f"old_{uuid.uuid4().hex[:12]}"
    await execute(server_url, f"create database {name}")
    url = with_database(server_url, name)
    earlier = tuple(each for each in migrate.known() if each.version <= BEFORE)
    await migrate.migrate(url, migrations=earlier)
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(
            "insert into users (id, email, email_key) values ($1, $2, $2)", ADA, "ada@example.org"
        )
        await connection.execute("insert into user_settings (user_id) values ($1)", ADA)
        for session in SESSIONS:
            await store(connection, session)
    finally:
        await connection.close()
    yield url
    await drop(server_url, name)


async def store(connection: asyncpg.Connection[Any], session: dict[str, Any]) -> None:
    """As that version stored it."""
    id_, month = UUID(session["id"]), at(session["started"]).date().replace(day=1)
    await connection.execute("select make_raw_events_partition($1)", month)
    events, visits = session["events"], session["visits"]
    await connection.execute(
        """
insert into sessions (id, user_id, title, status, started_at, ended_at, stopped_at, closed_at,
                      last_event_at, month, next_seq, max_seq, last_seq, fold_state, event_count)
values ($1, $2, $3, 'completed', $4, $5, now(), now(), $6, $7, $8 + 1, $8, $8, $9, $8)""",
        *(id_, ADA, session["title"], at(session["started"]), at(session["ended"])),
        *(at(events[-1][1]), month, len(events), base64.b64decode(session["state"])),
    )
    await connection.executemany(
        "insert into urls (id, url, domain) values ($1, $2, $3) on conflict do nothing",
        session["urls"],
    )
    await connection.executemany(
        """
insert into page_contents (id, user_id, title, content, meta)
values ($1, $2, $3, $4, $5) on conflict do nothing""",
        [(each[0], ADA, *each[1:]) for each in session["contents"]],
    )
    await connection.executemany(
        "insert into reader_urls (user_id, url_id) values ($1, $2) on conflict do nothing",
        [(ADA, each[0]) for each in session["urls"]],
    )
    await connection.executemany(
        """
insert into raw_events (month, session_id, seq, t, type, tab_id, window_id, url_id, payload)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)""",
        [(month, id_, *each[:6], each[6] and json.dumps(each[6])) for each in events],
    )
    await connection.executemany(
        """
insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                         left_at, duration_ms, is_focused, title, content_id, transition,
                         from_url_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)""",
        [
            (id_, *v[:4], at(v[4]), at(v[5]), v[5] - v[4], v[6], v[7], v[8], v[9], v[10])
            for v in visits
        ],
    )
    await connection.executemany(
        """
insert into session_pauses (session_id, kind, entered_at, left_at) values ($1, $2, $3, $4)""",
        [(id_, kind, at(entered), at(left)) for kind, entered, left in session["pauses"]],
    )
    await connection.executemany(
        """
insert into highlights (id, session_id, seq, url_id, visit_seq, text, created_at)
values ($1, $2, $3, $4, $5, $6, $7)""",
        [(h[0], id_, h[1], h[2], h[3], h[4], at(h[5])) for h in session["highlights"]],
    )


async def test_folded_again_they_have_the_timeline_they_had(old_url: str) -> None:
    await migrate.migrate(old_url)
    work.install(Wires())
    db = await Database.open(old_url, name="test", size=2)
    try:
        for session in SESSIONS:
            id_ = SessionId(UUID(session["id"]))
            async with db.transaction() as tx:
                before = await tracking.stored_timeline(tx, ADA, id_)
                assert len(before.visits) == len(session["visits"])
                await tracking.refold(tx, ADA, id_)
                assert await tracking.stored_timeline(tx, ADA, id_) == before
    finally:
        await db.close()


async def test_their_titles_are_readers_and_their_timelines_have_a_version(old_url: str) -> None:
    await migrate.migrate(old_url)
    connection = await asyncpg.connect(old_url)
    try:
        rows = await connection.fetch(
            "select title, title_by, timeline_version, main_url_id from sessions"
        )
        received = await connection.fetchval("select count(received_at) from raw_events")
    finally:
        await connection.close()
    for row in rows:
        assert row["title_by"] == (None if row["title"] is None else "reader")
        assert row["timeline_version"] == 1
        assert row["main_url_id"] is not None
    assert received == 0
