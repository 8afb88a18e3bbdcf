"""Plans, what a person has used of theirs, invoices; paying, at Stripe; what Stripe tells us."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mindhit import billing
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller, PersonCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.fields import Day
from mindhit.api.http.paging import Cursor, Limit, NotOurs, cut, decode_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.billing import (
    AlreadySubscribed,
    BadDays,
    BadEvent,
    BadSignature,
    BillingOff,
    BillingSettings,
    NotForSale,
    NotSubscribed,
    PaymentFailed,
    PlanNotFound,
)
from mindhit.clock import utc_now

router = APIRouter(tags=["billing"], responses=SIGNED_IN)
open_router = APIRouter(tags=["billing"])


class PlanItem(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    price_cents: int | None = Field(description="Null: on request.")
    billing_period: Literal["monthly", "yearly"]
    token_limit: int | None = Field(description="Null, here and below: no limit.")
    session_retention_days: int | None
    max_concurrent_sessions: int | None
    features: list[str] = Field(examples=[["models", "map_files", "api_tokens", "watching"]])
    is_for_sale: bool = Field(description="Whether it can be bought here.")


class PlanList(BaseModel):
    is_on: bool = Field(description="Whether people have plans here at all.")
    currency: str = Field(description="Of the prices, in its smallest unit.", examples=["USD"])
    plans: list[PlanItem]


class BillingPeriod(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    start: datetime
    end: datetime = Field(description="The first moment of the next one.")


class TokenState(BaseModel):
    used: int
    reserved: int = Field(description="By calls under way: an upper bound.")
    limit: int | None
    is_used_up: bool = Field(description="Whether too few are left for any call of a model.")


class BillingState(BaseModel):
    """My plan, and what I have used of it."""

    is_on: bool
    plan: str = Field(description="`unlimited` where there are no plans.")
    plan_name: str | None = Field(
        description="Also of a plan that is no longer offered; null where there are no plans."
    )
    status: Literal["active", "trialing", "past_due"] | None = Field(
        description="Of the subscription; null: none."
    )
    is_granted: bool = Field(description="By hand, without payment: there is nothing to cancel.")
    cancel_at_period_end: bool
    period: BillingPeriod
    tokens: TokenState
    sessions_at_once: int | None
    features: list[str]


class UsageDay(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    date: date
    operation: str
    engine: str
    model: str
    tokens: int
    calls: int


class UsageDays(BaseModel):
    days: list[UsageDay]


class InvoiceItem(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    amount_cents: int
    currency: str
    status: Literal["pending", "paid", "failed", "refunded"]
    paid_at: datetime | None
    created_at: datetime
    url: str | None = Field(description="Where Stripe shows it.")


class InvoiceList(BaseModel):
    """The newest first."""

    invoices: list[InvoiceItem]
    next: str | None = Field(description="Cursor of the next page; null on the last page.")


class CheckOut(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan_id: Annotated[str, StringConstraints(min_length=1, max_length=20, pattern=r"^[^\x00]*$")]


class PaymentLink(BaseModel):
    url: str = Field(description="At Stripe; open it in the browser.")


def _plan_item(plan: billing.Plan, is_selling: bool) -> PlanItem:
    is_for_sale = is_selling and bool(plan.stripe_prices)
    return PlanItem.model_validate({**asdict(plan), "is_for_sale": is_for_sale})


@open_router.get("/plans", summary="List the plans")
async def list_plans(db: Db, settings: AppSettings) -> PlanList:
    """Empty where billing is off: nobody has limits then."""
    async with db.read() as tx:
        found = await billing.list_plans(tx)
    is_selling = billing.is_selling(settings)
    return PlanList(
        is_on=bool(found),
        currency=settings[BillingSettings].billing_currency,
        plans=[_plan_item(each, is_selling) for each in found],
    )


@router.get("/billing", summary="Show my plan")
async def show(db: Db, caller: PersonCaller) -> BillingState:
    async with db.read() as tx:
        has = await billing.allowance(tx, caller.user_id)
        usage, _ = await billing.show_usage(tx, caller.user_id, utc_now())
    return BillingState.model_validate(
        {
            "is_on": has.is_on,
            "plan": has.plan,
            "plan_name": has.name,
            "status": has.status,
            "is_granted": has.is_granted,
            "cancel_at_period_end": has.cancel_at_period_end,
            "period": {"start": usage.period.start, "end": usage.period.end},
            "tokens": {
                "used": usage.used,
                "reserved": usage.reserved,
                "limit": usage.limit,
                "is_used_up": usage.is_used_up,
            },
            "sessions_at_once": has.sessions_at_once,
            "features": sorted(has.features),
        }
    )


@router.get("/billing/usage", summary="Show token usage by day", responses=documented(BadDays))
async def usage(
    db: Db,
    caller: PersonCaller,
    from_: Annotated[Day | None, Query(alias="from", description="The first day.")] = None,
    to: Annotated[Day | None, Query(description="The last day.")] = None,
) -> UsageDays:
    """Days of your time zone; by default those of the current period. A year at most."""
    async with db.read() as tx:
        found = await billing.usage_by_day(tx, caller.user_id, from_, to, utc_now())
    return UsageDays(days=[UsageDay.model_validate(each) for each in found])


@router.get("/billing/invoices", summary="List my invoices", responses=documented(NotOurs))
async def list_invoices(
    db: Db, caller: PersonCaller, cursor: Cursor = None, limit: Limit = 50
) -> InvoiceList:
    behind = decode_time(cursor) if cursor else None
    async with db.read() as tx:
        found = await billing.list_invoices(tx, caller.user_id, behind=behind, limit=limit + 1)
    shown, following = cut(found, limit, lambda each: encode_time(each.created_at, each.id))
    items = [InvoiceItem.model_validate(each) for each in shown]
    return InvoiceList(invoices=items, next=following)


@router.post(
    "/billing/checkout",
    summary="Buy a plan",
    responses=documented(BillingOff, PlanNotFound, AlreadySubscribed, NotForSale, PaymentFailed),
)
async def check_out(
    db: Db, settings: AppSettings, caller: BrowserCaller, asked: CheckOut
) -> PaymentLink:
    """Answers with the page where you pay. To change a plan that you pay for, use the portal."""
    return PaymentLink(url=await billing.check_out(db, settings, caller.user_id, asked.plan_id))


@router.post(
    "/billing/portal",
    summary="Change or cancel my subscription",
    responses=documented(BillingOff, NotSubscribed, PaymentFailed),
)
async def open_portal(db: Db, settings: AppSettings, caller: BrowserCaller) -> PaymentLink:
    """Answers with the page where you change it, cancel it, and find your invoices."""
    return PaymentLink(url=await billing.open_portal(db, settings, caller.user_id))


@open_router.post(
    "/stripe/webhook",
    summary="Receive a Stripe event",
    status_code=200,
    responses=documented(BillingOff, BadSignature, BadEvent),
)
async def receive(
    request: Request,
    db: Db,
    settings: AppSettings,
    stripe_signature: Annotated[str, Header()] = "",
) -> None:
    """Signed by Stripe; what it says is read from there. A repeated event changes nothing."""
    await billing.receive(db, settings, await request.body(), stripe_signature)
