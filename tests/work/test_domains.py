"""At most k jobs of a domain at once over all workers, and no domain hides another."""

from __future__ import annotations

import asyncio
from collections import Counter
from uuid import uuid4

import asyncpg
import pytest

from mindhit.db import Database
from mindhit.work import cancel, erase
from mindhit.work.claiming.claimer import SHORT_WALK
from mindhit.work.model import Claimed, State
from mindhit.work.settlement import HANDED_BACK, Settlement
from mindhit.work.testing import pass_time
from tests.work.kit import (
    Critical,
    Hosted,
    HostedKeyed,
    HostedLow,
    claimer,
    execute,
    put,
    rescue,
    rows,
    settle,
    slots,
    soon,
    statuses,
    succeed,
)


async def held(db: Database) -> Counter[str]:
    return Counter(domain for domain, _ in await slots(db))


async def test_no_more_than_the_limit_of_a_domain_is_taken(db: Database) -> None:
    await put(db, *(Hosted("a.example", n) for n in range(9)), Hosted("b.example"))
    take = claimer(db, domain_limit=3)
    taken = Counter(job.domain for job in await take.claim(10))
    assert taken == {"a.example": 3, "b.example": 1}
    assert await take.claim(10) == []
    assert await held(db) == taken


async def test_the_oldest_jobs_of_a_domain_come_first(db: Database) -> None:
    ids = await put(db, *(Hosted("a.example", n) for n in range(5)))
    take = claimer(db)
    seen = []
    for _ in range(3):
        claims = await take.claim(10)
        seen += [job.id for job in claims]
        await succeed(db, claims)
    assert seen == ids


@pytest.mark.parametrize(
    "how",
    [
        Settlement(State.SUCCEEDED),
        Settlement(State.QUEUED, 60, "later"),
        Settlement(State.DEAD, error="no"),
        Settlement(State.CANCELED),
        HANDED_BACK,
    ],
)
async def test_a_slot_exists_exactly_as_long_as_its_job_runs(db: Database, how: Settlement) -> None:
    await put(db, Hosted("a.example"), Hosted("a.example"), Hosted("b.example"))
    assert await slots(db) == []
    claims = await claimer(db).claim(10)
    assert sorted(await slots(db)) == sorted((job.domain, job.id) for job in claims)
    first, *others = claims
    await settle(db, [first], how)
    assert sorted(await slots(db)) == sorted((job.domain, job.id) for job in others)


async def test_a_job_that_moves_frees_its_slot_and_waits_for_one_of_its_new_domain(
    db: Database,
) -> None:
    [moving, *_] = await put(db, Hosted("a.example"), *[Hosted("b.example")] * 2)
    claims = {claim.id: claim for claim in await claimer(db).claim(10)}
    moved = Settlement(State.QUEUED, 0, "moved", refund=True, domain="b.example")
    assert await settle(db, [claims.pop(moving)], moved) == {moving}
    assert await held(db) == {"b.example": 2}
    assert await claimer(db).claim(10) == []
    await succeed(db, list(claims.values()))
    [claim] = await claimer(db).claim(10)
    assert (claim.id, claim.domain, claim.attempts) == (moving, "b.example", 1)
    assert await held(db) == {"b.example": 1}


async def test_a_job_without_a_domain_can_move_into_one(db: Database) -> None:
    [id_] = await put(db, Critical())
    moved = Settlement(State.QUEUED, 0, "moved", refund=True, domain="b.example")
    await settle(db, await claimer(db).claim(1), moved)
    [claim] = await claimer(db).claim(10)
    assert (claim.id, claim.domain) == (id_, "b.example")
    assert await slots(db) == [("b.example", id_)]


async def test_a_job_that_moves_but_was_enqueued_again_has_the_domain_it_was_enqueued_with(
    db: Database,
) -> None:
    await put(db, HostedKeyed("k", "a.example"))
    claims = await claimer(db).claim(1)
    await put(db, HostedKeyed("k", "c.example"))
    moved = Settlement(State.QUEUED, 0, "moved", refund=True, domain="b.example")
    await settle(db, claims, moved)
    [claim] = await claimer(db).claim(10)
    assert claim.domain == "c.example"
    assert await held(db) == {"c.example": 1}


