"""Breakers: a site that turns most agents away is left alone, and asked by one task now and then.

CLOSED ──too few agents──▶ OPEN ──its time is over──▶ HALF_OPEN: one task asks
   ▲                        ▲                              │
   └────── it answers ──────┼──────────────────────────────┤
                            └────── it does not, twice as long
"""

from __future__ import annotations

from typing import Final

from mindhit import log
from mindhit.crawl import metrics, store
from mindhit.crawl.executing.agent_health import AFTER_COOL_DOWN
from mindhit.crawl.model import TaskId
from mindhit.db import Database, Tx

OPEN_S: Final = 300.0
LONGEST_S: Final = 3600.0
PROBE_S: Final = 180.0  # after which a probe that was not heard of is taken for lost
LONGEST_DEFERRAL_S: Final = 300.0
PROBED_DEFERRAL_S: Final = 20.0  # while one asks: it is answered within seconds, and all may go on
_log = log.get(__name__)


async def deferral_s(db: Database, domain: str, task_id: TaskId) -> float | None:
    """How long a task has to wait; None: it may go on, perhaps as the one that asks."""
    states = await db.alone(store.breakers.OF, domain)
    if not states:
        return None
    if states[0].wait_s <= 0 or states[0].probe_task_id == task_id:
        taken = await db.alone(store.breakers.PROBE, domain, task_id, PROBE_S)
        if taken:
            return None
        states = await db.alone(store.breakers.OF, domain)
        if not states:
            return None
    longest_s = LONGEST_DEFERRAL_S if states[0].state == "OPEN" else PROBED_DEFERRAL_S
    return min(max(states[0].wait_s, 1.0), longest_s)


async def is_half_open(tx: Tx, domain: str) -> bool:
    return await tx.one(store.breakers.IS_HALF_OPEN, domain)


async def open_breaker(tx: Tx, domain: str, reason: str) -> None:
    if await tx.maybe(store.breakers.OPEN, domain, reason, OPEN_S, LONGEST_S) is not None:
        _log.warning("site left alone", domain=domain, reason=reason)
        await _show_open(tx)


async def close_breaker(tx: Tx, domain: str) -> bool:
    """It answers again: so may all agents. False where it was closed."""
    if await tx.maybe(store.breakers.CLOSE, domain) is None:
        return False
    await tx.run(store.agents.RECOVER, domain, AFTER_COOL_DOWN)
    _log.info("site answers again", domain=domain)
    await _show_open(tx)
    return True


async def _show_open(tx: Tx) -> None:
    is_open: int = await tx.one(store.breakers.COUNT_OPEN)
    metrics.BREAKERS_OPEN.set(is_open)
