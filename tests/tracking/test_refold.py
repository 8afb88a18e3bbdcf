"""Folding again from the log gives what is stored, to the last bit; also what was destroyed."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from random import Random

import msgspec
import pytest

from mindhit import tracking, wiring
from mindhit.accounts import Person
from mindhit.db import Database, Tx
from mindhit.tracking import LogGone, SessionId, refold
from mindhit.tracking.maintenance import silence
from mindhit.tracking.protocol import SentEvent
from mindhit.tracking.timeline import closing, refolding
from tests.accounts.kit import add, settings
from tests.tracking import traces
from tests.tracking.kit import browsing, execute, in_pieces, rows_of

SESSIONS = 1_000
PARTS = 4  # run side by side
TABLES = {
    "page_visits": "*",
    "session_pauses": "*",
    "highlights": "*",
    "reader_urls": "*",
    # Domains are counted when a session is closed, and before its first event it has no state.
    "sessions": """
id, status, started_at, ended_at, closed_at, last_event_at, next_seq, max_seq, parked, holes, hole_since,
case when event_count > 0 then fold_state end, is_resting, is_stale, page_count, total_duration_ms, event_count, rejected_count,
highlight_count, case when closed_at is not null then top_domains end""",
}


async def stored(db: Database) -> dict[str, list[str]]:
    return {table: await rows_of(db, table, columns) for table, columns in TABLES.items()}


async def places(db: Database) -> list[str]:
    """Where each visit lies: one that is right is not written again."""
    return await rows_of(db, "page_visits", "session_id, opened_by_seq, ctid")


async def record(tx: Tx, person: Person, seed: int) -> SessionId:
    """A session in any state: open, silent, stopped, with holes; as its batches came."""
    rng, now = Random(seed), datetime.now(UTC)
    session = SessionId(uuid.uuid4())
    began = datetime.fromtimestamp(traces.START / 1000, UTC)
    await tracking.start(tx, person.id, session, began, now)
    batches = in_pieces(rng, browsing(seed, rng.randint(1, 40)), 25)
    if rng.random() < 0.3:
        batches = batches[1:]  # what was in it alone is a hole, or the tail that never came
    for batch in batches:
        sent = msgspec.convert(batch, list[SentEvent])
        await tracking.ingest_batch(tx, person.id, session, sent)
    how = rng.random()
    if how < 0.6:
        ended = began + timedelta(milliseconds=rng.choice([0, 10**5, 10**8]))
        await tracking.stop(tx, person.id, session, ended, None)
        await closing.close(tx, person.id, session)
    elif how < 0.8:
        silent = "update sessions set heard_at = now() - interval '30 minutes' where id = $1"
        await tx._connection.execute(silent, session)
        await silence.rest(tx, person.id, session)
    return session


async def fold_all_again(db: Database, person: Person, sessions: list[SessionId]) -> None:
    for at in range(0, len(sessions), 50):
        async with db.transaction() as tx:
            for session in sessions[at : at + 50]:
                await refold(tx, person.id, session)


DAMAGE = (
    "delete from page_visits where opened_by_seq % 3 = 0",
    """update page_visits set visit_order = visit_order + 7, duration_ms = duration_ms + 1,
              left_at = left_at + interval '1 ms', title = 'wrong', content_id = session_id,
              is_focused = not is_focused, from_url_id = session_id, transition = 'wrong'
        where opened_by_seq % 3 = 1""",
    """insert into page_visits (session_id, opened_by_seq, visit_order, url_id, tab_id, entered_at,
                                left_at, duration_ms, is_focused)
       select id, 1000000, 1, id, 1, '2020-01-01', '2020-01-02', 1, true from sessions""",
    "delete from session_pauses where kind = 'asleep'",
    """insert into session_pauses (session_id, entered_at, left_at, kind)
       select id, '2020-01-01', '2020-01-02', 'idle' from sessions""",
    "delete from highlights where seq % 2 = 0",
    "update highlights set seq = 1, visit_seq = 99, created_at = now() where seq % 2 = 1",
    """insert into highlights (id, session_id, seq, url_id, text, created_at)
       select gen_random_uuid(), id, 1, id, 'never marked', now() from sessions""",
    """update sessions set page_count = 77, total_duration_ms = 77, highlight_count = 77,
              top_domains = '{wrong}'""",
)


@pytest.mark.parametrize("part", range(PARTS))
async def test_a_thousand_sessions_folded_again_are_as_they_were(db: Database, part: int) -> None:
    wiring.install(wiring.product(settings()))
    person = await add(db)
    sessions: list[SessionId] = []
    seeds = range(part, SESSIONS, PARTS)
    for at in range(0, len(seeds), 50):
        async with db.transaction() as tx:
            sessions += [await record(tx, person, seed) for seed in seeds[at : at + 50]]
    before, lie = await stored(db), await places(db)
    assert len(before["page_visits"]) > len(sessions)  # or nothing was put to the test
    assert before["highlights"]

    await fold_all_again(db, person, sessions)
    assert await stored(db) == before
    assert await places(db) == lie

    for damage in DAMAGE:
        await execute(db, damage)
    await fold_all_again(db, person, sessions)
    assert await stored(db) == before


async def test_in_small_pieces_it_is_the_same(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring.install(wiring.product(settings()))
    person = await add(db)
    async with db.transaction() as tx:
        sessions = [await record(tx, person, seed) for seed in range(20)]
    before = await stored(db)
    monkeypatch.setattr(refolding, "AT_ONCE", 3)
    await fold_all_again(db, person, sessions)
    assert await stored(db) == before


async def test_without_its_log_a_session_stays_as_it_is(db: Database) -> None:
    wiring.install(wiring.product(settings()))
    person = await add(db)
    async with db.transaction() as tx:
        session = await record(tx, person, 2)
    before = await stored(db)
    await execute(db, "delete from raw_events where seq % 2 = 0")
    with pytest.raises(LogGone):
        await fold_all_again(db, person, [session])
    assert await stored(db) == before