async def test_a_zombie_frees_no_slot(db: Database) -> None:
    await put(db, Hosted("a.example"))
    stale = await claimer(db).claim(1)
    await pass_time(db, 31)
    await rescue(db)
    [fresh] = await claimer(db).claim(1)
    assert await succeed(db, stale) == set()
    assert await slots(db) == [("a.example", fresh.id)]


async def test_many_claimers_at_once_keep_the_limit_and_leave_nothing(db: Database) -> None:
    await put(db, *(Hosted(f"d{n % 12}.example", n) for n in range(240)))
    running: Counter[str] = Counter()
    most: Counter[str] = Counter()
    done: list[int] = []

    async def work(n: int) -> None:
        take = claimer(db, name=f"w{n}")
        while len(done) < 240:
            claims = await take.claim(5)
            running.update(job.domain for job in claims if job.domain)
            for domain, now in running.items():
                most[domain] = max(most[domain], now)
            await asyncio.sleep(0)
            # Counted out before the slot is free: nobody else can be counted in earlier.
            running.subtract(job.domain for job in claims if job.domain)
            while claims:  # a neighbour's claim may have a row locked for a moment
                settled = await succeed(db, claims)
                done.extend(settled)
                claims = [job for job in claims if job.id not in settled]

    await soon(asyncio.gather(*(work(n) for n in range(8))))
    assert len(done) == len(set(done)) == 240
    assert max(most.values()) <= 2
    assert await slots(db) == []


async def test_the_walk_goes_around_and_reaches_every_domain(db: Database) -> None:
    domains = [f"{letter}.example" for letter in "abcdefgh"]
    await put(db, *(Hosted(domain, n) for n in range(4) for domain in domains))
    take = claimer(db)
    for _ in range(4):  # one lap each: nobody is served twice before everyone was served once
        lap: list[Claimed] = []
        for _ in domains:
            claims = await take.claim(1)
            await succeed(db, claims)
            lap += claims
        assert sorted(job.domain or "" for job in lap) == domains


async def test_a_lane_keeps_its_last_domain_while_other_lanes_are_served(db: Database) -> None:
    domains = [f"{letter}.example" for letter in "abcde"]
    await put(db, *(HostedLow(domain) for domain in domains for _ in range(50)))
    await put(db, *(Critical(n) for n in range(200)))
    take = claimer(db)
    seen: Counter[str | None] = Counter()
    for _ in range(150):
        claims = await take.claim(1)
        await succeed(db, claims)
        seen.update(job.domain for job in claims if job.domain)
    assert set(seen) == set(domains)
    assert max(seen.values()) - min(seen.values()) <= 1


async def test_blocked_domains_in_front_do_not_hide_the_others(db: Database) -> None:
    await put(db, *(Hosted("a.example", n) for n in range(300)))
    take = claimer(db)
    assert len(await take.claim(10)) == 2
    [last] = await put(db, Hosted("z.example"))
    assert [job.id for job in await take.claim(10)] == [last]


BLOCK = """
with blocked as (
  insert into jobs (queue, kind, lane, domain, args, max_attempts)
  select 'default', 'test:hosted', 'default', 'blocked' || lpad(n::text, 6, '0'), '{}', 3
    from generate_series(1, $1::int) n, generate_series(1, 2) twice returning id, domain)
insert into job_slots (domain, slot, job_id)
select domain, slot, min(id) from blocked, generate_series(1, 2) slot group by domain, slot"""


async def test_more_blocked_domains_than_a_short_walk_hide_nobody(db: Database) -> None:
    await execute(db, BLOCK, SHORT_WALK + 100)
    take = claimer(db)
    assert await take.claim(10) == []
    [last] = await put(db, Hosted("z.example"))
    assert [job.id for job in await take.claim(10)] == [last]


