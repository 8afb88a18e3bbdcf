"""Kinds of jobs of billing."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.work import Lane, job


@job("billing:sweep", lane=Lane.LOW, key="name", attempts=3)
@dataclass(frozen=True, slots=True)
class Sweep:
    """Give up on reservations whose process died."""

    name: str = "all"


# At most a minute between two, as events that arrive meanwhile wait for the same job. Half a day in
# all; after that the nightly job reads what is left.
@job("billing:stripe", key="customer_id", attempts=1000, backoff_s=(5, 45), timeout_s=120)
@dataclass(frozen=True, slots=True)
class SyncCustomer:
    """Read a customer's subscriptions and invoices from Stripe."""

    customer_id: str
    user_id: UUID


@job("billing:sync", lane=Lane.LOW, key="name", attempts=3)
@dataclass(frozen=True, slots=True)
class SyncAll:
    """The same for every customer: an event may have been lost."""

    name: str = "all"
