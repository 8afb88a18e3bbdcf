"""Promised: of one domain never more than two jobs run at once, over all workers."""

from __future__ import annotations

import random
from pathlib import Path

from mindhit.db import Database
from mindhit.work import enqueue_many
from tests.faults import harness, storm_jobs

DOMAINS = [f"site{number}.example" for number in range(20)]
JOBS = 4_000


async def test_three_workers_never_run_more_than_two_jobs_of_a_domain(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    draw = random.Random(20)
    spans = tmp_path / "spans"
    async with db.transaction() as tx:
        await enqueue_many(
            tx, [storm_jobs.Visit(n, draw.choice(DOMAINS), draw.uniform(1, 8)) for n in range(JOBS)]
        )
    with harness.Nursery(tmp_path) as nursery:
        workers = [
            nursery.worker(database_url, spans=spans, concurrency=20, claim_size=20)
            for _ in range(3)
        ]
        async with harness.Watcher(database_url, every_s=0.02) as watcher:
            left, _ = await harness.settle_down(database_url, within_s=90)
        codes = await harness.stop(workers)
    ran, most_by_notes = harness.most_at_once(spans)
    assert left == 0
    assert (ran, most_by_notes) == (JOBS, 2)
    assert watcher.most_in_a_domain == 2
    assert watcher.astray == 0
    assert codes == [0, 0, 0]
