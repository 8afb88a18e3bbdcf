"""Calls of models and what they took; a plan, and what Stripe knows of its person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from mindhit import billing
from mindhit.accounts import Person, Scope
from mindhit.billing import Call, Payer, Reservation, Tokens
from mindhit.billing.store import plans, stripe
from mindhit.db import Database
from tests.contract.slices import Contract, Ids

NOW = datetime.now(UTC)


async def life(db: Database, person: Person, canary: str) -> Ids:
    """A call that is under way, one whose answer was read, and one whose answer never came. A
    subscription to a plan that is not offered any more, its invoice, and an event."""
    call = Call(
        user_id=person.id,
        session_id=uuid4(),
        operation=canary,
        provider="openai",
        ai_model=canary,
        payer=Payer.PLAN,
        at_most=1000,
        lasts_s=60,
    )
    async with db.transaction() as tx:
        now = datetime.now(UTC)
        made = [await billing.reserve(tx, call, now) for _ in range(3)]
        _, read, lost = (each for each in made if isinstance(each, Reservation))
        await billing.record(tx, read, Tokens(11, 7), canary)
        await billing.lose(tx, lost)
        await tx.maybe(plans.TELL, person.id, now, 80)
        await tx.run(plans.OFFER, A_PLAN)
        await tx.run(plans.WITHDRAW, [])  # else everybody would have limits
        await tx.one(stripe.ADD_CUSTOMER, person.id, f"cus-{canary}")
        await tx.maybe(stripe.ADD_EVENT, f"evt-{canary}", "invoice.paid", f"cus-{canary}", now)
        await tx.run(stripe.FAILED, person.id, canary)
        await tx.run(
            stripe.PUT_SUBSCRIPTION,
            stripe.ReadSubscription(
                user_id=person.id,
                plan_id="old",
                status="canceled",  # a live one keeps people from leaving where there is no key
                period_start=now,
                period_end=now + timedelta(days=30),
                cancel_at_period_end=False,
                subscription_id=f"sub-{canary}",
                customer_id=f"cus-{canary}",
            ),
        )
        await tx.run(
            stripe.PUT_INVOICE,
            stripe.ReadInvoice(
                user_id=person.id,
                subscription_id=f"sub-{canary}",
                amount_cents=1200,
                currency="USD",
                status="paid",
                invoice_id=f"in-{canary}",
                url=f"https://invoice.example/{canary}",
                paid_at=now,
                created_at=now,
            ),
        )
    return {}


A_PLAN = plans.OfferedPlan(
    id="old",
    name="Old",
    price_cents=500,
    billing_period="monthly",
    token_limit=None,
    session_retention_days=None,
    max_concurrent_sessions=None,
    features=[],
    stripe_prices=[],
    place=0,
)
READING = frozenset({"GET /v1/billing", "GET /v1/billing/usage", "GET /v1/billing/invoices"})
CONTRACT = Contract(
    paths=("/v1/plans", "/v1/billing", "/v1/stripe"),
    bodies={"POST /v1/billing/checkout": {"plan_id": "pro"}},
    public=frozenset({"GET /v1/plans", "POST /v1/stripe/webhook"}),
    scopes={Scope.API: READING},
    life=life,
)
