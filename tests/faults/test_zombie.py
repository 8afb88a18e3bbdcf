"""Promised: a worker that was frozen past its lease and wakes again settles nothing and renews
nothing; the work of whoever took over stands."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from mindhit.db import Database, Query
from mindhit.work import JobId, enqueue, show
from tests.faults import harness, storm_jobs

STATUS = Query(str, "select status from jobs where id = $1")
RESCUES = Query(int, "select rescues from jobs where id = $1 and status = 'running'")
EFFECTS = Query(int, "select pid from effects where token = $1")
LEASE_S = 1.5


async def until(db: Database, query: Query[Any], *values: object, equals: object) -> None:
    async with asyncio.timeout(30):
        while True:
            async with db.read() as tx:
                if await tx.maybe(query, *values) == equals:
                    return
            await asyncio.sleep(0.02)


async def freeze_amid(
    db: Database, nursery: harness.Nursery, url: str, *jobs: object
) -> tuple[harness.Child, list[JobId]]:
    """A worker that holds these jobs and does not move any more."""
    zombie = nursery.worker(url, lease_s=LEASE_S)
    async with db.transaction() as tx:
        ids = [await enqueue(tx, each) for each in jobs]
    for job_id in ids:
        await until(db, STATUS, job_id, equals="running")
    await asyncio.sleep(0.3)  # so that handlers are in the middle of what they do
    zombie.freeze()
    return zombie, ids


async def test_a_thawed_worker_settles_nothing(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    await harness.prepare(database_url)
    inside, before = storm_jobs.Effect(1, inside_ms=2_500), storm_jobs.Effect(2, before_ms=2_500)
    later = storm_jobs.Outside(3, before_ms=2_500)
    with harness.Nursery(tmp_path) as nursery:
        zombie, ids = await freeze_amid(db, nursery, database_url, inside, before, later)
        heir = nursery.worker(database_url, lease_s=30.0)
        for job_id in ids:
            await until(db, STATUS, job_id, equals="succeeded")
        zombie.thaw()
        assert await harness.until_each_works(database_url, [zombie], within_s=30) == []
        async with db.read() as tx:
            assert await tx.all(EFFECTS, 1) == [heir.pid]
            assert await tx.all(EFFECTS, 2) == [heir.pid]
            assert heir.pid in await tx.all(EFFECTS, 3)  # at least once is what it is promised
            jobs = [await show(tx, job_id) for job_id in ids]
    assert [(job.status, job.rescues) for job in jobs] == [("succeeded", 1)] * 3
    assert nursery.said("lease lost") > 0


async def test_a_thawed_worker_leaves_the_lease_of_its_heir_alone(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    await harness.prepare(database_url)
    with harness.Nursery(tmp_path) as nursery:
        zombie, [job_id] = await freeze_amid(
            db, nursery, database_url, storm_jobs.Effect(1, before_ms=9_000)
        )
        heir = nursery.worker(database_url, lease_s=60.0)
        await until(db, RESCUES, job_id, equals=1)
        async with db.read() as tx:
            taken = await show(tx, job_id)
        zombie.thaw()
        assert await harness.until_each_works(database_url, [zombie], within_s=30) == []
        async with db.read() as tx:
            kept = await show(tx, job_id)
        assert nursery.said("lease lost") == 1
        # Had the zombie renewed, with its own shorter lease, this would have changed.
        assert (kept.status, kept.locked_by, kept.lease_until) == (
            "running",
            taken.locked_by,
            taken.lease_until,
        )
        await until(db, STATUS, job_id, equals="succeeded")
        async with db.read() as tx:
            assert await tx.all(EFFECTS, 1) == [heir.pid]
