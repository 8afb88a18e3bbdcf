"""A claim that was committed although its answer never arrived: run or handed back, and not rescued."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mindhit.db import Database, DatabaseUnavailable, StatementTimedOut
from mindhit.errors import MindHitError
from mindhit.work import Options, Registry, Worker, store
from mindhit.work.claiming import unanswered
from mindhit.work.claiming.unanswered import UnansweredClaims
from mindhit.work.leases.rescuer import MAX_RESCUES
from mindhit.work.testing import pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Gate,
    Hosted,
    Keyed,
    Plain,
    Tally,
    claimer,
    execute,
    job_row,
    put,
    rescue,
    slots,
    soon,
    statuses,
    until,
)

CLAIMS = (store.CLAIM, store.CLAIM_WITH_DOMAINS)


class Deaf:
    """A connection over which claims are committed, and their answers lost while `is_deaf`."""

    def __init__(self, db: Database, error: type[MindHitError] = StatementTimedOut) -> None:
        self._db = db
        self._error = error
        self.is_deaf = True
        self.claims_lost = 0

    async def alone(self, statement: Any, *values: object, **options: Any) -> list[Any]:
        answer = await self._db.alone(statement, *values, **options)
        if self.is_deaf and statement in CLAIMS and answer:
            self.claims_lost += 1
            raise self._error(reason="made up")
        return answer

    async def close(self) -> None:
        """It is the test's own database."""


@asynccontextmanager
async def working_over(
    connection: Deaf, db: Database, jobs: dict[Any, Any], **options: Any
) -> AsyncIterator[Worker]:
    worker = Worker(db, Registry(jobs), Options(**{"poll_s": 0.2, **options}))
    worker._claimer._db = connection  # type: ignore[assignment]
    running = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        worker.stop()
        await soon(running)


@pytest.mark.parametrize("error", [StatementTimedOut, DatabaseUnavailable])
async def test_what_was_claimed_without_an_answer_runs_at_once(
    db: Database, error: type[MindHitError]
) -> None:
    tally = Tally(20)
    await put(db, *(Plain(n) for n in range(18)), Hosted("a.example"), Hosted("a.example"))
    deaf = Deaf(db, error)
    async with working_over(deaf, db, {Plain: tally, Hosted: tally}, rescue_s=FAR_AWAY_S):
        await soon(tally.all.wait())
        await until(db, "select bool_and(status = 'succeeded') as is_so from jobs")
    assert deaf.claims_lost > 0
    assert set(tally.ran.values()) == {1}
    assert await slots(db) == []


async def test_what_is_found_when_half_of_its_lease_is_over_is_handed_back(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unanswered, "ASK_EVERY_S", 0.01)
    tally = Tally(1)
    [id_] = await put(db, Plain())
    deaf = Deaf(db)
    async with working_over(deaf, db, {Plain: tally}, rescue_s=FAR_AWAY_S) as worker:
        original = worker._claimer.unanswered.add

        def add_as_if_long_ago(lease_id: Any, asked_at: float) -> None:
            original(lease_id, asked_at - 20)
            deaf.is_deaf = False

        worker._claimer.unanswered.add = add_as_if_long_ago  # type: ignore[method-assign]
        await soon(tally.all.wait())
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"], stored["rescues"]) == ("succeeded", 1, 0)
    assert tally.ran == {id_: 1}


async def test_a_worker_without_room_asks_for_its_unanswered_claims_all_the_same(
    db: Database,
) -> None:
    gate = Gate()
    [first] = await put(db, Plain())
    deaf = Deaf(db)
    deaf.is_deaf = False
    options = {"concurrency": 1, "claim_size": 1, "rescue_s": FAR_AWAY_S}
    async with working_over(deaf, db, {Plain: gate}, **options) as worker:
        assert await soon(gate.began.get()) == first
        [second] = await put(db, Plain())
        [lost] = await claimer(db, name=worker.name).claim(1)  # as if this worker had claimed it
        assert lost.id == second
        worker._claimer.unanswered.add(lost.lease_id, 0.0)
        worker._signals.room.set()
        await until(db, f"select status = 'queued' as is_so from jobs where id = {second}")
        gate.opened.set()


