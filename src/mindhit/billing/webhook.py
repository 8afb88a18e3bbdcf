"""What Stripe tells us: stored by its id, and the customer it is about is read again.

Both in one transaction: whoever repeats a request, here or there, changes nothing twice. Without the
database there is no answer that says it was taken, and Stripe repeats for three days.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

from mindhit.billing.job_types import SyncCustomer
from mindhit.billing.model import BadEvent, BillingOff
from mindhit.billing.settings import BillingSettings
from mindhit.billing.store import stripe as store
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work import enqueue

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=255, pattern=r"^[\x21-\x7e]+$")]


class _Subject(msgspec.Struct):
    """What an event is about, as far as it matters here: whose it is."""

    id: str | None = None
    object: str = ""
    customer: str | dict[str, Any] | None = None


class _Data(msgspec.Struct):
    object: _Subject


class _Event(msgspec.Struct):
    id: Id
    type: Id
    created: Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799)]
    data: _Data


async def receive(db: Database, settings: Settings, body: bytes, signature: str) -> None:
    """Raises `BadSignature`, `BadEvent`; `BillingOff` where no secret is set."""
    chosen = settings[BillingSettings]
    if not chosen.billing or chosen.stripe_webhook_secret is None:
        raise BillingOff
    from mindhit.billing.payments.stripe_api import check_signature  # noqa: PLC0415  loads aiohttp

    await check_signature(body, signature, chosen.stripe_webhook_secret.get_secret_value())
    try:
        event = msgspec.json.decode(body, type=_Event)
    except msgspec.MsgspecError as error:
        raise BadEvent from error
    created = datetime.fromtimestamp(event.created, UTC)
    async with db.transaction() as tx:
        customer_id = _customer(event.data.object)
        added = await tx.maybe(store.ADD_EVENT, event.id, event.type, customer_id, created)
        if added is not None and added.user_id is not None and customer_id is not None:
            await enqueue(tx, SyncCustomer(customer_id, added.user_id))


def _customer(subject: _Subject) -> str | None:
    if subject.object == "customer":
        return subject.id
    if isinstance(subject.customer, dict):
        id_ = subject.customer.get("id")
        return id_ if isinstance(id_, str) else None
    return subject.customer
