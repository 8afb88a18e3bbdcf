"""Puts back the jobs of workers that died. Every worker does it; there is no leader."""

from __future__ import annotations

import asyncio
import random

from mindhit import log
from mindhit.db import NOT_NOW, Database, Session
from mindhit.work import metrics, store
from mindhit.work.model import State
from mindhit.work.running.outcome_counts import OutcomeCounts
from mindhit.work.signals import Signals

_log = log.get(__name__)
RESCUE_EVERY_S = 5.0
MAX_RESCUES = 5  # a job rescued more often is dead: it may be what kills its workers
# Jobs rescued for the second time come back within this time, at random, for the third time within
# twice this time, and so on: apart from the one job among them that may be killing workers.
SPREAD_S = 10.0
BATCH = 100


class Rescuer:
    """With a lease of 30 s and a rescue every 5 s, a dead worker's jobs run again within 40 s. A live
    worker keeps its jobs, even those whose rows somebody has locked (store.RENEW)."""

    def __init__(
        self,
        db: Database | Session,
        *,
        every_s: float = RESCUE_EVERY_S,
        notify: bool = True,
        signals: Signals | None = None,
        counts: OutcomeCounts | None = None,
    ) -> None:
        self._db = db
        self._counts = counts or OutcomeCounts()
        self._every_s = every_s
        self._notify = notify
        self._signals = signals or Signals()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._every_s * random.uniform(0.7, 1.0))  # noqa: S311
            try:
                while await self.run_once() == BATCH:
                    pass
            except NOT_NOW as error:
                _log.warning("rescuing waits for the database", reason=str(error))

    async def run_once(self) -> int:
        """Rescue one batch; returns how many."""
        rescued = await self._db.alone(
            store.RESCUE, BATCH, MAX_RESCUES, SPREAD_S, timeout_s=store.TIMEOUT_S
        )
        await self._db.alone(store.FREE_STRAY_SLOTS, timeout_s=store.TIMEOUT_S)
        await self._db.alone(store.DELETE_OLD_RENEWALS, timeout_s=store.TIMEOUT_S)
        for job in rescued:
            is_dead = job.status == State.DEAD
            if is_dead:
                self._counts.rescued_too_often(job.kind, job.id)
            else:
                metrics.RESCUED.labels(job.kind).inc()
            _log.warning(
                "job rescued too often, now dead" if is_dead else "job rescued",
                job_id=job.id,
                kind=job.kind,
                held_by=job.locked_by,
            )
        if rescued:
            self._signals.work.set()
        if rescued and self._notify:
            await self._db.alone(store.NOTIFY, timeout_s=store.TIMEOUT_S)
        return len(rescued)
