"""Pages of shops that are fetched again and again."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from mindhit import billing, crawl
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, after_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.billing import Flag, NotInPlan
from mindhit.clock import utc_now
from mindhit.crawl import (
    AlreadyWatched,
    BadSchedule,
    CrawlSettings,
    ScheduleBusy,
    ScheduleInactive,
    ScheduleNotFound,
    SchedulerId,
    ScheduleUnreadable,
    TooManySchedules,
)
from mindhit.crawl.model import LONGEST_NAME
from mindhit.urls import MAX_LENGTH

router = APIRouter(prefix="/crawl", tags=["crawl"])

Name = Annotated[str, StringConstraints(max_length=LONGEST_NAME, pattern=r"^[^\x00]*$")]
Cron = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00]*$")]
Timezone = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Address = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LENGTH)]
SchedulerStatus = Literal["ACTIVE", "INACTIVE"]
TaskType = Literal["SEARCH", "MINI_SHOP", "DETAIL", "OPTION"]
TaskStatus = Literal["WAITING", "PUBLISHED", "RUNNING", "SUCCESS", "FAILED", "RETRY"]
BreakerState = Literal["CLOSED", "OPEN", "HALF_OPEN"]
Percent = Annotated[float, Field(strict=True, gt=0, le=1000, allow_inf_nan=False)]


class Alerts(BaseModel):
    """What you want to be notified about."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")

    price_down: Percent | None = Field(default=5.0, description="In percent; null: never.")
    price_up: Percent | None = None
    back_in_stock: StrictBool = True
    gone: StrictBool = False

    def rules(self) -> crawl.AlertRules:
        return crawl.AlertRules(self.price_down, self.price_up, self.back_in_stock, self.gone)


