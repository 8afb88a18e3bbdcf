"""Every way a handler can end becomes a state, and the next job runs all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from mindhit import wiring, work
from mindhit.db import (
    Contended,
    Database,
    DatabaseUnavailable,
    Nothing,
    Query,
    StatementTimedOut,
    Write,
)
from mindhit.slices import Product, Slice
from mindhit.work import Cancelled, Discard, Done, Handler, Registry, Retry, Snooze, Wires, Work
from mindhit.work.running.executor import Executor
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    Bundle,
    Critical,
    Hasty,
    Hopeless,
    Hosted,
    Picky,
    Plain,
    answering,
    claimer,
    execute,
    fail,
    job_row,
    put,
    rows,
    settle,
    soon,
    statuses,
    succeed,
    until_resting,
    working,
)


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


class Speechless(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError


class Indescribable:
    def __repr__(self) -> str:
        raise ValueError


class Unclassed:
    """An answer that does not even say what it is."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise ValueError("no class")


class UnclassedError(Exception):
    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise ValueError("no class")


class Barbed(str):
    """Text that cannot be read."""

    __slots__ = ()

    def __getitem__(self, _place: Any) -> str:
        raise RuntimeError("read")

    def __format__(self, _how: str) -> str:
        raise SystemExit("read")


class BarbedNumber(float):
    def __gt__(self, _other: object) -> bool:
        raise SystemExit("compared")


class Muttering(Exception):
    def __str__(self) -> str:
        return Barbed("mumble")


