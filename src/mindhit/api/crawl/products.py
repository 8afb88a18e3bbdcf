"""Runs with their tasks, and the products that came of them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import BaseModel, ConfigDict, Field

from mindhit import crawl
from mindhit.api.crawl.schedules import Task, TaskStatus, TaskType
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, after_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.api.tracking.fields import Moment
from mindhit.crawl import ProductId, ProductNotFound, SchedulerId, Stock, TaskId, TaskNotFound

router = APIRouter(prefix="/crawl", tags=["crawl"])

Money = Annotated[Decimal, Field(description="In the currency beside it.")]
Search = Annotated[str | None, Parameter(max_length=200, pattern=r"^[^\x00]*$")]


class TaskList(ItemPage[Task]):
    """The newest first."""


class Run(BaseModel):
    """A first task, and how many tasks came of it."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID = Field(description="Of its first task.")
    scheduler_id: UUID
    name: str
    domain: str
    status: TaskStatus = Field(description="Of its first task.")
    last_error: str | None
    created_at: datetime
    finished_at: datetime | None = Field(description="null: some of its tasks are under way.")
    tasks: int
    succeeded: int
    failed: int


class RunList(ItemPage[Run]):
    """The newest first."""


class Execution(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    attempt: int
    user_agent: str | None
    status: Literal["RUNNING", "SUCCESS", "FAILED"]
    http_status: int | None
    duration_ms: int | None
    error: str | None
    started_at: datetime
    finished_at: datetime | None


class TaskDetail(BaseModel):
    task: Task
    executions: list[Execution]


class Product(BaseModel):
    model_config = ConfigDict(from_attributes=True)

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
    price_min: Money | None
    price_max: Money | None
    currency: str | None
    availability: str | None
    gone_at: datetime | None
    created_at: datetime
    updated_at: datetime
    changed_at: datetime | None = Field(description="When a price or its stock last changed.")
    options: int = Field(description="How many can be bought.")


class ProductList(ItemPage[Product]):
    """The newest first."""


class Option(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    option_key: str
    name: str | None
    attributes: dict[str, str]
    sku: str | None
    price: Money | None
    currency: str | None
    availability: str | None
    quantity: int | None
    gone_at: datetime | None


class ProductDetail(BaseModel):
    product: Product
    options: list[Option]


class Change(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    option_id: UUID
    at: datetime
    price: Money | None
    currency: str | None
    availability: str | None
    quantity: int | None


class History(BaseModel):
    """Oldest first."""

    items: list[Change]


@router.get("/runs", summary="List my runs", responses=SIGNED_IN)
async def list_runs(
    db: Db,
    caller: PersonCaller,
    scheduler_id: UUID | None = None,
    cursor: Cursor = None,
    limit: Limit = 20,
) -> RunList:
    async with db.read() as tx:
        found = await crawl.list_runs(
            tx,
            caller.user_id,
            scheduler_id=SchedulerId(scheduler_id) if scheduler_id else None,
            after=after_time(cursor),
            limit=limit + 1,
        )
    return RunList.of(found, limit, lambda each: encode_time(each.created_at, each.id))


@router.get("/runs/{run_id}", summary="Show a run", responses=SIGNED_IN | documented(TaskNotFound))
async def show_run(db: Db, caller: PersonCaller, run_id: UUID) -> Run:
    """Its tasks: `/tasks?run_id=`."""
    async with db.read() as tx:
        return Run.model_validate(await crawl.show_run(tx, caller.user_id, TaskId(run_id)))


@router.get("/tasks", summary="List my tasks", responses=SIGNED_IN)
async def list_tasks(
    db: Db,
    caller: PersonCaller,
    scheduler_id: UUID | None = None,
    run_id: Annotated[UUID | None, Parameter(description="The first task of a run.")] = None,
    status: TaskStatus | None = None,
    type: TaskType | None = None,  # noqa: A002  the parameter's name outside
    cursor: Cursor = None,
    limit: Limit = 50,
) -> TaskList:
    async with db.read() as tx:
        found = await crawl.list_tasks(
            tx,
            caller.user_id,
            scheduler_id=SchedulerId(scheduler_id) if scheduler_id else None,
            run_id=TaskId(run_id) if run_id else None,
            status=status,
            type_=type,
            after=after_time(cursor),
            limit=limit + 1,
        )
    return TaskList.of(found, limit, lambda each: encode_time(each.created_at, each.id))


@router.get(
    "/tasks/{task_id}",
    summary="Show a task with its executions",
    responses=SIGNED_IN | documented(TaskNotFound),
)
async def show_task(db: Db, caller: PersonCaller, task_id: UUID) -> TaskDetail:
    async with db.read() as tx:
        found = await crawl.show_task(tx, caller.user_id, TaskId(task_id))
    executions = [Execution.model_validate(each) for each in found.executions]
    return TaskDetail(task=Task.model_validate(found.task), executions=executions)


@router.get("/products", summary="List my products", responses=SIGNED_IN)
async def list_products(
    db: Db,
    caller: PersonCaller,
    scheduler_id: UUID | None = None,
    search: Search = None,
    stock: Annotated[Literal["in", "out", "gone"] | None, Parameter()] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> ProductList:
    async with db.read() as tx:
        found = await crawl.list_products(
            tx,
            caller.user_id,
            scheduler_id=SchedulerId(scheduler_id) if scheduler_id else None,
            search=search,
            stock=Stock(stock) if stock else None,
            after=after_time(cursor),
            limit=limit + 1,
        )
    return ProductList.of(found, limit, lambda each: encode_time(each.created_at, each.id))


@router.get(
    "/products/{product_id}",
    summary="Show a product with its options",
    responses=SIGNED_IN | documented(ProductNotFound),
)
async def show_product(db: Db, caller: PersonCaller, product_id: UUID) -> ProductDetail:
    async with db.read() as tx:
        found = await crawl.show_product(tx, caller.user_id, ProductId(product_id))
    options = [Option.model_validate(each) for each in found.options]
    return ProductDetail(product=Product.model_validate(found.product), options=options)


@router.get(
    "/products/{product_id}/history",
    summary="Show the prices and stock of a product",
    responses=SIGNED_IN | documented(ProductNotFound),
)
async def show_history(
    db: Db,
    caller: PersonCaller,
    product_id: UUID,
    since: Annotated[Moment | None, Parameter(alias="from")] = None,
    until: Annotated[Moment | None, Parameter(alias="to")] = None,
) -> History:
    async with db.read() as tx:
        found = await crawl.show_history(
            tx, caller.user_id, ProductId(product_id), since=since, until=until
        )
    return History(items=[Change.model_validate(each) for each in found])
