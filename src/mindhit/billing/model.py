"""Who pays for a call, what became of its tokens, and how many somebody may use.

reserved ──the answer was read──▶ used        what the provider says it took
    │
    ├──nothing was answered: deleted          refused before any work: it cost nothing
    └──the answer was never read──▶ unknown   counts as used, at its upper bound
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NewType
from uuid import UUID

from mindhit.errors import Conflict, Invalid, NotFound, QuotaReached, Refused, Upstream

PLAN_SCREEN: Final = "/settings/plan"  # of the web app
FREE: Final = "free"  # the plan of everybody without a subscription
NEARLY: Final = 80  # percent of a limit, from which on it is nearly reached
SMALLEST_CALL: Final = 2000  # tokens: the longest answer alone, unless `language_output` is changed
ReservationId = NewType("ReservationId", int)


class Payer(StrEnum):
    PLAN = "plan"  # a person, from what their plan allows
    OWN = "own"  # a person with a key of their own; counts against no plan
    INSTALLATION = "installation"  # texts that belong to nobody


class Flag(StrEnum):
    """What a plan may include; an absent flag is off."""

    MODELS = "models"  # the installation's model provider; without it the built-in engine serves
    MAP_FILES = "map_files"  # a map as SVG, PNG, OPML, FreeMind
    API_TOKENS = "api_tokens"  # making API tokens; those there go on working
    WATCHING = "watching"  # schedules that fetch shops


class UsageState(StrEnum):
    RESERVED = "reserved"
    USED = "used"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to just before `end`, in UTC."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Subscription:
    """What the billing period of a paying person depends on: a month or a year from its start, again
    and again. `ends_at`: the first ends then, as Stripe says, and the others are counted from there."""

    started_at: datetime
    months: int = 1
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One that is offered. None is no limit; of the price, on request."""

    id: str
    name: str
    price_cents: int | None
    billing_period: str
    token_limit: int | None
    session_retention_days: int | None
    max_concurrent_sessions: int | None
    features: Any
    stripe_prices: list[str]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What somebody's plan allows. None is no limit; no `status` is no subscription."""

    plan: str
    token_limit: int | None
    subscription: Subscription | None = None
    sessions_at_once: int | None = None
    retention_days: int | None = None
    features: frozenset[str] = frozenset()
    status: str | None = None
    is_granted: bool = False
    cancel_at_period_end: bool = False
    is_on: bool = True
    name: str | None = None  # of the plan

    def has(self, flag: Flag) -> bool:
        return flag in self.features


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a model, before it is made. `user_id` is None where the installation pays."""

    user_id: UUID | None
    session_id: UUID | None
    operation: str
    provider: str
    ai_model: str
    payer: Payer
    at_most: int  # tokens: an upper bound, never an estimate
    lasts_s: float  # after which nobody can still be waiting for the answer


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the provider said a call took."""

    input: int
    output: int

    @property
    def total(self) -> int:
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Reservation:
    id: ReservationId
    user_id: UUID | None
    at_most: int


@dataclass(frozen=True, slots=True)
class Totals:
    """One person's tokens in one period."""

    used: int
    reserved: int


@dataclass(frozen=True, slots=True)
class UsageShown:
    """What one person used in the current period."""

    plan: str
    period: Period
    used: int
    reserved: int
    limit: int | None

    @property
    def is_used_up(self) -> bool:
        return self.limit is not None and is_used_up(self.used, self.limit)


def is_used_up(used: int, limit: int) -> bool:
    """Calls reserve more than they use, so the last tokens of a limit are rarely used."""
    is_nearly = used * 100 >= limit * NEARLY
    return used >= limit or (is_nearly and limit - used < SMALLEST_CALL)


@dataclass(frozen=True, slots=True)
class UsageLine:
    """Calls of one kind, for a person's overview."""

    operation: str
    provider: str
    ai_model: str
    payer: str
    calls: int
    tokens: int
    unknown: int


@dataclass(frozen=True, slots=True)
class UsageDay:
    """Calls of one kind on one day of the person's calendar."""

    date: date
    operation: str
    engine: str
    model: str
    tokens: int
    calls: int


@dataclass(frozen=True, slots=True)
class Invoice:
    id: UUID
    amount_cents: int
    currency: str
    status: str
    paid_at: datetime | None
    created_at: datetime
    url: str | None


class NotInPlan(QuotaReached):
    """Your plan doesn't include this."""

    shown = ("flag", "plan")


class BadDays(Invalid):
    """Choose a last day that is not before the first, at most a year apart."""


class PlanNotFound(NotFound):
    """There is no such plan."""


class BillingOff(NotFound):
    """This server doesn't offer paid plans."""


class AlreadySubscribed(Conflict):
    """You already have a subscription. Change it in the customer portal."""


class NotSubscribed(Conflict):
    """You don't have a subscription yet."""


class NotForSale(Conflict):
    """This plan can't be bought here. Ask the people who run this server."""


class BadEvent(Invalid):
    """This is not a Stripe event."""


class BadSignature(Refused):
    """This is not signed by Stripe."""


class PaymentFailed(Upstream):
    """The payment provider isn't responding. Try again in a moment."""
