"""Tokens: reserved as an upper bound, recorded as the provider says, never over a limit."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from mindhit import billing
from mindhit.billing import (
    Allowance,
    Allowances,
    Call,
    Flag,
    InTheWay,
    Payer,
    Reservation,
    Subscription,
    Tokens,
    unlimited,
)
from mindhit.db import Database, ReadTx
from tests.accounts.kit import add, rows, run_jobs

NOW = datetime.now(UTC)


def limited(limit: int, subscription: Subscription | None = None) -> Allowances:
    async def allowance(_tx: ReadTx, _user_id: UUID, /) -> Allowance:
        return Allowance("free", limit, subscription, features=frozenset(Flag))

    return allowance


def a_call(user_id: UUID | None, at_most: int = 100, **more: Any) -> Call:
    payer = Payer.INSTALLATION if user_id is None else Payer.PLAN
    known: dict[str, Any] = {
        "session_id": None,
        "operation": "summarise",
        "provider": "openai",
        "ai_model": "m",
        "payer": payer,
        "lasts_s": 60.0,
    }
    return Call(user_id=user_id, at_most=at_most, **{**known, **more})


async def reserve(
    db: Database, call: Call, allowances: Allowances = unlimited, now: datetime = NOW
) -> Reservation | InTheWay:
    async with db.transaction() as tx:
        return await billing.reserve(tx, call, now, allowances)


async def reserved(db: Database, call: Call, allowances: Allowances = unlimited) -> Reservation:
    got = await reserve(db, call, allowances)
    assert isinstance(got, Reservation)
    return got


async def totals(db: Database, user_id: UUID) -> list[tuple[int, int]]:
    found = await rows(
        db,
        "select used, reserved from usage_totals where user_id = $1 order by period_start",
        user_id,
    )
    return [(each["used"], each["reserved"]) for each in found]


async def states(db: Database) -> list[tuple[str, int]]:
    found = await rows(db, "select state, tokens_used from token_usage order by id")
    return [(each["state"], each["tokens_used"]) for each in found]


async def test_what_the_provider_says_replaces_the_reservation(db: Database) -> None:
    ada = await add(db)
    reservation = await reserved(db, a_call(ada.id))
    assert await totals(db, ada.id) == [(0, 100)]
    async with db.transaction() as tx:
        await billing.record(tx, reservation, Tokens(11, 7), "r-1")
    assert await totals(db, ada.id) == [(18, 0)]
    assert await states(db) == [("used", 18)]


async def test_fifty_at_once_exceed_a_limit_by_nothing(db: Database) -> None:
    """Room for 7 of them: 7 get it, 43 hear that others are in the way, whatever the order."""
    ada = await add(db)
    allowances = limited(799)
    got = await asyncio.gather(*(reserve(db, a_call(ada.id), allowances) for _ in range(50)))
    assert sum(isinstance(each, Reservation) for each in got) == 7
    assert got.count(InTheWay.IN_FLIGHT) == 43
    assert await totals(db, ada.id) == [(0, 700)]
    assert len(await states(db)) == 7


async def test_only_reservations_in_the_way_are_worth_waiting_for(db: Database) -> None:
    ada = await add(db)
    allowances = limited(150)
    first = await reserved(db, a_call(ada.id), allowances)
    assert await reserve(db, a_call(ada.id), allowances) is InTheWay.IN_FLIGHT
    async with db.transaction() as tx:
        await billing.record(tx, first, Tokens(40, 10), "r-1")
    second = await reserved(db, a_call(ada.id), allowances)
    async with db.transaction() as tx:
        await billing.record(tx, second, Tokens(1, 0), "r-2")
    assert await reserve(db, a_call(ada.id), allowances) is InTheWay.TOO_LARGE


async def test_the_same_answer_is_counted_once(db: Database) -> None:
    ada = await add(db)
    first, second = await reserved(db, a_call(ada.id)), await reserved(db, a_call(ada.id))
    for reservation in (first, first, second):
        async with db.transaction() as tx:
            await billing.record(tx, reservation, Tokens(11, 7), "r-1")
    assert await totals(db, ada.id) == [(18, 0)]
    assert await states(db) == [("used", 18)]


async def test_a_refused_call_costs_nothing(db: Database) -> None:
    ada = await add(db)
    reservation = await reserved(db, a_call(ada.id))
    for _ in range(2):
        async with db.transaction() as tx:
            await billing.release(tx, reservation)
    assert await totals(db, ada.id) == [(0, 0)]
    assert await states(db) == []


async def test_an_answer_that_was_never_read_counts_at_its_bound(db: Database) -> None:
    ada = await add(db)
    reservation = await reserved(db, a_call(ada.id))
    for _ in range(2):
        async with db.transaction() as tx:
            await billing.lose(tx, reservation)
    assert await totals(db, ada.id) == [(100, 0)]
    assert await states(db) == [("unknown", 100)]


async def test_a_dead_process_s_reservation_becomes_unknown(db: Database) -> None:
    ada, grace = await add(db), await add(db, "grace@example.org")
    await reserved(db, a_call(ada.id, lasts_s=-1))
    await reserved(db, a_call(ada.id, lasts_s=-1))
    await reserved(db, a_call(grace.id))
    await reserved(db, a_call(None, lasts_s=-1))
    assert await billing.expire(db) == 3
    assert await billing.expire(db) == 0
    assert await totals(db, ada.id) == [(200, 0)]
    assert await totals(db, grace.id) == [(0, 100)]


async def test_an_answer_that_comes_late_replaces_the_bound(db: Database) -> None:
    ada = await add(db)
    reservation = await reserved(db, a_call(ada.id, lasts_s=-1))
    await billing.expire(db)
    async with db.transaction() as tx:
        await billing.record(tx, reservation, Tokens(11, 7), "r-1")
    assert await totals(db, ada.id) == [(18, 0)]
    assert await states(db) == [("used", 18)]


async def test_own_keys_and_the_installation_count_against_no_plan(db: Database) -> None:
    ada = await add(db)
    for call in (a_call(ada.id, payer=Payer.OWN), a_call(None)):
        reservation = await reserved(db, call, limited(0))
        async with db.transaction() as tx:
            await billing.record(tx, reservation, Tokens(11, 7), None)
    assert await totals(db, ada.id) == []
    assert await states(db) == [("used", 18), ("used", 18)]


async def test_a_call_belongs_to_the_period_in_which_it_was_made(db: Database) -> None:
    ada = await add(db)
    reservation = await reserved(db, a_call(ada.id))
    later = NOW + timedelta(days=31)
    await reserve(db, a_call(ada.id), now=later)
    async with db.transaction() as tx:
        await billing.record(tx, reservation, Tokens(11, 7), "r-1")
        shown, lines = await billing.show_usage(tx, ada.id, NOW)
        then, _ = await billing.show_usage(tx, ada.id, later)
    assert await totals(db, ada.id) == [(18, 0), (0, 100)]
    assert (shown.used, shown.reserved, shown.limit) == (18, 0, None)
    assert (then.used, then.reserved) == (0, 100)
    assert shown.period.end == then.period.start
    assert [(line.calls, line.tokens) for line in lines] == [(1, 18)]


async def test_a_deleted_session_leaves_its_cost(db: Database) -> None:
    ada, session = await add(db), uuid4()
    await reserved(db, a_call(ada.id, session_id=session))
    async with db.transaction() as tx:
        await billing.forget_session(tx, uuid4(), session)
        await billing.forget_session(tx, ada.id, session)
    [row] = await rows(db, "select session_id, tokens_used from token_usage")
    assert (row["session_id"], row["tokens_used"]) == (None, 100)


async def test_recording_after_the_person_left_is_harmless(db: Database) -> None:
    ada = await add(db)
    reservation = await reserved(db, a_call(ada.id))
    async with db.transaction() as tx:
        await billing.erase(tx, ada.id, ada.email)
        await billing.record(tx, reservation, Tokens(11, 7), "r-1")
    assert await states(db) == []


@pytest.mark.parametrize(("limit", "expected"), [(0, InTheWay.USED_UP), (99, InTheWay.TOO_LARGE)])
async def test_a_call_that_is_larger_than_the_limit_is_not_waited_for(
    db: Database, limit: int, expected: InTheWay
) -> None:
    ada = await add(db)
    assert await reserve(db, a_call(ada.id), limited(limit)) is expected
    await run_jobs(db)
