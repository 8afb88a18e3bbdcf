"""Handlers that never wait share the loop: all runners together have one turn, then others go."""

from __future__ import annotations

import asyncio
from time import monotonic, thread_time

from mindhit.work.turns import TURN_S, Turns
from tests.work.kit import soon


async def test_all_runners_together_have_one_turn_between_two_of_everybody_elses() -> None:
    turns = Turns()
    is_done = False
    worked_s: list[float] = []  # between two turns of the task that stands for everybody else

    async def never_wait() -> None:
        while not is_done:
            worked_s[-1] -= thread_time()
            while not turns.is_over():
                pass
            worked_s[-1] += thread_time()
            await turns.next()

    worked_s.append(0.0)
    runners = [asyncio.create_task(never_wait()) for _ in range(10)]
    for _ in range(20):
        await asyncio.sleep(0)
        worked_s.append(0.0)
    is_done = True
    await soon(asyncio.gather(*runners))
    assert sorted(worked_s)[10] < 3 * TURN_S  # ten turns in a row would be ten times as much


async def test_a_turn_is_waited_for_by_all_and_begun_once() -> None:
    turns, began = Turns(), monotonic()
    await soon(asyncio.gather(*(turns.next() for _ in range(10))))
    assert began < turns._ends_at <= monotonic() + TURN_S
    assert not turns._is_next_set
