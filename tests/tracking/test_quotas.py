"""How much one person may record: what is refused, how it is said, and when it ends."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from mindhit.db import Database
from mindhit.tracking.job_types import Measure
from mindhit.work import enqueue
from tests.accounts.kit import rows, settings
from tests.tracking.kit import Recorder, alive, execute, nav, recorder, stored_seqs, work_off
from tests.tracking.test_icons import address, png


async def send(who: Recorder, session: str, *events: dict[str, Any]) -> httpx2.Response:
    path = f"/v1/sessions/{session}/events:batch"
    return await who.client.post(path, json={"events": list(events)})


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


async def test_a_day_has_so_many_events_and_the_next_as_many(db: Database) -> None:
    async with recorder(db, config=settings(events_per_day=3)) as ada:
        session = await ada.start()
        assert (await send(ada, session, *(alive(n, n) for n in (1, 2, 3)))).status_code == 200
        refused = await send(ada, session, alive(4, 4), alive(5, 5))
        assert refusal(refused) == (429, "daily-limit")
        assert 0 < int(refused.headers["retry-after"]) <= 86_400
        assert await stored_seqs(db, session) == [1, 2, 3]
        # What is there already takes nothing of the day.
        again = await send(ada, session, *(alive(n, n) for n in (1, 2, 3)))
        assert (again.status_code, again.json()["duplicates"]) == (200, 3)
        mixed = {**alive(4, 4), "sessionId": session}
        answer = await ada.client.post("/v1/events/batch", json={"events": [mixed]})
        assert refusal(answer) == (429, "daily-limit")
        await execute(db, "update recording_use set day = day - 1")
        assert (await send(ada, session, alive(4, 4), alive(5, 5))).json()["ackedSeq"] == 5
        assert refusal(await send(ada, session, alive(6, 6), alive(7, 7))) == (429, "daily-limit")


async def test_one_persons_day_is_nobody_elses(db: Database) -> None:
    config = settings(events_per_day=1)
    async with (
        recorder(db, config=config) as ada,
        recorder(db, "bob@example.org", config=config) as bob,
    ):
        for who in (ada, bob):
            session = await who.start()
            assert (await send(who, session, alive(1, 1))).status_code == 200
            assert (await send(who, session, alive(2, 2))).status_code == 429


async def test_an_hour_has_so_many_starts(db: Database) -> None:
    async with recorder(db, config=settings(sessions_per_hour=2)) as ada:
        first = await ada.start()
        await ada.start()
        refused = await ada.client.post("/v1/sessions/start", json={})
        assert refusal(refused) == (429, "hourly-limit")
        assert 0 < int(refused.headers["retry-after"]) <= 3_600
        await ada.start(first)  # a repeated request starts nothing
        await execute(db, "update recording_use set hour = hour - interval '1 hour'")
        await ada.start()
        await ada.start()
        assert refusal(await ada.client.post("/v1/sessions/start", json={}))[0] == 429


async def test_icons_are_counted_apart(db: Database) -> None:
    async with recorder(db, config=settings(icons_per_day=1)) as ada:
        session = await ada.start()
        pages = [
            nav(n, n, f"https://{n}.example/", content="x", meta={"favicon": address(png(n, n))})
            for n in (1, 2)
        ]
        assert (await send(ada, session, pages[0])).status_code == 200
        assert refusal(await send(ada, session, pages[1])) == (429, "daily-limit")
        assert (await send(ada, session, nav(2, 2, "https://2.example/"))).status_code == 200


async def test_what_is_stored_has_a_limit_and_is_measured_near_it(db: Database) -> None:
    config = settings(stored_limit=1)
    text = "word " * 2_000  # counted as 10,000 bytes; the database stores it compressed
    async with recorder(db, config=config) as ada:
        session = await ada.start()

        def pages(start: int) -> list[dict[str, Any]]:
            return [
                nav(n, n, f"https://{n}.example/", content=f"{n} {text}")
                for n in range(start, start + 60)
            ]

        assert (await send(ada, session, *pages(1))).status_code == 200
        refused = await send(ada, session, *pages(61))
        assert refusal(refused) == (507, "storage-limit")
        assert refused.headers["retry-after"] == "300"
        assert await stored_seqs(db, session) == [*range(1, 61)]
        await execute(db, "update recording_use set bytes = 900000")  # near the limit
        async with db.transaction() as tx:
            await enqueue(tx, Measure())
        await work_off(db, config)
        assert (await send(ada, session, *pages(61))).status_code == 200


async def test_far_from_the_limit_nothing_is_measured(db: Database) -> None:
    config = settings(stored_limit=1)
    async with recorder(db, config=config) as ada:
        await send(ada, await ada.start(), alive(1, 1))
        async with db.transaction() as tx:
            await enqueue(tx, Measure())
        await work_off(db, config)
        [row] = await rows_of_use(db)
        assert row["measured_at"] is None
        assert 0 < row["bytes"] < 1_000


@pytest.mark.parametrize(
    "name", ["events_per_day", "sessions_per_hour", "icons_per_day", "stored_limit"]
)
async def test_no_limit_is_the_number_zero(db: Database, name: str) -> None:
    async with recorder(db, config=settings(**{name: 0})) as ada:
        session = await ada.start()
        answer = await send(ada, session, nav(1, 1, "https://a.example/", content="x"))
        assert answer.status_code == 200
    [row] = await rows_of_use(db)
    assert (row["sessions"], row["events"], row["day"]) == (1, 1, datetime.now(UTC).date())


async def rows_of_use(db: Database) -> list[Any]:
    return await rows(db, "select * from recording_use")
