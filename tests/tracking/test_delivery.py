"""Any order of delivery gives the timeline that one batch in order gives."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import httpx2
import pytest

from mindhit.accounts import Scope
from mindhit.db import Database
from mindhit.tracking import SessionId, refold
from mindhit.tracking.timeline import refolding
from tests import servers
from tests.accounts.kit import add, client_of, token_of
from tests.tracking.kit import (
    START,
    Json,
    Outbox,
    browsing,
    event,
    in_pieces,
    json_of,
    recorder,
    stored_seqs,
    timeline,
    work_off,
)


async def start(client: httpx2.AsyncClient) -> str:
    body = {"session_id": str(uuid.uuid4()), "started_at": START}
    answer = await client.post("/v1/sessions/start", json=body)
    assert answer.status_code == 201, answer.text
    started: str = answer.json()["session_id"]
    return started


async def post(client: httpx2.AsyncClient, session: str, events: Sequence[Json]) -> Json:
    path = f"/v1/sessions/{session}/events:batch"
    answer = await client.post(path, json={"events": events})
    assert answer.status_code == 200, answer.text
    return json_of(answer)


async def stop(client: httpx2.AsyncClient, session: str, last_seq: int) -> None:
    body = {"ended_at": START + 1_000, "last_seq": last_seq}
    answer = await client.post(f"/v1/sessions/{session}/stop", json=body)
    assert answer.status_code == 202, answer.text


async def in_one_batch(client: httpx2.AsyncClient, events: Sequence[Json]) -> str:
    session = await start(client)
    receipt = await post(client, session, events)
    assert receipt["ackedSeq"] == len(events)
    await stop(client, session, len(events))
    return session


async def all_at_once(
    clients: Sequence[httpx2.AsyncClient], posts: Iterable[tuple[str, Sequence[Json]]]
) -> dict[str, list[Json]]:
    """Every client takes the next batch as soon as it has its answer. Receipts by session."""
    left = list(posts)
    receipts: dict[str, list[Json]] = {}

    async def work(client: httpx2.AsyncClient) -> None:
        while left:
            session, events = left.pop()
            receipts.setdefault(session, []).append(await post(client, session, events))

    await asyncio.gather(*map(work, clients))
    return receipts


async def test_split_repeated_overlapping_and_shuffled_batches_are_as_one(db: Database) -> None:
    pairs = []
    async with recorder(db) as ada:
        for seed in range(10):
            rng, events = Random(seed), browsing(seed, 90)
            whole = await in_one_batch(ada.client, events)
            session = await start(ada.client)
            taken = acked = 0
            for batch in in_pieces(rng, events, rng.choice([1, 10, 40])):
                receipt = await post(ada.client, session, batch)
                fresh = receipt["accepted"] + len(receipt["rejected"])
                assert fresh + receipt["duplicates"] == len(batch)
                taken += fresh
                assert receipt["ackedSeq"] >= acked
                acked = receipt["ackedSeq"]
            assert taken == len(events)
            assert (acked, receipt["missing"]) == (len(events), [])
            await stop(ada.client, session, len(events))
            pairs.append((whole, session))
    await work_off(db)
    visits = 0
    for whole, session in pairs:
        found = await timeline(db, session)
        assert found == await timeline(db, whole)
        assert await stored_seqs(db, session) == list(range(1, 91))
        visits += len(found["visits"])
    assert visits > 5 * len(pairs)  # or nothing was put to the test


async def test_the_answer_is_right_after_every_batch(db: Database) -> None:
    """`ackedSeq` covers what has come and nothing else; what it does not is in `missing`."""
    events = browsing(7, 80)
    async with recorder(db) as ada:
        session = await start(ada.client)
        came: set[int] = set()
        for batch in in_pieces(Random(7), events, 6):
            receipt = await post(ada.client, session, batch)
            came |= {event["seq"] for event in batch}
            in_order = next(n for n in range(1, 82) if n not in came) - 1
            assert receipt["ackedSeq"] == in_order
            missing = {n for first, last in receipt["missing"] for n in range(first, last + 1)}
            assert missing == set(range(1, max(came))) - came
            assert await stored_seqs(db, session) == sorted(came)


async def test_sixteen_clients_of_two_readers_at_once(db: Database) -> None:
    """The same pages in all sessions: they meet on pages, on readers' pages, and on sessions."""
    rng = Random(1)
    async with recorder(db) as ada, recorder(db, "bob@example.org") as bob:
        pairs, working = [], []
        for who in (ada, bob):
            header = who.client.headers["Authorization"]
            posts = []
            for seed in range(4):
                events = browsing(100 + seed, 120)
                whole, session = await in_one_batch(who.client, events), await start(who.client)
                posts += [(session, batch) for batch in in_pieces(rng, events, 15)]
                pairs.append((who, whole, session))
            rng.shuffle(posts)
            working.append(all_at_once([client_of(db, Authorization=header)] * 8, posts))
        for receipts in await asyncio.gather(*working):
            for each in receipts.values():
                assert sum(took["accepted"] + len(took["rejected"]) for took in each) == 120
                assert max(took["ackedSeq"] for took in each) == 120
        for who, _, session in pairs:
            await stop(who.client, session, 120)
    await work_off(db)
    for _, whole, session in pairs:
        assert await timeline(db, session) == await timeline(db, whole)


