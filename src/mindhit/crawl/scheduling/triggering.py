"""Starting runs: at their time, by a message, by hand. The schedule's row is the lock."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from mindhit import log
from mindhit.crawl import metrics, store
from mindhit.crawl.executing.results import NewTask, add_tasks
from mindhit.crawl.model import (
    ScheduleBusy,
    ScheduleInactive,
    ScheduleNotFound,
    SchedulerId,
    SchedulerStatus,
    SiteUnknown,
    Stage,
    TargetKind,
    Task,
    TaskId,
)
from mindhit.crawl.scheduling.cron import next_run
from mindhit.crawl.sites import registry
from mindhit.crawl.sites.api import Ref
from mindhit.crawl.store.schedulers import Due
from mindhit.db import Database, Tx

BATCH: Final = 50
_log = log.get(__name__)


class Triggered(StrEnum):
    STARTED = "started"
    BUSY = "busy"
    INACTIVE = "inactive"
    OLD = "old"
    UNKNOWN = "unknown"


async def tick(db: Database, now: datetime) -> int:
    """Start everything that is due; how many were. Ticks that were missed are one."""
    started = 0
    while True:
        async with db.transaction() as tx:
            due = await tx.all(store.schedulers.TAKE_DUE, BATCH)
            for each in due:
                outcome, _ = await _start(tx, each, now)
                metrics.TRIGGERS.labels(outcome).inc()
                started += outcome == Triggered.STARTED
        if len(due) < BATCH:
            return started


async def trigger_by_message(
    tx: Tx, scheduler_id: SchedulerId, at: datetime, now: datetime
) -> Triggered:
    """What a message asks for. One that was sent before the last run is a repeat, or late."""
    due = await tx.maybe(store.schedulers.LOCK_BY_ID, scheduler_id)
    if due is None:
        outcome = Triggered.UNKNOWN
    elif due.status != SchedulerStatus.ACTIVE:
        outcome = Triggered.INACTIVE
    elif due.last_run_at is not None and at <= due.last_run_at:
        outcome = Triggered.OLD
    else:
        outcome, _ = await _start(tx, due, now)
    metrics.TRIGGERS.labels(outcome).inc()
    return outcome


async def run_now(tx: Tx, user_id: UUID, scheduler_id: SchedulerId, now: datetime) -> Task:
    """Raises `ScheduleInactive` and `ScheduleBusy`."""
    due = await tx.maybe(store.schedulers.LOCK, user_id, scheduler_id)
    if due is None:
        raise ScheduleNotFound
    if due.status != SchedulerStatus.ACTIVE:
        raise ScheduleInactive
    outcome, task_id = await _start(tx, due, now)
    metrics.TRIGGERS.labels(outcome).inc()
    if task_id is None:
        raise ScheduleBusy
    return await tx.one(store.tasks.SHOW, user_id, task_id)


async def _start(tx: Tx, due: Due, now: datetime) -> tuple[Triggered, TaskId | None]:
    """The first task of a run, unless one goes on; and the time of the next."""
    at = next_run(due.cron, due.timezone, now)
    is_listing = due.target == TargetKind.LISTING
    stage = Stage.SEARCH if is_listing else Stage.DETAIL
    if await tx.one(store.tasks.IS_BUSY, due.user_id, due.id, stage):
        await tx.run(store.schedulers.PUT_OFF, due.user_id, due.id, at)
        return Triggered.BUSY, None
    try:
        site = registry.site_named(due.site)
        target = registry.stages_of(site, due.url, TargetKind(due.target))
    except SiteUnknown as error:
        _log.warning("schedule not started", reason=error.message)
        await tx.run(store.schedulers.PUT_OFF, due.user_id, due.id, at)
        return Triggered.UNKNOWN, None
    item_key = "1" if is_listing else target.item_key
    url = site.request(Ref(stage, item_key, due.url)).url
    added = await add_tasks(tx, due.user_id, due.id, None, [NewTask(stage, item_key, url)])
    await tx.run(store.schedulers.RAN, due.user_id, due.id, at)
    if not is_listing and Stage.OPTION in target.stages:
        option = NewTask(
            Stage.OPTION, item_key, site.request(Ref(Stage.OPTION, item_key, due.url)).url
        )
        await add_tasks(tx, due.user_id, due.id, added[0], [option])
    return Triggered.STARTED, added[0]
