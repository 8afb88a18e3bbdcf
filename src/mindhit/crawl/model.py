"""Watching shops: schedules, tasks, raws, products, and what can go wrong.

task     WAITING ─▶ PUBLISHED ─▶ RUNNING ─┬─▶ SUCCESS
                       ▲                  └─▶ FAILED ─▶ RETRY ─┐ while attempts remain
                       └───────────────────────────────────────┘
outbox   PENDING ─▶ PROCESSING ─▶ SENT
            ▲           └─▶ FAILED ─┬─▶ DEAD
            └── after a while ──────┘
raw      PENDING ─▶ PROCESSED
            ▲  └─▶ FAILED ─┬─▶ DEAD
            └──────────────┘ after a while
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, NewType
from uuid import UUID

from mindhit.errors import Broken, Conflict, Invalid, NotFound

SchedulerId = NewType("SchedulerId", UUID)
TaskId = NewType("TaskId", UUID)
RawId = NewType("RawId", UUID)
ProductId = NewType("ProductId", UUID)
OptionId = NewType("OptionId", UUID)
AgentId = NewType("AgentId", UUID)

LONGEST_NAME = 200
LONGEST_ITEM_KEY = 500  # bytes; it is part of a job's key


class Stage(StrEnum):
    """What a page is about; raws are applied in this order."""

    SEARCH = "SEARCH"
    MINI_SHOP = "MINI_SHOP"
    DETAIL = "DETAIL"
    OPTION = "OPTION"


class TargetKind(StrEnum):
    LISTING = "listing"
    PRODUCT = "product"


class SchedulerStatus(StrEnum):
    ACTIVE = "ACTIVE"
    INACTIVE = "INACTIVE"


class TaskStatus(StrEnum):
    WAITING = "WAITING"
    PUBLISHED = "PUBLISHED"
    RUNNING = "RUNNING"
    SUCCESS = "SUCCESS"
    FAILED = "FAILED"
    RETRY = "RETRY"


class DeadKind(StrEnum):
    TASK = "task"
    OUTBOX = "outbox"
    RAW = "raw"


class BreakerState(StrEnum):
    CLOSED = "CLOSED"
    OPEN = "OPEN"
    HALF_OPEN = "HALF_OPEN"


class Stock(StrEnum):
    """Which products a list shows."""

    IN = "in"
    OUT = "out"
    GONE = "gone"


class Availability(StrEnum):
    IN_STOCK = "InStock"
    OUT_OF_STOCK = "OutOfStock"


class ScheduleNotFound(NotFound):
    """There is no such schedule."""


class TaskNotFound(NotFound):
    """There is no such task."""


class ProductNotFound(NotFound):
    """There is no such product."""


class DeadLetterNotFound(NotFound):
    """There is no such dead letter."""


class BadSchedule(Invalid):
    """This page can't be watched with these settings."""


class AlreadyWatched(Conflict):
    """You're already watching this page."""


class ScheduleInactive(Conflict):
    """This schedule is paused. Resume it first."""


class ScheduleBusy(Conflict):
    """A run of this schedule is already in progress."""


class ScheduleUnreadable(Conflict):
    """This page can't be read any more. Remove the schedule and watch the page again."""


class TooManySchedules(Conflict):
    """You can't have more schedules. Remove one first."""


class NotRetryable(Conflict):
    """This can't be retried: a newer task for the same page is under way."""


class SiteUnknown(Broken):
    """The plug-in of this site is not installed."""


@dataclass(frozen=True, slots=True)
class AlertRules:
    """What a person wants to be told of. Percentages; None: never."""

    price_down: float | None = 5.0
    price_up: float | None = None
    back_in_stock: bool = True
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Schedule:
    id: SchedulerId
    name: str
    seller: str | None
    site: str
    target: str
    url: str
    domain: str
    cron: str
    timezone: str
    status: str
    alerts: Any
    next_run_at: datetime
    last_run_at: datetime | None
    created_at: datetime
    products: int
    last_status: str | None
    last_error: str | None
    breaker: str
    breaker_until: datetime | None


@dataclass(frozen=True, slots=True)
class Task:
    id: TaskId
    scheduler_id: SchedulerId
    parent_id: TaskId | None
    type: str
    item_key: str
    url: str
    status: str
    retry_count: int
    last_error: str | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Run:
    """A first task, and how many tasks came of it."""

    id: TaskId
    scheduler_id: SchedulerId
    name: str
    domain: str
    status: str
    last_error: str | None
    created_at: datetime
    finished_at: datetime | None
    tasks: int
    succeeded: int
    failed: int


@dataclass(frozen=True, slots=True)
class Execution:
    id: UUID
    attempt: int
    user_agent: str | None
    status: str
    http_status: int | None
    duration_ms: int | None
    error: str | None
    started_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Product:
    id: ProductId
    scheduler_id: SchedulerId
    site: str
    item_key: str
    url: str
    title: str | None
    brand: str | None
    image: str | None
    sku: str | None
    gtin: str | None
    price_min: Decimal | None
    price_max: Decimal | None
    currency: str | None
    availability: str | None
    gone_at: datetime | None
    created_at: datetime
    updated_at: datetime
    changed_at: datetime | None
    options: int


@dataclass(frozen=True, slots=True)
class Option:
    id: OptionId
    option_key: str
    name: str | None
    attributes: Any
    sku: str | None
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None
    gone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the history of a product."""

    option_id: OptionId
    at: datetime
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    id: UUID
    what: str
    type: str
    item_key: str
    url: str
    error: str | None
    retry_count: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Breaker:
    domain: str
    state: str
    probe_at: datetime | None
    trips: int
    reason: str | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Agent:
    id: AgentId
    user_agent: str
    status: str
    domains: int
    suspended: int
    lowest_score: int | None
