"""A person's export: every table of the crawler, without the pages themselves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from mindhit.db import Query


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


SCHEDULES = Query(
    ExportedSchedule,
    """
select id, name, seller, site, target, url, domain, cron, timezone, status, alerts,
       next_run_at, last_run_at, created_at, updated_at
  from crawl_schedulers where user_id = $1 order by created_at, id""",
)
TASKS = Query(
    ExportedTask,
    """
select id, scheduler_id, parent_id, type, item_key, url, domain, status, retry_count,
       last_error, created_at, updated_at, finished_at
  from crawl_tasks where user_id = $1 order by created_at, id""",
)
MESSAGES = Query(
    ExportedMessage,
    """
select id, task_id, idempotency_key, payload, status, retry_count, last_error, available_at,
       locked_at, sent_at, created_at, updated_at
  from crawl_task_outbox where user_id = $1 order by created_at, id""",
)
EXECUTIONS = Query(
    ExportedExecution,
    """
select id, task_id, attempt, user_agent_id, status, http_status, duration_ms, error,
       started_at, finished_at, created_at, updated_at
  from crawl_executions where user_id = $1 order by created_at, id""",
)
RAWS = Query(
    ExportedRaw,
    """
select id, task_id, scheduler_id, type, site, site_version, item_key, url, follows, run_at,
       status, retry_count, last_error, available_at, processed_at, created_at, updated_at
  from crawled_raws where user_id = $1 order by created_at, id""",
)
PRODUCTS = Query(
    ExportedProduct,
    """
select id, scheduler_id, site, item_key, url, title, brand, image, sku, gtin, price_min,
       price_max, currency, availability, mini_shop_at, detail_at, option_at, missed, gone_at,
       created_at, updated_at
  from crawled_products where user_id = $1 order by created_at, id""",
)
OPTIONS = Query(
    ExportedOption,
    """
select id, product_id, option_key, name, attributes, sku, price, currency, availability,
       quantity, baseline, gone_at, created_at, updated_at
  from crawled_product_options where user_id = $1 order by created_at, id""",
)
HISTORY = Query(
    ExportedChange,
    """
select id, product_id, option_id, raw_id, at, price, currency, availability, quantity,
       created_at
  from crawled_product_history where user_id = $1 order by created_at, id""",
)
ALERTS = Query(
    ExportedAlert,
    """
select product_id, kind, day, notice_id, created_at
  from crawl_alerts where user_id = $1 order by day, product_id, kind""",
)
PREFERENCES = Query(
    ExportedPreferences,
    """
select alerts, created_at, updated_at
  from crawl_preferences where user_id = $1""",
)
