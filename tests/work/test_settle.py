"""Settling, renewing and rescuing: only the lease counts, and nobody waits for a lock."""

from __future__ import annotations

import asyncio
import random
import uuid
from dataclasses import replace
from time import monotonic

import pytest

from mindhit.db import Database
from mindhit.work import cancel, enqueue, store
from mindhit.work.leases.rescuer import MAX_RESCUES, SPREAD_S
from mindhit.work.model import State
from mindhit.work.running.completer import Completer
from mindhit.work.running.held_claims import HeldClaims
from mindhit.work.settlement import HANDED_BACK, SUCCEEDED, Ended, Settlement
from mindhit.work.signals import Signals
from mindhit.work.testing import pass_time
from tests.work.kit import (
    Hosted,
    HostedKeyed,
    Keyed,
    Plain,
    claimer,
    execute,
    job_row,
    put,
    renew,
    rescue,
    rows,
    settle,
    slots,
    soon,
    statuses,
    succeed,
)

ENDS = [
    SUCCEEDED,
    HANDED_BACK,
    Settlement(State.QUEUED, 60, "flaky"),
    Settlement(State.DEAD, error="no"),
    Settlement(State.CANCELED),
]


@pytest.mark.parametrize("how", ENDS)
async def test_a_settlement_ends_the_claim_and_its_lease(db: Database, how: Settlement) -> None:
    [id_] = await put(db, Plain())
    claims = await claimer(db).claim(1)
    assert await settle(db, claims, how) == {id_}
    stored = await job_row(db, id_)
    assert stored["status"] == how.status
    assert stored["attempts"] == (0 if how.refund else 1)
    assert stored["last_error"] == how.error
    assert (stored["finished_at"] is not None) == (how.status is not State.QUEUED)
    assert {stored[each] for each in ("locked_at", "locked_by", "lease_id", "lease_until")} == {
        None
    }
    assert await settle(db, claims, how) == set()


@pytest.mark.parametrize("how", ENDS)
async def test_a_wrong_lease_settles_nothing(db: Database, how: Settlement) -> None:
    await put(db, Plain(), Plain())
    claims = await claimer(db).claim(2)
    wrong = [replace(claim, lease_id=uuid.uuid4()) for claim in claims]
    assert await settle(db, wrong, how) == set()
    assert await renew(db, wrong) == set()
    assert set((await statuses(db)).values()) == {"running"}


async def test_one_statement_settles_each_job_under_its_own_lease_and_in_its_own_way(
    db: Database,
) -> None:
    ids = await put(db, *(Plain(n) for n in range(4)))
    take = claimer(db)
    claims = [*await take.claim(2), *await take.claim(2)]
    claims[1] = replace(claims[1], lease_id=uuid.uuid4())
    held_claims = HeldClaims()
    held_claims.add(claims, 0)
    completer = Completer(db, held_claims)
    hows = [ENDS[3], ENDS[3], ENDS[2], SUCCEEDED]
    assert await completer.write(list(zip(claims, hows, strict=True))) == []
    assert list((await statuses(db)).values()) != []
    assert await statuses(db) == dict(
        zip(ids, ["dead", "running", "queued", "succeeded"], strict=True)
    )
    assert (await job_row(db, ids[0]))["last_error"] == "no"
    assert (await job_row(db, ids[2]))["last_error"] == "flaky"
    assert len(held_claims) == 0


async def test_a_batch_of_many_leases_is_settled_in_whatever_order_its_jobs_ended(
    db: Database,
) -> None:
    """Each under its own lease: one that is not the job's is refused among ninety-nine."""
    await put(db, *(Plain(n) for n in range(100)))
    take = claimer(db)
    claims = [claim for n in (1, 30, 9, 60) for claim in await take.claim(n)]
    stolen = claims[50]
    claims[50] = replace(stolen, lease_id=claims[0].lease_id)  # a lease of ours, of another job
    held_claims = HeldClaims()
    held_claims.add(claims, 0)
    completer = Completer(db, held_claims)
    random.Random(7).shuffle(claims)
    how = {claim.id: SUCCEEDED if claim.id % 3 else ENDS[3] for claim in claims}
    assert await completer.write([(claim, how[claim.id]) for claim in claims]) == []
    expected = {id_: settlement.status.value for id_, settlement in how.items()}
    assert await statuses(db) == expected | {stolen.id: "running"}
    assert len(held_claims) == 0


@pytest.mark.parametrize("how", ENDS)
async def test_ids_that_do_not_come_in_order_are_never_settled_by_the_wrong_entry(
    db: Database, how: Settlement
) -> None:
    await put(db, *(Plain(n) for n in range(5)))
    claims = sorted(await claimer(db).claim(5), key=lambda claim: -claim.id)
    names = [claim.id for claim in claims], [claim.lease_id for claim in claims]
    errors = [f"of {claim.id}" for claim in claims]
    states = [how.status.value] * 5
    [written] = await db.alone(
        store.SETTLE, *names, states, [0.0] * 5, errors, [0] * 5, [0] * 5, [None] * 5
    )
    for id_ in written.ids:
        assert (await job_row(db, id_))["last_error"] == f"of {id_}"


