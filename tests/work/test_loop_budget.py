"""Handlers that never wait share the event loop: all runners together have one budget per pass."""

from __future__ import annotations

import asyncio

import pytest

from mindhit.work.running.loop_budget import BUDGET_S, LoopBudget
from tests.work.kit import soon


class Clock:
    """Moves only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_all_runners_together_spend_one_budget_between_two_passes_of_everything_else() -> (
    None
):
    clock = Clock()
    budget = LoopBudget(clock)
    is_done = False

    async def never_wait() -> None:
        while not is_done:
            while not budget.is_spent():
                clock.now += BUDGET_S / 4
            await budget.refill()

    runners = [asyncio.create_task(never_wait()) for _ in range(10)]
    worked_s = []  # by all runners, between two passes of this task
    for _ in range(20):
        before = clock.now
        await asyncio.sleep(0)
        worked_s.append(clock.now - before)
    is_done = True
    await soon(asyncio.gather(*runners))
    assert sum(worked_s) >= 5 * BUDGET_S
    assert max(worked_s) <= 1.3 * BUDGET_S  # ten budgets in a row would be ten times as much


async def test_a_refill_is_waited_for_by_all_and_happens_once() -> None:
    clock = Clock()
    budget = LoopBudget(clock)
    await soon(asyncio.gather(*(budget.refill() for _ in range(10))))
    assert budget._ends_at == pytest.approx(clock.now + BUDGET_S)
    assert not budget._is_refill_scheduled