class Unnameable(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise SystemExit("no name")


class NamelessError(Exception, metaclass=Unnameable):
    pass


ANSWERS: list[tuple[Callable[[], Any], str, int, str | None]] = [
    (lambda: None, "succeeded", 1, None),
    (Done, "succeeded", 1, None),
    (lambda: Retry("flaky"), "queued", 1, "flaky"),
    (lambda: Snooze(60, "throttled"), "queued", 0, "throttled"),
    (lambda: Snooze(60, "moved", "b.example"), "queued", 0, "moved"),
    (lambda: Snooze(60, "moved", ""), "dead", 1, "the handler answered Snooze(for_s=60, reason='moved', domain=''), which is no outcome"),
    (lambda: Snooze(60, "moved", "a\0b"), "dead", 1, "the handler answered Snooze(for_s=60, reason='moved', domain='a\\x00b'), which is no outcome"),
    (lambda: Discard("404"), "dead", 1, "404"),
    (Cancelled, "canceled", 1, None),
    (lambda: fail(RuntimeError("boom")), "queued", 1, "RuntimeError: boom"),
    (lambda: fail(LookupError("\0 \ud800")), "queued", 1, "LookupError: \N{REPLACEMENT CHARACTER} ?"),
    (lambda: fail(Speechless()), "queued", 1, "Speechless: (it cannot be shown)"),
    (lambda: fail(asyncio.CancelledError()), "queued", 1, "CancelledError: "),
    (lambda: fail(Contended()), "queued", 0, "This conflicted with another transaction. Try again."),
    (lambda: fail(DatabaseUnavailable()), "queued", 0, "The database does not answer."),
    (lambda: "fine", "dead", 1, "the handler answered 'fine', which is no outcome"),
    (Indescribable, "dead", 1, "the handler answered (it cannot be shown), which is no outcome"),
    (lambda: Snooze("soon"), "dead", 1, "the handler answered Snooze(for_s='soon', reason='', domain=None), which is no outcome"),  # type: ignore[arg-type]
    (lambda: Retry(RuntimeError()), "dead", 1, "the handler answered Retry(reason=RuntimeError(), after_s=None), which is no outcome"),  # type: ignore[arg-type]
    (lambda: fail(StatementTimedOut()), "queued", 1, "StatementTimedOut: The database took too long to answer."),
    (Unclassed, "queued", 1, "ValueError: no class"),
    (lambda: fail(UnclassedError()), "queued", 1, "UnclassedError, which cannot be shown"),
    (lambda: fail(GeneratorExit("gone")), "queued", 1, "GeneratorExit: gone"),
    (lambda: fail(SystemExit("gone")), "queued", 1, "SystemExit: gone"),
    (lambda: Snooze(float("inf")), "queued", 0, "snoozed"),
    (lambda: Retry("later", after_s=1e300), "queued", 1, "later"),
    (lambda: Retry(Barbed("flaky")), "queued", 1, "flaky"),
    (lambda: Retry("later", BarbedNumber(60)), "queued", 1, "later"),
    (lambda: Snooze(BarbedNumber(60), Barbed("throttled")), "queued", 0, "throttled"),
    (lambda: Discard(Barbed("404")), "dead", 1, "404"),
    (lambda: Cancelled(Barbed("gone")), "canceled", 1, "gone"),
    (lambda: fail(Muttering()), "queued", 1, "Muttering: mumble"),
    (lambda: fail(NamelessError()), "queued", 1, "(it cannot be shown), which cannot be shown"),
    (lambda: Discard(""), "dead", 1, "the handler gave no reason"),
    (lambda: Retry(""), "queued", 1, "the handler gave no reason"),
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


async def test_an_operator_changes_how_long_a_kind_may_run(db: Database) -> None:
    async def hang(work: Work[Plain]) -> None:
        await asyncio.Event().wait()

    settings = wiring.make_settings(job_policies={"test:plain": {"timeout_s": 0.05}})
    planted = Slice("planted", jobs=lambda _: {Plain: hang})
    executor = Executor(db, wiring.registry(Product(settings, (planted,))))
    await put(db, Plain())
    [claim] = await claimer(db).claim(1)
    settlement = await soon(executor.run(claim))
    assert settlement is not None
    assert settlement.error == "ran longer than 0.05 s and was stopped"


async def test_a_job_that_fails_at_every_attempt_dies_with_its_last_error(db: Database) -> None:
    [id_] = await put(db, Plain())
    for attempt in (1, 2, 3):
        assert await drain(db, {Plain: answering(partial(Retry, f"no {attempt}"))}) == 1
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


async def test_a_kind_that_its_runner_does_not_know_is_put_off_and_not_killed(db: Database) -> None:
    """No claim asks for one; but nothing else may happen to it either."""
    ids = await put(db, Plain(), Bundle())
    for claim in await claimer(db).claim(2):
        settlement = await Executor(db, Registry({Critical: answering(Done)})).run(claim)
        assert settlement is not None
        await settle(db, [claim], settlement)
    stored = [await job_row(db, id_) for id_ in ids]
    assert [(each["status"], each["attempts"], each["setbacks"]) for each in stored] == [
        ("queued", 0, 1)
    ] * 2
    assert stored[0]["last_error"] == "this worker does not know the kind test:plain"


async def test_a_worker_leaves_kinds_that_it_does_not_know_to_others(db: Database) -> None:
    ids = await put(db, Plain(), Hosted("a.example"))
    async with working(db, {Critical: answering(Done)}) as worker:
        await until_resting(worker)
    stored = [await job_row(db, id_) for id_ in ids]
    assert [(each["status"], each["updated_at"]) for each in stored] == [
        ("queued", each["created_at"]) for each in stored
    ]


async def test_a_handlers_own_slow_statement_is_its_failure_and_not_the_databases(
    db: Database, database_url: str
) -> None:
    async def ask_too_much(work: Work[Plain]) -> None:
        await work.db.alone(Write(object, "select pg_sleep(60)"), timeout_s=0.1)

    async def fall_asleep(work: Work[Critical]) -> None:
        async with work.db.transaction() as tx:
            pid = await tx.one(Query(int, "select pg_backend_pid()"))
            async with asyncio.timeout(20):
                while await rows(db, f"select 1 from pg_stat_activity where pid = {pid}"):
                    await asyncio.sleep(0.01)
            await tx.one(Query(int, "select 1 as n"))

    ids = await put(db, Plain(), Critical())
    hasty = await Database.open(database_url, idle_transaction_s=0.2)
    try:
        await drain(hasty, {Plain: ask_too_much, Critical: fall_asleep})
    finally:
        await hasty.close()
    stored = [await job_row(db, id_) for id_ in ids]
    assert [each["attempts"] for each in stored] == [1, 1]
    assert [each["last_error"].partition(":")[0] for each in stored] == [
        "StatementTimedOut",
        "TransactionTimedOut",
    ]


async def test_waiting_for_somebody_elses_lock_is_no_attempt(
    db: Database, database_url: str
) -> None:
    [id_] = await put(db, Plain())
    await execute(db, "create table wanted (n int)")

    async def need_the_table(work: Work[Plain]) -> None:
        await work.db.alone(Write(Nothing, "insert into wanted values (1)"))

    hasty = await Database.open(database_url, statement_s=1)
    try:
        async with db.transaction() as tx:
            await tx.run(Write(Nothing, "lock table wanted in access exclusive mode"))
            await drain(hasty, {Plain: need_the_table})
    finally:
        await hasty.close()
    stored = await job_row(db, id_)
    assert (stored["attempts"], stored["setbacks"]) == (0, 1)


async def test_drain_uses_the_wiring_of_nobody(db: Database) -> None:
    work.install(Wires(notify=False))
    await put(db, Plain())
    assert await drain(db, {Plain: answering(Done)}) == 1
    assert await succeed(db, []) == set()
