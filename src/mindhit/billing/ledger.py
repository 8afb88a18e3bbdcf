"""The ledger: tokens are reserved before a call, recorded when its answer was read.

A reservation is an upper bound, and each locks the person's row of the period, so calls at the same
time never exceed a limit together. What is in the way decides what happens next: only other
reservations (`IN_FLIGHT`, worth waiting for), what was already used (`USED_UP`), or the size of the call
(`TOO_LARGE`: smaller ones still fit).
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from uuid import UUID

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.billing import usage_notices
from mindhit.billing.allowances import Allowances, allowance
from mindhit.billing.model import (
    Allowance,
    Call,
    Payer,
    Period,
    Reservation,
    Subscription,
    Tokens,
    UsageLine,
    UsageShown,
    UsageState,
    is_used_up,
)
from mindhit.billing.periods import period
from mindhit.billing.store import ledger as store
from mindhit.db import Database, ReadTx, Tx


class InTheWay(Enum):
    IN_FLIGHT = "other calls hold what is left"
    USED_UP = "the tokens of this period are used up"
    TOO_LARGE = "the call may take more than is left"


async def reserve(
    tx: Tx, call: Call, now: datetime, allowances: Allowances = allowance
) -> Reservation | InTheWay:
    allowed = await allowances(tx, call.user_id) if call.user_id is not None else None
    start = (await _period(tx, call.user_id, now, allowed)).start
    if call.payer is Payer.PLAN:
        assert call.user_id is not None
        assert allowed is not None
        totals = await tx.one(store.LOCK_TOTALS, call.user_id, start)
        limit = allowed.token_limit
        if limit is not None and totals.used + call.at_most > limit:
            return InTheWay.USED_UP if is_used_up(totals.used, limit) else InTheWay.TOO_LARGE
        if limit is not None and totals.used + totals.reserved + call.at_most > limit:
            return InTheWay.IN_FLIGHT
        await tx.run(store.MOVE_TOTALS, call.user_id, start, 0, call.at_most)
    row = store.NewRow(
        user_id=call.user_id,
        session_id=call.session_id,
        operation=call.operation,
        provider=call.provider,
        ai_model=call.ai_model,
        payer=call.payer,
        at_most=call.at_most,
        period_start=start,
        lasts_s=call.lasts_s,
    )
    return Reservation(await tx.one(store.RESERVE, row), call.user_id, call.at_most)


async def record(
    tx: Tx,
    reservation: Reservation,
    tokens: Tokens,
    request_id: str | None,
    allowances: Allowances = allowance,
) -> None:
    """What the provider said the call took. The same answer is counted once, however often it is
    recorded; one that arrives after its reservation was given up replaces the upper bound."""
    held = await tx.maybe(store.LOCK, reservation.id, reservation.user_id)
    if held is None:
        return  # recorded already, or the person is gone
    if request_id is not None and await tx.one(store.IS_RECORDED, held.provider, request_id):
        await _release(tx, reservation, held)
        return
    await tx.run(
        store.RECORD, reservation.id, reservation.user_id, tokens.input, tokens.output, request_id
    )
    await _move(tx, held, used=tokens.total)
    await _tell(tx, held, allowances)


async def release(tx: Tx, reservation: Reservation) -> None:
    """The call was refused before any work: it cost nothing."""
    held = await tx.maybe(store.LOCK, reservation.id, reservation.user_id)
    if held is not None and held.state == UsageState.RESERVED:
        await _release(tx, reservation, held)


async def lose(tx: Tx, reservation: Reservation, allowances: Allowances = allowance) -> None:
    """The answer was never read: what it cost is unknown, and its upper bound counts as used."""
    held = await tx.maybe(store.LOCK, reservation.id, reservation.user_id)
    if held is not None and held.state == UsageState.RESERVED:
        await tx.run(store.LOSE, reservation.id, reservation.user_id)
        await _move(tx, held, used=held.tokens_used)
        await _tell(tx, held, allowances)


async def expire(db: Database, allowances: Allowances = allowance) -> int:
    """Give up on reservations whose process died; returns how many."""
    async with db.transaction() as tx:
        lost = await tx.all(store.EXPIRE)
        periods = {
            (each.user_id, each.period_start)
            for each in lost
            if each.payer == Payer.PLAN and each.user_id is not None
        }
        for user_id, start in sorted(periods):
            limit = (await allowances(tx, user_id)).token_limit
            await usage_notices.tell(tx, user_id, start, limit)
    return len(lost)


async def show_usage(
    tx: ReadTx, user_id: UserId, now: datetime, allowances: Allowances = allowance
) -> tuple[UsageShown, list[UsageLine]]:
    """A person's current period: what counts against their plan, and every kind of call in it."""
    allowed = await allowances(tx, user_id)
    current = await _period(tx, user_id, now, allowed)
    totals = await tx.maybe(store.TOTALS, user_id, current.start)
    shown = UsageShown(
        allowed.plan,
        current,
        totals.used if totals else 0,
        totals.reserved if totals else 0,
        allowed.token_limit,
    )
    return shown, await tx.all(store.LINES, user_id, current.start)


async def current_period(tx: ReadTx, user_id: UserId, now: datetime) -> Period:
    return await _period(tx, user_id, now, await allowance(tx, user_id))


async def forget_session(tx: Tx, user_id: UUID, session_id: UUID) -> None:
    """A session is deleted: what it cost stays, what it was for goes."""
    await tx.run(store.FORGET_SESSION, user_id, session_id)


async def _period(
    tx: ReadTx, user_id: UUID | None, now: datetime, allowed: Allowance | None
) -> Period:
    """The installation's own is the calendar month."""
    if user_id is None or allowed is None:
        first = datetime(2000, 1, 1, tzinfo=now.tzinfo)
        return period(now, first, Subscription(first))
    person = await accounts.show_person(tx, UserId(user_id))
    return period(now, person.created_at, allowed.subscription)


async def _tell(tx: Tx, held: store.Held, allowances: Allowances) -> None:
    if held.payer == Payer.PLAN and held.user_id is not None:
        limit = (await allowances(tx, held.user_id)).token_limit
        await usage_notices.tell(tx, held.user_id, held.period_start, limit)


async def _release(tx: Tx, reservation: Reservation, held: store.Held) -> None:
    await tx.run(store.RELEASE, reservation.id, reservation.user_id)
    await _move(tx, held, used=0)


async def _move(tx: Tx, held: store.Held, *, used: int) -> None:
    """The totals after a call is settled: its bound is taken out of where it was counted."""
    if held.payer != Payer.PLAN:
        return
    was_reserved = held.state == UsageState.RESERVED
    await tx.run(
        store.MOVE_TOTALS,
        held.user_id,
        held.period_start,
        used if was_reserved else used - held.tokens_used,
        -held.tokens_used if was_reserved else 0,
    )
