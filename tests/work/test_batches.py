"""A batch kind: several jobs in one call of its handler, each with an end of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any

import pytest

from mindhit.db import Database
from mindhit.work import Discard, Done, Handler, Registry, Snooze, Work, cancel
from mindhit.work.running.executor import Executor
from mindhit.work.testing import drain
from tests.work.kit import (
    FAR_AWAY_S,
    Bundle,
    answering,
    claimer,
    execute,
    fail,
    job_row,
    put,
    rescue,
    rows,
    soon,
    statuses,
    working,
)


async def run_bundle(db: Database, handler: Handler, n: int = 3) -> list[str]:
    ids = await put(db, *(Bundle(number) for number in range(n)))
    done = asyncio.Event()

    async def handle(works: Sequence[Work[Bundle]]) -> Any:
        done.set()
        return await handler(works)

    async with working(db, {Bundle: handle}):
        await soon(done.wait())
    return [(await statuses(db))[id_] for id_ in ids]


async def test_a_batch_is_settled_one_by_one(db: Database) -> None:
    async def handle(works: Sequence[Work[Bundle]]) -> list[Any]:
        assert [work.args.n for work in works] == [0, 1, 2]
        return [None, Discard("no"), Snooze(60)]

    assert await run_bundle(db, handle) == ["succeeded", "dead", "queued"]


class Odd(Sequence[Any]):
    """An answer that only claims to be a sequence."""

    def __init__(self, length: Callable[[], int], each: Callable[[], Iterator[Any]]) -> None:
        self._length, self._each = length, each

    def __len__(self) -> int:
        return self._length()

    def __iter__(self) -> Iterator[Any]:
        return self._each()

    def __getitem__(self, _: Any) -> Any:
        raise IndexError


@pytest.mark.parametrize(
    ("answer", "becomes"),
    [
        (Odd(lambda: fail(ValueError()), lambda: iter(())), "queued"),
        (Odd(lambda: 3, lambda: fail(ValueError())), "queued"),
        (Odd(lambda: 3, lambda: iter([None])), "dead"),
        (Odd(lambda: 3, lambda: repeat(None)), "dead"),
    ],
    ids=["no length", "no items", "too few", "no end"],
)
async def test_an_answer_that_breaks_when_it_is_read_is_a_failed_attempt(
    db: Database, answer: Any, becomes: str
) -> None:
    assert await run_bundle(db, answering(lambda: answer)) == [becomes] * 3
    assert all(each["last_error"] for each in await rows(db, "select last_error from jobs"))


async def test_a_batch_is_never_larger_than_its_kind_says(db: Database) -> None:
    sizes: list[int] = []
    whole = asyncio.Event()

    async def handle(works: Sequence[Work[Bundle]]) -> None:
        sizes.append(len(works))
        if sum(sizes) == 8:
            whole.set()

    await put(db, *(Bundle(n) for n in range(8)))
    async with working(db, {Bundle: handle}):
        await soon(whole.wait())
    assert sorted(sizes) == [2, 3, 3]
    assert set((await statuses(db)).values()) == {"succeeded"}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda: None, ["succeeded"] * 3),
        (lambda: [Done()], ["dead"] * 3),
        (lambda: [Done()] * 4, ["dead"] * 3),
        (lambda: "yes", ["dead"] * 3),
        (lambda: 17, ["dead"] * 3),
        (lambda: [Done(), "fine", None], ["succeeded", "dead", "succeeded"]),
        (lambda: fail(RuntimeError("boom")), ["queued"] * 3),
    ],
)
async def test_whatever_a_batch_handler_answers_every_job_has_an_end(
    db: Database, answer: Callable[[], Any], expected: list[str]
) -> None:
    assert await run_bundle(db, answering(answer)) == expected


async def test_of_a_batch_only_the_job_whose_arguments_do_not_decode_waits(db: Database) -> None:
    ids = await put(db, Bundle(0), Bundle(1), Bundle(2))
    await execute(db, 'update jobs set args = \'{"n": "many"}\' where id = $1', ids[1])

    async def handle(works: Sequence[Work[Bundle]]) -> list[Any]:
        assert [work.args.n for work in works] == [0, 2]
        return [None, Snooze(60)]

    executor = Executor(db, Registry({Bundle: handle}))
    ended = await executor.run_batch(await claimer(db).claim(3))
    assert {claim.id: settlement.status for claim, settlement in ended} == dict(
        zip(ids, ["succeeded", "queued", "queued"], strict=True)
    )
    assert {claim.id: settlement.setbacks for claim, settlement in ended}[ids[1]] == 1


async def test_a_batch_of_which_nothing_decodes_never_meets_its_handler(db: Database) -> None:
    await put(db, Bundle(0), Bundle(1))
    await execute(db, 'update jobs set args = \'{"n": "many"}\'')
    executor = Executor(db, Registry({Bundle: answering(lambda: fail(AssertionError()))}))
    ended = await executor.run_batch(await claimer(db).claim(2))
    assert [settlement.status for _, settlement in ended] == ["queued", "queued"]
    assert all(settlement.refund for _, settlement in ended)


async def test_a_job_of_a_batch_kind_may_run_alone(db: Database) -> None:
    async def handle(works: Sequence[Work[Bundle]]) -> list[Any]:
        [work] = works
        return [Discard("no")] if work.args.n else [None]

    ids = await put(db, Bundle(0), Bundle(1))
    assert await drain(db, {Bundle: handle}) == 2
    assert await statuses(db) == dict(zip(ids, ["succeeded", "dead"], strict=True))


async def test_a_batch_handler_may_settle_some_jobs_itself(db: Database) -> None:
    async def handle(works: Sequence[Work[Bundle]]) -> None:
        async with works[1].settling():
            pass
        raise RuntimeError("the others failed")

    assert await run_bundle(db, handle) == ["queued", "succeeded", "queued"]


async def test_a_lost_lease_in_a_batch_hands_the_others_back(db: Database) -> None:
    ids = await put(db, Bundle(0), Bundle(1), Bundle(2))
    claims = await claimer(db).claim(3)
    await execute(db, "update jobs set lease_until = now() - interval '1 s' where id = $1", ids[1])
    await rescue(db)

    async def handle(works: Sequence[Work[Bundle]]) -> None:
        for each in works:
            async with each.settling():
                pass

    ended = await Executor(db, Registry({Bundle: handle})).run_batch(claims)
    handed_back = {claim.id for claim, settlement in ended if settlement.refund}
    assert ids[2] in handed_back  # the first is settled, the second lost
    assert ids[0] not in handed_back


async def test_a_batch_that_lost_one_lease_hands_the_others_back_at_once(db: Database) -> None:
    [canceled, *others] = await put(db, Bundle(0), Bundle(1), Bundle(2))
    began, stopped = asyncio.Event(), asyncio.Event()

    async def handle(works: Sequence[Work[Bundle]]) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async with working(
        db, {Bundle: handle}, concurrency=1, lease_s=0.6, rescue_s=FAR_AWAY_S, grace_s=0.05
    ):
        await soon(began.wait())
        async with db.transaction() as tx:
            await cancel(tx, canceled)
        await soon(stopped.wait())
    stored = [await job_row(db, id_) for id_ in others]
    assert [(each["status"], each["attempts"]) for each in stored] == [("queued", 0)] * 2
