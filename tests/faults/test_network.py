"""Promised: the network between worker and database may be cut, slow, or a black hole. Nothing is
lost or done twice, and when it is back every worker is at work again, by itself.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from mindhit.db import Database, Query
from mindhit.work import enqueue, show
from tests.faults import harness, storm_jobs
from tests.faults.proxy import Proxy, bad_network

EFFECTS = Query(int, "select pid from effects where token = $1")
# Beyond the 10 s after which the engine's statements give up.
RECOVERY_S = 45


async def cut(proxy: Proxy) -> None:
    for _ in range(5):
        await proxy.cut(random.uniform(0, 0.8))
        await asyncio.sleep(random.uniform(0, 0.8))


async def stall(proxy: Proxy) -> None:
    await proxy.stall(5)  # past every lease: what arrives then comes from zombies


async def slow(proxy: Proxy) -> None:
    await proxy.delay(0.1, for_s=4)


async def hole(proxy: Proxy) -> None:
    await proxy.swallow(4)


@pytest.mark.parametrize("fault", [cut, stall, slow, hole], ids=lambda fault: fault.__name__)
async def test_a_bad_network_loses_nothing_and_leaves_no_worker_hanging(
    fault: Callable[[Proxy], Awaitable[None]], database_url: str, tmp_path: Path
) -> None:
    await harness.prepare(database_url)
    async with bad_network(database_url) as proxy:
        with harness.Nursery(tmp_path, statement_s=5) as nursery:
            workers = [nursery.worker(proxy.url) for _ in range(2)]
            enqueuers = [
                nursery.enqueuer(url, jobs=250, per_s=100) for url in (database_url, proxy.url)
            ]
            async with harness.Watcher(database_url) as watcher:
                await asyncio.sleep(1)
                await fault(proxy)
                hanging = await harness.until_each_works(database_url, workers, within_s=RECOVERY_S)
                for enqueuer in enqueuers:
                    assert await enqueuer.ended(RECOVERY_S) == 0
                verdict = await harness.judge(database_url, nursery.notes(), watcher)
            codes = await harness.stop(workers)
    assert hanging == []
    assert verdict.faults() == {}
    assert codes == [0, 0]


async def test_a_worker_told_to_stop_in_a_black_hole_ends(
    database_url: str, tmp_path: Path
) -> None:
    await harness.prepare(database_url)
    async with bad_network(database_url) as proxy:
        with harness.Nursery(tmp_path) as nursery:
            worker = nursery.worker(proxy.url, grace_s=2.0)
            enqueuer = nursery.enqueuer(database_url, jobs=200, per_s=2000)
            assert await enqueuer.ended(30) == 0
            while not await harness.ask(database_url, "select count(*) from effects"):
                await asyncio.sleep(0.05)
            hole = asyncio.create_task(proxy.swallow(120))
            await asyncio.sleep(0.2)
            codes = await harness.stop([worker], within_s=100)
            hole.cancel()
    assert codes == [0]


async def run_beside_a_trap(proxy: Proxy, nursery: harness.Nursery, url: str) -> list[int]:
    """The victim has fallen into the trap; who had the effect of its job in the end?"""
    async with asyncio.timeout(20):
        await proxy.trapped.wait()
    nursery.worker(url)
    left, _ = await harness.settle_down(url, within_s=30)
    assert left == 0, "the job is stuck"
    db = await Database.open(url, size=1)
    async with db.read() as tx:
        effects = await tx.all(EFFECTS, 1)
    await db.close()
    return effects


async def test_a_commit_that_never_arrives_frees_its_job_for_others(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    """The worst moment: the job's row is locked by a transaction whose client will never speak
    again. Nobody may wait for such a lock for longer than the server lets it idle."""
    await harness.prepare(database_url)
    async with bad_network(database_url) as proxy:
        with harness.Nursery(tmp_path, statement_s=5, idle_transaction_s=2) as nursery:
            proxy.trap(b"COMMIT;", arrive=False)
            nursery.worker(proxy.url)
            async with db.transaction() as tx:
                await enqueue(tx, storm_jobs.Effect(1))
            assert len(await run_beside_a_trap(proxy, nursery, database_url)) == 1


async def test_a_commit_whose_answer_never_arrives_is_not_repeated(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    await harness.prepare(database_url)
    async with bad_network(database_url) as proxy:
        with harness.Nursery(tmp_path, statement_s=5) as nursery:
            proxy.trap(b"COMMIT;", arrive=True)
            victim = nursery.worker(proxy.url)
            async with db.transaction() as tx:
                await enqueue(tx, storm_jobs.Effect(1))
            assert await run_beside_a_trap(proxy, nursery, database_url) == [victim.pid]


async def test_a_claim_whose_answer_never_arrives_is_taken_back(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    await harness.prepare(database_url)
    async with db.transaction() as tx:
        job_id = await enqueue(tx, storm_jobs.Effect(1))
    async with bad_network(database_url) as proxy:
        with harness.Nursery(tmp_path) as nursery:
            victim = nursery.worker(proxy.url)
            # Of all that a worker sends, only claims contain its name.
            proxy.trap(f":{victim.pid}:".encode(), arrive=True)
            effects = await run_beside_a_trap(proxy, nursery, database_url)
    async with db.read() as tx:
        job = await show(tx, job_id)
    assert len(effects) == 1
    assert victim.pid not in effects
    assert job.rescues == 1
