"""Nobody, and no kind of request, can take all connections of a pool."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from mindhit.db import PoolExhausted
from mindhit.db.shares import Shares, ShareUsedUp, Urgency, Use, on_behalf_of

SOON_S = 0.05
SIZE = 10


async def held_by(shares: Shares, use: Use | None, most: int) -> int:
    """How many shares can be held at once."""
    async with AsyncExitStack() as held:
        for count in range(most):
            try:
                if use is None:
                    await held.enter_async_context(shares.turn(SOON_S))
                else:
                    with on_behalf_of(use):
                        await held.enter_async_context(shares.turn(SOON_S))
            except ShareUsedUp:
                return count
    return most


async def test_one_person_gets_a_part() -> None:
    shares = Shares(SIZE)
    assert await held_by(shares, Use("ada"), SIZE) == 4
    assert await held_by(shares, Use("ada", Urgency.RECORDING), SIZE) == 4
    assert await held_by(shares, Use("ada", Urgency.CAN_WAIT), SIZE) == 2
    assert await held_by(shares, None, 3 * SIZE) == 3 * SIZE  # the process's own work


async def test_many_people_leave_room_for_recordings() -> None:
    shares = Shares(SIZE)
    async with AsyncExitStack() as held:
        for number in range(8):
            with on_behalf_of(Use(f"reader {number}")):
                await held.enter_async_context(shares.turn(SOON_S))
        assert await held_by(shares, Use("one more"), 1) == 0
        assert await held_by(shares, Use("one more", Urgency.CAN_WAIT), 1) == 0
        assert await held_by(shares, Use("one more", Urgency.RECORDING), 2) == 2
    assert await held_by(shares, Use("one more"), 1) == 1


async def test_whoever_waits_gets_the_next_share() -> None:
    shares = Shares(2)
    waiting, entered = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        with on_behalf_of(Use("ada")):
            waiting.set()
            async with shares.turn(60):
                entered.set()

    with on_behalf_of(Use("ada")):
        async with shares.turn(60):
            task = asyncio.create_task(wait())
            await waiting.wait()
            await asyncio.sleep(0)
            assert not entered.is_set()
    await asyncio.wait_for(task, 60)
    assert entered.is_set()
    assert not shares.people._queues


async def test_the_refusal_is_temporary() -> None:
    shares = Shares(2)
    with on_behalf_of(Use("ada")):
        async with shares.turn(60):
            with pytest.raises(PoolExhausted):
                async with shares.turn(SOON_S):
                    pass
        async with shares.turn(SOON_S):
            pass


async def test_a_person_who_is_known_later_waits_in_their_own_queue() -> None:
    """Sign-in is checked on behalf of an address; what follows, on behalf of the person."""
    shares = Shares(SIZE)
    use = Use("192.0.2.1")
    async with AsyncExitStack() as held:
        with on_behalf_of(use):
            for _ in range(shares.per_person):
                await held.enter_async_context(shares.turn(SOON_S))
            use.sign_in("ada")
            await held.enter_async_context(shares.turn(SOON_S))


async def test_exports_of_a_person_keep_them_neither_from_recording_nor_others_from_signing_in() -> (
    None
):
    shares = Shares(SIZE)
    async with AsyncExitStack() as held:
        for number in range(3):  # all three places of what can wait are taken
            with on_behalf_of(Use(f"reader {number}", Urgency.CAN_WAIT)):
                await held.enter_async_context(shares.turn(SOON_S))
        exports = [asyncio.create_task(_export(shares, "ada")) for _ in range(SIZE)]
        while not shares.people._queues.get("ada"):
            await asyncio.sleep(0)
        assert await held_by(shares, Use("ada", Urgency.RECORDING), 2) == 2
        anonymous = Use("192.0.2.1", Urgency.CAN_WAIT, is_anonymous=True)
        assert await held_by(shares, anonymous, SIZE) == 4
    await asyncio.gather(*exports)


async def _export(shares: Shares, who: str) -> None:
    with on_behalf_of(Use(who, Urgency.CAN_WAIT)):
        async with shares.turn(60):
            await asyncio.sleep(0)
