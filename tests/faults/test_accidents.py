"""Accidents of the database kill no job: each for some seconds here, for minutes in `make storm`."""

from __future__ import annotations

from pathlib import Path

from mindhit.db import migrate
from tests.faults import accidents, harness

SECONDS = 3.0
# Those whose time limits are the product's own take their time: they are left to `make storm`.
SHORT = [name for name in accidents.ACCIDENTS if name not in accidents.OPTIONS]


async def test_no_job_dies_is_lost_or_runs_twice_of_any_accident(folder: Path) -> None:
    with harness.own_server(folder / "data") as server, harness.Nursery(folder) as nursery:
        await migrate.migrate(server.url)
        await harness.prepare(server.url)
        workers = [nursery.worker(server.url) for _ in range(3)]
        enqueuer = nursery.enqueuer(server.url, jobs=10**6, per_s=60)
        scene = accidents.Scene(server.url, server, workers)
        async with harness.Watcher(server.url) as watcher:
            await harness.until_each_works(server.url, workers, within_s=30)
            for name in SHORT:
                await accidents.ACCIDENTS[name](scene, SECONDS)
            await harness.stop([enqueuer])
            verdict = await harness.judge(server.url, nursery.notes(), watcher)
        codes = await harness.stop(workers)
    assert verdict.faults() == {}
    assert watcher.dead == set()
    assert verdict.jobs > 0
    assert codes == [0, 0, 0]


async def test_old_and_new_workers_work_together(folder: Path) -> None:
    with harness.own_server(folder / "data") as server, harness.Nursery(folder) as nursery:
        await migrate.migrate(server.url)
        await harness.prepare(server.url)
        async with harness.Watcher(server.url) as watcher:
            p90_s, workers = await accidents.run_releases_together(server.url, nursery, SECONDS)
            left = await harness.ask(server.url, harness.LIVE)
        await harness.stop(workers)
    assert (watcher.dead, left) == (set(), 0)
    assert p90_s < harness.STUCK_S  # how fast is a figure of `make storm`
