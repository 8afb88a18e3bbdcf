"""The judge of the storms is itself on trial: every fault that is planted has to be seen."""

from __future__ import annotations

from pathlib import Path

from mindhit.db import Database, Nothing, Write
from mindhit.work import enqueue
from tests.faults import harness, storm_jobs


async def test_planted_faults_are_seen(db: Database, database_url: str) -> None:
    await harness.prepare(database_url)
    once, twice, lost, rolled_back, repeated = range(1, 6)
    notes = harness.Notes(
        made=frozenset({once, twice, lost, repeated}),
        void=frozenset({rolled_back}),
        facts={7: 2, 8: 1},
    )
    async with db.transaction() as tx:
        for token in (once, twice, twice, rolled_back):
            await tx.run(storm_jobs.TOOK_EFFECT, token, "effect", 0)
        for _ in range(2):
            await tx.run(storm_jobs.TOOK_EFFECT, repeated, "outside", 0)
        await tx.run(storm_jobs.SEE, 7, 1)  # its last version is 2
        await tx.run(storm_jobs.SEE, 8, 1)
        left = await enqueue(tx, storm_jobs.Effect(9))
        await tx.run(
            Write(Nothing, "insert into job_slots (domain, slot, job_id) values ('a', 1, $1)"), left
        )
    async with harness.Watcher(database_url, every_s=0.01) as watcher:
        verdict = await harness.judge(database_url, notes, watcher, within_s=0.5)
    found = verdict.faults()
    assert found.pop("astray") > 0
    assert found == {
        "lost": [lost],
        "twice": [twice],
        "ghosts": [rolled_back],
        "stale_facts": [7],
        "unfinished": 1,
        "slots_left": 1,
    }
    assert verdict.repeated_outside == 1


async def test_a_job_past_its_lease_is_stuck(db: Database, database_url: str) -> None:
    await harness.prepare(database_url)
    async with db.transaction() as tx:
        job_id = await enqueue(tx, storm_jobs.Effect(1))
        await tx.run(
            Write(
                Nothing,
                """
update jobs set status = 'running', attempts = 1, locked_at = now(), locked_by = 'nobody',
       lease_id = gen_random_uuid(), lease_until = now() - interval '31 s'
 where id = $1""",
            ),
            job_id,
        )
    async with harness.Watcher(database_url, every_s=0.01) as watcher:
        await harness.settle_down(database_url, within_s=0.5)
    assert watcher.stuck == {job_id}


def test_overlaps_are_counted_by_domain(tmp_path: Path) -> None:
    spans = tmp_path / "spans"
    spans.write_text("a 1.0 3.0\nb 1.0 9.0\na 2.0 4.0\na 2.5 2.6\na 3.5 5.0\n", "ascii")
    assert harness.most_at_once(spans) == (5, 3)
