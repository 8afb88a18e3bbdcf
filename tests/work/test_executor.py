"""Every way a handler can end becomes a state, and the next job runs all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from mindhit import wiring, work
from mindhit.db import Contended, Database, DatabaseAway, Nothing, Write
from mindhit.settings import Settings
from mindhit.work import (
    Cancelled,
    Discard,
    Done,
    Handler,
    Registry,
    Retry,
    Snooze,
    Wires,
    Work,
    job,
)
from mindhit.work.executor import UNKNOWN_KIND_SNOOZE_S, Executor
from mindhit.work.metrics import UNKNOWN
from mindhit.work.model import LeaseLost
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    Bundle,
    Critical,
    Hasty,
    Hopeless,
    Hosted,
    Keyed,
    Picky,
    Plain,
    Tally,
    claimer,
    execute,
    job_row,
    put,
    rescue,
    rows,
    slots,
    soon,
    statuses,
    succeed,
    working,
)


def answering(answer: Callable[[], Any]) -> Handler:
    async def handle(work: Work[Any]) -> Any:
        return answer()

    return handle


async def end_of(db: Database, job: object, handler: Handler) -> dict[str, Any]:
    """The job's row after its handler ran once in a worker that goes on to the next job."""
    [id_] = await put(db, job)
    went_on = asyncio.Event()

    async def go_on(work: Work[Critical]) -> None:
        went_on.set()

    began = asyncio.Event()

    async def handle(work: Work[Any]) -> Any:
        began.set()
        return await handler(work)

    async with working(db, {type(job): handle, Critical: go_on}, concurrency=1, claim_size=1):
        await soon(began.wait())
        await put(db, Critical())
        await soon(went_on.wait())
    return await job_row(db, id_)


def fail(error: BaseException) -> Any:
    raise error


