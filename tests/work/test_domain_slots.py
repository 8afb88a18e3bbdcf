"""A domain's slot is taken for as long as a handler may run, even if the job is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

import pytest

from mindhit.db import Database
from mindhit.work import JobId, Work, cancel, discard, erase, job, retry
from mindhit.work.leases.renewer import Renewer
from mindhit.work.running.held_claims import HeldClaims
from mindhit.work.testing import pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Gate,
    Hosted,
    claimer,
    execute,
    put,
    rescue,
    rows,
    slots,
    soon,
    statuses,
    succeed,
    working,
)


@job("test:of-person", domain="domain")
@dataclass(frozen=True, slots=True)
class OfPerson:
    user_id: UUID
    domain: str


WHO = uuid4()


End = Callable[[Database, JobId], Awaitable[None]]


async def cancel_job(db: Database, job_id: JobId) -> None:
    async with db.transaction() as tx:
        await cancel(tx, job_id)


async def cancel_and_discard(db: Database, job_id: JobId) -> None:
    await cancel_job(db, job_id)
    async with db.transaction() as tx:
        await discard(tx, job_id)


async def erase_person(db: Database, _: JobId) -> None:
    async with db.transaction() as tx:
        await erase(tx, WHO, "who@a.example")


@pytest.mark.parametrize("end", [cancel_job, erase_person])
async def test_a_handler_whose_job_was_taken_from_it_keeps_its_slot_until_it_ends(
    db: Database, end: End
) -> None:
    """Seen from outside: a domain with room for one never has two at it."""
    await put(db, OfPerson(WHO, "a.example"))
    inside, most, ended = 0, 0, asyncio.Event()
    first, told, slow = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(work: Work[OfPerson]) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        try:
            if work.args.user_id == WHO:
                first.set()
                try:
                    await asyncio.Event().wait()
                finally:
                    told.set()
                    with suppress(asyncio.CancelledError):
                        await slow.wait()
            else:
                ended.set()
        finally:
            inside -= 1

    async with working(
        db,
        {OfPerson: handle},
        domain_limit=1,
        lease_s=0.6,
        poll_s=0.05,
        rescue_s=FAR_AWAY_S,
        cancel_again_s=FAR_AWAY_S,
    ):
        await soon(first.wait())
        [id_] = await statuses(db)
        await end(db, JobId(id_))
        await put(db, OfPerson(uuid4(), "a.example"))
        await soon(told.wait())
        assert [held for _, held in await slots(db)] == [id_]
        slow.set()
        await soon(ended.wait())
    assert most == 1
    assert await slots(db) == []


@pytest.mark.parametrize("end", [cancel_job, cancel_and_discard, erase_person])
async def test_the_slot_of_a_job_that_was_taken_is_free_when_its_lease_is_over(
    db: Database, end: End
) -> None:
    """Where its worker is never heard of again."""
    [id_] = await put(db, OfPerson(WHO, "a.example"))
    await claimer(db).claim(1)
    await end(db, id_)
    await rescue(db)
    assert await slots(db) == [("a.example", id_)]
    await pass_time(db, 31)
    await rescue(db)
    assert await slots(db) == []
    assert await rows(db, "select * from job_renewals") == []


async def test_a_lease_renewed_beside_its_row_keeps_the_slot_as_long(db: Database) -> None:
    [id_] = await put(db, Hosted("a.example"))
    await claimer(db).claim(1)
    await execute(
        db,
        """insert into job_renewals
           select id, lease_id, now() + interval '60 s' from jobs where id = $1""",
        id_,
    )
    await cancel_job(db, id_)
    await pass_time(db, 31)
    await rescue(db)
    assert await slots(db) == [("a.example", id_)]


async def test_a_handler_that_ends_frees_no_slot_of_a_later_run(db: Database) -> None:
    [id_] = await put(db, Hosted("a.example"))
    held_claims = HeldClaims()
    [old] = held_claims.add(await claimer(db).claim(1), 0)
    await cancel_job(db, id_)
    async with db.transaction() as tx:
        await retry(tx, id_)
    [new] = await claimer(db).claim(1)
    assert len(await slots(db)) == 2  # both may be at it
    held_claims.lease_gone(old)
    await Renewer(db, held_claims, lease_s=30).free_slots()
    assert [each["lease_id"] for each in await rows(db, "select lease_id from job_slots")] == [None]
    await succeed(db, [new])
    assert await slots(db) == []


async def test_the_end_of_a_run_frees_no_slot_that_an_earlier_handler_has(db: Database) -> None:
    [id_] = await put(db, Hosted("a.example"))
    [old] = await claimer(db).claim(1)
    await cancel_job(db, id_)
    async with db.transaction() as tx:
        await retry(tx, id_)
    await succeed(db, await claimer(db).claim(1))
    left = await rows(db, "select job_id, lease_id from job_slots")
    assert left == [{"job_id": id_, "lease_id": str(old.lease_id)}]


async def test_a_handler_that_ignores_its_stop_keeps_its_slot_but_not_its_runner(
    db: Database,
) -> None:
    gate, ignored = Gate(), asyncio.Event()

    async def handle(work: Work[Hosted]) -> None:
        if work.args.domain == "b.example":
            return await gate(work)
        ignored.set()
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    [id_] = await put(db, Hosted("a.example"))
    async with working(
        db,
        {Hosted: handle},
        concurrency=1,
        claim_size=1,
        lease_s=0.6,
        rescue_s=FAR_AWAY_S,
        cancel_again_s=0.02,
    ):
        await soon(ignored.wait())
        await cancel_job(db, id_)
        [other] = await put(db, Hosted("b.example"))
        assert await soon(gate.began.get()) == other
        assert sorted(await slots(db)) == [("a.example", id_), ("b.example", other)]
        gate.opened.set()