async def test_many_successes_tell_whether_one_of_them_is_queued_again(db: Database) -> None:
    [again, once] = await put(db, Keyed("a"), Keyed("b"))
    claims = await claimer(db).claim(2)
    await put(db, Keyed("a", 2))
    held_claims, signals = HeldClaims(), Signals()
    held_claims.add(claims, 0)
    completer = Completer(db, held_claims, signals=signals)
    assert await completer.write([(claim, SUCCEEDED) for claim in claims]) == []
    assert signals.work.is_set()
    assert await statuses(db) == {again: "queued", once: "succeeded"}


async def test_a_settlement_without_an_error_keeps_the_last_one(db: Database) -> None:
    [id_] = await put(db, Plain())
    await settle(db, await claimer(db).claim(1), Settlement(State.QUEUED, 0, "flaky"))
    await settle(db, await claimer(db).claim(1), HANDED_BACK)
    assert (await job_row(db, id_))["last_error"] == "flaky"


async def test_a_job_locked_by_an_open_enqueue_is_not_waited_for_but_tried_again(
    db: Database,
) -> None:
    [marked, other] = await put(db, Keyed("a", 1), Keyed("b"))
    claims = await claimer(db).claim(2)
    signals = Signals()
    held_claims = HeldClaims(signals)
    held_claims.add(claims, 0)
    completer = Completer(db, held_claims)
    running = asyncio.create_task(completer.run())
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        assert await succeed(db, [claims[0]]) == set()
        for claim in claims:
            completer.add(claim, SUCCEEDED)
        await soon(signals.room.wait())
        assert await statuses(db) == {marked: "running", other: "succeeded"}
        signals.room.clear()
    await soon(signals.room.wait())
    completer.stop()
    await soon(running)
    assert await statuses(db) == {marked: "queued", other: "succeeded"}


