"""What an operator can do with jobs, and what is refused."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from mindhit.db import ConstraintBroken, Database
from mindhit.work import (
    JobBusy,
    JobId,
    JobNotFound,
    State,
    admin,
    cancel,
    discard,
    enqueue,
    list_jobs,
    retry,
    retry_dead,
    show,
    stats,
)
from mindhit.work.admin import by_queue
from mindhit.work.pruning import PruneJobs, prune, prune_jobs
from mindhit.work.settlement import SUCCEEDED, Settlement
from mindhit.work.store import Finished
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Critical,
    Elsewhere,
    Hosted,
    Keyed,
    Low,
    Plain,
    Tally,
    claimer,
    execute,
    job_row,
    put,
    settle,
    soon,
    statuses,
    succeed,
    until_resting,
    working,
)

NOBODY = JobId(987_654)
DEAD = Settlement(State.DEAD, error="no such page")


async def ended(db: Database, job: object, how: Settlement) -> JobId:
    [id_] = await put(db, job)
    await settle(db, await claimer(db, "default", "elsewhere").claim(1), how)
    return id_


async def test_dead_jobs_are_retried_by_kind_and_by_a_text_in_their_error(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin, "RETRY_BATCH", 2)
    plain = [await ended(db, Plain(), DEAD) for _ in range(3)]
    full = Settlement(State.DEAD, error="DiskFullError: No space left")
    disk = [await ended(db, Plain(), full), await ended(db, Critical(), full)]
    other = await ended(db, Critical(), DEAD)
    gone = await ended(db, Plain(), Settlement(State.CANCELED))
    async with db.transaction() as tx:
        assert await retry_dead(tx, kind="test:plain", error="no SPACE") == 1
    assert {id_ for id_, status in (await statuses(db)).items() if status == "queued"} == {disk[0]}
    async with db.transaction() as tx:
        assert await retry_dead(tx, error="no space") == 1
        assert await retry_dead(tx, kind="test:plain") == 3
    assert await statuses(db) == {
        **dict.fromkeys([*plain, *disk], "queued"),
        other: "dead",
        gone: "canceled",
    }
    async with db.transaction() as tx:
        assert await retry_dead(tx) == 1
        assert await retry_dead(tx) == 0
    stored = await job_row(db, plain[0])
    assert (stored["attempts"], stored["finished_at"]) == (0, None)


async def test_of_dead_jobs_with_one_key_the_newest_is_retried_unless_one_is_live(
    db: Database,
) -> None:
    old, new, other = [await ended(db, Keyed(name), DEAD) for name in ("a", "a", "b")]
    [live] = await put(db, Keyed("b"))
    async with db.transaction() as tx:
        assert await retry_dead(tx) == 1
    assert await statuses(db) == {old: "dead", new: "queued", other: "dead", live: "queued"}


async def test_retrying_dead_jobs_wakes_an_idle_worker(db: Database) -> None:
    tally = Tally(1)
    await ended(db, Plain(), DEAD)
    async with working(db, {Plain: tally}, poll_s=FAR_AWAY_S) as worker:
        assert worker.notifier is not None
        await soon(worker.notifier.listening.wait())
        await until_resting(worker)
        async with db.transaction() as tx:
            await retry_dead(tx)
        await soon(tally.all.wait())


async def test_a_dead_job_gets_a_fresh_start_by_hand(db: Database) -> None:
    id_ = await ended(db, Plain(), DEAD)
    async with db.transaction() as tx:
        job = await retry(tx, id_)
    assert (job.status, job.attempts, job.rescues, job.finished_at) == ("queued", 0, 0, None)
    assert job.last_error == "no such page"
    assert [claim.id for claim in await claimer(db).claim(1)] == [id_]


async def test_a_canceled_job_can_be_retried(db: Database) -> None:
    [id_] = await put(db, Plain())
    async with db.transaction() as tx:
        await cancel(tx, id_)
        assert (await retry(tx, id_)).status == "queued"


async def test_only_what_is_dead_or_canceled_can_be_retried(db: Database) -> None:
    done = await ended(db, Plain(), SUCCEEDED)
    [queued] = await put(db, Plain())
    for id_ in (done, queued):
        with pytest.raises(JobBusy, match="only a dead or canceled one"):
            async with db.transaction() as tx:
                await retry(tx, id_)


async def test_a_job_whose_key_lives_again_is_not_retried(db: Database) -> None:
    dead = await ended(db, Keyed("a"), DEAD)
    await put(db, Keyed("a"))
    with pytest.raises(JobBusy, match="same kind and key"):
        async with db.transaction() as tx:
            await retry(tx, dead)


async def test_a_job_whose_key_is_enqueued_at_the_same_moment_is_not_retried(
    db: Database,
) -> None:
    dead = await ended(db, Keyed("a"), DEAD)
    went_in = asyncio.Event()

    async def try_again() -> None:
        async with db.transaction() as tx:
            went_in.set()
            await retry(tx, dead)

    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a"))
        trying = asyncio.create_task(try_again())
        await went_in.wait()
        await until_somebody_waits(db)
    with pytest.raises(JobBusy, match="same kind and key"):
        await soon(trying)


async def until_somebody_waits(db: Database) -> None:
    async with asyncio.timeout(20):
        while not await execute(db, "select pid from pg_locks where not granted"):
            pass


async def test_a_queued_and_a_running_job_can_be_canceled(db: Database) -> None:
    [running] = await put(db, Hosted("a.example"))
    await claimer(db).claim(1)
    [queued] = await put(db, Plain())
    for id_ in (running, queued):
        async with db.transaction() as tx:
            job = await cancel(tx, id_, "not wanted\0 any more")
        assert job.status == "canceled"
        assert job.last_error == "not wanted\N{REPLACEMENT CHARACTER} any more"
        assert job.finished_at is not None
    assert await claimer(db).claim(5) == []


async def test_cancelling_also_takes_back_the_wish_to_run_again(db: Database) -> None:
    [id_] = await put(db, Keyed("a"))
    await claimer(db).claim(1)
    await put(db, Keyed("a"))
    async with db.transaction() as tx:
        job = await cancel(tx, id_)
    assert (job.status, job.again) == ("canceled", False)


async def test_what_has_ended_cannot_be_canceled(db: Database) -> None:
    for how in (SUCCEEDED, DEAD):
        id_ = await ended(db, Plain(), how)
        with pytest.raises(JobBusy, match="only a queued or running one"):
            async with db.transaction() as tx:
                await cancel(tx, id_)


async def test_a_dead_job_can_be_discarded_for_good(db: Database) -> None:
    id_ = await ended(db, Plain(), DEAD)
    async with db.transaction() as tx:
        await discard(tx, id_)
    assert await statuses(db) == {}


async def test_a_live_job_is_not_discarded_and_the_way_out_is_told(db: Database) -> None:
    [id_] = await put(db, Plain())
    with pytest.raises(JobBusy, match="only a dead or canceled one") as refused:
        async with db.transaction() as tx:
            await discard(tx, id_)
    assert refused.value.way_out == "Cancel it first."


@pytest.mark.parametrize("verb", [show, retry, cancel, discard])
async def test_a_job_that_is_not_there_is_not_found(db: Database, verb: object) -> None:
    with pytest.raises(JobNotFound):
        async with db.transaction() as tx:
            await verb(tx, NOBODY)  # type: ignore[operator]


async def test_jobs_are_listed_newest_first_in_pages_and_filtered(db: Database) -> None:
    dead = [await ended(db, job, DEAD) for job in (Plain(), Hosted("a.example"), Elsewhere())]
    queued = await put(db, Plain(), Low())
    async with db.read() as tx:
        everything = [job.id for job in await list_jobs(tx)]
        assert everything == [*queued[::-1], *dead[::-1]]
        assert [job.id for job in await list_jobs(tx, limit=2)] == everything[:2]
        assert [job.id for job in await list_jobs(tx, behind=everything[1])] == everything[2:]
        assert [job.id for job in await list_jobs(tx, status=State.DEAD)] == dead[::-1]
        assert [job.id for job in await list_jobs(tx, status=State.DEAD, kind="test:hosted")] == [
            dead[1]
        ]
        assert [job.id for job in await list_jobs(tx, status=State.DEAD, behind=dead[1])] == [
            dead[0]
        ]
        assert [job.id for job in await list_jobs(tx, queue="elsewhere")] == [dead[2]]
        assert [job.id for job in await list_jobs(tx, status=State.QUEUED, kind="test:low")] == [
            queued[1]
        ]


async def test_stats_count_what_waits_runs_and_died_and_name_failing_domains(
    db: Database,
) -> None:
    for domain in ("a.example", "b.example", "b.example"):
        await ended(db, Hosted(domain), DEAD)
    await ended(db, Plain(), SUCCEEDED)
    await put(db, Critical())
    await claimer(db).claim(1)
    await put(db, Plain())
    await pass_time(db, 90)
    await put(db, Plain(), Hosted("c.example"))
    await put(db, Plain(), after_s=600)
    async with db.read() as tx:
        found = await stats(tx)
    depths = {(each.queue, each.lane): each for each in found.depths}
    default, critical = depths["default", "default"], depths["default", "critical"]
    assert (default.ready, default.waiting, default.running, default.dead) == (3, 1, 0, 3)
    assert default.oldest_ready_s is not None
    assert 90 <= default.oldest_ready_s < 600
    assert (critical.running, critical.oldest_ready_s) == (1, None)
    assert [(each.domain, each.dead) for each in found.failing_domains] == [
        ("b.example", 2),
        ("a.example", 1),
    ]
    assert found.failing_domains[0].last_error == "no such page"


BROKEN_ROWS = {
    "jobs_status": {"status": "'failed'"},
    "jobs_lane": {"lane": "'urgent'"},
    "jobs_attempts": {"attempts": "4"},
    "jobs_names": {"key": "''"},
    "jobs_lease": {"locked_by": "'somebody'"},
    "jobs_finished": {"finished_at": "now()"},
    "jobs_again": {"again": "true"},
}
MORE_BROKEN_ROWS = [
    ("jobs_attempts", {"attempts": "-1"}),
    ("jobs_attempts", {"rescues": "-1"}),
    ("jobs_names", {"queue": "''"}),
    ("jobs_names", {"kind": "''"}),
    ("jobs_names", {"domain": "''"}),
    ("jobs_lease", {"status": "'running'"}),
    (
        "jobs_lease",
        {"status": "'running'", "locked_at": "now()", "locked_by": "'a'", "lease_until": "now()"},
    ),
    ("jobs_finished", {"status": "'succeeded'"}),
    ("jobs_finished", {"status": "'dead'"}),
]


async def test_illegal_rows_cannot_be_stored(db: Database) -> None:
    legal = {"queue": "'q'", "kind": "'k'", "lane": "'low'", "args": "'{}'", "max_attempts": "3"}

    async def plant(row: dict[str, str]) -> None:
        await execute(db, f"insert into jobs ({', '.join(row)}) values ({', '.join(row.values())})")

    await plant(legal)
    for constraint, columns in [*BROKEN_ROWS.items(), *MORE_BROKEN_ROWS]:
        with pytest.raises(ConstraintBroken) as refused:
            await plant(legal | columns)
        assert refused.value.facts["constraint"] == constraint, columns


async def test_every_constraint_of_the_table_has_its_planted_row(db: Database) -> None:
    checks = await execute(
        db,
        """select conname::text from pg_constraint
            where conrelid = 'jobs'::regclass and contype = 'c'""",
    )
    assert set(checks) == set(BROKEN_ROWS)


async def test_two_live_jobs_cannot_share_a_key(db: Database) -> None:
    plant = """insert into jobs (queue, kind, key, lane, args, max_attempts)
               values ('q', 'k', 'same', 'low', '{}', 1)"""
    await execute(db, plant)
    with pytest.raises(ConstraintBroken) as refused:
        await execute(db, plant)
    assert refused.value.facts["constraint"] == "jobs_once"


async def test_pruning_takes_old_successes_and_cancellations_and_leaves_the_rest(
    db: Database,
) -> None:
    await ended(db, Plain(), SUCCEEDED)
    await ended(db, Plain(), Settlement(State.CANCELED))
    dead = await ended(db, Plain(), DEAD)
    [late] = await put(db, Plain())
    [claim] = await claimer(db).claim(1)
    await pass_time(db, 10 * 86_400)
    await succeed(db, [claim])  # made long ago, done just now
    [running] = await put(db, Plain())
    await claimer(db).claim(1)
    fresh = await ended(db, Plain(), SUCCEEDED)
    [queued] = await put(db, Plain())
    await execute(db, "update jobs set created_at = created_at - interval '9 days' where id = $1", queued)  # fmt: skip
    week_ago = datetime.now(UTC) - timedelta(days=7)
    assert await prune(db, week_ago) == 2
    assert await statuses(db) == {
        dead: "dead",
        late: "succeeded",
        running: "running",
        fresh: "succeeded",
        queued: "queued",
    }


async def test_pruning_goes_through_the_whole_table_in_batches(db: Database) -> None:
    await execute(
        db,
        """insert into jobs (queue, kind, lane, args, max_attempts, status, created_at, finished_at)
           select 'q', 'k', 'low', '{}', 1, case when n % 10 = 0 then 'dead' else 'succeeded' end,
                  now() - interval '8 days', now() - interval '8 days'
             from generate_series(1, 1000) n""",
    )
    week_ago = datetime.now(UTC) - timedelta(days=7)
    assert await prune(db, week_ago, batch_size=7) == 900
    assert await prune(db, week_ago, batch_size=7) == 0
    assert set((await statuses(db)).values()) == {"dead"}


async def test_the_engine_prunes_itself_by_its_own_job(db: Database) -> None:
    await ended(db, Plain(), SUCCEEDED)
    await pass_time(db, 3 * 86_400)
    [id_] = await put(db, PruneJobs(older_than_days=2))
    await drain(db, {PruneJobs: prune_jobs})
    assert await statuses(db) == {id_: "succeeded"}
    assert (await job_row(db, id_))["lane"] == "low"


def test_the_last_hour_runs_from_the_oldest_to_the_newest() -> None:
    [queue] = by_queue([Finished("default", 0, 3, 0), Finished("default", 11, 1, 2)])
    assert queue.succeeded == [1, *[0] * 10, 3]
    assert queue.dead == [2, *[0] * 11]
