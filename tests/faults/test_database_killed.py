"""Promised: PostgreSQL itself may be killed at any moment. Nothing committed is lost, nothing is
done twice, and no worker has to be started anew."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from mindhit.db import migrate
from tests.faults import harness

RESTARTS = 3


async def test_workers_outlive_a_database_that_is_killed_and_comes_back(folder: Path) -> None:
    draw = random.Random()
    with harness.own_server(folder / "data") as server, harness.Nursery(folder) as nursery:
        await migrate.migrate(server.url)
        await harness.prepare(server.url)
        workers = [nursery.worker(server.url) for _ in range(3)]
        enqueuer = nursery.enqueuer(server.url, jobs=600, per_s=100)
        async with harness.Watcher(server.url) as watcher:
            for _ in range(RESTARTS):
                await asyncio.sleep(draw.uniform(0.5, 2.5))
                harness.kill_database(server)
                await asyncio.sleep(draw.uniform(0, 1))
                server.restart()
            assert await enqueuer.ended(30) == 0
            hanging = await harness.until_each_works(server.url, workers, within_s=30)
            listening = await harness.listeners(server.url, at_least=len(workers), within_s=20)
            verdict = await harness.judge(server.url, nursery.notes(), watcher)
        codes = await harness.stop(workers)
    assert hanging == []
    assert listening == len(workers)
    assert verdict.faults() == {}
    assert verdict.jobs >= 600
    assert nursery.said("waits for the database") > 0  # or nothing was put to the test
    assert codes == [0, 0, 0]


async def test_a_worker_told_to_stop_ends_although_the_database_does_not_respond(
    folder: Path,
) -> None:
    with harness.own_server(folder / "data") as server, harness.Nursery(folder) as nursery:
        await migrate.migrate(server.url)
        await harness.prepare(server.url)
        worker = nursery.worker(server.url, lease_s=3.0, grace_s=2.0)
        enqueuer = nursery.enqueuer(server.url, jobs=100, per_s=1000)
        assert await enqueuer.ended(30) == 0
        harness.kill_database(server)
        codes = await harness.stop([worker], within_s=30)
        server.restart()
    assert codes == [0]
