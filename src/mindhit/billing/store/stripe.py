"""Statements on what Stripe said: customers, events, and the subscriptions and invoices read there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.billing.model import Invoice
from mindhit.db import Nothing, Query, Write


@dataclass(frozen=True, slots=True)
class Reading:
    """Somebody began to read a customer at Stripe."""

    customer_id: str
    began_at: datetime


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that was not known; whose it is, if we know the customer."""

    user_id: UUID | None


@dataclass(frozen=True, slots=True)
class OneCustomer:
    user_id: UUID
    customer_id: str


@dataclass(frozen=True, slots=True)
class KnownSubscription:
    stripe_subscription_id: str
    plan_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSubscription:
    user_id: UUID
    plan_id: str
    status: str
    period_start: datetime
    period_end: datetime
    cancel_at_period_end: bool
    subscription_id: str
    customer_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadInvoice:
    user_id: UUID
    subscription_id: str | None
    amount_cents: int
    currency: str
    status: str
    invoice_id: str
    url: str | None
    paid_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class InvoiceRow:
    """As it is exported."""

    id: UUID
    subscription_id: UUID | None
    amount_cents: int
    currency: str
    status: str
    stripe_invoice_id: str | None
    url: str | None
    paid_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CustomerRow:
    customer_id: str
    reading: int
    read_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class EventRow:
    id: str
    type: str
    customer_id: str
    created_at: datetime
    received_at: datetime
    handled_at: datetime | None
    error: str | None


CUSTOMER_OF = Query(str, "select customer_id from stripe_customers where user_id = $1")
# The one there is where another request was faster.
ADD_CUSTOMER = Write(
    str,
    """
insert into stripe_customers (user_id, customer_id) values ($1, $2)
on conflict (user_id) do update set customer_id = stripe_customers.customer_id
returning customer_id""",
)
# A row where it is new.
ADD_EVENT = Write(
    NewEvent,
    """
with known as (
  select user_id, customer_id from stripe_customers where customer_id = $3
), added as (
  insert into stripe_events (id, type, customer_id, created_at)
  values ($1, $2, (select customer_id from known), $4)
  on conflict (id) do nothing returning id
)
select (select user_id from known) as user_id from added""",
    across_users="Stripe says whose it is",
)
# After whatever is stored by now, though a clock may have been set back since.
BEGIN_READING = Query(
    Reading,
    """
select customer_id, greatest(clock_timestamp(), read_at + interval '1 microsecond') as began_at
  from stripe_customers where user_id = $1""",
)
# A row where nothing newer is stored; locked, so that what was read is written by one alone. `reading`
# counts what was written.
BEGIN_WRITING = Write(
    int,
    """
update stripe_customers set read_at = $2, reading = reading + 1
 where user_id = $1 and (read_at is null or read_at < $2) returning reading""",
)
# Events that came before the customer was read: what they were about has been seen.
HANDLED = Write(
    Nothing,
    """
update stripe_events e set handled_at = now(), error = null
  from stripe_customers c
 where c.user_id = $1 and e.customer_id = c.customer_id
   and e.handled_at is null and e.received_at <= $2""",
)
FAILED = Write(
    Nothing,
    """
update stripe_events e set error = $2
  from stripe_customers c
 where c.user_id = $1 and e.customer_id = c.customer_id and e.handled_at is null""",
)
PRUNE_EVENTS = Write(
    Nothing,
    "delete from stripe_events where received_at < now() - make_interval(days => $1)",
    across_users="age is the same for everyone",
)
# The next people with a customer, after $1.
CUSTOMERS = Query(
    OneCustomer,
    """
select user_id, customer_id from stripe_customers where user_id > $1 order by user_id limit 500""",
    across_users="everybody's state is read again every night",
)
KNOWN = Query(
    KnownSubscription,
    """
select stripe_subscription_id, plan_id from subscriptions
 where user_id = $1 and stripe_subscription_id is not null""",
)
# Those read at Stripe that no longer count, before another takes their place.
RETIRE = Write(
    Nothing,
    """
update subscriptions set status = 'canceled', updated_at = now()
 where user_id = $1 and stripe_subscription_id is not null and status <> 'canceled'
   and stripe_subscription_id is distinct from $2::text""",
)
PUT_SUBSCRIPTION = Write(
    Nothing,
    """
insert into subscriptions (user_id, plan_id, status, current_period_start, current_period_end,
                           cancel_at_period_end, stripe_subscription_id, stripe_customer_id)
values ($user_id, $plan_id, $status, $period_start, $period_end, $cancel_at_period_end,
        $subscription_id, $customer_id)
on conflict (stripe_subscription_id) do update
   set plan_id = excluded.plan_id, status = excluded.status,
       current_period_start = excluded.current_period_start,
       current_period_end = excluded.current_period_end,
       cancel_at_period_end = excluded.cancel_at_period_end, updated_at = now()
 where subscriptions.user_id = excluded.user_id
   and (subscriptions.plan_id, subscriptions.status, subscriptions.current_period_start,
        subscriptions.current_period_end, subscriptions.cancel_at_period_end)
       is distinct from (excluded.plan_id, excluded.status, excluded.current_period_start,
                         excluded.current_period_end, excluded.cancel_at_period_end)""",
    params=ReadSubscription,
)
PUT_INVOICE = Write(
    Nothing,
    """
insert into invoices (user_id, subscription_id, amount_cents, currency, status, stripe_invoice_id,
                      url, paid_at, created_at)
values ($user_id,
        (select id from subscriptions
          where user_id = $user_id and stripe_subscription_id = $subscription_id),
        $amount_cents, $currency, $status, $invoice_id, $url, $paid_at, $created_at)
on conflict (stripe_invoice_id) do update
   set subscription_id = excluded.subscription_id, amount_cents = excluded.amount_cents,
       currency = excluded.currency, status = excluded.status, url = excluded.url,
       paid_at = excluded.paid_at
 where invoices.user_id = excluded.user_id
   and (invoices.subscription_id, invoices.amount_cents, invoices.currency, invoices.status,
        invoices.url, invoices.paid_at)
       is distinct from (excluded.subscription_id, excluded.amount_cents, excluded.currency,
                         excluded.status, excluded.url, excluded.paid_at)""",
    params=ReadInvoice,
)
# Newest first, behind ($2, $3) (invoices_of_user).
INVOICES = Query(
    Invoice,
    """
select id, amount_cents, currency, status, paid_at, created_at, url from invoices
 where user_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
 order by created_at desc, id desc limit $4""",
)
INVOICES_OF_USER = Query(
    InvoiceRow,
    """
select id, subscription_id, amount_cents, currency, status, stripe_invoice_id, url, paid_at,
       created_at
  from invoices where user_id = $1 order by created_at, id""",
)
CUSTOMER_OF_USER = Query(
    CustomerRow,
    "select customer_id, reading, read_at, created_at from stripe_customers where user_id = $1",
)
EVENTS_OF_USER = Query(
    EventRow,
    """
select e.id, e.type, e.customer_id, e.created_at, e.received_at, e.handled_at, e.error
  from stripe_events e join stripe_customers c on c.customer_id = e.customer_id
 where c.user_id = $1 order by e.received_at, e.id""",
)
ERASE_INVOICES = Write(Nothing, "delete from invoices where user_id = $1")
# With the customer's events.
ERASE_CUSTOMER = Write(Nothing, "delete from stripe_customers where user_id = $1")
