"""A person's export: every table of the crawler, without the pages themselves."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from mindhit.db import Query

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, slots=True)
class ExportedSchedule:
    id: UUID
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
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedTask:
    id: UUID
    scheduler_id: UUID
    parent_id: UUID | None
    type: str
    item_key: str
    url: str
    domain: str
    status: str
    retry_count: int
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    listed_at: datetime | None


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    id: UUID
    task_id: UUID
    idempotency_key: str
    payload: Any
    status: str
    retry_count: int
    last_error: str | None
    available_at: datetime
    locked_at: datetime | None
    sent_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedExecution:
    id: UUID
    task_id: UUID
    attempt: int
    user_agent_id: UUID | None
    status: str
    http_status: int | None
    duration_ms: int | None
    error: str | None
    started_at: datetime
    finished_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedRaw:
    id: UUID
    task_id: UUID
    scheduler_id: UUID
    type: str
    site: str
    site_version: int
    item_key: str
    url: str
    follows: str | None
    run_at: datetime
    status: str
    retry_count: int
    last_error: str | None
    available_at: datetime
    processed_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedProduct:
    id: UUID
    scheduler_id: UUID
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
    mini_shop_at: datetime | None
    detail_at: datetime | None
    option_at: datetime | None
    missed: int
    not_found: int
    gone_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedOption:
    id: UUID
    product_id: UUID
    option_key: str
    name: str | None
    attributes: Any
    sku: str | None
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None
    baseline: Decimal | None
    gone_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedChange:
    id: UUID
    product_id: UUID
    option_id: UUID
    raw_id: UUID
    at: datetime
    price: Decimal | None
    currency: str | None
    availability: str | None
    quantity: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedAlert:
    product_id: UUID
    kind: str
    day: date
    notice_id: UUID | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedPreferences:
    alerts: Any
    created_at: datetime
    updated_at: datetime


def _columns(row: type[DataclassInstance]) -> str:
    """Those that a row has, by their names."""
    return ", ".join(each.name for each in fields(row))


SCHEDULES = Query(
    ExportedSchedule,
    f"select {_columns(ExportedSchedule)} from crawl_schedulers where user_id = $1 order by created_at, id",
)
TASKS = Query(
    ExportedTask,
    f"select {_columns(ExportedTask)} from crawl_tasks where user_id = $1 order by created_at, id",
)
MESSAGES = Query(
    ExportedMessage,
    f"select {_columns(ExportedMessage)} from crawl_task_outbox where user_id = $1 order by created_at, id",
)
EXECUTIONS = Query(
    ExportedExecution,
    f"select {_columns(ExportedExecution)} from crawl_executions where user_id = $1 order by created_at, id",
)
RAWS = Query(
    ExportedRaw,
    f"select {_columns(ExportedRaw)} from crawled_raws where user_id = $1 order by created_at, id",
)
PRODUCTS = Query(
    ExportedProduct,
    f"select {_columns(ExportedProduct)} from crawled_products where user_id = $1 order by created_at, id",
)
OPTIONS = Query(
    ExportedOption,
    f"select {_columns(ExportedOption)} from crawled_product_options where user_id = $1 order by created_at, id",
)
HISTORY = Query(
    ExportedChange,
    f"select {_columns(ExportedChange)} from crawled_product_history where user_id = $1 order by created_at, id",
)
ALERTS = Query(
    ExportedAlert,
    f"select {_columns(ExportedAlert)} from crawl_alerts where user_id = $1 order by day, product_id, kind",
)
PREFERENCES = Query(
    ExportedPreferences,
    f"select {_columns(ExportedPreferences)} from crawl_preferences where user_id = $1 order by created_at",
)
