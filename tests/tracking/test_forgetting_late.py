"""Forgetting with events that arrive late, and of long histories, by a job that may be killed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from mindhit.db import Database
from mindhit.tracking.forgetting import forget as forgetting
from mindhit.tracking.forgetting import redacting
from tests.accounts.kit import browser_of, run_jobs
from tests.tracking.forgetting_kit import (
    CANARY,
    DAY,
    MINUTE,
    OTHER,
    PAGE,
    SITE,
    assert_folds_alike,
    assert_gone,
    forget,
    history,
    moment,
    record,
    rendered,
    words_left,
)
from tests.tracking.kit import (
    START,
    activate,
    alive,
    event,
    execute,
    nav,
    recorder,
    visits,
    work_off,
)


async def test_what_a_browser_sends_later_is_forgotten_too(db: Database) -> None:
    """Its outbox, a hole that is filled, and a session that the server had never heard of."""
    async with recorder(db) as who:
        session = await who.start()
        events = history()
        await who.send(session, *events[:2], *events[6:9])
        await forget(who, domain=SITE)
        receipt = await who.send(session, *events)
        assert receipt["ackedSeq"] == len(events)
        assert receipt["rejected"] == []
        unknown = await who.start()
        await who.send(unknown, *history())
        for each in (session, unknown):
            await who.stop(each, 121_000, len(events))
        await work_off(db)
        left = await words_left(db, CANARY)
        assert "canary-1" in str(left)  # a redirect of another site: nothing told what it led to
        assert [each["url"] for each in await visits(db, session)][:1] == [OTHER]
        assert await words_left(db, "canary-search", "background-canary", "canary title") == {}
        for each in (session, unknown):
            await assert_folds_alike(who, each)


async def test_a_visit_that_late_events_stretch_into_a_forgotten_hour_goes(db: Database) -> None:
    """When the hour was forgotten, the browser had been silent since before it."""
    async with recorder(db) as who:
        session = await who.start()
        await who.send(session, activate(1, 0, PAGE), alive(2, 30_000))
        await forget(who, **{"from": moment(60_000), "to": moment(10 * MINUTE)})
        assert await words_left(db, "canary-search") != {}
        late = [alive(seq, 30_000 * (seq - 1)) for seq in range(3, 12)]
        await who.send(session, *late, event(12, "WINDOW_FOCUS_CHANGED", 6 * MINUTE, windowId=-1))
        await work_off(db)
        assert await visits(db, session) == []
        await work_off(db)
        assert await words_left(db, CANARY) == {}


async def test_a_browser_whose_clock_is_ahead_says_so(db: Database) -> None:
    async with recorder(db) as who:
        session = await who.start()
        ahead = int(datetime.now(UTC).timestamp() * 1000) + 5 * MINUTE
        answer = await who.client.post("/v1/forget", json={"last": "1h", "now": ahead})
        assert answer.status_code == 200, answer.text
        assert answer.json()["visits"] == 0
        await who.send(session, nav(1, ahead - START - 1_000, PAGE), alive(2, ahead - START))
        assert await words_left(db, "canary-search") == {}
        await who.send(session, nav(3, ahead - START + MINUTE, OTHER))
        assert await words_left(db, OTHER) != {}


async def test_a_batch_that_had_not_seen_the_range_is_looked_at_again(db: Database) -> None:
    """It waited for the forgetting to commit, and had read the ranges before."""
    async with recorder(db) as who:
        session = await record(who, stop=False)
        told = await forget(who, domain=SITE)
        await execute(db, "update forgotten_ranges set user_id = user_id, to_at = '1970-01-03'")
        await who.send(session, nav(14, 130_000, PAGE, title=CANARY), alive(15, 140_000))
        assert await words_left(db, CANARY) != {}
        await execute(db, "update forgotten_ranges set to_at = now()")
        await work_off(db)
        assert await words_left(db, CANARY) == {}
        assert told["is_done"]


async def big(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything counts as a long history."""
    monkeypatch.setattr(forgetting, "MOST_SESSIONS", 0)


async def test_of_a_long_history_nothing_is_shown_at_once_and_a_job_does_the_rest(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await big(monkeypatch)
    async with recorder(db) as who:
        sessions = [await record(who) for _ in range(3)]
        told = await forget(who, domain=SITE)
        assert not told["is_done"]
        for session in sessions:
            for body in await rendered(who, session):
                assert SITE not in body
        async with browser_of(db, who.person) as browser:
            listed = (await browser.get("/v1/sessions")).text
            assert SITE not in listed
            assert SITE not in (await browser.get("/v1/totals")).text
            progress = (await browser.get(f"/v1/forget/{told['id']}")).json()
            assert progress == {
                "id": told["id"],
                "is_done": False,
                "sessions": 3,
                "sessions_done": 0,
            }
            await run_jobs(db)
            progress = (await browser.get(f"/v1/forget/{told['id']}")).json()
            assert (progress["is_done"], progress["sessions_done"]) == (True, 3)
        for session in sessions:
            await assert_gone(who, session)
            await assert_folds_alike(who, session)


class Killed(BaseException):
    """As a process that ends."""


async def test_a_job_that_is_killed_goes_on_where_it_was(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every step in turn: nothing is left out, and what is done is not done again."""
    await big(monkeypatch)
    redact, done = redacting.redact, list[UUID]()

    async def killed_after_one(*args: Any) -> bool:
        if len(done) % 2:
            done.append(UUID(int=0))
            raise Killed
        changed: bool = await redact(*args)
        done.append(args[2])
        return changed

    async with recorder(db) as who:
        sessions = [await record(who) for _ in range(3)]
        told = await forget(who, day=DAY)
        monkeypatch.setattr(redacting, "redact", killed_after_one)
        for _ in range(2):
            with pytest.raises(Killed):
                await forgetting.proceed(db, who.person.id, UUID(told["id"]))
        assert await forgetting.proceed(db, who.person.id, UUID(told["id"]))
        redacted = [str(each) for each in done if each.int]
        assert sorted(redacted) == sorted(sessions)
        monkeypatch.undo()
        await work_off(db)
        for session in sessions:
            await assert_gone(who, session)


async def test_the_job_makes_room_for_others(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await big(monkeypatch)
    monkeypatch.setattr(forgetting, "STEP_S", -1.0)
    async with recorder(db) as who:
        for _ in range(2):
            await record(who)
        told = await forget(who, domain=SITE)
        assert not await forgetting.proceed(db, who.person.id, UUID(told["id"]))
        async with browser_of(db, who.person) as browser:
            progress = (await browser.get(f"/v1/forget/{told['id']}")).json()
        assert (progress["sessions_done"], progress["is_done"]) == (1, False)
        await work_off(db)
        assert await words_left(db, CANARY) == {}