async def test_hidden_domains_are_found_while_another_lane_fills_every_claim(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindhit.work.claiming.claimer.LONG_WALK_EVERY_S", 0.05)
    await execute(db, BLOCK, SHORT_WALK + 100)
    take = claimer(db)
    assert await take.claim(10) == []  # it has just looked far, and found nothing
    [last] = await put(db, Hosted("z.example"))
    found: set[int] = set()
    async with asyncio.timeout(20):
        while last not in found:
            await put(db, Critical(), Critical())
            found |= {job.id for job in await take.claim(1)}


async def test_jobs_that_wait_for_their_time_do_not_hide_their_domains_others(
    db: Database,
) -> None:
    await put(db, *(Hosted("a.example") for _ in range(5)), after_s=60)
    [due] = await put(db, Hosted("a.example"))
    assert [job.id for job in await claimer(db).claim(10)] == [due]


async def test_two_lanes_share_one_domain_within_its_limit(db: Database) -> None:
    await put(db, *(Hosted("a.example", n) for n in range(5)))
    await put(db, *(HostedLow("a.example") for _ in range(5)))
    claims = await claimer(db).claim(10)
    assert len(claims) == 2
    assert await held(db) == {"a.example": 2}
    running = await rows(db, "select id from jobs where status = 'running'")
    assert {each["id"] for each in running} == {job.id for job in claims}


@pytest.mark.parametrize("is_erased", [False, True], ids=["canceled", "erased"])
async def test_a_job_canceled_or_erased_while_it_is_claimed_keeps_its_slot_for_one_lease(
    db: Database, database_url: str, is_erased: bool
) -> None:
    """The cancel waits for the row, and its snapshot is older than the claim."""
    [id_] = await put(db, Hosted("a.example", 1))
    other = await asyncpg.connect(database_url)
    try:
        begun = other.transaction()
        await begun.start()
        await other.execute("select from jobs where id = $1 for update", id_)
        await other.execute(
            "update jobs set status = 'running', attempts = 1, locked_at = now(), locked_by = 'x',"
            " lease_id = gen_random_uuid(), lease_until = now() + interval '30 s' where id = $1",
            id_,
        )
        await other.execute("insert into job_slots values ('a.example', 1, $1)", id_)

        async def take_away() -> None:
            async with db.transaction() as tx:
                if is_erased:
                    await erase(tx, uuid4(), "a.example")  # one of its arguments
                else:
                    await cancel(tx, id_)

        canceling = asyncio.ensure_future(take_away())
        await asyncio.sleep(0.3)
        await begun.commit()
        await soon(canceling)
    finally:
        await other.close()
    assert await statuses(db) == ({} if is_erased else {id_: "canceled"})
    await rescue(db)
    assert await slots(db) == [("a.example", id_)]
    await pass_time(db, 31)
    await rescue(db)
    assert await slots(db) == []


async def test_a_slot_that_was_left_behind_is_freed_by_the_next_rescue(db: Database) -> None:
    [first, second] = await put(db, Hosted("a.example", 1), Hosted("b.example", 2))
    [claim] = await claimer(db).claim(1)
    await execute(db, "insert into job_slots values ('left.example', 1, 999999)")
    await rescue(db)
    assert await slots(db) == [(claim.domain, claim.id)]
    assert {first, second} >= {claim.id}


async def test_domains_that_only_wait_are_passed_without_being_counted(db: Database) -> None:
    waiting = [Hosted(f"a{n:04}.example") for n in range(2 * SHORT_WALK)]
    await put(db, *waiting, after_s=3_600)
    [due] = await put(db, Hosted("z.example"))
    take = claimer(db)
    for behind in ("", "a0900.example", "z.example"):  # after the last domain, and wrapped around
        walked = take._last_domain
        take._last_domain = dict.fromkeys(walked, behind)
        claims = await take._walk(10, 2)
        assert [job.id for job in claims] == [due]
        await settle(db, claims, HANDED_BACK)
