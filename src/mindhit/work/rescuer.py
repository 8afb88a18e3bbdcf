"""Puts back the jobs of workers that died: every worker does it, none has to be the leader."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from mindhit import log
from mindhit.db import NOT_NOW, Database, Session
from mindhit.work import metrics, policy, store
from mindhit.work.ledger import Ledger
from mindhit.work.model import State

_log = log.get(__name__)
EVERY_S = 5.0
AT_ONCE = 100


class Rescuer:
    """With a lease of 30 s and a look every 5 s, a dead worker's jobs run again within 40 s. A
    worker that lives keeps its jobs, also those whose rows somebody has locked (store.RENEW)."""

    def __init__(
        self,
        db: Database | Session,
        *,
        every_s: float = EVERY_S,
        notify: bool = True,
        requeued: Callable[[], None] = lambda: None,
        ledger: Ledger | None = None,
    ) -> None:
        self._db = db
        self._ledger = ledger or Ledger()
        self._every_s = every_s
        self._notify = notify
        self._requeued = requeued

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._every_s * random.uniform(0.7, 1.0))  # noqa: S311
            try:
                while await self.run_once() == AT_ONCE:
                    pass
            except NOT_NOW as error:
                _log.warning("rescue waits for the database", reason=str(error))

    async def run_once(self) -> int:
        """Rescue one batch; returns how many."""
        rescued = await self._db.alone(
            store.RESCUE,
            AT_ONCE,
            policy.MAX_RESCUES,
            policy.APART_S,
            timeout_s=store.TIMEOUT_S,
        )
        await self._db.alone(store.FREE_STRAY, timeout_s=store.TIMEOUT_S)
        await self._db.alone(store.FORGET_RENEWALS, timeout_s=store.TIMEOUT_S)
        for job in rescued:
            is_dead = job.status == State.DEAD
            if is_dead:
                self._ledger.rescued_to_death(job.kind, job.id)
            else:
                metrics.RESCUED.labels(job.kind).inc()
            _log.warning(
                "job rescued too often, now dead" if is_dead else "job rescued",
                job_id=job.id,
                kind=job.kind,
                held_by=job.locked_by,
            )
        if rescued:
            self._requeued()
        if rescued and self._notify:
            await self._db.alone(store.NOTIFY, timeout_s=store.TIMEOUT_S)
        return len(rescued)