async def test_a_stopping_worker_hands_back_what_it_never_heard_of(db: Database) -> None:
    [id_] = await put(db, Plain())
    deaf = Deaf(db)
    worker = Worker(db, Registry({Plain: Tally(1)}), Options(poll_s=FAR_AWAY_S, notify=False))
    worker._claimer._db = deaf  # type: ignore[assignment]
    added = worker._claimer.unanswered.add

    def stop_right_then(lease_id: Any, asked_at: float) -> None:
        added(lease_id, asked_at)
        worker.stop()

    worker._claimer.unanswered.add = stop_right_then  # type: ignore[method-assign]
    await soon(worker.run())
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"], stored["rescues"]) == ("queued", 0, 0)


async def lose_a_claim(db: Database, forgotten: UnansweredClaims) -> list[int]:
    """Claim, never hear of it, and let a rescuer be faster."""
    lost = await claimer(db).claim(10)
    forgotten.add(lost[0].lease_id, 1e12)
    await pass_time(db, 3600)
    assert await rescue(db) == len(lost)
    return [claim.id for claim in lost]


async def test_rescues_of_runs_that_never_began_are_not_counted(db: Database) -> None:
    ids = await put(db, Plain(), Keyed("a"))
    forgotten = UnansweredClaims(db)
    for _ in range(MAX_RESCUES + 3):
        assert sorted(await lose_a_claim(db, forgotten)) == ids
        assert await forgotten.find() == []
        assert await forgotten.uncount_rescues() == 2
        assert await forgotten.uncount_rescues() == 0
        stored = [await job_row(db, id_) for id_ in ids]
        assert [(each["rescues"], each["attempts"]) for each in stored] == [(0, 0)] * 2


async def test_a_job_that_died_of_rescues_without_a_run_is_queued_again(db: Database) -> None:
    [id_] = await put(db, Keyed("a"))
    await execute(db, "update jobs set rescues = $1", MAX_RESCUES)
    forgotten = UnansweredClaims(db)
    await lose_a_claim(db, forgotten)
    assert await statuses(db) == {id_: "dead"}
    assert await forgotten.uncount_rescues() == 1
    stored = await job_row(db, id_)
    assert (stored["status"], stored["rescues"]) == ("queued", MAX_RESCUES)


async def test_a_dead_job_whose_key_is_queued_again_stays_dead(db: Database) -> None:
    [old] = await put(db, Keyed("a"))
    await execute(db, "update jobs set rescues = $1", MAX_RESCUES)
    forgotten = UnansweredClaims(db)
    await lose_a_claim(db, forgotten)
    [new] = await put(db, Keyed("a"))
    assert await forgotten.uncount_rescues() == 0
    assert await statuses(db) == {old: "dead", new: "queued"}


async def test_a_rescue_counts_where_the_job_was_claimed_again_since(db: Database) -> None:
    """What happened to a later run is not known to whoever missed an earlier one."""
    [id_] = await put(db, Plain())
    forgotten = UnansweredClaims(db)
    await lose_a_claim(db, forgotten)
    await claimer(db).claim(1)
    assert await forgotten.uncount_rescues() == 0
    assert (await job_row(db, id_))["rescues"] == 1


async def test_a_claim_that_was_never_committed_is_forgotten_in_the_end(db: Database) -> None:
    forgotten = UnansweredClaims(db)
    await put(db, Plain())
    [claim] = await claimer(db).claim(1)
    await execute(db, "update jobs set lease_id = gen_random_uuid()")
    forgotten.add(claim.lease_id, -1e12)
    assert await forgotten.find() == []
    assert await forgotten.uncount_rescues() == 0
    assert len(forgotten) == 0
