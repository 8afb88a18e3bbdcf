"""What Stripe's objects mean here. Pure.

Stripe                                           here
active, trialing, past_due                       the same; these three count as paid
incomplete, incomplete_expired, unpaid,
paused, canceled                                 canceled
invoice: draft, open                             pending
         paid                                    paid; refunded where every charge of it was, in full
         void, uncollectible                     failed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from mindhit.billing.payments.port import Customer, PaidInvoice, PaidSubscription

LIVE: Final = frozenset({"active", "trialing", "past_due"})
CANCELED: Final = "canceled"
_INVOICES: Final = {
    "draft": "pending",
    "open": "pending",
    "paid": "paid",
    "void": "failed",
    "uncollectible": "failed",
}
Object = Mapping[str, Any]


def customer(
    subscriptions: Sequence[Object], invoices: Sequence[Object], charges: Sequence[Object]
) -> Customer:
    refunded = {
        charge[name]
        for charge in charges
        for name in ("id", "payment_intent")
        if charge.get("refunded") and charge.get(name)
    }
    return Customer(
        [_subscription(each) for each in subscriptions],
        [_invoice(each, refunded) for each in invoices],
    )


def counting(subscriptions: Sequence[PaidSubscription]) -> PaidSubscription | None:
    """Of those that count as paid, the one that ends last."""
    live = [each for each in subscriptions if each.status in LIVE]
    return max(live, key=lambda each: (each.period_end, each.id), default=None)


def _subscription(found: Object) -> PaidSubscription:
    item = (found.get("items") or {}).get("data", [{}])[0]
    # Of the item since Stripe's version 2025-03-31, of the subscription before.
    start, end = (
        item.get(name) or found[name] for name in ("current_period_start", "current_period_end")
    )
    status = found["status"]
    return PaidSubscription(
        found["id"],
        (item.get("price") or {}).get("id"),
        status if status in LIVE else CANCELED,
        _moment(start),
        _moment(end),
        bool(found.get("cancel_at_period_end") or 0 < (found.get("cancel_at") or 0) <= end),
    )


def _invoice(found: Object, refunded: set[str]) -> PaidInvoice:
    status = _INVOICES.get(found.get("status") or "draft", "pending")
    paid_by = _payments(found)
    if status == "paid" and paid_by and paid_by <= refunded:
        status = "refunded"
    paid_at = (found.get("status_transitions") or {}).get("paid_at")
    return PaidInvoice(
        found["id"],
        _subscription_of(found),
        found["total"],
        found["currency"].upper(),
        status,
        found.get("hosted_invoice_url"),
        _moment(paid_at) if paid_at else None,
        _moment(found["created"]),
    )


def _subscription_of(invoice: Object) -> str | None:
    """Below `parent` since Stripe's version 2025-03-31."""
    details = (invoice.get("parent") or {}).get("subscription_details") or {}
    return details.get("subscription") or invoice.get("subscription")


def _payments(invoice: Object) -> set[str]:
    """Ids of the payment intents and charges that an invoice was paid by."""
    found = [
        each.get("payment") or {}
        for each in (invoice.get("payments") or {}).get("data", [])
        if each.get("status") == "paid"
    ]
    ids = (each.get("payment_intent") or each.get("charge") for each in found)
    return {id_ for id_ in ids if id_}


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
