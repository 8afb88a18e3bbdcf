"""What billing asks of a payment provider. Everything raises `PaymentFailed` while it can't be reached."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class PaidSubscription:
    """One subscription as the provider has it; `status` is one of ours."""

    id: str
    price: str | None
    status: str
    period_start: datetime
    period_end: datetime
    cancel_at_period_end: bool


@dataclass(frozen=True, slots=True)
class PaidInvoice:
    id: str
    subscription: str | None
    amount_cents: int
    currency: str
    status: str
    url: str | None
    paid_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Customer:
    subscriptions: list[PaidSubscription]
    invoices: list[PaidInvoice]


class Payments(Protocol):
    async def add_customer(self, user_id: UUID, email: str) -> str:
        """The customer's id; the same when it is asked again after a crash."""

    async def read(self, customer_id: str) -> Customer: ...

    async def check_out(self, customer_id: str, price: str, user_id: UUID, back_to: str) -> str:
        """Where the person pays. Of several check-outs the newest alone can be finished."""

    async def open_portal(self, customer_id: str, back_to: str) -> str:
        """Where the person changes or cancels."""

    async def end(self, customer_id: str) -> None:
        """End every subscription now, and every check-out that is under way."""
