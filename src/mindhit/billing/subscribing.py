"""Getting a plan: bought at Stripe, changed in its portal, or granted by hand."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.billing.allowances import allowance
from mindhit.billing.model import (
    FREE,
    PLAN_SCREEN,
    AlreadySubscribed,
    BillingOff,
    NotForSale,
    NotSubscribed,
    PlanNotFound,
    Subscription,
)
from mindhit.billing.payments import Payments, is_selling, payments_of
from mindhit.billing.periods import period
from mindhit.billing.plans import list_plans
from mindhit.billing.store import plans as store
from mindhit.billing.store import stripe
from mindhit.billing.syncing import sync
from mindhit.db import Database, Tx
from mindhit.settings import Settings


async def check_out(db: Database, settings: Settings, user_id: UUID, plan_id: str) -> str:
    """Where the person pays for a plan. Nothing changes here before Stripe says that they did."""
    if not is_selling(settings):
        raise BillingOff
    async with db.read() as tx:
        plan = next((each for each in await list_plans(tx) if each.id == plan_id), None)
        has = await allowance(tx, user_id)
        customer_id = await tx.maybe(stripe.CUSTOMER_OF, user_id)
        email = (await accounts.show_person(tx, UserId(user_id))).email
    if plan is None:
        raise PlanNotFound
    if has.status is None and customer_id is not None and plan.stripe_prices:
        # They may have paid a moment ago, and the event is still on its way.
        await sync(db, settings, user_id)
        async with db.read() as tx:
            has = await allowance(tx, user_id)
    if has.is_granted:
        raise AlreadySubscribed(
            "The people who run this server gave you your plan. Ask them to change it."
        )
    if has.status is not None:
        raise AlreadySubscribed
    if not plan.stripe_prices:
        raise NotForSale
    async with payments_of(settings) as payments:
        customer_id = customer_id or await _add_customer(db, payments, user_id, email)
        back_to = settings.public_url + PLAN_SCREEN
        return await payments.check_out(customer_id, plan.stripe_prices[0], user_id, back_to)


async def open_portal(db: Database, settings: Settings, user_id: UUID) -> str:
    """Where a customer changes or cancels their subscription."""
    if not is_selling(settings):
        raise BillingOff
    async with db.read() as tx:
        customer_id = await tx.maybe(stripe.CUSTOMER_OF, user_id)
    if customer_id is None:
        raise NotSubscribed
    async with payments_of(settings) as payments:
        return await payments.open_portal(customer_id, settings.public_url + PLAN_SCREEN)


async def grant(tx: Tx, user_id: UUID, plan_id: str, now: datetime) -> None:
    """A plan by hand; the free one takes such a plan away. Raises `AlreadySubscribed` where somebody
    pays at Stripe."""
    has = await allowance(tx, user_id)
    if not has.is_on:
        raise BillingOff
    plan = await tx.maybe(store.BY_ID, plan_id)
    if plan is None:
        raise PlanNotFound
    if await tx.one(store.IS_PAYING, user_id):
        raise AlreadySubscribed("This person has a subscription at Stripe. Cancel it there first.")
    await tx.run(store.END_GRANTED, user_id)
    if plan_id != FREE:
        months = 12 if plan.billing_period == "yearly" else 1
        first = period(now, now, Subscription(now, months))
        await tx.one(store.GRANT, user_id, plan_id, first.start, first.end)


async def _add_customer(db: Database, payments: Payments, user_id: UUID, email: str) -> str:
    """Stored before anything can happen to it at Stripe, so that every event finds its person."""
    made = await payments.add_customer(user_id, email)
    async with db.transaction() as tx:
        return await tx.one(stripe.ADD_CUSTOMER, user_id, made)
