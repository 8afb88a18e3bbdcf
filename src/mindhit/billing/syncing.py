"""Reading a customer's state from Stripe, and writing it down.

What an event says is not looked at: the state at Stripe wins, not the order in which events arrive.
Of two that read at the same time, what the one that began first has read is never written over what the
other has; but it is written where the other is not done yet, as that one may fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from mindhit import log
from mindhit.billing.model import PaymentFailed
from mindhit.billing.payments import objects, payments_of
from mindhit.billing.payments.port import Customer, PaidSubscription
from mindhit.billing.store import plans as plan_store
from mindhit.billing.store import stripe as store
from mindhit.db import Database, Tx
from mindhit.settings import Settings

_log = log.get(__name__)


async def sync(db: Database, settings: Settings, user_id: UUID) -> bool:
    """Whether the person is a customer. Raises `PaymentFailed`, which their events then say too."""
    async with db.read() as tx:
        reading = await tx.maybe(store.BEGIN_READING, user_id)
    if reading is None:
        return False
    try:
        async with payments_of(settings) as payments:
            found = await payments.read(reading.customer_id)
    except PaymentFailed as failed:
        async with db.transaction() as tx:
            await tx.run(store.FAILED, user_id, str(failed.facts.get("reason", failed)))
        raise
    await write_read(db, user_id, reading, found)
    return True


async def write_read(db: Database, user_id: UUID, reading: store.Reading, found: Customer) -> None:
    """Nothing is written where somebody who began to read later has written, and saw at least as much."""
    async with db.transaction() as tx:
        if await tx.maybe(store.BEGIN_WRITING, user_id, reading.began_at) is None:
            return
        await _write(tx, user_id, reading.customer_id, found)
        await tx.run(store.HANDLED, user_id, reading.began_at)


async def _write(tx: Tx, user_id: UUID, customer_id: str, found: Customer) -> None:
    plans = await _plans(tx, user_id, found)
    counting = objects.counting([each for each in found.subscriptions if each.id in plans])
    if counting is not None:
        await tx.run(plan_store.END_GRANTED, user_id)
    await tx.run(store.RETIRE, user_id, counting.id if counting else None)
    for each in found.subscriptions:
        if each.id in plans:
            is_counting = counting is not None and each.id == counting.id
            status = each.status if is_counting else objects.CANCELED
            await tx.run(
                store.PUT_SUBSCRIPTION,
                _row(user_id, customer_id, each, plans[each.id], status),
            )
    for invoice in found.invoices:
        await tx.run(
            store.PUT_INVOICE,
            store.ReadInvoice(
                user_id=user_id,
                subscription_id=invoice.subscription,
                amount_cents=invoice.amount_cents,
                currency=invoice.currency,
                status=invoice.status,
                invoice_id=invoice.id,
                url=invoice.url,
                paid_at=invoice.paid_at,
                created_at=invoice.created_at,
            ),
        )


async def _plans(tx: Tx, user_id: UUID, found: Customer) -> Mapping[str, str]:
    """Subscription → plan. One with a price that is nobody's keeps the plan it had; else it says
    nothing about plans here."""
    known = await tx.all(store.KNOWN, user_id)
    had = {each.stripe_subscription_id: each.plan_id for each in known}
    by_price = {each.price: each.plan_id for each in await tx.all(plan_store.PRICES)}
    plans: dict[str, str] = {}
    for each in found.subscriptions:
        plan = by_price.get(each.price or "") or had.get(each.id)
        if plan is None:
            _log.warning("a subscription at Stripe has a price of no plan", price=each.price)
        else:
            plans[each.id] = plan
    return plans


def _row(
    user_id: UUID, customer_id: str, each: PaidSubscription, plan_id: str, status: str
) -> store.ReadSubscription:
    return store.ReadSubscription(
        user_id=user_id,
        plan_id=plan_id,
        status=status,
        period_start=each.period_start,
        period_end=each.period_end,
        cancel_at_period_end=each.cancel_at_period_end,
        subscription_id=each.id,
        customer_id=customer_id,
    )
