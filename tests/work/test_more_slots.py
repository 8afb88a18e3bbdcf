"""A job that needs several sites at once takes more slots, and they end with it."""

from __future__ import annotations

from mindhit.db import Database
from mindhit.work import Work
from mindhit.work.settlement import HANDED_BACK
from tests.work.kit import Hosted, claimer, put, settle, slots, succeed


async def running(db: Database, domain: str = "a.example") -> Work[None]:
    await put(db, Hosted(domain))
    [claim] = await claimer(db).claim(1)
    return Work(db, claim, None)


async def test_no_more_slots_than_the_domain_has_over_all_jobs(db: Database) -> None:
    first, second = await running(db), await running(db, "b.example")
    assert [await each.take_slot("cdn.example") for each in (first, second, first)] == [1, 2, None]
    await first.give_slot_back("cdn.example", 2)  # not its own: nothing happens
    assert await second.take_slot("cdn.example") is None
    await first.give_slot_back("cdn.example", 1)
    assert await second.take_slot("cdn.example") == 1


async def test_slots_that_were_taken_count_for_claims(db: Database) -> None:
    work = await running(db)
    assert [await work.take_slot("b.example") for _ in range(2)] == [1, 2]
    await put(db, Hosted("b.example"))
    assert await claimer(db).claim(1) == []
    await work.give_slot_back("b.example", 2)
    assert len(await claimer(db).claim(1)) == 1


async def test_they_end_with_their_job_however_it_ends(db: Database) -> None:
    done, back = await running(db), await running(db, "b.example")
    assert await done.take_slot("cdn.example")
    assert await back.take_slot("cdn.example")
    await succeed(db, [done._claimed])
    assert {domain for domain, _ in await slots(db)} == {"b.example", "cdn.example"}
    await settle(db, [back._claimed], HANDED_BACK)
    assert await slots(db) == []


async def test_a_job_that_lost_its_lease_gets_none(db: Database) -> None:
    work = await running(db)
    await settle(db, [work._claimed], HANDED_BACK)
    assert await work.take_slot("cdn.example") is None
    assert await slots(db) == []
