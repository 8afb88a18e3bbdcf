"""A whole worker: running, sharing, following on. Waits on what handlers say, never on sleeps."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from mindhit import work as engine
from mindhit.db import Database, DatabaseReadOnly, Session
from mindhit.work import Options, Registry, Snooze, Wires, Work, Worker, enqueue
from mindhit.work.testing import pass_time
from tests.db.test_own_faults import read_only
from tests.work.kit import (
    FAR_AWAY_S,
    Gate,
    Hosted,
    Keyed,
    Plain,
    Tally,
    claimer,
    job_row,
    put,
    rows,
    soon,
    statuses,
    working,
)


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
    """It may take a load before it knows how slow they are; what waits is handed back, once."""
    ids = await put(db, *(Plain(n) for n in range(40)))
    gate = Gate()
    async with working(db, {Plain: gate}, concurrency=4, claim_size=8) as worker:
        for _ in range(4):
            await soon(gate.began.get())
        async with asyncio.timeout(20):
            while await running(db) != 4:
                await asyncio.sleep(0.01)
        assert [job.id for job in await claimer(db).claim(100)] == ids[
            4:
        ]  # each in its old position
        gate.opened.set()
    assert worker._held_claims.counts.by_outcome == {"handed back": 4, "succeeded": 4}


async def statuses_counted(db: Database) -> Counter[str]:
    return Counter((await statuses(db)).values())


async def running(db: Database) -> int:
    return (await statuses_counted(db))["running"]


async def test_a_worker_that_became_slow_takes_no_more_than_it_can_run(db: Database) -> None:
    """And what it has settled does not count as room for more."""
    await put(db, *(Plain(n) for n in range(300)))
    gate = Gate()

    async def be_quick_at_first(work: Work[Plain]) -> None:
        if work.args.n >= 200:
            await gate(work)

    async with working(db, {Plain: be_quick_at_first}, concurrency=2, claim_size=20):
        await soon(gate.began.get())
        await soon(gate.began.get())
        async with asyncio.timeout(20):
            while (await statuses_counted(db))["succeeded"] < 200:
                await asyncio.sleep(0.01)
            held = [await running(db)]
            while held[-1] != 2:
                await asyncio.sleep(0.01)
                held.append(await running(db))
        assert max(held) <= 40  # what it took while it was quick: a load and a claim ahead
        gate.opened.set()
        for _ in range(98):
            await soon(gate.began.get())
    assert set((await statuses(db)).values()) == {"succeeded"}


async def test_a_quick_worker_holds_a_load_and_one_claim_ahead_and_no_more(db: Database) -> None:
    ids = await put(db, *(Plain(n) for n in range(300)))
    unended: list[int] = []
    everything = asyncio.Event()

    async def look(work: Work[Plain]) -> None:
        unended.append(worker._held_claims.unended)
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


async def test_settlements_are_flushed_at_once_when_all_is_quiet(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindhit.work.running.completer.FLUSH_AFTER_S", FAR_AWAY_S)
    tally = Tally(3)
    await put(db, Plain(), Plain(), Plain())
    # The next job is claimed only when the one before is settled.
    async with working(db, {Plain: tally}, concurrency=1, claim_size=1, poll_s=FAR_AWAY_S):
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


async def test_a_worker_waits_for_a_database_that_takes_no_writes(
    db: Database, database_url: str
) -> None:
    await put(db, Plain())
    tally = Tally(1)
    async with read_only(database_url):
        standby = await Database.open(database_url)
        worker = Worker(standby, Registry({Plain: tally}), Options(poll_s=0.1, rescue_s=0.05))
        tried: Counter[object] = Counter()
        for session in worker._sessions:
            count_failures(session, tried)
        running = asyncio.create_task(worker.run())
        async with asyncio.timeout(20):
            while len(tried) < 2 or min(tried.values()) < 2:  # claims and rescues, again and again
                await asyncio.sleep(0.01)
        assert not running.done()
    await soon(tally.all.wait())
    worker.stop()
    await soon(running)
    await standby.close()


def count_failures(session: Session, failed: Counter[object]) -> None:
    ask = session.alone

    async def alone(*args: Any, **options: Any) -> Any:
        try:
            return await ask(*args, **options)
        except DatabaseReadOnly:
            failed[session] += 1
            raise

    session.alone = alone  # type: ignore[method-assign]


async def test_a_worker_waits_however_long_the_database_does_not_respond(db: Database) -> None:
    worker = Worker(db, Registry({Plain: Tally(1)}), Options(poll_s=0.01))
    await soon(worker._claim_loop._rest(5000))
