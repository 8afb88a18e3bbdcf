"""Statements on plans and on who has which. A person's live subscription is found by
`subscriptions_live`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from mindhit.billing.model import Plan
from mindhit.db import Nothing, Query, Write

# Of a subscription `s`. One that was cancelled at Stripe ends with its period, though the event that
# says so may be late.
_LIVE = """s.status in ('active', 'trialing', 'past_due')
   and (s.stripe_subscription_id is null or not s.cancel_at_period_end
        or s.current_period_end > now())"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPlan:
    id: str
    name: str
    price_cents: int | None
    billing_period: str
    token_limit: int | None
    session_retention_days: int | None
    max_concurrent_sessions: int | None
    features: Any
    stripe_prices: list[str]
    place: int


@dataclass(frozen=True, slots=True)
class HasPlan:
    """A person's plan with its limits; without a subscription it is the free one."""

    plan: str
    name: str
    token_limit: int | None
    session_retention_days: int | None
    max_concurrent_sessions: int | None
    features: Any
    billing_period: str
    status: str | None
    current_period_start: datetime | None
    current_period_end: datetime | None
    cancel_at_period_end: bool
    is_granted: bool


@dataclass(frozen=True, slots=True)
class Price:
    price: str
    plan_id: str


@dataclass(frozen=True, slots=True)
class Kept:
    user_id: UUID
    days: int


@dataclass(frozen=True, slots=True)
class SubscriptionRow:
    """As it is exported."""

    id: UUID
    plan_id: str
    status: str
    current_period_start: datetime
    current_period_end: datetime
    cancel_at_period_end: bool
    stripe_subscription_id: str | None
    stripe_customer_id: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NoticeRow:
    period_start: datetime
    percent: int
    told_at: datetime


OFFER = Write(
    Nothing,
    """
insert into plans (id, name, price_cents, billing_period, token_limit, session_retention_days,
                   max_concurrent_sessions, features, stripe_prices, place, is_offered)
values ($id, $name, $price_cents, $billing_period, $token_limit, $session_retention_days,
        $max_concurrent_sessions, $features, $stripe_prices, $place, true)
on conflict (id) do update
   set name = excluded.name, price_cents = excluded.price_cents,
       billing_period = excluded.billing_period, token_limit = excluded.token_limit,
       session_retention_days = excluded.session_retention_days,
       max_concurrent_sessions = excluded.max_concurrent_sessions, features = excluded.features,
       stripe_prices = excluded.stripe_prices, place = excluded.place, is_offered = true""",
    params=OfferedPlan,
)
# All but these; those who have one keep it.
WITHDRAW = Write(
    Nothing, "update plans set is_offered = false where is_offered and id <> all ($1::text[])"
)
OFFERED = Query(
    Plan,
    """
select id, name, price_cents, billing_period, token_limit, session_retention_days,
       max_concurrent_sessions, features, stripe_prices
  from plans where is_offered order by place, id""",
)
# Whatever became of it: somebody may have it still.
BY_ID = Query(
    Plan,
    """
select id, name, price_cents, billing_period, token_limit, session_retention_days,
       max_concurrent_sessions, features, stripe_prices
  from plans where id = $1""",
)
# Prices at Stripe, of all plans that ever were.
PRICES = Query(
    Price, "select unnest(stripe_prices) as price, id as plan_id from plans order by is_offered, id"
)
# No row where nothing is offered: billing is off.
PLAN_OF = Query(
    HasPlan,
    f"""
select p.id as plan, p.name, p.token_limit, p.session_retention_days, p.max_concurrent_sessions,
       p.features, p.billing_period, s.status, s.current_period_start, s.current_period_end,
       coalesce(s.cancel_at_period_end, false) as cancel_at_period_end,
       s.id is not null and s.stripe_subscription_id is null as is_granted
  from (select $1::uuid as user_id) who
  left join subscriptions s
    on s.user_id = who.user_id and {_LIVE}
  join plans p on p.id = coalesce(s.plan_id, 'free')
 where exists (select from plans where is_offered)""",
)
# Whether there is a subscription at Stripe that has not ended, as far as is known here.
IS_PAYING = Query(
    bool,
    """
select exists (
  select from subscriptions
   where user_id = $1 and stripe_subscription_id is not null and status <> 'canceled'
) as is_paying""",
)
# People whose plan keeps sessions for a while only, after $1, with the days.
KEPT_FOR = Query(
    Kept,
    f"""
select u.id as user_id, p.session_retention_days as days
  from users u
  left join subscriptions s
    on s.user_id = u.id and {_LIVE}
  join plans p on p.id = coalesce(s.plan_id, 'free')
 where u.id > $1 and p.session_retention_days is not null
   and exists (select from plans where is_offered)
 order by u.id limit 500""",
    across_users="everybody's plan says how long their sessions are kept",
)
# By hand: without ids of Stripe.
GRANT = Write(
    UUID,
    """
insert into subscriptions (user_id, plan_id, current_period_start, current_period_end)
values ($1, $2, $3, $4) returning id""",
)
# Those by hand, when another takes their place.
END_GRANTED = Write(
    Nothing,
    """
update subscriptions set status = 'canceled', updated_at = now()
 where user_id = $1 and stripe_subscription_id is null and status <> 'canceled'""",
)
OF_USER = Query(
    SubscriptionRow,
    """
select id, plan_id, status, current_period_start, current_period_end, cancel_at_period_end,
       stripe_subscription_id, stripe_customer_id, created_at, updated_at
  from subscriptions where user_id = $1 order by created_at, id""",
)
ERASE = Write(Nothing, "delete from subscriptions where user_id = $1")

# A row where it was not told yet.
TELL = Write(
    int,
    """
insert into usage_notices (user_id, period_start, percent) values ($1, $2, $3)
on conflict do nothing returning percent""",
)
NOTICES_OF_USER = Query(
    NoticeRow,
    """
select period_start, percent, told_at from usage_notices
 where user_id = $1 order by period_start, percent""",
)
ERASE_NOTICES = Write(Nothing, "delete from usage_notices where user_id = $1")