class Schedule(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    name: str
    seller: str | None
    site: str
    target: Literal["listing", "product"]
    url: str
    domain: str
    cron: str
    timezone: str
    status: SchedulerStatus
    alerts: Alerts | None = Field(description="null: as your preferences say.")
    next_run_at: datetime
    last_run_at: datetime | None
    created_at: datetime
    products: int
    last_status: TaskStatus | None = Field(description="Of the first task of the last run.")
    last_error: str | None
    breaker: BreakerState = Field(
        description="Anything but CLOSED: the site isn't visited for now."
    )
    breaker_until: datetime | None = Field(description="When the site is asked again.")


class ScheduleList(ItemPage[Schedule]):
    """The newest first."""


class NewSchedule(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: Address
    cron: Cron = Field(description="Five fields: minute, hour, day, month, weekday.")
    timezone: Timezone | None = Field(default=None, description="Yours, by default.")
    site: Annotated[str, StringConstraints(max_length=64)] | None = None
    name: Name | None = None
    alerts: Alerts | None = None


class PreviewOf(BaseModel):
    model_config = ConfigDict(extra="forbid")

    cron: Cron
    timezone: Timezone | None = None
    url: Address | None = None
    site: Annotated[str, StringConstraints(max_length=64)] | None = None


class Preview(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    runs: list[datetime] = Field(description="The next three.")
    site: str | None
    target: Literal["listing", "product"] | None
    watched_by: UUID | None = Field(description="Your schedule of this page, if there is one.")


class ScheduleChanges(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = ""
    cron: Cron = ""
    timezone: Timezone = ""
    status: SchedulerStatus = "ACTIVE"
    alerts: Alerts | None = None


class Task(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    scheduler_id: UUID
    parent_id: UUID | None = Field(description="The first task of its run; null: this is it.")
    type: TaskType
    item_key: str
    url: str
    status: TaskStatus
    retry_count: int
    last_error: str | None
    created_at: datetime
    finished_at: datetime | None


class Site(BaseModel):
    name: str
    version: int


class SiteList(BaseModel):
    items: list[Site]


@router.get("/schedules", summary="List my schedules", responses=SIGNED_IN)
async def list_schedules(
    db: Db, caller: PersonCaller, cursor: Cursor = None, limit: Limit = 50
) -> ScheduleList:
    async with db.read() as tx:
        found = await crawl.list_schedules(
            tx, caller.user_id, after=after_time(cursor), limit=limit + 1
        )
    return ScheduleList.of(found, limit, lambda each: encode_time(each.created_at, each.id))


@router.post(
    "/schedules",
    summary="Watch a page",
    status_code=201,
    responses=SIGNED_IN | documented(BadSchedule, AlreadyWatched, TooManySchedules, NotInPlan),
)
async def add_schedule(
    db: Db, settings: AppSettings, caller: RecorderCaller, asked: NewSchedule
) -> Schedule:
    """A listing or one product. It runs at the times of `cron`, at most every five minutes."""
    async with db.transaction() as tx:
        await billing.require(tx, caller.user_id, Flag.WATCHING)
        made = await crawl.add_schedule(
            tx,
            caller.user_id,
            asked.url,
            cron=asked.cron,
            now=utc_now(),
            most=settings[CrawlSettings].crawl_schedules,
            timezone=asked.timezone,
            site=asked.site,
            name=asked.name,
            alerts=asked.alerts.rules() if asked.alerts else None,
        )
    return Schedule.model_validate(made)


@router.post(
    "/preview",
    summary="Preview a schedule",
    responses=SIGNED_IN | documented(BadSchedule),
)
async def preview_schedule(db: Db, caller: PersonCaller, asked: PreviewOf) -> Preview:
    """Its next runs and what reads its page. Nothing is fetched or stored."""
    async with db.read() as tx:
        found = await crawl.preview_schedule(
            tx,
            caller.user_id,
            cron=asked.cron,
            now=utc_now(),
            timezone=asked.timezone,
            url=asked.url,
            site=asked.site,
        )
    return Preview.model_validate(found)


@router.get(
    "/schedules/{scheduler_id}",
    summary="Show a schedule",
    responses=SIGNED_IN | documented(ScheduleNotFound),
)
async def show_schedule(db: Db, caller: PersonCaller, scheduler_id: UUID) -> Schedule:
    async with db.read() as tx:
        found = await crawl.show_schedule(tx, caller.user_id, SchedulerId(scheduler_id))
    return Schedule.model_validate(found)


@router.patch(
    "/schedules/{scheduler_id}",
    summary="Change a schedule",
    responses=SIGNED_IN | documented(ScheduleNotFound, BadSchedule, NotInPlan),
)
async def change_schedule(
    db: Db, caller: PersonCaller, scheduler_id: UUID, asked: ScheduleChanges
) -> Schedule:
    """What is left out stays as it is; `alerts: null` takes your preferences again."""
    changes: dict[str, Any] = {name: getattr(asked, name) for name in asked.model_fields_set}
    if asked.alerts is not None:
        changes["alerts"] = asked.alerts.rules()
    async with db.transaction() as tx:
        if changes.get("status") == "ACTIVE":
            await billing.require(tx, caller.user_id, Flag.WATCHING)
        made = await crawl.change_schedule(
            tx, caller.user_id, SchedulerId(scheduler_id), changes, utc_now()
        )
    return Schedule.model_validate(made)


@router.delete(
    "/schedules/{scheduler_id}",
    summary="Stop watching a page",
    status_code=204,
    responses=SIGNED_IN | documented(ScheduleNotFound),
)
async def remove_schedule(db: Db, caller: PersonCaller, scheduler_id: UUID) -> None:
    """Its runs, products and their history are deleted, except products that another schedule also finds."""
    async with db.transaction() as tx:
        await crawl.remove_schedule(tx, caller.user_id, SchedulerId(scheduler_id))


@router.post(
    "/schedules/{scheduler_id}/run",
    summary="Run a schedule now",
    status_code=202,
    responses=SIGNED_IN
    | documented(ScheduleNotFound, ScheduleInactive, ScheduleBusy, ScheduleUnreadable, NotInPlan),
)
async def run_schedule(db: Db, caller: PersonCaller, scheduler_id: UUID) -> Task:
    async with db.transaction() as tx:
        await billing.require(tx, caller.user_id, Flag.WATCHING)
        task = await crawl.run_now(tx, caller.user_id, SchedulerId(scheduler_id), utc_now())
    return Task.model_validate(task)


@router.get("/sites", summary="List supported shops", responses=SIGNED_IN)
async def list_sites(caller: PersonCaller) -> SiteList:  # noqa: ARG001  only people may ask
    known = crawl.known_sites().values()
    return SiteList(items=[Site(name=each.name, version=each.version) for each in known])


@router.get("/alerts", summary="Show my alert settings", responses=SIGNED_IN)
async def show_alerts(db: Db, caller: PersonCaller) -> Alerts:
    async with db.read() as tx:
        return Alerts.model_validate(await crawl.show_alerts(tx, caller.user_id))


@router.put("/alerts", summary="Change my alert settings", responses=SIGNED_IN)
async def set_alerts(db: Db, caller: PersonCaller, asked: Alerts) -> Alerts:
    async with db.transaction() as tx:
        await crawl.set_alerts(tx, caller.user_id, asked.rules())
    return asked
