"""Sessions at once: the plan's limit, where it bites and where it never does."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from mindhit.accounts import Scope
from mindhit.db import Database
from mindhit.tracking.at_once import find_or_count
from mindhit.tracking.model import SessionId, SessionLimit
from tests.accounts.kit import add, client_of, rows, token_of
from tests.billing.kit import open_shop
from tests.billing.test_plans import grant
from tests.tracking.kit import Recorder, let_pass, recorder


@pytest.fixture
async def ada(db: Database) -> AsyncIterator[Recorder]:
    config = await open_shop(db)
    async with recorder(db, config=config) as made:
        yield made


async def start(who: Recorder, **body: Any) -> httpx2.Response:
    return await who.client.post("/v1/sessions/start", json=body)


def ago(**units: float) -> str:
    return (datetime.now(UTC) - timedelta(**units)).isoformat()


async def marked(db: Database) -> list[bool]:
    found = await rows(db, "select is_over_limit from sessions order by created_at")
    return [each["is_over_limit"] for each in found]


async def test_the_second_on_free_is_refused_and_the_first_is_named(ada: Recorder) -> None:
    first = await ada.start(title="Travel")
    answer = await start(ada)
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (409, "urn:mindhit:problem:session-limit")
    [running] = problem["running"]
    assert (running["session_id"], running["title"]) == (first, "Travel")
    assert running["device"] == "a program"
    assert set(running) == {"session_id", "title", "started_at", "last_event_at", "device"}
    assert len(await rows(ada.db, "select 1 from sessions")) == 1


@pytest.mark.parametrize("seconds", [None, 20, -50])
async def test_a_start_within_a_minute_of_the_clock_happens_now(
    ada: Recorder, seconds: float | None
) -> None:
    await ada.start()
    started_at = None if seconds is None else ago(seconds=seconds)
    assert (await start(ada, started_at=started_at)).status_code == 409


@pytest.mark.parametrize("seconds", [75, 86_400, -3_600])
async def test_a_recording_begun_offline_is_never_refused_and_is_marked(
    ada: Recorder, seconds: float
) -> None:
    await ada.start()
    second = await start(ada, started_at=ago(seconds=seconds))
    assert second.status_code == 201
    assert await marked(ada.db) == [False, True]


@pytest.mark.parametrize("sign", [1, -1])
async def test_a_start_happens_now_up_to_exactly_a_minute(ada: Recorder, sign: int) -> None:
    await ada.start()
    now, new, minute = datetime.now(UTC), SessionId(uuid.uuid4()), timedelta(seconds=60)
    async with ada.db.transaction() as tx:
        with pytest.raises(SessionLimit):
            await find_or_count(tx, ada.person.id, new, now - sign * minute, now)
        later = now - sign * (minute + timedelta(microseconds=1))
        assert await find_or_count(tx, ada.person.id, new, later, now) is True


@pytest.mark.parametrize(("microseconds", "is_over"), [(-1, True), (0, False)])
async def test_a_session_counts_until_exactly_half_an_hour_of_silence(
    ada: Recorder, microseconds: int, is_over: bool
) -> None:
    await ada.start()
    now, new = datetime.now(UTC), SessionId(uuid.uuid4())
    async with ada.db.transaction() as tx:
        # `now()` is the same throughout a transaction.
        await tx._connection.execute(
            "update sessions set heard_at = now() - $1::interval",
            timedelta(minutes=30, microseconds=microseconds),
        )
        found = await find_or_count(tx, ada.person.id, new, now - timedelta(hours=1), now)
    assert found is is_over


async def test_what_is_over_the_limit_is_shown_as_such(ada: Recorder) -> None:
    await ada.start()
    late = (await start(ada, started_at=ago(hours=2))).json()["session_id"]
    token = await token_of(ada.db, ada.person, Scope.API)
    async with client_of(ada.db, Authorization=f"Bearer {token}") as program:
        listed = (await program.get("/v1/sessions")).json()["sessions"]
    assert {each["id"]: each["is_over_limit"] for each in listed}[late] is True
    assert sum(each["is_over_limit"] for each in listed) == 1


async def test_a_known_id_and_events_are_never_refused(ada: Recorder) -> None:
    first = await ada.start()
    second = (await start(ada, started_at=ago(hours=1))).json()["session_id"]
    for known in (first, second):
        assert (await start(ada, session_id=known)).status_code == 201
        sent = await ada.post(known, [{"seq": 1, "t": 1_750_000_000_000, "type": "ALIVE"}])
        assert sent.status_code == 200


async def test_a_stopped_or_silent_session_makes_room(ada: Recorder) -> None:
    first = await ada.start()
    await let_pass(ada.db, first, minutes=29)
    assert (await start(ada)).status_code == 409
    await let_pass(ada.db, first, minutes=2)
    second = await ada.start()
    assert (await start(ada)).status_code == 409
    stopped = await ada.client.post(f"/v1/sessions/{second}/stop", json={})
    assert stopped.status_code == 202
    await ada.start()


async def test_twenty_starts_at_once_get_as_many_as_the_plan_has(
    db: Database, ada: Recorder
) -> None:
    await grant(db, ada.person.id, "pro")
    answers = await asyncio.gather(*(start(ada, title=f"n{n}") for n in range(20)))
    assert sorted(each.status_code for each in answers) == [201] * 5 + [409] * 15
    assert len(await rows(db, "select 1 from sessions")) == 5


async def test_the_same_start_twice_at_once_is_one_session(ada: Recorder) -> None:
    id_ = str(uuid.uuid4())
    answers = await asyncio.gather(*(start(ada, session_id=id_) for _ in range(8)))
    assert {each.status_code for each in answers} == {201}
    assert len(await rows(ada.db, "select 1 from sessions")) == 1


async def test_others_have_a_limit_of_their_own(db: Database, ada: Recorder) -> None:
    await ada.start()
    grace = await add(db, "grace@example.org")
    token = await token_of(db, grace, Scope.EXTENSION)
    async with client_of(db, Authorization=f"Bearer {token}") as extension:
        assert (await extension.post("/v1/sessions/start", json={})).status_code == 201


async def test_without_plans_there_is_no_limit(db: Database) -> None:
    async with recorder(db) as ada:
        for _ in range(7):
            await ada.start()
    assert await marked(db) == [False] * 7
