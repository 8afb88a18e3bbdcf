"""Starting runs: at their time, by a message, by hand. The schedule's row is the lock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
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
    ScheduleUnreadable,
    Stage,
    TargetKind,
    Task,
    TaskId,
)
from mindhit.crawl.scheduling.cron import next_run
from mindhit.crawl.sites import registry
from mindhit.crawl.sites.api import Ref
from mindhit.crawl.store.schedulers import Due
from mindhit.db import NOT_NOW, Database, Tx
from mindhit.fetching import domain_of

BATCH: Final = 50
UNREADABLE_FOR: Final = timedelta(hours=1)
_log = log.get(__name__)


class Triggered(StrEnum):
    STARTED = "started"
    BUSY = "busy"
    INACTIVE = "inactive"
    OLD = "old"
    UNKNOWN = "unknown"
    UNREADABLE = "unreadable"


async def tick(db: Database, now: datetime) -> int:
    """Start everything that is due; how many were. Ticks that were missed are one."""
    started = 0
    while True:
        async with db.transaction() as tx:
            due = await tx.all(store.schedulers.TAKE_DUE, now, BATCH)
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
    """Raises `ScheduleInactive`, `ScheduleBusy` and `ScheduleUnreadable`."""
    due = await tx.maybe(store.schedulers.LOCK, user_id, scheduler_id)
    if due is None:
        raise ScheduleNotFound
    if due.status != SchedulerStatus.ACTIVE:
        raise ScheduleInactive
    outcome, task_id = await _start(tx, due, now)
    metrics.TRIGGERS.labels(outcome).inc()
    if task_id is None:
        raise ScheduleBusy if outcome == Triggered.BUSY else ScheduleUnreadable
    return await tx.one(store.tasks.SHOW, user_id, task_id)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Of a run: when the next one is, and its first tasks."""

    next_at: datetime
    first: NewTask
    further: list[NewTask]


async def _start(tx: Tx, due: Due, now: datetime) -> tuple[Triggered, TaskId | None]:
    """One that can't be planned or stored waits for an hour: it may not keep others from their runs."""
    try:
        async with tx.savepoint():
            return await _start_if_idle(tx, due, _plan(due, now), now)
    except NOT_NOW:
        raise
    except Exception as error:  # noqa: BLE001  somebody else's plug-in, a time zone that is no more
        reason = f"{type(error).__name__}: {error}"
        _log.warning("schedule not started", scheduler_id=str(due.id), reason=reason)
        await tx.run(store.schedulers.PUT_OFF, due.user_id, due.id, now + UNREADABLE_FOR)
        return Triggered.UNREADABLE, None


async def _start_if_idle(
    tx: Tx, due: Due, plan: _Plan, now: datetime
) -> tuple[Triggered, TaskId | None]:
    """The first task of a run, unless one goes on; and the time of the next."""
    is_busy = await tx.one(store.tasks.IS_BUSY, due.user_id, due.id, plan.first.stage)
    # Somebody may revive a dead one at this moment: then none is added.
    added = [] if is_busy else await add_tasks(tx, due.user_id, due.id, None, [plan.first])
    if not added:
        await tx.run(store.schedulers.PUT_OFF, due.user_id, due.id, plan.next_at)
        return Triggered.BUSY, None
    [task_id] = added
    await add_tasks(tx, due.user_id, due.id, task_id, plan.further)
    await tx.run(store.schedulers.RAN, due.user_id, due.id, plan.next_at, now)
    return Triggered.STARTED, task_id


def _plan(due: Due, now: datetime) -> _Plan:
    site = registry.site_named(due.site)
    target = registry.stages_of(site, due.url, TargetKind(due.target))

    def task(stage: Stage, item_key: str) -> NewTask:
        asked = site.request(Ref(stage, item_key, due.url)).url
        domain_of(asked)  # raises where it is no page
        return NewTask(stage, item_key, asked)

    if target.kind == TargetKind.LISTING:
        first, further = task(Stage.SEARCH, "1"), list[NewTask]()
    else:
        first = task(Stage.DETAIL, target.item_key)
        has_options = Stage.OPTION in target.stages
        further = [task(Stage.OPTION, target.item_key)] if has_options else []
    return _Plan(next_run(due.cron, due.timezone, now), first, further)
