"""What a plan does not keep: announced a week ahead, then deleted with all that was made of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from mindhit import delivery, library
from mindhit.accounts import Scope
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.tracking.maintenance import plans
from mindhit.tracking.maintenance.plans import announce, delete_due, keep_to_plans, withdraw
from tests.accounts.kit import client_of, run_jobs, settings, token_of, traces
from tests.billing.kit import open_shop
from tests.billing.test_plans import grant
from tests.insight.contract import life as life_of_insight
from tests.tracking.kit import Json, Recorder, execute, fetch, recorder

URL = "http://mindhit.test"
NOW = datetime.now(UTC)
DAY = timedelta(days=1)
REFUSE_DELETING = (
    """create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'not this one'; end $$""",
    """create trigger refuse before delete or update on sessions
    for each row when (old.id = '{id}') execute function refuse()""",
)


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Recorder]:
    config = await open_shop(db)
    async with recorder(db, config=config) as made:
        await open_shop(db, config)
        yield made


async def session(ada: Recorder, days_old: float, *, is_running: bool = False) -> str:
    """A session that ended so long ago."""
    at = NOW - timedelta(days=days_old)
    id_ = await ada.start(started_at=(at - timedelta(hours=1)).isoformat())
    if not is_running:
        body = {"ended_at": at.isoformat(), "last_seq": 0}
        assert (await ada.client.post(f"/v1/sessions/{id_}/stop", json=body)).status_code == 202
    return id_


async def left(db: Database) -> dict[str, datetime | None]:
    found = await fetch(db, "select id::text, expires_at from sessions")
    return {each["id"]: each["expires_at"] for each in found}


def find(answer: Json, name: str) -> str:
    """Of the session, wherever it stands in the answer."""
    return str(answer.get("session", answer)[name])


async def told(db: Database, user_id: UUID) -> list[str]:
    async with db.read() as tx:
        found = await delivery.list_notices(tx, user_id, unread=False, behind=None, limit=50)
    return [each.title for each in reversed(found) if each.kind == "retention"]


async def test_it_removes_what_it_announced_and_nothing_else(db: Database, ada: Recorder) -> None:
    old, ripe, young = [await session(ada, days) for days in (400, 24, 22)]
    running = await session(ada, 60, is_running=True)
    assert await keep_to_plans(db, NOW, URL)
    announced = await left(db)
    assert set(announced) == {old, ripe, young, running}
    assert announced[old] == announced[ripe] == NOW + 7 * DAY  # long over, and still a week
    assert (announced[young], announced[running]) == (None, None)
    assert len(await told(db, ada.person.id)) == 1
    assert "2 sessions will be deleted" in (await told(db, ada.person.id))[0]

    assert await keep_to_plans(db, NOW + 6.9 * DAY, URL)  # not before its week is over
    assert old in await left(db)
    await keep_to_plans(db, NOW + 7 * DAY, URL)
    assert set(await left(db)) == {young, running}


async def test_what_was_never_announced_is_never_deleted(db: Database, ada: Recorder) -> None:
    old = await session(ada, 400)
    for _ in range(3):
        assert await delete_due(db, NOW + 1000 * DAY)
    assert set(await left(db)) == {old}


async def test_one_that_can_t_be_deleted_is_not_in_the_way_of_others(
    db: Database, ada: Recorder
) -> None:
    stuck = await session(ada, 400)
    await session(ada, 300)
    await announce(db, NOW, URL)
    await execute(
        db,
        "update sessions set expires_at = expires_at - interval '1 s' where id = $1",
        UUID(stuck),
    )
    for statement in REFUSE_DELETING:
        await execute(db, statement.format(id=stuck))
    assert await delete_due(db, NOW + 8 * DAY)
    assert set(await left(db)) == {stuck}
    assert await delete_due(db, NOW + 8 * DAY)


async def test_more_is_due_only_as_long_as_something_is_deleted(
    db: Database, ada: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "DELETED_AT_ONCE", 1)
    stuck = await session(ada, 400)
    await announce(db, NOW, URL)
    for statement in REFUSE_DELETING:
        await execute(db, statement.format(id=stuck))
    assert await delete_due(db, NOW + 8 * DAY)
    await execute(db, "drop trigger refuse on sessions")
    assert not await delete_due(db, NOW + 8 * DAY)
    assert await delete_due(db, NOW + 8 * DAY)
    assert await left(db) == {}


async def test_another_plan_in_the_meantime_keeps_them(db: Database, ada: Recorder) -> None:
    old = await session(ada, 400)
    await announce(db, NOW, URL)
    await grant(db, ada.person.id, "pro")
    # Even where the sweep of withdrawing has not been yet.
    assert await delete_due(db, NOW + 8 * DAY)
    assert set(await left(db)) == {old}
    await withdraw(db)
    assert await left(db) == {old: None}
    # Back on free: announced again, with a week of its own.
    await grant(db, ada.person.id, "free")
    await keep_to_plans(db, NOW + 20 * DAY, URL)
    assert await left(db) == {old: NOW + 27 * DAY}
    assert len(await told(db, ada.person.id)) == 2


async def test_switching_plans_off_keeps_everything(db: Database, ada: Recorder) -> None:
    old = await session(ada, 400)
    await announce(db, NOW, URL)
    await open_shop(db, settings())
    await keep_to_plans(db, NOW + 8 * DAY, URL)
    assert await left(db) == {old: None}


async def test_what_is_made_of_a_session_goes_with_it_and_bookmarks_stay(
    db: Database, ada: Recorder
) -> None:
    canary = "of-the-old-session"
    ids = await life_of_insight(db, ada.person, canary)
    async with recorder(db, "grace@example.org") as grace:
        kept = await session(grace, 3)
    async with db.transaction() as tx:
        await library.add_page(tx, ada.person.id, "http://127.0.0.1:9/kept", note="a note")
    await execute(db, "delete from jobs where kind like 'library:%'")  # nothing is fetched
    before = await traces(db, canary)
    saved = await traces(db, "http://127.0.0.1:9/kept", "a note")
    assert saved
    assert {"mindmap_graphs", "session_topics", "page_visits", "page_contents"} <= set(before)
    config: Settings = await open_shop(db)
    later = datetime.now(UTC)
    await execute(
        db, "update sessions set status = 'completed', stopped_at = coalesce(stopped_at, now())"
    )
    await keep_to_plans(db, later, URL)
    for days in (60, 68):
        await keep_to_plans(db, later + days * DAY, URL)
    await execute(db, "update jobs set run_after = now() - interval '1 s'")
    await run_jobs(db, config)
    remaining = await traces(db, canary)
    assert remaining == {}
    assert await traces(db, "http://127.0.0.1:9/kept", "a note") == saved
    assert ids["session_id"] not in await left(db)
    assert kept not in await left(db)


async def test_a_korean_is_told_in_korean(db: Database, ada: Recorder) -> None:
    await session(ada, 400)
    await execute(db, "update user_settings set language = 'ko', timezone = 'Asia/Seoul'")
    await announce(db, NOW, URL)
    [title] = await told(db, ada.person.id)
    assert title.startswith("세션 1개가 ")


async def test_a_session_says_when_it_will_be_deleted(db: Database, ada: Recorder) -> None:
    old = await session(ada, 400)
    await announce(db, NOW, URL)
    token = await token_of(db, ada.person, Scope.API)
    async with client_of(db, Authorization=f"Bearer {token}") as program:
        shown = (await program.get(f"/v1/sessions/{old}")).json()
    assert datetime.fromisoformat(find(shown, "expires_at")) == (NOW + 7 * DAY).replace(
        microsecond=NOW.microsecond // 1000 * 1000
    )
