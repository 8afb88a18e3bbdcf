"""Promised: whatever is killed, what was committed is done, and done once.

Real worker processes on one database, killed with SIGKILL at random moments and replaced, while
others enqueue. `make storm` is the long form of this.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from tests.faults import harness

KILLS = 50
JOBS = 750  # each of two enqueuers


async def test_fifty_killed_workers_lose_nothing_and_repeat_nothing(
    database_url: str, tmp_path: Path
) -> None:
    draw = random.Random()
    await harness.prepare(database_url)
    with harness.Nursery(tmp_path) as nursery:
        workers = [nursery.worker(database_url) for _ in range(3)]
        enqueuers = [nursery.enqueuer(database_url, jobs=JOBS, per_s=60) for _ in range(2)]
        async with harness.Watcher(database_url) as watcher:
            for _ in range(KILLS):
                await asyncio.sleep(draw.uniform(0.05, 0.5))
                workers.pop(draw.randrange(len(workers))).kill()
                workers.append(nursery.worker(database_url))
            for enqueuer in enqueuers:
                assert await enqueuer.ended(30) == 0
            verdict = await harness.judge(database_url, nursery.notes(), watcher)
        codes = await harness.stop(workers)
    assert verdict.faults() == {}
    assert verdict.jobs >= 2 * JOBS
    assert watcher.most_in_a_domain <= 2
    assert nursery.said("job rescued") > 0  # or nothing was put to the test
    assert codes == [0, 0, 0]