def _reading(seed: int) -> list[Json]:
    """Nothing but pages that are read, the same few in any order."""
    pages = [f"https://example.org/{n}" for n in range(8)]
    return [
        event(seq, "CONTENT_EXTRACTED", seq, tabId=1, url=url, payload={"content": f"{url} {seq}"})
        for seq, url in enumerate(Random(seed).choices(pages, k=150), 1)
    ]


async def test_folding_again_and_recording_do_not_deadlock(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refold comes to its pages in another order than batches do, piece by piece."""
    monkeypatch.setattr(refolding, "AT_ONCE", 5)
    async with recorder(db) as ada:
        done = await in_one_batch(ada.client, _reading(0))
        live = [await start(ada.client) for _ in range(3)]

        async def fold_again() -> None:
            for _ in range(8):
                async with db.transaction() as tx:
                    await refold(tx, ada.person.id, SessionId(uuid.UUID(done)))

        async def record(session: str, seed: int) -> None:
            for batch in in_pieces(Random(seed), _reading(seed), 10):
                await post(ada.client, session, batch)

        await asyncio.gather(fold_again(), *(record(each, n) for n, each in enumerate(live, 1)))


async def test_an_extension_that_follows_the_receipts_keeps_nothing_and_loses_nothing(
    db: Database,
) -> None:
    """It sends what it holds, any of it, until it holds nothing."""
    rng, events = Random(11), browsing(11, 100)
    async with recorder(db) as ada:
        whole, session = await in_one_batch(ada.client, events), await start(ada.client)
        outbox = Outbox(events)
        while outbox.held:
            batch = rng.sample([*outbox.held.values()], rng.randint(1, min(30, len(outbox.held))))
            outbox.apply(await post(ada.client, session, batch))
        await stop(ada.client, session, len(events))
    await work_off(db)
    assert await timeline(db, session) == await timeline(db, whole)


async def test_two_real_servers_and_sixteen_connections(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    rng = Random(2)
    person = await add(db)
    headers = {"Authorization": f"Bearer {await token_of(db, person, Scope.EXTENSION)}"}
    with (
        servers.api(tmp_path / "one", database_url, rate_limit=0) as one,
        servers.api(tmp_path / "two", database_url, rate_limit=0) as two,
    ):
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(
                    httpx2.AsyncClient(base_url=url, headers=headers, timeout=60)
                )
                for url in (one, two) * 8
            ]
            pairs, posts = [], []
            for seed in range(6):
                events = browsing(200 + seed, 150)
                whole, session = await in_one_batch(clients[0], events), await start(clients[1])
                posts += [(session, batch) for batch in in_pieces(rng, events, 15)]
                pairs.append((whole, session))
            rng.shuffle(posts)
            receipts = await all_at_once(clients, posts)
            for _, session in pairs:
                took = [each["accepted"] + len(each["rejected"]) for each in receipts[session]]
                assert sum(took) == 150
                await stop(clients[0], session, 150)
    await work_off(db)
    for whole, session in pairs:
        assert await timeline(db, session) == await timeline(db, whole)
