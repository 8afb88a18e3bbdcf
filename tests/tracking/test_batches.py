"""Batches as a whole: what is none is refused, and those for whom nothing is taken are told so."""

from __future__ import annotations

import asyncio
import gzip
import json
import uuid

from mindhit import tracking
from mindhit.api.http.problems import MEDIA_TYPE
from mindhit.db import Database
from mindhit.tracking import SessionId
from tests.accounts.kit import settings, traces
from tests.tracking.kit import (
    START,
    Json,
    Recorder,
    activate,
    alive,
    event,
    execute,
    json_of,
    let_pass,
    nav,
    raw,
    recorder,
    session_row,
    stored_seqs,
    work_off,
)

A, B = "https://example.org/a", "https://example.org/b"
DAY = 86_400_000
HUGE = 10**400


REFUSED: dict[str, tuple[bytes, dict[str, str], int]] = {
    "nothing": (b"", {}, 422),
    "no JSON": (b"events", {}, 422),
    "null": (b"null", {}, 422),
    "a list": (b"[]", {}, 422),
    "no events": (b"{}", {}, 422),
    "events null": (b'{"events":null}', {}, 422),
    "events an object": (b'{"events":{"seq":1}}', {}, 422),
    "events twice, then null": (b'{"events":[],"events":null}', {}, 422),
    "nested": (b"[" * 200_000, {}, 422),
    "events nested": (b'{"events":' + b"[" * 200_000, {}, 422),
    "201 events": (json.dumps({"events": [alive(n, n) for n in range(1, 202)]}).encode(), {}, 413),
    "100,000 tiny events": (b'{"events":[' + b"{}," * 99_999 + b"{}]}", {}, 413),
    "100,000 numbers": (b'{"events":[' + b"0," * 99_999 + b"0]}", {}, 413),
    "a million tiny events": (b'{"events":[' + b"{}," * 999_999 + b"{}]}", {}, 422),
    "10 MB": (b'{"events":[' + b" " * 10_000_000 + b"]}", {}, 413),
    "10 MB in pieces": (b'{"events":["' + b"x" * 10_000_000 + b'"]}', {}, 413),
    "a bomb": (gzip.compress(b" " * 60_000_000), {"Content-Encoding": "gzip"}, 413),
    "half a gzip": (
        gzip.compress(b'{"events":[]}')[:-4],
        {"Content-Encoding": "gzip"},
        422,
    ),
    "gzip that is none": (b'{"events":[]}', {"Content-Encoding": "gzip"}, 422),
    "none that is gzip": (gzip.compress(b'{"events":[]}'), {}, 422),
    "brotli": (b'{"events":[]}', {"Content-Encoding": "br"}, 422),
    "gzip twice": (
        gzip.compress(gzip.compress(b'{"events":[]}')),
        {"Content-Encoding": "gzip, gzip"},
        422,
    ),
    "UTF-16": ('{"events":[]}'.encode("utf-16"), {}, 422),
}


