"""What people see: runs with their tasks, products with options and history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from mindhit.crawl import store
from mindhit.crawl.model import (
    AlertRules,
    Change,
    Execution,
    Option,
    Product,
    ProductId,
    ProductNotFound,
    Run,
    SchedulerId,
    Stock,
    Task,
    TaskId,
    TaskNotFound,
)
from mindhit.crawl.products.alerts import plain_rules, rules_of
from mindhit.db import ReadTx, Tx

MOST_CHANGES: Final = 5000
After = tuple[datetime, UUID] | None


@dataclass(frozen=True, slots=True)
class TaskDetail:
    task: Task
    executions: list[Execution]


@dataclass(frozen=True, slots=True)
class ProductDetail:
    product: Product
    options: list[Option]


async def list_tasks(
    tx: ReadTx,
    user_id: UUID,
    *,
    scheduler_id: SchedulerId | None = None,
    run_id: TaskId | None = None,
    status: str | None = None,
    type_: str | None = None,
    after: After = None,
    limit: int,
) -> list[Task]:
    at, id_ = after or (None, None)
    return await tx.all(
        store.tasks.LIST, user_id, scheduler_id, run_id, status, type_, at, id_, limit
    )


async def list_runs(
    tx: ReadTx,
    user_id: UUID,
    *,
    scheduler_id: SchedulerId | None = None,
    after: After = None,
    limit: int,
) -> list[Run]:
    at, id_ = after or (None, None)
    return await tx.all(store.tasks.RUNS, user_id, scheduler_id, None, at, id_, limit)


async def show_run(tx: ReadTx, user_id: UUID, run_id: TaskId) -> Run:
    found = await tx.all(store.tasks.RUNS, user_id, None, run_id, None, None, 1)
    if not found:
        raise TaskNotFound
    return found[0]


async def show_task(tx: ReadTx, user_id: UUID, task_id: TaskId) -> TaskDetail:
    found = await tx.maybe(store.tasks.SHOW, user_id, task_id)
    if found is None:
        raise TaskNotFound
    return TaskDetail(found, await tx.all(store.tasks.EXECUTIONS, user_id, task_id))


async def list_products(
    tx: ReadTx,
    user_id: UUID,
    *,
    scheduler_id: SchedulerId | None = None,
    search: str | None = None,
    stock: Stock | None = None,
    after: After = None,
    limit: int,
) -> list[Product]:
    at, id_ = after or (None, None)
    like = None if not search else f"%{_literal(search)}%"
    return await tx.all(store.products.LIST, user_id, scheduler_id, like, stock, at, id_, limit)


async def show_product(tx: ReadTx, user_id: UUID, product_id: ProductId) -> ProductDetail:
    found = await tx.maybe(store.products.SHOW, user_id, product_id)
    if found is None:
        raise ProductNotFound
    return ProductDetail(found, await tx.all(store.products.OPTIONS, user_id, product_id))


async def show_history(
    tx: ReadTx,
    user_id: UUID,
    product_id: ProductId,
    *,
    since: datetime | None,
    until: datetime | None,
) -> list[Change]:
    """Prices and stock, oldest first; of very many the newest."""
    if await tx.maybe(store.products.SHOW, user_id, product_id) is None:
        raise ProductNotFound
    return await tx.all(store.products.HISTORY, user_id, product_id, since, until, MOST_CHANGES)


async def show_alerts(tx: ReadTx, user_id: UUID) -> AlertRules:
    stored: Any = await tx.maybe(store.alerts.PREFERENCES, user_id)
    return rules_of(stored)


async def set_alerts(tx: Tx, user_id: UUID, rules: AlertRules) -> AlertRules:
    await tx.run(store.alerts.SET_PREFERENCES, user_id, plain_rules(rules))
    return rules


def _literal(text: str) -> str:
    return text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
