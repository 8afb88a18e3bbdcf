"""A person leaves: their subscription ends at Stripe first, then their rows here are deleted."""

from __future__ import annotations

from uuid import UUID

from mindhit.billing.model import PaymentFailed
from mindhit.billing.payments import has_key, payments_of
from mindhit.billing.store import ledger, plans, stripe
from mindhit.db import Database, Tx
from mindhit.settings import Settings


async def leave(db: Database, user_id: UUID, settings: Settings) -> None:
    """Raises `PaymentFailed` until Stripe has ended everything, whether or not billing is still switched
    on. What the law wants kept stays there."""
    async with db.read() as tx:
        customer_id = await tx.maybe(stripe.CUSTOMER_OF, user_id)
        is_paying = await tx.one(plans.IS_PAYING, user_id)
    if customer_id is None:
        return
    if has_key(settings):
        async with payments_of(settings) as payments:
            await payments.end(customer_id)
    elif is_paying:
        raise PaymentFailed("The subscription at Stripe can't be ended without MINDHIT_STRIPE_KEY.")


async def erase(tx: Tx, user_id: UUID, _email: str) -> None:
    await tx.run(stripe.ERASE_CUSTOMER, user_id)  # first, as syncing locks it first
    await tx.run(stripe.ERASE_INVOICES, user_id)
    await tx.run(plans.ERASE, user_id)
    await tx.run(plans.ERASE_NOTICES, user_id)
    await tx.run(ledger.ERASE_USAGE, user_id)
    await tx.run(ledger.ERASE_TOTALS, user_id)
