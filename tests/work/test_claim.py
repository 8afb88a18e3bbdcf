"""The claim takes exactly what it may, in order, and shares lanes over time."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from mindhit.db import Database, Write
from mindhit.work.claiming.claimer import Claimer
from mindhit.work.testing import pass_time
from tests.work.kit import (
    Critical,
    Elsewhere,
    Hosted,
    HostedKeyed,
    HostedLow,
    Low,
    Plain,
    args_of,
    claimer,
    execute,
    job_row,
    put,
    statuses,
    succeed,
)

FILL = """
insert into jobs (queue, kind, lane, domain, args, max_attempts)
select $1, $2, $3, case when $4 then 'd' || n end, '{}', 3 from generate_series(1, $5::int) n"""


async def fill(
    db: Database, lane: str, n: int = 400, *, queue: str = "default", hosted: bool = False
) -> None:
    """Many jobs of one lane; hosted ones each on a domain of its own."""
    await execute(db, FILL, queue, f"test:{lane}", lane, hosted, n)


@pytest.mark.parametrize("by_domain", [True, False])
async def test_a_claim_takes_exactly_as_many_as_it_asks_for(db: Database, by_domain: bool) -> None:
    for lane in ("critical", "default", "low"):
        await fill(db, lane, 30)
    take = claimer(db, by_domain=by_domain).claim
    sizes = [len(await take(n)) for n in (1, 2, 7, 30, 60)]
    assert sizes == [1, 2, 7, 30, 50]
    assert await take(10) == []
    assert set((await statuses(db)).values()) == {"running"}


@pytest.mark.parametrize("by_domain", [True, False])
async def test_jobs_are_claimed_and_handed_out_oldest_first(db: Database, by_domain: bool) -> None:
    ids = await put(db, *(Plain(n) for n in range(6)))
    for age_s, id_ in enumerate([ids[4], ids[1], ids[5]], start=1):
        await execute(
            db, "update jobs set run_after = now() - make_interval(secs => $2) where id = $1",
            id_, float(age_s),
        )  # fmt: skip
    expected = [ids[5], ids[1], ids[4], ids[0], ids[2], ids[3]]
    take = claimer(db, by_domain=by_domain).claim
    taken = [[job.id for job in await take(n)] for n in (2, 1, 3)]
    assert taken == [expected[:2], expected[2:3], expected[3:]]


async def test_a_claim_sets_the_whole_lease_and_counts_an_attempt(db: Database) -> None:
    [id_] = await put(db, Plain(5))
    [claim] = await claimer(db, name="worker-7").claim(5)
    stored = await job_row(db, id_)
    assert (claim.id, claim.attempts, claim.max_attempts) == (id_, 1, 3)
    assert args_of(claim) == {"n": 5}
    assert stored["status"] == "running"
    assert stored["lease_id"] == str(claim.lease_id)
    assert stored["locked_by"] == "worker-7"
    assert stored["locked_at"] < stored["lease_until"]


async def test_every_claim_has_a_lease_of_its_own(db: Database) -> None:
    await put(db, Plain(), Plain())
    take = claimer(db).claim
    assert (await take(1))[0].lease_id != (await take(1))[0].lease_id


async def test_a_job_of_the_future_is_not_taken_before_its_time(db: Database) -> None:
    await put(db, Plain(), Hosted("a.example"), after_s=60)
    take = claimer(db).claim
    assert await take(5) == []
    await pass_time(db, 59)
    assert await take(5) == []
    await pass_time(db, 1)
    assert len(await take(5)) == 2


async def test_a_worker_takes_only_from_the_queues_it_serves(db: Database) -> None:
    [here, there] = await put(db, Plain(), Elsewhere())
    assert [job.id for job in await claimer(db).claim(5)] == [here]
    assert await claimer(db, "unheard-of").claim(5) == []
    assert [job.id for job in await claimer(db, "elsewhere").claim(5)] == [there]


async def test_a_worker_without_domains_looks_among_them_only_now_and_then(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = claimer(db, by_domain=False)
    assert await take.claim(5) == []
    [id_] = await put(db, Hosted("a.example"))
    assert await take.claim(5) == []
    monkeypatch.setattr("mindhit.work.claiming.claimer.FORMER_WALK_EVERY_S", 0)
    assert [job.id for job in await take.claim(5)] == [id_]


async def test_only_kinds_that_the_worker_knows_are_claimed(db: Database) -> None:
    ids = await put(db, Critical(), Plain(), Hosted("a.example"), HostedKeyed("k", "a.example"))
    old = claimer(db, kinds=["test:plain", "test:hosted-key"])
    assert {job.id for job in await old.claim(10)} == {ids[1], ids[3]}
    assert await old.claim(10) == []
    left = [await job_row(db, id_) for id_ in (ids[0], ids[2])]
    assert [(each["status"], each["last_error"]) for each in left] == [("queued", None)] * 2
    assert {job.id for job in await claimer(db).claim(10)} == {ids[0], ids[2]}


async def test_a_domain_full_of_unknown_kinds_hides_no_known_one_behind_it(db: Database) -> None:
    [*_, known] = await put(db, *[Hosted("a.example")] * 5, HostedKeyed("k", "a.example"))
    old = claimer(db, kinds=["test:hosted-key"])
    assert [job.id for job in await old.claim(1)] == [known]


async def test_a_worker_without_domains_goes_on_while_it_finds_kinds_it_knows_among_them(
    db: Database,
) -> None:
    """A kind may have had a domain when its jobs were enqueued, and none any more."""
    ids = await put(db, *(Hosted(f"{n}.example") for n in range(5)))
    take = claimer(db, by_domain=False)
    found = [job.id for _ in ids for job in await take.claim(1)]
    assert sorted(found) == ids
    assert await take.claim(1) == []
    await put(db, Hosted("late.example"))
    assert await take.claim(1) == []  # there were none: from now on only now and then


async def test_what_another_transaction_has_locked_is_left_to_it(db: Database) -> None:
    [locked, free] = await put(db, Plain(), Plain())
    async with db.transaction() as tx:
        await tx.run(Write(int, "select id from jobs where id = $1 for update"), locked)
        assert [job.id for job in await claimer(db).claim(5)] == [free]


async def test_concurrent_claimers_never_take_the_same_job(db: Database) -> None:
    await fill(db, "default", 300)
    await fill(db, "low", 300, hosted=True)

    async def take_all(take: Claimer) -> list[int]:
        taken: list[int] = []
        while some := await take.claim(7):
            taken += [job.id for job in some]
        return taken

    several = await asyncio.gather(*(take_all(claimer(db, name=f"w{n}")) for n in range(6)))
    taken = [id_ for each in several for id_ in each]
    assert len(taken) == len(set(taken))
    # Rows that a neighbour had locked without choosing them may be left; nobody loses them.
    taken += await take_all(claimer(db))
    assert len(set(taken)) == 600


async def shares(db: Database, take: Claimer, sizes: list[int]) -> Counter[str]:
    given: Counter[str] = Counter()
    for n in sizes:
        claims = await take.claim(n)
        given.update(job.lane for job in claims)
        await succeed(db, claims)
    return given


@pytest.mark.parametrize("sizes", [[1] * 100, [10] * 10, [100], [1, 9, 40, 3, 47]])
async def test_lanes_share_real_claims_six_to_three_to_one(db: Database, sizes: list[int]) -> None:
    for lane in ("critical", "default", "low"):
        await fill(db, lane)
    given = await shares(db, claimer(db), sizes)
    assert given == Counter(critical=60, default=30, low=10)


@pytest.mark.parametrize("size", [1, 10, 50])
async def test_lanes_share_alike_when_one_of_them_has_only_jobs_with_domains(
    db: Database, size: int
) -> None:
    await fill(db, "critical")
    await fill(db, "default")
    await fill(db, "low", hosted=True)
    given = await shares(db, claimer(db), [size] * (200 // size))
    assert abs(given["critical"] - 120) <= 2
    assert abs(given["default"] - 60) <= 2
    assert abs(given["low"] - 20) <= 2


@pytest.mark.parametrize("size", [1, 10, 100])
async def test_lanes_share_alike_when_one_of_them_has_work_in_several_queues(
    db: Database, size: int
) -> None:
    await fill(db, "critical", queue="one")
    await fill(db, "critical", queue="two")
    await fill(db, "low", queue="two")
    given = await shares(db, claimer(db, "one", "two"), [size] * (300 // size))
    assert abs(given["critical"] / given["low"] - 6) < 0.7


async def test_a_small_lane_is_served_while_others_are_endless(db: Database) -> None:
    await fill(db, "critical", 3000)
    await fill(db, "default", 3000, hosted=True)
    [low, hosted_low] = await put(db, Low(), HostedLow("z.example"))
    take = claimer(db)
    waiting = {low, hosted_low}
    for _ in range(50):
        waiting -= {job.id for job in await take.claim(1)}
    assert not waiting


async def test_a_burst_after_a_trickle_does_not_push_the_others_aside(db: Database) -> None:
    await fill(db, "default", 2500)
    take = claimer(db)
    for _ in range(20):
        await put(db, Critical())
        assert len(await take.claim(100)) == 100
    await fill(db, "critical", 500)
    given = Counter(job.lane for job in await take.claim(90))
    assert abs(given["critical"] - 60) <= 6
    assert abs(given["default"] - 30) <= 6
