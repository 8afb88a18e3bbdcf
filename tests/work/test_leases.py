"""A worker and its leases: kept while a handler runs, and the handler stopped when one is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import pytest

from mindhit.db import Database, DatabaseUnavailable, Nothing, Query, StatementTimedOut, Write
from mindhit.work import Options, Registry, Work, Worker, cancel, enqueue, store
from mindhit.work.leases.renewer import Renewer
from mindhit.work.leases.rescuer import SPREAD_S
from mindhit.work.running.held_claims import HeldClaims
from mindhit.work.settlement import HANDED_BACK, SUCCEEDED
from mindhit.work.testing import pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Bundle,
    Critical,
    Gate,
    Hosted,
    Keyed,
    Plain,
    Tally,
    claimer,
    execute,
    job_row,
    put,
    renew,
    rescue,
    rows,
    settle,
    soon,
    until,
    until_lease_is_over,
    working,
)


async def test_a_canceled_jobs_handler_is_stopped_at_the_next_heartbeat(db: Database) -> None:
    gate, tally = Gate(), Tally(1)
    [id_] = await put(db, Plain())
    async with working(db, {Plain: gate, Critical: tally}, concurrency=1, lease_s=0.6):
        await soon(gate.began.get())
        async with db.transaction() as tx:
            await cancel(tx, id_)
        assert await soon(gate.stopped.get()) == id_
        await put(db, Critical())  # the runner is there for the next
        await soon(tally.all.wait())
    assert (await job_row(db, id_))["status"] == "canceled"


async def test_a_lost_lease_stops_the_handler_and_not_the_runner(db: Database) -> None:
    gate, tally = Gate(), Tally(1)
    [id_] = await put(db, Plain())
    async with working(db, {Plain: gate, Critical: tally}, concurrency=1, lease_s=0.6):
        await soon(gate.began.get())
        await execute(db, "update jobs set lease_id = gen_random_uuid(), locked_by = 'another'")
        assert await soon(gate.stopped.get()) == id_
        await put(db, Critical())
        await soon(tally.all.wait())
    stored = await job_row(db, id_)
    assert (stored["status"], stored["locked_by"]) == ("running", "another")


async def test_a_job_taken_again_by_the_same_worker_stops_the_run_under_the_old_lease(
    db: Database,
) -> None:
    gate = Gate()
    [id_] = await put(db, Plain())
    async with working(db, {Plain: gate}, concurrency=2, rescue_s=FAR_AWAY_S):
        await soon(gate.began.get())
        await pass_time(db, 31)
        assert await rescue(db) == 1  # wakes the worker, long before it would renew
        assert await soon(gate.stopped.get()) == id_
        assert await soon(gate.began.get()) == id_
        gate.opened.set()
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"], stored["rescues"]) == ("succeeded", 1, 1)


async def test_several_lost_leases_of_one_batch_leave_its_runner_unharmed(db: Database) -> None:
    ids = await put(db, *(Bundle(n) for n in range(3)))
    began, stopped, again = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(works: Sequence[Work[Bundle]]) -> None:
        if began.is_set():
            # A cancellation of its own is a failure, not a stop, now as before.
            again.set()
            raise asyncio.CancelledError
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async with working(
        db, {Bundle: handle}, concurrency=1, lease_s=0.6, poll_s=0.2, rescue_s=FAR_AWAY_S
    ):
        await soon(began.wait())
        async with db.transaction() as tx:
            for id_ in ids[:2]:
                await cancel(tx, id_)
        await soon(stopped.wait())
        await soon(again.wait())
    stored = [await job_row(db, id_) for id_ in ids]
    assert [each["status"] for each in stored] == ["canceled", "canceled", "queued"]
    assert (stored[2]["attempts"], stored[2]["last_error"]) == (1, "CancelledError: ")
    assert stored[2]["rescues"] == 0  # handed back at once, not found by a rescuer


async def test_a_long_job_keeps_its_lease(db: Database) -> None:
    gate = Gate()
    [id_] = await put(db, Plain())
    async with working(db, {Plain: gate}, lease_s=3, rescue_s=0.1):
        await soon(gate.began.get())
        first = (await job_row(db, id_))["lease_until"]
        async with asyncio.timeout(20):
            while (await job_row(db, id_))["lease_until"] == first:
                pass
        gate.opened.set()
    assert gate.began.empty()
    stored = await job_row(db, id_)
    assert (stored["status"], stored["rescues"]) == ("succeeded", 0)


async def test_leases_nobody_could_renew_in_time_are_given_up(
    db: Database, database_url: str
) -> None:
    gate = Gate()
    await put(db, Plain())
    away = await Database.open(database_url)
    await away.close()
    async with working(db, {Plain: gate}, rescue_s=FAR_AWAY_S) as worker:
        await soon(gate.began.get())
        [held] = worker._held_claims._held.values()
        renewer = Renewer(away, worker._held_claims, lease_s=3000)
        held.renewed_at -= 2500
        assert await renewer.run_once() == 0
        held.renewed_at -= 500
        assert await renewer.run_once() == 1
        await soon(gate.stopped.get())


class Slow:
    """A database whose every answer takes a while to arrive; knows when it was asked."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.asked_at: list[float] = []

    async def alone(self, *args: Any, **options: Any) -> list[Any]:
        self.asked_at.append(monotonic())
        answer = await self._db.alone(*args, **options)
        while monotonic() == self.asked_at[-1]:
            await asyncio.sleep(0.001)
        return answer


