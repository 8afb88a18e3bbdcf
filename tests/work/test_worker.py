"""A whole worker: leases, stopping, waking, sharing. Waits on what handlers say, never on sleeps."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from mindhit import work as engine
from mindhit.db import Database, DatabaseAway
from mindhit.work import Options, Registry, Snooze, Wires, Work, Worker, cancel, enqueue
from mindhit.work.renewer import Renewer
from mindhit.work.testing import pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Bundle,
    Critical,
    Hosted,
    Keyed,
    Plain,
    Tally,
    claimer,
    execute,
    job_row,
    put,
    rescue,
    rows,
    slots,
    soon,
    statuses,
    working,
)


class Gate:
    """A handler that tells when it began, waits to be let go, and tells when it was stopped."""

    def __init__(self) -> None:
        self.began: asyncio.Queue[int] = asyncio.Queue()
        self.stopped: asyncio.Queue[int] = asyncio.Queue()
        self.opened = asyncio.Event()
        self.inside = 0
        self.most = 0

    async def __call__(self, work: Work[Any]) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.began.put_nowait(work.id)
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            self.stopped.put_nowait(work.id)
            raise
        finally:
            self.inside -= 1


@pytest.mark.parametrize(("concurrency", "claim_size"), [(1, 1), (1, 10), (3, 2), (10, 100)])
async def test_a_worker_runs_everything_once_whatever_its_size(
    db: Database, concurrency: int, claim_size: int
) -> None:
    ids = await put(db, *(Plain(n) for n in range(40)))
    tally = Tally(40)
    async with working(
        db, {Plain: tally}, concurrency=concurrency, claim_size=claim_size, poll_s=FAR_AWAY_S
    ):
        await soon(tally.all.wait())
    assert tally.ran == Counter(ids)
    assert set((await statuses(db)).values()) == {"succeeded"}


async def test_no_more_handlers_run_than_may(db: Database) -> None:
    await put(db, *(Plain(n) for n in range(12)))
    gate = Gate()
    async with working(db, {Plain: gate}, concurrency=3, claim_size=10) as worker:
        for _ in range(3):
            await soon(gate.began.get())
        assert worker._runners.busy == 3
        gate.opened.set()
        for _ in range(9):
            await soon(gate.began.get())
    assert gate.most == 3


async def test_a_worker_with_slow_handlers_leaves_the_rest_to_others(db: Database) -> None:
    await put(db, *(Plain(n) for n in range(40)))
    gate = Gate()
    async with working(db, {Plain: gate}, concurrency=4, claim_size=8) as worker:
        for _ in range(4):
            await soon(gate.began.get())
        assert len(worker._holdings) == 8
        assert len(await claimer(db).claim(100)) == 32
        gate.opened.set()


async def test_a_quick_worker_holds_a_load_and_one_claim_ahead_and_no_more(db: Database) -> None:
    ids = await put(db, *(Plain(n) for n in range(300)))
    unended: list[int] = []
    everything = asyncio.Event()

    async def look(work: Work[Plain]) -> None:
        unended.append(worker._holdings.unended)
        if len(unended) == len(ids):
            everything.set()

    async with working(db, {Plain: look}, concurrency=2, claim_size=20) as worker:
        await soon(everything.wait())
    assert max(unended) <= 40
    assert set((await statuses(db)).values()) == {"succeeded"}


async def test_jobs_of_one_domain_follow_each_other_without_waiting_for_a_poll(
    db: Database,
) -> None:
    ids = await put(db, *(Hosted("a.example", n) for n in range(9)))
    ran: asyncio.Queue[int] = asyncio.Queue()

    async def settle_itself(work: Work[Hosted]) -> None:
        async with work.settling():
            pass
        ran.put_nowait(work.id)

    async with working(db, {Hosted: settle_itself}, poll_s=FAR_AWAY_S, domain_limit=1):
        assert [await soon(ran.get()) for _ in ids] == ids


async def test_a_job_asked_for_again_runs_without_waiting_for_a_poll(db: Database) -> None:
    values: asyncio.Queue[int] = asyncio.Queue()

    async def ask_again(work: Work[Keyed]) -> None:
        values.put_nowait(work.args.value)
        async with work.settling() as tx:
            if work.args.value < 3:
                await enqueue(tx, Keyed("a", work.args.value + 1))

    engine.install(Wires(notify=False))
    await put(db, Keyed("a", 1))
    async with working(db, {Keyed: ask_again}, poll_s=FAR_AWAY_S):
        assert [await soon(values.get()) for _ in range(3)] == [1, 2, 3]


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
    async with working(db, {Keyed: handle}, concurrency=2, lease_s=0.6):
        await soon(finished.wait())


async def test_settlements_are_flushed_at_once_when_all_is_quiet(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindhit.work.completer.FLUSH_AFTER_S", FAR_AWAY_S)
    tally = Tally(3)
    await put(db, Plain(), Plain(), Plain())
    # The next job is claimed only when the one before is settled.
    async with working(db, {Plain: tally}, concurrency=1, claim_size=1, poll_s=FAR_AWAY_S):
        await soon(tally.all.wait())


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

    async with working(db, {Bundle: handle}, concurrency=1, lease_s=0.6, poll_s=0.2):
        await soon(began.wait())
        async with db.transaction() as tx:
            for id_ in ids[:2]:
                await cancel(tx, id_)
        await soon(stopped.wait())
        await soon(again.wait())
    stored = [await job_row(db, id_) for id_ in ids]
    assert [each["status"] for each in stored] == ["canceled", "canceled", "queued"]
    assert (stored[2]["attempts"], stored[2]["last_error"]) == (1, "CancelledError: ")


async def test_a_long_job_keeps_its_lease(db: Database) -> None:
    gate = Gate()
    [id_] = await put(db, Plain())
    async with working(db, {Plain: gate}, lease_s=0.6, rescue_s=0.1):
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
        [held] = worker._holdings.running()
        renewer = Renewer(away, worker._holdings, lease_s=30)
        held.renewed_at -= 29
        assert await renewer.run_once() == 0
        held.renewed_at -= 2
        assert await renewer.run_once() == 1
        await soon(gate.stopped.get())


async def test_stopping_hands_back_what_has_not_begun_and_what_outlasts_its_grace(
    db: Database,
) -> None:
    ids = await put(db, *(Hosted(f"{n}.example") for n in range(6)))
    gate = Gate()
    async with working(db, {Hosted: gate}, concurrency=2, claim_size=6, grace_s=0.05) as worker:
        await soon(gate.began.get())
        await soon(gate.began.get())
        assert len(worker._holdings) == 6
    assert gate.stopped.qsize() == 2
    stored = await rows(db, "select * from jobs order by id")
    assert [each["id"] for each in stored] == ids
    assert {(each["status"], each["attempts"], each["rescues"]) for each in stored} == {
        ("queued", 0, 0)
    }
    assert await slots(db) == []
    assert len(await claimer(db).claim(10)) == 6  # at once, not after a lease


async def test_stopping_lets_handlers_finish_within_their_grace(db: Database) -> None:
    [id_] = await put(db, Plain())
    gate = Gate()
    async with working(db, {Plain: gate}, grace_s=FAR_AWAY_S) as worker:
        await soon(gate.began.get())
        worker.stop()
        gate.opened.set()
    assert (await job_row(db, id_))["status"] == "succeeded"
    assert gate.stopped.empty()


async def test_a_worker_whose_task_is_cancelled_ends_and_hands_back(db: Database) -> None:
    ids = await put(db, *(Plain(n) for n in range(3)))
    gate = Gate()
    worker = Worker(db, Registry({Plain: gate}), Options(concurrency=2))
    running = asyncio.create_task(worker.run())
    await soon(gate.began.get())
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(running)
    begun = {gate.stopped.get_nowait() for _ in range(gate.stopped.qsize())}
    assert begun
    found = await statuses(db)
    assert {found[id_] for id_ in ids if id_ in begun} == {"queued"}


async def test_a_part_that_breaks_ends_the_whole_worker_loudly(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    [id_] = await put(db, Plain())
    worker = Worker(db, Registry({Plain: gate}), Options(grace_s=0.05, lease_s=0.6))
    running = asyncio.create_task(worker.run())
    await soon(gate.began.get())
    [held] = worker._holdings.running()
    monkeypatch.setattr(worker._renewer, "_lease_s", "long")  # nothing foresees that
    with pytest.raises(TypeError):
        await soon(running)
    assert held.runner is None
    assert (await job_row(db, id_))["status"] == "queued"


async def test_a_notification_wakes_an_idle_worker(db: Database) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, poll_s=FAR_AWAY_S) as worker:
        assert worker.notifier is not None
        await soon(worker.notifier.listening.wait())
        await until_resting(worker)
        await put(db, Plain())
        await soon(tally.all.wait())


async def until_resting(worker: Worker) -> None:
    """The worker has claimed in vain, and waits for a hint."""
    async with asyncio.timeout(20):
        while worker._hint.is_set() or not worker._hint._waiters:
            await asyncio.sleep(0)


async def test_without_notifications_polling_finds_the_job(db: Database) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, notify=False, poll_s=0.1) as worker:
        assert worker.notifier is None
        await until_resting(worker)
        await put(db, Plain())
        await soon(tally.all.wait())


async def test_a_listener_that_is_cut_off_comes_back(db: Database) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, poll_s=FAR_AWAY_S) as worker:
        assert worker.notifier is not None
        listening = worker.notifier.listening
        await soon(listening.wait())
        cut = await execute(
            db,
            """select pg_terminate_backend(pid) from pg_stat_activity
                where application_name like 'mindhit listen%' and datname = current_database()""",
        )
        assert cut == [True]
        async with asyncio.timeout(20):
            while listening.is_set():
                await asyncio.sleep(0.005)
        await soon(listening.wait())
        await until_resting(worker)
        await put(db, Plain())
        await soon(tally.all.wait())


async def test_two_workers_share_the_work_and_do_nothing_twice(db: Database) -> None:
    ids = await put(db, *(Plain(n) for n in range(150)))
    ids += await put(db, *(Hosted(f"{n % 7}.example", n) for n in range(150)))
    whose: dict[str, Tally] = {"one": Tally(1), "two": Tally(1)}
    left = asyncio.Event()

    def counting(tally: Tally) -> Any:
        async def handle(work: Work[Any]) -> None:
            await tally(work)
            if sum(each.ran.total() for each in whose.values()) >= len(ids):
                left.set()
            await whose["two" if tally is whose["one"] else "one"].all.wait()

        return handle

    one, two = counting(whose["one"]), counting(whose["two"])
    async with (
        working(db, {Plain: one, Hosted: one}, poll_s=0.2),
        working(db, {Plain: two, Hosted: two}, poll_s=0.2),
    ):
        await soon(left.wait())
    assert whose["one"].ran + whose["two"].ran == Counter(ids)
    assert set((await statuses(db)).values()) == {"succeeded"}


async def test_a_dead_workers_jobs_are_run_by_another(db: Database) -> None:
    ids = await put(db, Plain(), Hosted("a.example"))
    assert len(await claimer(db, name="dead").claim(5)) == 2
    await pass_time(db, 31)
    tally = Tally(2)
    async with working(db, {Plain: tally, Hosted: tally}, rescue_s=0.05, poll_s=FAR_AWAY_S):
        await soon(tally.all.wait())
    assert tally.ran == Counter(ids)
    assert {each["rescues"] for each in await rows(db, "select rescues from jobs")} == {1}


async def test_a_snoozed_job_comes_back_by_itself(db: Database) -> None:
    seen: asyncio.Queue[int] = asyncio.Queue()

    async def snooze_first(work: Work[Plain]) -> Snooze | None:
        seen.put_nowait(work.attempt)
        return Snooze(0.05) if seen.qsize() == 1 else None

    [id_] = await put(db, Plain())
    async with working(db, {Plain: snooze_first}, poll_s=0.1):
        async with asyncio.timeout(20):
            while seen.qsize() < 2:
                await asyncio.sleep(0.005)
    assert [seen.get_nowait(), seen.get_nowait()] == [1, 1]
    assert (await job_row(db, id_))["status"] == "succeeded"


async def test_a_worker_waits_for_the_database_however_long_it_is_away(db: Database) -> None:
    worker = Worker(db, Registry({Plain: Tally(1)}), Options(poll_s=0.01))
    await soon(worker._rest(5000))


async def test_a_lease_that_could_not_be_renewed_for_a_lock_is_tried_again_soon(
    db: Database,
) -> None:
    """An enqueuer's open transaction holds the row; the worker must not take that for a renewal."""
    gate = Gate()
    [id_] = await put(db, Keyed("a", 1))
    async with working(db, {Keyed: gate}, lease_s=1.2, rescue_s=0.1):
        await soon(gate.began.get())
        async with db.transaction() as tx:
            await enqueue(tx, Keyed("a", 2))
            await asyncio.sleep(0.9)
        await asyncio.sleep(0.9)
        assert (await job_row(db, id_))["rescues"] == 0
        gate.opened.set()


async def test_a_handler_whose_commit_failed_is_stopped_when_its_lease_is_lost(
    db: Database,
) -> None:
    gone = asyncio.Event()

    async def handle(work: Work[Plain]) -> None:
        try:
            async with work.settling() as tx:
                pid = await tx._connection.fetchval("select pg_backend_pid()")
                end = work._succeed

                async def succeed_and_die(tx: Any) -> str:
                    status = await end(tx)
                    await execute(db, f"select pg_terminate_backend({pid})")
                    return status

                work._succeed = succeed_and_die
        except DatabaseAway:
            pass
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()

    [id_] = await put(db, Plain())
    async with working(db, {Plain: handle}, lease_s=0.6):
        while (await job_row(db, id_))["status"] != "running":
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.3)
        async with db.transaction() as tx:
            await cancel(tx, id_)
        await soon(gone.wait())