async def test_what_is_no_batch_is_a_problem_document_and_changes_nothing(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        before = await session_row(db, session)
        for name, (body, headers, status) in REFUSED.items():
            answer = await raw(ada, session, body, **headers)
            assert answer.status_code == status, (name, answer.text)
            assert answer.headers["content-type"] == MEDIA_TYPE, name
            assert answer.json()["detail"], name
        assert await session_row(db, session) == before
        assert await stored_seqs(db, session) == []


async def test_an_empty_batch_says_how_far_the_log_is(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        await ada.send(session, activate(1, 0, A), alive(3, 10))
        receipt = await ada.send(session)
        assert receipt == {
            "ackedSeq": 1,
            "accepted": 0,
            "duplicates": 0,
            "rejected": [],
            "missing": [[2, 2]],
            "pageCount": None,
        }


async def test_200_events_are_a_batch_and_the_limit_can_be_set(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        receipt = await ada.send(session, *[alive(n, n) for n in range(1, 201)])
        assert receipt["accepted"] == 200
    async with recorder(db, "b@example.org", settings(batch_limit=3)) as bob:
        session = await bob.start(started_at=START)
        assert (await bob.send(session, *[alive(n, n) for n in range(1, 4)]))["accepted"] == 3
        assert (await bob.post(session, [alive(n, n) for n in range(1, 5)])).status_code == 413


async def test_wrong_types_on_the_way_to_a_batch(db: Database) -> None:
    async with recorder(db) as ada:
        answer = await ada.client.post("/v1/sessions/not-an-id/events:batch", json={"events": []})
        assert answer.status_code == 422
        for body in ({"events": [alive(1, 0)]}, {"events": [event(1, "ALIVE", sessionId="x")]}):
            answer = await ada.client.post("/v1/events/batch", json=body)
            assert answer.status_code == 422
            assert "sessionId" in answer.json()["detail"]


async def post_named(who: Recorder, *events: Json) -> Json:
    answer = await who.client.post("/v1/events/batch", json={"events": events})
    assert answer.status_code == 200, answer.text
    return json_of(answer)


def of(session: str, *events: Json) -> list[Json]:
    return [{**each, "sessionId": session} for each in events]


async def test_the_route_without_a_session_takes_it_from_the_events(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        receipt = await post_named(
            ada,
            *of(session.upper(), activate(1, 0, A)),
            *of("wicked", alive(3, 15)),
            alive(2, 10),
        )
        assert (receipt["accepted"], receipt["ackedSeq"]) == (2, 2)
        assert [(each["index"], each["seq"]) for each in receipt["rejected"]] == [(1, 3)]
    assert await stored_seqs(db, session) == [1, 2]


async def test_events_of_two_sessions_go_each_to_its_own(db: Database) -> None:
    """The end of one recording and the beginning of the next, as an outbox sends them; and
    it deletes by the number alone."""
    async with recorder(db) as ada:
        first, second = await ada.start(started_at=START), await ada.start(started_at=START)
        await ada.send(first, *[alive(n, n) for n in range(1, 8)])
        tail = of(first, nav(8, 8, A), event(9, "TELEPORTED"), alive(10, 10))
        head = of(second, activate(1, 20, B), alive(2, 21), alive(5, 24))
        receipt = await post_named(ada, *head[:1], *tail, *head[1:])
        assert receipt["ackedSeq"] == 2  # of the second; the first is at 10
        assert (receipt["accepted"], receipt["duplicates"]) == (5, 0)
        assert [(each["index"], each["seq"]) for each in receipt["rejected"]] == [(2, 9)]
        assert receipt["missing"] == [[3, 4]]
        assert await stored_seqs(db, first) == list(range(1, 11))
        assert await stored_seqs(db, second) == [1, 2, 5]
        again = await post_named(ada, *tail, *of(second, alive(3, 22), alive(4, 23)))
        assert (again["ackedSeq"], again["duplicates"], again["missing"]) == (5, 3, [])


async def test_what_is_missing_or_refused_of_several_sessions_is_told_in_one_order(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        first, second = await ada.start(started_at=START), await ada.start(started_at=START)
        [early, late] = of(first, event(1, "TELEPORTED"), alive(12, 12))
        [before, between, after] = of(
            second, alive(1, 1), event(4, "TELEPORTED"), event(6, "TELEPORTED")
        )
        receipt = await post_named(ada, before, between, early, after, late)
        assert [(each["index"], each["seq"]) for each in receipt["rejected"]] == [
            (1, 4),
            (2, 1),
            (3, 6),
        ]
        assert receipt["missing"] == [[2, 11]]  # of the first; the second's lie within


async def test_a_session_that_is_gone_does_not_keep_another_from_its_events(db: Database) -> None:
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        session, his = await ada.start(started_at=START), await bob.start(started_at=START)
        strange = of(his, activate(1, 0, "https://wicked.example/"))
        receipt = await post_named(ada, *strange, *of(session, activate(1, 0, A), alive(2, 1)))
        assert (receipt["accepted"], receipt["rejected"]) == (2, [])
        assert (receipt["ackedSeq"], receipt["missing"]) == (0, [[1, 1]])
        assert await stored_seqs(db, his) == []
        # Of one that will never take them, all is said, and nothing held back.
        gone = await ada.start(started_at=START)
        async with db.transaction() as tx:
            await tracking.delete(tx, ada.person.id, SessionId(uuid.UUID(gone)))
        late = of(gone, alive(1, 1), alive(2, 2))
        receipt = await post_named(ada, late[0], *of(session, alive(3, 3)), late[1])
        assert (receipt["accepted"], receipt["ackedSeq"], receipt["missing"]) == (1, 3, [])
        assert [(each["index"], each["seq"]) for each in receipt["rejected"]] == [(0, 1), (2, 2)]
        assert {each["reason"] for each in receipt["rejected"]} == {
            "This session was deleted; nothing more is accepted for it."
        }
    assert await traces(db, "wicked.example") == {}


async def test_batches_of_the_same_sessions_in_any_order_do_not_wait_for_each_other(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        sessions = [await ada.start(started_at=START) for _ in range(3)]
        batches = []
        for n in range(1, 13):
            order = sessions[n % 3 :] + sessions[: n % 3]
            batches.append([each for session in order for each in of(session, alive(n, n))])
        await asyncio.gather(*(post_named(ada, *batch) for batch in batches))
        for session in sessions:
            assert await stored_seqs(db, session) == list(range(1, 13))


async def test_sessions_that_take_nothing_say_so(db: Database) -> None:
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        theirs = await bob.start(started_at=START)
        await bob.send(theirs, activate(1, 0, A))
        deleted = await ada.start(started_at=START)
        await execute(db, "delete from sessions where id = $1", uuid.UUID(deleted))
        old = await ada.start(started_at=START)
        await ada.send(old, activate(1, 0, A))
        await ada.stop(old, 10, 1)
        await work_off(db)
        await let_pass(db, old, days=30, minutes=1)
        for session, status in [
            (theirs, 404),
            (deleted, 404),
            (str(uuid.uuid4()), 404),
            (old, 409),
        ]:
            answer = await ada.post(session, [activate(1, 0, "https://wicked.example/")])
            assert answer.status_code == status
            assert answer.headers["content-type"] == MEDIA_TYPE
            named = event(1, "ALIVE", sessionId=session)
            answer = await ada.client.post("/v1/events/batch", json={"events": [named]})
            assert answer.status_code == status
        assert await stored_seqs(db, theirs) == [1]
        assert await stored_seqs(db, old) == [1]
    assert await traces(db, "wicked.example") == {}


async def test_a_batch_needs_somebody_who_sends_it(db: Database) -> None:
    async with recorder(db) as ada:
        session = await ada.start(started_at=START)
        del ada.client.headers["Authorization"]
        assert (await ada.post(session, [alive(1, 0)])).status_code == 401
    assert await stored_seqs(db, session) == []


async def test_a_session_that_is_not_started_yet_loses_nothing_in_a_mixed_batch(
    db: Database,
) -> None:
    async with recorder(db) as ada:
        first, second = await ada.start(started_at=START), str(uuid.uuid4())
        tail = of(first, *[alive(n, n) for n in range(1, 11)])
        head = of(second, activate(1, 20, B), alive(2, 21), alive(5, 24))
        receipt = await post_named(ada, *tail, *head)
        assert (receipt["accepted"], receipt["ackedSeq"], receipt["rejected"]) == (10, 0, [])
        assert receipt["missing"] == [[1, 2], [5, 5]]
        unknown = [*head, *of(str(uuid.uuid4()), alive(1, 1))]
        refused = await ada.client.post("/v1/events/batch", json={"events": unknown})
        assert refused.status_code == 404
        await ada.start(second, started_at=START)
        receipt = await post_named(ada, *tail, *head)
        assert (receipt["accepted"], receipt["duplicates"], receipt["ackedSeq"]) == (3, 10, 2)
        assert await stored_seqs(db, second) == [1, 2, 5]


async def test_mixed_batches_with_the_same_new_urls_do_not_deadlock(db: Database) -> None:
    """Readers who know nothing of each other, on pages that nobody has seen."""
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        for turn in range(15):
            posts = []
            for who in (ada, bob):
                sessions = [await who.start(started_at=START) for _ in range(2)]
                pages = [f"https://example.org/{turn}/{number}" for number in range(20)]
                seqs = range(1, 21)
                events = [
                    *of(
                        sessions[0], *[nav(n, n, page) for n, page in zip(seqs, pages, strict=True)]
                    ),
                    *of(
                        sessions[1],
                        *[nav(n, n, page) for n, page in zip(seqs, pages[::-1], strict=True)],
                    ),
                ]
                posts += [who.client.post("/v1/events/batch", json={"events": events})]
                posts.append(
                    who.client.post(
                        f"/v1/sessions/{sessions[1]}/events:batch", json={"events": events[20:]}
                    )
                )
            answers = await asyncio.gather(*posts)
            assert [answer.status_code for answer in answers] == [200] * 4