class Speechless(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError


class Indescribable:
    def __repr__(self) -> str:
        raise ValueError


ANSWERS = [
    (lambda: None, "succeeded", 1, None),
    (Done, "succeeded", 1, None),
    (lambda: Retry("flaky"), "queued", 1, "flaky"),
    (lambda: Snooze(60, "throttled"), "queued", 0, "throttled"),
    (lambda: Discard("404"), "dead", 1, "404"),
    (Cancelled, "canceled", 1, None),
    (lambda: fail(RuntimeError("boom")), "queued", 1, "RuntimeError: boom"),
    (lambda: fail(LookupError("\0 \ud800")), "queued", 1, "LookupError: \N{REPLACEMENT CHARACTER} ?"),
    (lambda: fail(Speechless()), "queued", 1, "Speechless: (no words for it)"),
    (lambda: fail(asyncio.CancelledError()), "queued", 1, "CancelledError: "),
    (lambda: fail(Contended()), "queued", 0, "Two transactions stood in each other's way; this one gave in and may be tried again."),
    (lambda: fail(DatabaseAway()), "queued", 0, "The database does not answer."),
    (lambda: "fine", "dead", 1, "the handler answered 'fine', which is no outcome"),
    (Indescribable, "dead", 1, "the handler answered (no words for it), which is no outcome"),
    (lambda: Snooze("soon"), "dead", 1, "the handler answered Snooze(for_s='soon', reason=''), which is no outcome"),  # type: ignore[arg-type]
    (lambda: Retry(RuntimeError()), "dead", 1, "the handler answered Retry(reason=RuntimeError(), after_s=None), which is no outcome"),  # type: ignore[arg-type]
    (lambda: Snooze(float("inf")), "queued", 0, None),
    (lambda: Retry("later", after_s=1e300), "queued", 1, "later"),
]  # fmt: skip


async def test_every_answer_becomes_a_state_and_the_worker_goes_on(db: Database) -> None:
    began, went_on = asyncio.Queue[int](), asyncio.Queue[int]()

    async def run_case(work: Work[Plain]) -> Any:
        began.put_nowait(work.args.n)
        return ANSWERS[work.args.n][0]()

    async def go_on(work: Work[Critical]) -> None:
        went_on.put_nowait(work.args.n)

    ids = []
    async with working(db, {Plain: run_case, Critical: go_on}, concurrency=1, claim_size=1):
        for n in range(len(ANSWERS)):
            ids += await put(db, Plain(n))
            while await soon(began.get()) != n:  # else the more urgent job may be claimed first
                pass  # one that was snoozed, back already
            await put(db, Critical(n))
            assert await soon(went_on.get()) == n
    for id_, (_, status, attempts, error) in zip(ids, ANSWERS, strict=True):
        stored = await job_row(db, id_)
        assert (stored["status"], stored["attempts"], stored["last_error"]) == (
            status,
            attempts,
            error,
        )


async def test_a_handler_that_hangs_is_stopped_at_its_time_limit(db: Database) -> None:
    async def hang(work: Work[Hasty]) -> None:
        await asyncio.Event().wait()

    stored = await end_of(db, Hasty(), hang)
    assert (stored["status"], stored["attempts"]) == ("queued", 1)
    assert stored["last_error"] == "ran longer than 0.05 s and was stopped"


async def test_an_operator_changes_how_long_a_kind_may_run(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(work: Work[Plain]) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(wiring, "jobs", lambda _: {Plain: hang})
    settings = Settings(job_policies={"test:plain": {"timeout_s": 0.05}})  # type: ignore[dict-item]
    executor = Executor(db, wiring.registry(settings))
    await put(db, Plain())
    [claim] = await claimer(db).claim(1)
    settlement = await soon(executor.run(claim))
    assert settlement is not None
    assert settlement.error == "ran longer than 0.05 s and was stopped"


async def test_a_job_that_fails_at_every_attempt_dies_with_its_last_error(db: Database) -> None:
    [id_] = await put(db, Plain())
    for attempt in (1, 2, 3):
        assert await drain(db, {Plain: answering(lambda n=attempt: Retry(f"no {n}"))}) == 1
        assert await drain(db, {Plain: answering(Done)}) == 0  # it backs off
        await pass_time(db, 70)
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"], stored["last_error"]) == ("dead", 3, "no 3")


async def test_a_handler_knows_its_attempt_and_its_last_one(db: Database) -> None:
    seen: list[tuple[int, bool]] = []

    async def note(work: Work[Plain]) -> Retry:
        seen.append((work.attempt, work.is_last_attempt))
        return Retry("more", after_s=0)

    await put(db, Plain())
    await drain(db, {Plain: note})
    assert seen == [(1, False), (2, False), (3, True)]


async def test_a_snoozed_job_keeps_its_attempts_for_ever(db: Database) -> None:
    [id_] = await put(db, Plain())
    for _ in range(10):
        assert await drain(db, {Plain: answering(lambda: Snooze(60))}) == 1
        await pass_time(db, 60)
    assert (await job_row(db, id_))["attempts"] == 0


async def test_a_kind_says_which_errors_make_another_try_pointless(db: Database) -> None:
    [hopeless, ordinary] = await put(db, Picky(1), Picky(2))

    async def fail_either_way(work: Work[Picky]) -> None:
        raise Hopeless("gone") if work.args.n == 1 else OSError("cut")

    await drain(db, {Picky: fail_either_way})
    assert await statuses(db) == {hopeless: "dead", ordinary: "queued"}
    assert (await job_row(db, hopeless))["last_error"] == "Hopeless: gone"


async def test_arguments_that_do_not_decode_are_dead_at_once(db: Database) -> None:
    [id_] = await put(db, Plain())
    await execute(db, 'update jobs set args = \'{"n": "many"}\' where id = $1', id_)
    await drain(db, {Plain: answering(Done)})
    stored = await job_row(db, id_)
    assert stored["status"] == "dead"
    assert "the arguments do not decode" in stored["last_error"]


async def test_a_number_that_no_decoder_takes_kills_its_job_and_not_the_claim(db: Database) -> None:
    [unreadable, other] = await put(db, Plain(1), Plain(2))
    await execute(db, "update jobs set args = '{\"n\": 1e5000}' where id = $1", unreadable)
    await drain(db, {Plain: answering(Done)})
    assert await statuses(db) == {unreadable: "dead", other: "succeeded"}


async def test_of_a_batch_only_the_job_whose_arguments_do_not_decode_dies(db: Database) -> None:
    ids = await put(db, Bundle(0), Bundle(1), Bundle(2))
    await execute(db, 'update jobs set args = \'{"n": "many"}\' where id = $1', ids[1])

    async def handle(works: Sequence[Work[Bundle]]) -> list[Any]:
        assert [work.args.n for work in works] == [0, 2]
        return [None, Snooze(60)]

    done = asyncio.Event()
    executor = Executor(db, Registry({Bundle: handle}), requeued=done.set)
    ended = await executor.run_together(await claimer(db).claim(3))
    assert {claim.id: settlement.status for claim, settlement in ended} == dict(
        zip(ids, ["succeeded", "dead", "queued"], strict=True)
    )
    assert executor.counts == {"succeeded": 1, "dead": 1, "snoozed": 1}


async def test_a_batch_of_which_nothing_decodes_never_meets_its_handler(db: Database) -> None:
    await put(db, Bundle(0), Bundle(1))
    await execute(db, 'update jobs set args = \'{"n": "many"}\'')
    executor = Executor(db, Registry({Bundle: answering(lambda: fail(AssertionError()))}))
    ended = await executor.run_together(await claimer(db).claim(2))
    assert [settlement.status for _, settlement in ended] == ["dead", "dead"]


async def test_a_job_of_a_batch_kind_may_run_alone(db: Database) -> None:
    async def handle(works: Sequence[Work[Bundle]]) -> list[Any]:
        [work] = works
        return [Discard("no")] if work.args.n else [None]

    ids = await put(db, Bundle(0), Bundle(1))
    assert await drain(db, {Bundle: handle}) == 2
    assert await statuses(db) == dict(zip(ids, ["succeeded", "dead"], strict=True))


async def test_a_kind_nobody_knows_is_put_off_and_counted_and_not_killed(db: Database) -> None:
    [id_] = await put(db, Plain())
    before = UNKNOWN._value.get()
    assert await drain(db, {Critical: answering(Done)}) == 1
    assert UNKNOWN._value.get() == before + 1
    stored = await job_row(db, id_)
    assert (stored["status"], stored["attempts"]) == ("queued", 0)
    assert stored["last_error"] == "no worker here knows the kind test:plain"
    await pass_time(db, UNKNOWN_KIND_SNOOZE_S)
    assert await drain(db, {Plain: answering(Done)}) == 1
    assert (await job_row(db, id_))["status"] == "succeeded"


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

    ended = await Executor(db, Registry({Bundle: handle})).run_together(claims)
    handed_back = {claim.id for claim, settlement in ended if settlement.refund}
    assert ids[2] in handed_back  # the first is settled, the second lost
    assert ids[0] not in handed_back


EFFECT = Write(Nothing, "insert into effects values ($1)")


@pytest.fixture
async def effects(db: Database) -> Callable[[], Any]:
    await execute(db, "create table effects (n int)")

    async def look() -> list[int]:
        return [each["n"] for each in await rows(db, "select n from effects")]

    return look


async def test_effect_and_completion_commit_together(
    db: Database, effects: Callable[[], Any]
) -> None:
    [id_] = await put(db, Hosted("a.example", 7))

    async def handle(work: Work[Hosted]) -> None:
        async with work.settling() as tx:
            await tx.run(EFFECT, work.args.n)
            assert await effects() == []
        assert await effects() == [7]
        assert (await job_row(db, id_))["status"] == "succeeded"
        assert work.settled_as == "succeeded"

    assert await drain(db, {Hosted: handle}) == 1
    assert await slots(db) == []


async def test_an_effect_without_completion_is_rolled_back(
    db: Database, effects: Callable[[], Any]
) -> None:
    [id_] = await put(db, Plain(7))

    async def handle(work: Work[Plain]) -> None:
        async with work.settling() as tx:
            await tx.run(EFFECT, work.args.n)
            raise RuntimeError("in the middle")

    await drain(db, {Plain: handle})
    assert await effects() == []
    assert (await job_row(db, id_))["status"] == "queued"


async def test_a_lease_lost_inside_rolls_the_effect_back(
    db: Database, effects: Callable[[], Any]
) -> None:
    [id_] = await put(db, Plain(7))
    lost: list[bool] = []

    async def handle(work: Work[Plain]) -> None:
        try:
            async with work.settling() as tx:
                await tx.run(EFFECT, work.args.n)
                await pass_time(db, 31)
                await rescue(db)
        except LeaseLost:
            lost.append(True)
            raise

    [claim] = await claimer(db).claim(1)
    executor = Executor(db, Registry({Plain: handle}))
    assert await executor.run(claim) is None
    assert lost == [True]
    assert await effects() == []
    assert (await job_row(db, id_))["status"] == "queued"
    assert executor.counts == {"lost": 1}


async def test_what_was_settled_stays_settled_whatever_the_handler_does_afterwards(
    db: Database,
) -> None:
    [id_] = await put(db, Plain())

    async def handle(work: Work[Plain]) -> Discard:
        async with work.settling():
            pass
        raise RuntimeError("too late")

    await drain(db, {Plain: handle})
    assert (await job_row(db, id_))["status"] == "succeeded"


async def test_a_job_enqueued_inside_its_own_settling_runs_once_more(db: Database) -> None:
    ran: list[int] = []

    async def handle(work: Work[Keyed]) -> None:
        async with work.settling() as tx:
            ran.append(work.args.value)
            if work.args.value < 3:
                from mindhit.work import enqueue

                await enqueue(tx, Keyed("a", work.args.value + 1))

    [id_] = await put(db, Keyed("a", 1))
    assert await drain(db, {Keyed: handle}) == 3
    assert ran == [1, 2, 3]
    assert await statuses(db) == {id_: "succeeded"}


async def test_drain_uses_the_wiring_of_nobody(db: Database) -> None:
    work.install(Wires(notify=False))
    await put(db, Plain())
    assert await drain(db, {Plain: answering(Done)}) == 1
    assert await succeed(db, []) == set()


@job("test:touchy")
@dataclass(frozen=True, slots=True)
class Touchy:
    name: str

    def __post_init__(self) -> None:
        if self.name == "bad":
            raise KeyError(self.name)


async def test_arguments_that_raise_what_they_like_end_the_job_and_not_the_worker(
    db: Database,
) -> None:
    tally = Tally(1)
    [id_] = await put(db, Touchy("good"))
    await execute(db, """update jobs set args = '{"name": "bad"}'""")
    async with working(db, {Touchy: tally, Plain: tally}) as worker:
        await put(db, Plain())
        await soon(tally.all.wait())
    assert worker._broken is None
    stored = await job_row(db, id_)
    assert stored["status"] == "dead"
    assert "do not decode" in stored["last_error"]


async def test_arguments_of_any_depth_end_the_job_and_not_the_worker(db: Database) -> None:
    tally = Tally(1)
    [id_] = await put(db, Touchy("good"))
    await execute(db, "update jobs set args = (repeat('[', 3000) || repeat(']', 3000))::jsonb")
    async with working(db, {Touchy: tally, Plain: tally}) as worker:
        await put(db, Plain())
        await soon(tally.all.wait())
    assert worker._broken is None
    assert await rows(db, f"select status from jobs where id = {id_}") == [{"status": "dead"}]


async def test_a_handler_that_wants_to_end_the_process_ends_its_job(db: Database) -> None:
    tally = Tally(1)

    async def leave(work: Work[Touchy]) -> None:
        raise SystemExit(3)

    [id_] = await put(db, Touchy("good"))
    async with working(db, {Touchy: leave, Plain: tally}) as worker:
        await put(db, Plain())
        await soon(tally.all.wait())
    assert worker._broken is None
    stored = await job_row(db, id_)
    assert (stored["status"], stored["last_error"]) == ("queued", "SystemExit: 3")