async def test_rows_that_somebody_has_locked_are_not_tried_again_without_a_pause(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause_s = 0.3
    monkeypatch.setattr("mindhit.work.running.completer.LOCKED_S", pause_s)
    await put(db, Keyed("a"))
    claims = await claimer(db).claim(1)
    tried_at: asyncio.Queue[float] = asyncio.Queue()

    class Noting(Completer):
        async def write(self, batch: list[Ended]) -> list[Ended]:
            tried_at.put_nowait(monotonic())
            return await super().write(batch)

    held_claims = HeldClaims()
    held_claims.add(claims, 0)
    completer = Noting(db, held_claims)
    running = asyncio.create_task(completer.run())
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        completer.add(claims[0], SUCCEEDED)
        first, second = await soon(tried_at.get()), await soon(tried_at.get())
    assert second - first >= pause_s
    completer.stop()
    await soon(running)


async def test_a_completer_forgets_what_was_lost_and_settles_the_newer_claim(db: Database) -> None:
    [id_] = await put(db, Plain())
    [old] = await claimer(db).claim(1)
    await pass_time(db, 31)
    await rescue(db)
    [new] = await claimer(db).claim(1)
    held_claims = HeldClaims()
    held_claims.add([new], 0)
    completer = Completer(db, held_claims)
    for claim, settlement in ((old, ENDS[3]), (new, SUCCEEDED), (old, SUCCEEDED)):
        completer.add(claim, settlement)
    completer.stop()
    await soon(completer.run())
    assert await statuses(db) == {id_: "succeeded"}


async def test_a_renewed_lease_outlives_its_first_term(db: Database) -> None:
    await put(db, Plain(), Plain())
    claims = await claimer(db).claim(2)
    for _ in range(3):
        await pass_time(db, 20)
        assert await renew(db, claims[:1]) == {claims[0].id}
    assert await rescue(db) == 1
    assert await statuses(db) == {claims[0].id: "running", claims[1].id: "queued"}


async def test_a_lease_that_ran_out_is_still_held_until_somebody_takes_it(db: Database) -> None:
    await put(db, Plain())
    claims = await claimer(db).claim(1)
    await pass_time(db, 3600)
    assert await renew(db, claims) == {claims[0].id}
    assert await rescue(db) == 0


async def test_a_lease_is_prolonged_though_its_row_is_locked_and_ends_all_the_same(
    db: Database,
) -> None:
    [id_] = await put(db, Keyed("a"))
    claims = await claimer(db).claim(1)
    await pass_time(db, 40)  # over, and nobody has taken it yet
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        assert await renew(db, claims) == {id_}
    assert await rescue(db) == 0  # whatever its row says
    await pass_time(db, 40)
    assert await rescue(db) == 1  # it was not prolonged again: its worker is dead
    assert await rows(db, "select * from job_renewals") == []


async def test_a_lease_whose_row_stays_locked_is_prolonged_beside_it_each_time(
    db: Database,
) -> None:
    [id_] = await put(db, Keyed("a"))
    claims = await claimer(db).claim(1)
    await pass_time(db, 40)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        for _ in range(3):
            assert await renew(db, claims) == {id_}
            # The locked row keeps its time; all that passes is what was written beside it.
            await execute(db, "update job_renewals set lease_until = lease_until - interval '20 s'")
    assert await rescue(db) == 0


async def test_a_lease_that_is_still_prolonged_beside_its_row_is_not_forgotten(
    db: Database,
) -> None:
    await put(db, Keyed("a"))
    claims = await claimer(db).claim(1)
    await pass_time(db, 40)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        await renew(db, claims)
    assert [await rescue(db) for _ in range(3)] == [0, 0, 0]


async def test_a_rescue_waits_for_no_row_that_somebody_has_locked(db: Database) -> None:
    [locked, free] = await put(db, Keyed("a"), Keyed("b"))
    await claimer(db).claim(2)
    await pass_time(db, 40)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        assert await soon(rescue(db)) == 1
        assert await statuses(db) == {locked: "running", free: "queued"}
    assert await rescue(db) == 1


async def test_a_renewal_that_meets_a_settle_protects_nobody_and_is_forgotten(
    db: Database,
) -> None:
    """Its snapshot may be older than the settle: it finds the lease held, and writes a renewal beside the row."""
    [id_] = await put(db, HostedKeyed("a", "a.example"))
    [claim] = claims = await claimer(db).claim(1)
    await put(db, HostedKeyed("a", "a.example"))
    await succeed(db, claims)
    await execute(
        db,
        "insert into job_renewals values ($1, $2, now() + interval '30 s')",
        id_,
        claim.lease_id,
    )
    assert len(await claimer(db).claim(1)) == 1
    await execute(db, "update jobs set lease_until = now() - interval '1 s'")
    assert await rescue(db) == 1
    assert await slots(db) == []
    await pass_time(db, 31)
    await rescue(db)
    assert await rows(db, "select * from job_renewals") == []


async def test_a_lease_prolonged_beside_its_row_protects_no_later_one(db: Database) -> None:
    [id_] = await put(db, Keyed("a"))
    claims = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        await renew(db, claims, lease_s=3600)
    await succeed(db, claims)
    assert [claim.id for claim in await claimer(db).claim(1)] == [id_]
    await pass_time(db, 40)
    assert await rescue(db) == 1


async def test_what_is_handed_back_keeps_its_position_in_the_queue(db: Database) -> None:
    ids = await put(db, Plain(), Plain())
    await pass_time(db, 10)
    await settle(db, await claimer(db).claim(1), HANDED_BACK)
    await put(db, Plain())
    assert [claim.id for claim in await claimer(db).claim(2)] == ids


async def test_renewing_a_locked_job_says_that_it_is_held_and_does_not_wait(db: Database) -> None:
    [locked, _] = await put(db, Keyed("a"), Keyed("b"))
    claims = await claimer(db).claim(2)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2))
        assert await soon(renew(db, claims)) == {claim.id for claim in claims}
    assert locked in {claim.id for claim in claims}


async def test_a_cancelled_job_is_no_longer_held(db: Database) -> None:
    [id_] = await put(db, Plain())
    claims = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await cancel(tx, id_)
    assert await renew(db, claims) == set()
    assert await succeed(db, claims) == set()
    assert await statuses(db) == {id_: "canceled"}


async def test_a_rescue_gives_back_the_attempt_and_counts_itself(db: Database) -> None:
    [id_] = await put(db, Hosted("a.example"))
    await claimer(db).claim(1)
    await pass_time(db, 29)
    assert await rescue(db) == 0
    await pass_time(db, 2)
    assert await rescue(db) == 1
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"], stored["rescues"]) == ("queued", 0, 1)
    assert "lease ran out" in stored["last_error"]
    assert await slots(db) == []
    assert [claim.id for claim in await claimer(db).claim(1)] == [id_]


async def test_a_job_that_is_rescued_too_often_dies(db: Database) -> None:
    [id_] = await put(db, Hosted("a.example"))
    for rescues in range(MAX_RESCUES + 1):
        assert (await job_row(db, id_))["rescues"] == rescues
        await pass_time(db, rescues * SPREAD_S)
        assert len(await claimer(db).claim(1)) == 1
        await pass_time(db, 31)
        assert await rescue(db) == 1
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"]) == ("dead", 0)
    assert await slots(db) == []


async def test_several_rescuers_rescue_each_job_once(db: Database) -> None:
    await put(db, *(Plain(n) for n in range(250)))
    await claimer(db).claim(250)
    await pass_time(db, 31)
    rescued = 0
    while some := sum(await asyncio.gather(*(rescue(db) for _ in range(4)))):
        rescued += some
    assert rescued == 250
