"""Recurring work: declared beside its handler, enqueued once per tick across all schedulers.

    SCHEDULES = (Schedule("work:prune", PruneJobs(), every_s=3600),)

Any number of schedulers may run. A tick is a row that one of them locks; the job and the time of
the next tick are written in the same transaction. Ticks missed while nothing ran are
replaced by one, not by all of them.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from mindhit import log
from mindhit.clock import utc_now
from mindhit.db import NOT_NOW, Database
from mindhit.work import metrics, store
from mindhit.work.enqueue import enqueue

_log = log.get(__name__)
LONGEST_SLEEP_S = 10.0  # between two checks for due schedules
SHORTEST_SLEEP_S = 0.05


@dataclass(frozen=True, slots=True)
class Schedule:
    name: str
    job: object
    every_s: float


def next_tick(planned: datetime, every_s: float, now: datetime) -> datetime:
    """The first tick after `now`, a whole number of intervals after `planned`."""
    every = timedelta(seconds=every_s)
    missed = max((now - planned) // every, 0)
    return planned + (missed + 1) * every


class Scheduler:
    def __init__(self, db: Database, schedules: Sequence[Schedule]) -> None:
        self._db = db
        self._schedules = {schedule.name: schedule for schedule in schedules}
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        self._stopping.set()

    async def run(self) -> None:
        _log.info("scheduler starts", schedules=sorted(self._schedules))
        while not self._stopping.is_set():
            wait_s = LONGEST_SLEEP_S
            try:
                await self.run_once()
                wait_s = await self._until_next()
            except NOT_NOW as error:
                _log.warning("scheduler waits for the database", reason=str(error))
                wait_s = random.uniform(0.5, 2)  # noqa: S311
            try:
                async with asyncio.timeout(wait_s):
                    await self._stopping.wait()
            except TimeoutError:
                pass
        _log.info("scheduler stopped")

    async def run_once(self) -> int:
        """Enqueue what is due; returns how many ticks there were."""
        async with self._db.transaction() as tx:
            for schedule in self._schedules.values():
                first = utc_now() + timedelta(seconds=schedule.every_s)
                await tx.run(store.ADD_SCHEDULE, schedule.name, first)
        async with self._db.transaction() as tx:
            due = await tx.all(store.DUE_SCHEDULES, list(self._schedules))
            for each in due:
                schedule = self._schedules[each.name]
                job_id = await enqueue(tx, schedule.job)
                following = next_tick(each.next_run_at, schedule.every_s, each.now)
                await tx.run(store.RECORD_TICK, each.name, following, job_id)
                metrics.TICKS.labels(each.name).inc()
        return len(due)

    async def _until_next(self) -> float:
        async with self._db.read() as tx:
            wait_s = await tx.maybe(store.NEXT_TICK, list(self._schedules))
        return (
            LONGEST_SLEEP_S
            if wait_s is None
            else min(max(wait_s, SHORTEST_SLEEP_S), LONGEST_SLEEP_S)
        )
