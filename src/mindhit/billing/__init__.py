"""Billing: what calls of models cost, to the token, what plans allow, and who pays for which.

    ledger.py          reserve before a call, record after its answer, give up what never came
    periods.py         the pure function from a moment to its billing period
    plans.py           plans from the configuration
    allowances.py      what a person's plan allows, and the sibling that allows everything
    usage_notices.py   telling people at 80 % and at 100 %
    subscribing.py     buying a plan, changing it, granting one by hand
    webhook.py         what Stripe tells; syncing.py reads the state itself
    payments/          the port to the payment provider
    leaving.py         ending a subscription before its person is erased

Promises: what is recorded is what the provider said, never an estimate; calls at the same time
never exceed a limit together; a call whose answer was never read counts at its upper bound; with
billing off nobody meets a limit; events of Stripe may come twice and in any order, and the state is
Stripe's; nobody who left pays on. Owns `token_usage`, `usage_totals`, `usage_notices`, `plans`,
`subscriptions`, `invoices`, `stripe_customers`, `stripe_events` and the jobs `billing:sweep`,
`billing:stripe`, `billing:sync`. Publishes `UsageReached`. Knows nothing of sessions: a `session_id` is a
number to it, and whoever deletes a session calls `forget_session`.
"""

from mindhit.billing.allowances import UNLIMITED, Allowances, allowance, require, unlimited
from mindhit.billing.jobs import enqueue_all, jobs, schedules
from mindhit.billing.leaving import erase, leave
from mindhit.billing.ledger import (
    InTheWay,
    expire,
    forget_session,
    lose,
    record,
    release,
    reserve,
    show_usage,
)
from mindhit.billing.model import (
    FREE,
    PLAN_SCREEN,
    Allowance,
    AlreadySubscribed,
    BadDays,
    BadEvent,
    BadSignature,
    BillingOff,
    Call,
    Flag,
    Invoice,
    NotForSale,
    NotInPlan,
    NotSubscribed,
    Payer,
    PaymentFailed,
    Period,
    Plan,
    PlanNotFound,
    Reservation,
    ReservationId,
    Subscription,
    Tokens,
    Totals,
    UsageDay,
    UsageLine,
    UsageShown,
    UsageState,
)
from mindhit.billing.payments import is_selling
from mindhit.billing.periods import period
from mindhit.billing.plans import list_plans, seed_plans
from mindhit.billing.retention import Kept, people_with_retention
from mindhit.billing.settings import BillingSettings
from mindhit.billing.store import ledger as _ledger
from mindhit.billing.store import plans as _plans
from mindhit.billing.store import stripe as _stripe
from mindhit.billing.subscribing import check_out, grant, open_portal
from mindhit.billing.syncing import sync
from mindhit.billing.usage_by_day import list_invoices, usage_by_day
from mindhit.billing.usage_notices import UsageReached
from mindhit.billing.webhook import receive
from mindhit.slices import Slice

SLICE = Slice(
    "billing",
    settings=BillingSettings,
    jobs=jobs,
    schedules=schedules,
    exports={
        "token_usage": _ledger.OF_USER,
        "usage_totals": _ledger.TOTALS_OF_USER,
        "usage_notices": _plans.NOTICES_OF_USER,
        "subscriptions": _plans.OF_USER,
        "invoices": _stripe.INVOICES_OF_USER,
        "stripe_customer": _stripe.CUSTOMER_OF_USER,
        "stripe_events": _stripe.EVENTS_OF_USER,
    },
    erase=erase,
    leave=leave,
    events=(UsageReached,),
)

__all__ = [
    "FREE",
    "PLAN_SCREEN",
    "SLICE",
    "UNLIMITED",
    "Allowance",
    "Allowances",
    "AlreadySubscribed",
    "BadDays",
    "BadEvent",
    "BadSignature",
    "BillingOff",
    "BillingSettings",
    "Call",
    "Flag",
    "InTheWay",
    "Invoice",
    "Kept",
    "NotForSale",
    "NotInPlan",
    "NotSubscribed",
    "Payer",
    "PaymentFailed",
    "Period",
    "Plan",
    "PlanNotFound",
    "Reservation",
    "ReservationId",
    "Subscription",
    "Tokens",
    "Totals",
    "UsageDay",
    "UsageLine",
    "UsageReached",
    "UsageShown",
    "UsageState",
    "allowance",
    "check_out",
    "enqueue_all",
    "erase",
    "expire",
    "forget_session",
    "grant",
    "is_selling",
    "leave",
    "list_invoices",
    "list_plans",
    "lose",
    "open_portal",
    "people_with_retention",
    "period",
    "receive",
    "record",
    "release",
    "require",
    "reserve",
    "seed_plans",
    "show_usage",
    "sync",
    "unlimited",
    "usage_by_day",
]