async def test_a_lease_is_counted_from_when_it_was_asked_for_and_not_from_the_answer(
    db: Database,
) -> None:
    """The database counts from in between: who counts from the answer trusts a lease that is over."""
    gate, slow = Gate(), Slow(db)
    await put(db, Plain())
    worker = Worker(db, Registry({Plain: gate}), Options(rescue_s=FAR_AWAY_S))
    worker._claimer._db = slow  # type: ignore[assignment]
    running = asyncio.create_task(worker.run())
    await soon(gate.began.get())
    [held] = worker._held_claims._held.values()
    assert held.renewed_at <= slow.asked_at[0]
    slow = Slow(db)
    held.renewed_at -= 15
    before = monotonic()
    await Renewer(slow, worker._held_claims, lease_s=30).run_once()  # type: ignore[arg-type]
    assert before <= held.renewed_at <= slow.asked_at[0]
    gate.opened.set()
    worker.stop()
    await soon(running)


class HangingCommits:
    """A database whose renewals are committed and never confirmed."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def alone(self, statement: Any, *args: Any, **options: Any) -> list[Any]:
        answer = await self._db.alone(statement, *args, **options)
        if statement is store.RENEW:
            raise StatementTimedOut
        return answer


async def test_a_renewal_that_was_committed_without_an_answer_counts(db: Database) -> None:
    [held, gone, locked] = await put(db, Plain(1), Plain(2), Plain(3))
    held_claims = HeldClaims()
    claims = {
        each.claim.id: each for each in held_claims.add(await claimer(db).claim(3), monotonic())
    }
    for each in claims.values():
        each.renewed_at -= 29
    await execute(db, "update jobs set lease_id = gen_random_uuid() where id = $1", gone)
    renewer = Renewer(HangingCommits(db), held_claims, lease_s=30)  # type: ignore[arg-type]
    before = monotonic()
    async with db.transaction() as tx:
        await tx.maybe(store.LOCK_JOB, locked)
        assert await renewer.run_once() == 0
    assert renewer.expire() == 0
    assert before - 1 < claims[held].renewed_at <= monotonic()
    assert before - 1 < claims[locked].renewed_at <= monotonic()  # beside its row
    assert claims[gone].renewed_at < before - 28


class Silent:
    """A database that never answers, and a driver that takes no notice of that either."""

    async def alone(self, *_: Any, **__: Any) -> list[Any]:
        await asyncio.Event().wait()
        return []


async def test_a_handler_is_stopped_when_its_lease_ends_though_the_renewal_still_hangs(
    db: Database,
) -> None:
    gate = Gate()
    [id_] = await put(db, Plain())
    async with working(db, {Plain: gate}, lease_s=0.9, rescue_s=FAR_AWAY_S) as worker:
        await soon(gate.began.get())
        worker._renewer._db = Silent()  # type: ignore[assignment]
        assert await soon(gate.stopped.get()) == id_
        assert worker._renewer._unanswered_since is not None  # and it is still not answered


async def test_a_worker_that_was_frozen_asks_before_it_gives_up(db: Database) -> None:
    await put(db, Plain())
    held_claims = HeldClaims()
    [held] = held_claims.add(await claimer(db).claim(1), monotonic() - 31)
    renewer = Renewer(db, held_claims, lease_s=30)
    assert renewer.expire() == 0
    assert await renewer.run_once() == 0
    assert not held.is_lost
    silent = Renewer(Silent(), held_claims, lease_s=30)  # type: ignore[arg-type]
    held.renewed_at = monotonic() - 29
    asking = asyncio.create_task(silent.run_once())
    await asyncio.sleep(0)
    assert silent.expire() == 0
    silent._unanswered_since = held.renewed_at = monotonic() - 31
    assert silent.expire() == 1
    asking.cancel()


async def test_a_renewal_that_hangs_is_given_up_long_before_the_lease_is_over(
    db: Database,
) -> None:
    await put(db, Plain())
    held_claims = HeldClaims()
    held_claims.add(await claimer(db).claim(1), monotonic() - 10)
    session = db.session()
    async with db.transaction() as tx:
        await tx.run(Write(Nothing, "lock table jobs in access exclusive mode"))
        assert await soon(Renewer(session, held_claims, lease_s=0.6).run_once()) == 1
    await session.close()


async def test_leases_are_renewed_though_handlers_have_every_connection(
    db: Database, database_url: str
) -> None:
    gate = Gate()

    async def hold_on(work: Work[Plain]) -> None:
        async with work.db.transaction() as tx:
            await gate(work)
            await tx.one(Query(int, "select 1 as n"))

    [id_] = await put(db, Plain())
    small = await Database.open(database_url, size=1)
    async with working(small, {Plain: hold_on}, lease_s=0.9, rescue_s=FAR_AWAY_S):
        await soon(gate.began.get())
        [first] = await rows(db, "select lease_until from jobs")
        async with asyncio.timeout(20):
            while await rows(db, "select lease_until from jobs") == [first]:
                await asyncio.sleep(0.01)
        gate.opened.set()
    await small.close()
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"]) == ("succeeded", 1)
    assert gate.stopped.empty()


async def test_a_worker_keeps_a_job_whose_row_is_locked_for_longer_than_its_lease(
    db: Database,
) -> None:
    """An enqueuer's open transaction holds the row; when it is over, the lease in the row is too."""
    gate = Gate()
    [id_] = await put(db, Keyed("a", 1))
    async with working(db, {Keyed: gate}, lease_s=2, rescue_s=0.05):
        await soon(gate.began.get())
        async with db.transaction() as tx:
            await enqueue(tx, Keyed("a", 2))
            await until_lease_is_over(db, id_)
        await until(db, f"select now() < lease_until as is_so from jobs where id = {id_}")
        assert (await job_row(db, id_))["rescues"] == 0
        gate.opened.set()


