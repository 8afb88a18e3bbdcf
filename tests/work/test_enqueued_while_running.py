"""A job that was asked for again while it ran starts afresh: nothing of its former run holds it up."""

from __future__ import annotations

from typing import Any

import pytest

from mindhit.db import Database
from mindhit.work import Discard, Retry, Snooze, State
from mindhit.work.settlement import SUCCEEDED, Settlement
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    Keyed,
    answering,
    claimer,
    execute,
    job_row,
    put,
    rescue,
    settle,
)

HOUR_S = 3600.0
ENDS = [
    SUCCEEDED,
    Settlement(State.DEAD, error="boom"),
    Settlement(State.CANCELED, error="nobody needs it"),
]


@pytest.mark.parametrize("how", ENDS, ids=lambda how: how.status.value)
@pytest.mark.parametrize("former", [Retry("x"), Snooze(1, "not yet")], ids=["failed", "snoozed"])
async def test_what_is_asked_for_now_is_not_held_up_by_an_error_of_a_former_run(
    db: Database, how: Settlement, former: Any
) -> None:
    [id_] = await put(db, Keyed("a"))
    assert await drain(db, {Keyed: answering(lambda: former)}) == 1
    await pass_time(db, HOUR_S)
    claims = await claimer(db).claim(1)
    await put(db, Keyed("a", 1), after_s=HOUR_S)
    assert await settle(db, claims, how) == {id_}
    assert await claimer(db).claim(1) == []
    await put(db, Keyed("a", 2))
    assert [claim.id for claim in await claimer(db).claim(1)] == [id_]


async def test_a_success_that_ends_a_job_keeps_its_last_error(
    db: Database,
) -> None:
    [id_] = await put(db, Keyed("a"))
    await drain(db, {Keyed: answering(lambda: Retry("x"))})
    await pass_time(db, HOUR_S)
    await settle(db, await claimer(db).claim(1), SUCCEEDED)
    assert (await job_row(db, id_))["last_error"] == "x"


@pytest.mark.parametrize("how", ENDS, ids=lambda how: how.status.value)
async def test_setbacks_are_forgotten(db: Database, how: Settlement) -> None:
    [id_] = await put(db, Keyed("a"))
    await execute(db, "update jobs set setbacks = 5")
    claims = await claimer(db).claim(1)
    await put(db, Keyed("a", 1))
    await settle(db, claims, how)
    assert (await job_row(db, id_))["setbacks"] == 0


async def test_setbacks_that_still_count_at_death_are_forgotten_too(db: Database) -> None:
    [id_] = await put(db, Keyed("a"))
    claims = await claimer(db).claim(1)
    await put(db, Keyed("a", 1))
    await settle(db, claims, Settlement(State.DEAD, error="boom", setbacks=5))
    assert (await job_row(db, id_))["setbacks"] == 0


async def test_setbacks_of_a_rescued_job_are_forgotten_where_it_was_asked_for_again(
    db: Database,
) -> None:
    for again, left in ((False, 5), (True, 0)):
        [id_] = await put(db, Keyed("a"))
        await execute(db, "update jobs set setbacks = 5")
        await claimer(db).claim(1)
        if again:
            await put(db, Keyed("a", 1))
        await pass_time(db, 31)
        assert await rescue(db) == 1
        assert (await job_row(db, id_))["setbacks"] == left
        assert await drain(db, {Keyed: answering(lambda: Discard("over"))}) == 1


async def test_a_success_ends_setbacks_in_a_row(db: Database) -> None:
    [id_] = await put(db, Keyed("a"))
    await execute(db, "update jobs set setbacks = 3")
    await settle(db, await claimer(db).claim(1), SUCCEEDED)
    assert (await job_row(db, id_))["setbacks"] == 0
