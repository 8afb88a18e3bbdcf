"""One timer holds every handler to its own time, and tells a stop from a time that ran out."""

from __future__ import annotations

import asyncio

import pytest

from mindhit.work.running.deadlines import CANCELLATIONS, Deadlines
from tests.work.kit import FAR_AWAY_S, soon


async def wait_for_ever() -> None:
    await asyncio.Event().wait()


async def test_a_block_that_is_done_in_time_is_left_alone() -> None:
    with Deadlines().within(FAR_AWAY_S) as deadline:
        await asyncio.sleep(0)
    assert not deadline.is_expired


async def test_each_block_is_held_to_its_own_time_in_whatever_order_they_begin() -> None:
    deadlines, ended = Deadlines(), []

    async def run(seconds: float) -> None:
        with pytest.raises(TimeoutError), deadlines.within(seconds):
            await wait_for_ever()
        ended.append(seconds)

    patient = asyncio.create_task(run(FAR_AWAY_S))
    await soon(asyncio.gather(run(0.15), run(0.05), run(0.1), run(0)))
    assert ended == [0, 0.05, 0.1, 0.15]
    await soon(run(0.01))  # the timer is set again for what begins later
    patient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await patient


async def test_a_block_that_catches_its_own_stop_may_still_answer() -> None:
    with Deadlines().within(0.01) as deadline:
        try:
            await soon(wait_for_ever())
        except asyncio.CancelledError:
            answer = "just about"
    assert (answer, deadline.is_expired) == ("just about", True)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_somebody_elses_stop_is_no_timeout() -> None:
    began = asyncio.Event()

    async def run() -> None:
        with Deadlines().within(FAR_AWAY_S):
            began.set()
            await wait_for_ever()

    running = asyncio.create_task(run())
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(running)


async def test_a_stop_that_comes_with_the_timeout_is_not_swallowed() -> None:
    async def run() -> None:
        with Deadlines().within(FAR_AWAY_S) as deadline:
            task = asyncio.current_task()
            assert task is not None
            asyncio.get_running_loop().call_soon(deadline.expire)
            asyncio.get_running_loop().call_soon(task.cancel)
            await wait_for_ever()

    with pytest.raises(asyncio.CancelledError):
        await soon(asyncio.create_task(run()))


async def test_a_block_that_swallows_its_stop_is_told_again_and_given_up_once() -> None:
    given_up: list[bool] = []
    deadlines, told = Deadlines(cancel_again_s=0.01), 0
    task = asyncio.current_task()
    with deadlines.within(0.01, lambda: given_up.append(True)) as deadline:
        while told < CANCELLATIONS + 3:
            try:
                await soon(wait_for_ever())
            except asyncio.CancelledError:
                told += 1
                assert given_up == ([True] if told > CANCELLATIONS else [])
    assert deadline.expired == told
    assert task is not None
    assert task.cancelling() == 0