async def test_a_renewal_beside_a_locked_row_counts_for_the_new_lease_too(db: Database) -> None:
    """The row was locked before, under another lease, and its renewal is still there."""
    lock = Write(Nothing, "select from jobs for update")
    await put(db, Plain())
    [first] = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await tx.run(lock)
        assert await renew(db, [first]) == {first.id}
    await settle(db, [first], HANDED_BACK)
    [second] = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await tx.run(lock)
        assert await renew(db, [second]) == {second.id}
    await execute(db, "update jobs set lease_until = now() - interval '1 second'")
    assert await rescue(db) == 0  # its worker is alive and has renewed it
    assert await settle(db, [second], SUCCEEDED) == {second.id}


async def test_a_worker_that_slept_after_an_answered_renewal_asks_before_it_gives_up(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a laptop does: the last renewal was answered, so its silence means nothing."""
    now = 1000.0
    monkeypatch.setattr("mindhit.work.leases.renewer.monotonic", lambda: now)
    await put(db, Plain())
    held_claims = HeldClaims()
    [held] = held_claims.add(await claimer(db).claim(1), now - 15)
    renewer = Renewer(db, held_claims, lease_s=30)
    for _ in range(2):  # the second time as the first
        assert await renewer.run_once() == 0
        assert held.renewed_at == now
        now += 100
        assert renewer.expire() == 0
    assert await renewer.run_once() == 0
    assert not held.is_lost


@pytest.mark.parametrize("sort", [Plain, Hosted])
async def test_a_cancel_that_stays_open_keeps_no_renewal_waiting(db: Database, sort: Any) -> None:
    """Nor do two that come in another order than renewals lock: that was a deadlock."""
    ids = await put(db, *(sort(f"{n}.example") for n in range(3)))
    held_claims = HeldClaims()
    held = held_claims.add(await claimer(db).claim(3), monotonic() - 15)
    renewer = Renewer(db, held_claims, lease_s=30)
    async with db.transaction() as tx:
        for id_ in (ids[1], ids[0]):
            await cancel(tx, id_)
            for each in held:
                each.renewed_at -= 15
            assert await soon(renewer.run_once()) == 0
            assert monotonic() - min(each.renewed_at for each in held) < 10
    for each in held:
        each.renewed_at -= 15
    assert await renewer.run_once() == 2
    await soon(renewer.free_slots())


async def test_a_handler_whose_commit_failed_is_stopped_when_its_lease_is_lost(
    db: Database,
) -> None:
    failed, gone = asyncio.Event(), asyncio.Event()

    async def handle(work: Work[Plain]) -> None:
        try:
            async with work.settling() as tx:
                pid = await tx._connection.fetchval("select pg_backend_pid()")
                end = work._succeed

                async def succeed_and_die(tx: Any) -> str:
                    status = await end(tx)
                    await execute(db, f"select pg_terminate_backend({pid})")
                    return status

                work._succeed = succeed_and_die  # type: ignore[method-assign]
        except DatabaseUnavailable:
            failed.set()
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()

    [id_] = await put(db, Plain())
    async with working(db, {Plain: handle}, lease_s=3):
        await soon(failed.wait())
        async with db.transaction() as tx:
            await cancel(tx, id_)
        await soon(gone.wait())


async def test_a_handler_that_settled_may_finish_while_its_job_runs_again(db: Database) -> None:
    """Once it has committed, its lease is no longer its own, and nothing was lost by that."""
    second, finished = asyncio.Event(), asyncio.Event()

    async def handle(work: Work[Keyed]) -> None:
        async with work.settling() as tx:
            if work.args.value == 1:
                await enqueue(tx, Keyed("a", 2))
        if work.args.value == 2:
            second.set()
            return
        await second.wait()
        await asyncio.sleep(0.5)  # over a heartbeat, which finds the lease gone
        finished.set()

    await put(db, Keyed("a", 1))
    async with working(db, {Keyed: handle}, concurrency=2, lease_s=0.6) as worker:
        await soon(finished.wait())
    assert worker._held_claims.counts.by_outcome == {"succeeded": 2}  # each run once


async def test_a_handler_that_swallowed_its_stop_leaves_nothing_to_the_next_one(
    db: Database,
) -> None:
    """A stop that its handler swallowed must not make the next one's failure look like a stop."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def swallow(work: Work[Plain]) -> None:
        began.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    async def fail_by_itself(work: Work[Critical]) -> None:
        ended.set()
        raise asyncio.CancelledError

    [lost] = await put(db, Plain())
    async with working(db, {Plain: swallow, Critical: fail_by_itself}, concurrency=1, lease_s=0.6):
        await soon(began.wait())
        async with db.transaction() as tx:
            await cancel(tx, lost)
        [failed] = await put(db, Critical())
        await soon(ended.wait())
    stored = await job_row(db, failed)
    assert (stored["attempts"], stored["last_error"]) == (1, "CancelledError: ")


async def test_what_is_rescued_again_comes_back_apart_from_what_it_was_held_with(
    db: Database,
) -> None:
    ids = await put(db, *(Plain(n) for n in range(20)))
    wait = "select extract(epoch from run_after - now())::float8 as s from jobs order by 1"
    for times in range(3):
        await execute(db, "update jobs set run_after = now()")
        assert len(await claimer(db).claim(20)) == len(ids)
        await pass_time(db, 60)
        assert await rescue(db) == len(ids)
        waits = [each["s"] for each in await rows(db, wait)]
        if times == 0:  # workers do die
            assert waits[-1] <= 0
        else:
            assert len(set(waits)) == len(ids)
            assert 2 * times < waits[-1] - waits[0] < SPREAD_S * times
