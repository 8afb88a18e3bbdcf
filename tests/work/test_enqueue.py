"""Putting work in: with the caller's transaction, once per key, and never too little."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass

import pytest

from mindhit import wiring, work
from mindhit.db import Contended, Database
from mindhit.work import (
    NotWired,
    Policy,
    Retry,
    Snooze,
    UndeclaredEvent,
    Wires,
    Work,
    enqueue,
    enqueue_many,
    job,
    kind_of,
    publish,
)
from mindhit.work.enqueue import NotStorable
from mindhit.work.leases.rescuer import SPREAD_S
from mindhit.work.model import State, UnknownKind
from mindhit.work.settlement import Settlement
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    Critical,
    HostedKeyed,
    Keyed,
    Low,
    Plain,
    args_of,
    claimer,
    job_row,
    put,
    rescue,
    rows,
    settle,
    slots,
    soon,
    statuses,
    succeed,
)


class Regret(Exception):
    """Why a transaction is rolled back."""


async def test_a_job_exists_when_its_transaction_commits(db: Database) -> None:
    async with db.transaction() as tx:
        id_ = await enqueue(tx, Critical(3))
        assert await statuses(db) == {}
    stored = await job_row(db, id_)
    assert (stored["queue"], stored["kind"], stored["lane"]) == (
        "default",
        "test:critical",
        "critical",
    )
    assert (stored["args"], stored["status"], stored["attempts"]) == ({"n": 3}, "queued", 0)


async def test_what_is_rolled_back_was_never_enqueued(db: Database) -> None:
    with pytest.raises(Regret):
        async with db.transaction() as tx:
            await enqueue(tx, Plain())
            raise Regret
    assert await statuses(db) == {}


async def test_what_is_no_kind_cannot_be_enqueued(db: Database) -> None:
    async with db.transaction() as tx:
        with pytest.raises(UnknownKind):
            await enqueue(tx, 17)


async def test_a_queued_job_takes_the_newest_arguments(db: Database) -> None:
    [first] = await put(db, Keyed("a", 1))
    [second] = await put(db, Keyed("a", 2))
    assert first == second
    stored = await job_row(db, first)
    assert (stored["args"]["value"], stored["again"]) == (2, False)


async def test_a_key_belongs_to_its_kind(db: Database) -> None:
    @job("test:other-keyed", key="name")
    @dataclass(frozen=True, slots=True)
    class OtherKeyed:
        name: str

    assert len(set(await put(db, Keyed("a"), OtherKeyed("a"), Keyed("b")))) == 3


async def test_a_queued_job_is_brought_forward_but_never_put_off(db: Database) -> None:
    await put(db, Keyed("a"), after_s=60)
    await put(db, Keyed("a"), after_s=3600)
    await pass_time(db, 60)
    assert len(await claimer(db).claim(1)) == 1


async def test_a_job_that_backs_off_is_not_hurried_by_being_enqueued(db: Database) -> None:
    [id_] = await put(db, Keyed("a", 1))
    await settle(db, await claimer(db).claim(1), Settlement(State.QUEUED, 60, "flaky"))
    assert await put(db, Keyed("a", 2)) == [id_]
    assert await claimer(db).claim(1) == []
    await pass_time(db, 60)
    [claim] = await claimer(db).claim(1)
    assert (args_of(claim)["value"], claim.attempts) == (2, 2)


async def test_a_running_job_that_is_enqueued_runs_exactly_once_more(db: Database) -> None:
    [id_] = await put(db, Keyed("a", 1))
    claims = await claimer(db).claim(1)
    assert await put(db, Keyed("a", 2), Keyed("a", 3)) == [id_, id_]
    assert (await job_row(db, id_))["again"]
    assert await succeed(db, claims) == {id_}
    [claim] = await claimer(db).claim(5)
    assert (claim.id, args_of(claim)["value"], claim.attempts) == (id_, 3, 1)
    await succeed(db, [claim])
    assert await statuses(db) == {id_: "succeeded"}


@pytest.mark.parametrize("end", [State.DEAD, State.CANCELED])
async def test_a_running_job_that_is_enqueued_starts_afresh_instead_of_ending(
    db: Database, end: State
) -> None:
    [id_] = await put(db, Keyed("a", 1))
    for _ in range(2):  # a rescue and an attempt, both to be forgotten
        await claimer(db).claim(1)
        await pass_time(db, 31)
        await rescue(db)
    await pass_time(db, SPREAD_S)
    claims = await claimer(db).claim(1)
    await put(db, Keyed("a", 2))
    await settle(db, claims, Settlement(end, error="the old one ended"))
    stored = await job_row(db, id_)
    assert (stored["status"], stored["again"], stored["finished_at"]) == ("queued", False, None)
    assert (stored["attempts"], stored["rescues"]) == (0, 0)
    assert [args_of(claim)["value"] for claim in await claimer(db).claim(1)] == [2]


async def test_a_rescued_job_that_was_enqueued_runs_once_more_and_not_twice(db: Database) -> None:
    [id_] = await put(db, Keyed("a", 1))
    await claimer(db).claim(1)
    await put(db, Keyed("a", 2))
    await pass_time(db, 31)
    await rescue(db)
    stored = await job_row(db, id_)
    assert (stored["status"], stored["again"], stored["rescues"]) == ("queued", False, 0)
    claims = await claimer(db).claim(1)
    await succeed(db, claims)
    assert await statuses(db) == {id_: "succeeded"}


async def test_a_retried_job_that_was_enqueued_needs_no_second_run(db: Database) -> None:
    [id_] = await put(db, Keyed("a", 1))
    claims = await claimer(db).claim(1)
    await put(db, Keyed("a", 2))
    await settle(db, claims, Settlement(State.QUEUED, 60, "flaky"))
    await pass_time(db, 60)
    [claim] = await claimer(db).claim(1)
    assert args_of(claim)["value"] == 2
    await succeed(db, [claim])
    assert await statuses(db) == {id_: "succeeded"}


async def test_a_finished_key_may_be_enqueued_again(db: Database) -> None:
    [first] = await put(db, Keyed("a"))
    await succeed(db, await claimer(db).claim(1))
    [second] = await put(db, Keyed("a"))
    assert await statuses(db) == {first: "succeeded", second: "queued"}


async def test_of_duplicates_in_one_call_the_last_counts(db: Database) -> None:
    async with db.transaction() as tx:
        ids = await enqueue_many(
            tx, [Keyed("b", 1), Keyed("a", 1), Plain(7), Keyed("b", 2), Plain(7)]
        )
    stored = await rows(db, "select id, key, args from jobs order by key, id")
    assert len(stored) == 4
    assert ids[0] == ids[3]
    assert [(each["key"], each["args"].get("value")) for each in stored] == [
        ("a", 1),
        ("b", 2),
        (None, None),
        (None, None),
    ]


async def test_ids_come_in_the_order_of_the_jobs(db: Database) -> None:
    """Whatever of them is new, known already, or twice."""
    await put(db, Keyed("7"), Keyed("3"), Keyed("5"))
    jobs = [
        each
        for n in range(200)
        for each in (
            Plain(n),
            Keyed(str(n * 37 % 100), n),
            Low(n),
            HostedKeyed(f"{n}", "a.example", n),
        )
    ]
    async with db.transaction() as tx:
        ids = await enqueue_many(tx, jobs)
    stored = {each["id"]: each for each in await rows(db, "select id, kind, args from jobs")}
    for id_, given in zip(ids, jobs, strict=True):
        assert stored[id_]["kind"] == kind_of(type(given)).name
        if isinstance(given, Keyed):
            assert stored[id_]["args"]["name"] == given.name
        else:
            assert stored[id_]["args"] == asdict(given)


@job("test:measured", key="name")
@dataclass(frozen=True, slots=True)
class Measured:
    name: str | None
    values: dict[str, list[float | None]]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
async def test_a_number_that_json_cannot_say_is_refused(db: Database, number: float) -> None:
    with pytest.raises(NotStorable):
        await put(db, Measured("a", {"deep": [1.0, number]}))
    assert await statuses(db) == {}
    [id_] = await put(db, Measured("a", {"deep": [1.0, None]}))
    assert (await job_row(db, id_))["args"]["values"] == {"deep": [1.0, None]}


async def test_where_there_is_no_key_no_two_jobs_are_the_same(db: Database) -> None:
    ids = await put(db, Measured(None, {}), Measured(None, {}), Measured("None", {}))
    assert len(set(ids)) == 3
    assert [(await job_row(db, id_))["key"] for id_ in ids] == [None, None, "None"]


async def test_a_queued_job_becomes_the_newest_in_all_that_it_is(db: Database) -> None:
    [id_] = await put(db, HostedKeyed("a", "old.example", 1))
    work.install(Wires(policies=lambda _: Policy(attempts=7)))
    assert await put(db, HostedKeyed("a", "new.example", 2)) == [id_]
    stored = await job_row(db, id_)
    assert (stored["domain"], stored["max_attempts"], stored["args"]["value"]) == (
        "new.example",
        7,
        2,
    )


async def test_a_job_whose_attempts_were_lowered_can_still_be_claimed(db: Database) -> None:
    """Else the claim that counts one more would fail, and with it that of all the others."""
    [id_] = await put(db, Keyed("a", 1))
    await settle(db, await claimer(db).claim(1), Settlement(State.QUEUED, 0, "flaky"))
    work.install(Wires(policies=lambda _: Policy(attempts=1)))
    await put(db, Keyed("a", 2))
    [claim] = await claimer(db).claim(10)
    assert (claim.id, claim.attempts, claim.max_attempts) == (id_, 2, 2)


async def test_a_running_job_whose_attempts_were_lowered_can_be_claimed_again(
    db: Database,
) -> None:
    await put(db, Keyed("a", 1))
    claims = await claimer(db).claim(1)
    work.install(Wires(policies=lambda _: Policy(attempts=1)))
    await put(db, Keyed("a", 2))
    await settle(db, claims, Settlement(State.QUEUED, 0, "flaky"))
    assert len(await claimer(db).claim(10)) == 1


async def test_a_running_job_is_wanted_again_when_it_was_asked_for(db: Database) -> None:
    await put(db, Keyed("a", 1))
    claims = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2), after_s=3600)
    await succeed(db, claims)
    assert await claimer(db).claim(1) == []
    await pass_time(db, 3601)
    assert len(await claimer(db).claim(1)) == 1


async def test_of_two_wishes_for_again_the_earlier_counts(db: Database) -> None:
    await put(db, Keyed("a", 1))
    claims = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2), after_s=3600)
        await enqueue(tx, Keyed("a", 3))
        await enqueue(tx, Keyed("a", 4), after_s=60)
    await succeed(db, claims)
    assert len(await claimer(db).claim(1)) == 1


async def test_what_is_handed_back_is_due_though_it_is_wanted_again_later(db: Database) -> None:
    await put(db, Keyed("a", 1))
    claims = await claimer(db).claim(1)
    async with db.transaction() as tx:
        await enqueue(tx, Keyed("a", 2), after_s=3600)
    await settle(db, claims, Settlement(State.QUEUED, None, None, refund=True))
    assert len(await claimer(db).claim(1)) == 1


@pytest.mark.parametrize("later", ["new.example", None])
async def test_a_running_job_that_is_enqueued_for_another_domain_runs_there(
    db: Database, later: str | None
) -> None:
    [id_] = await put(db, HostedKeyed("a", "old.example", 1))
    claims = await claimer(db).claim(1)
    await put(db, HostedKeyed("a", later, 2))
    assert await slots(db) == [("old.example", id_)]  # where it is busy now
    await succeed(db, claims)
    assert await slots(db) == []
    [claim] = await claimer(db).claim(1)
    assert claim.domain == later


async def test_a_snooze_is_not_cut_short_by_being_enqueued(db: Database) -> None:
    """The handler set the time; whoever enqueues does not know why."""
    [id_] = await put(db, Keyed("a", 1))

    async def be_throttled(_work: Work[Keyed]) -> Snooze:
        return Snooze(60)

    await drain(db, {Keyed: be_throttled})
    assert await put(db, Keyed("a", 2)) == [id_]
    assert await claimer(db).claim(1) == []
    await pass_time(db, 60)
    [claim] = await claimer(db).claim(1)
    assert (args_of(claim)["value"], claim.attempts) == (2, 1)


async def test_nothing_to_enqueue_is_nothing_done(db: Database) -> None:
    async with db.transaction() as tx:
        assert await enqueue_many(tx, []) == []


async def test_bulk_enqueuers_with_reversed_keys_do_not_deadlock(db: Database) -> None:
    jobs = [Keyed(f"{n:04}") for n in range(400)]

    async def many_times(several: list[Keyed]) -> None:
        for _ in range(15):
            async with db.transaction() as tx:
                await enqueue_many(tx, several)

    await soon(asyncio.gather(many_times(jobs), many_times(jobs[::-1]), many_times(jobs)))
    assert len(await statuses(db)) == 400


async def test_keys_locked_one_by_one_in_opposite_orders_do_deadlock(db: Database) -> None:
    """That the test above could fail: what sorting prevents happens without it."""
    met = asyncio.Barrier(2)

    async def two(*names: str) -> None:
        async with db.transaction() as tx:
            await enqueue(tx, Keyed(names[0]))
            await met.wait()
            await enqueue(tx, Keyed(names[1]))

    ends = await soon(asyncio.gather(two("a", "b"), two("b", "a"), return_exceptions=True))
    assert sum(isinstance(end, Contended) for end in ends) == 1


@dataclass(frozen=True, slots=True)
class PageSaved:
    page: int


SUBSCRIBED = Wires(
    subscriptions={PageSaved: [lambda event: Plain(event.page), lambda event: Low(event.page)]}
)


async def test_publishing_makes_one_job_per_subscriber_in_the_same_transaction(
    db: Database,
) -> None:
    work.install(SUBSCRIBED)
    with pytest.raises(Regret):
        async with db.transaction() as tx:
            assert len(await publish(tx, PageSaved(1))) == 2
            raise Regret
    assert await statuses(db) == {}
    async with db.transaction() as tx:
        await publish(tx, PageSaved(7))
    stored = await rows(db, "select kind, args from jobs order by kind")
    assert [(each["kind"], each["args"]) for each in stored] == [
        ("test:low", {"n": 7}),
        ("test:plain", {"n": 7}),
    ]


async def test_publishing_what_nobody_hears_is_no_error(db: Database) -> None:
    work.install(Wires())
    async with db.transaction() as tx:
        assert await publish(tx, PageSaved(1)) == []


async def test_publishing_an_event_that_no_slice_declares_raises(db: Database) -> None:
    work.install(Wires(events=frozenset()))
    async with db.transaction() as tx:
        with pytest.raises(UndeclaredEvent, match="No slice declares PageSaved"):
            await publish(tx, PageSaved(1))


async def test_publishing_without_wiring_raises(db: Database) -> None:
    async with db.transaction() as tx:
        with pytest.raises(NotWired):
            await publish(tx, PageSaved(1))


async def test_an_operator_changes_attempts_and_backoff_of_a_kind(db: Database) -> None:
    settings = wiring.make_settings(
        job_policies={"test:plain": {"attempts": 1}, "test:keyed": {"backoff_s": [5]}}
    )
    wiring.install(wiring.product(settings))

    async def fail(work: Work[Plain]) -> Retry:
        return Retry("no")

    [plain, keyed] = await put(db, Plain(), Keyed("a"))
    await drain(db, {Plain: fail, Keyed: fail})
    assert await statuses(db) == {plain: "dead", keyed: "queued"}
    assert wiring.policy(settings, kind_of(Keyed)).backoff_s == (5,)
    assert wiring.policy(settings, kind_of(Keyed)).attempts == 2


async def test_one_transaction_wakes_workers_once(db: Database) -> None:
    heard: asyncio.Queue[None] = asyncio.Queue()
    listener = await db.listen("mindhit_jobs", lambda: heard.put_nowait(None))
    try:
        await put(db, Plain(), Plain(), Keyed("a"), Keyed("a"))
        await soon(heard.get())
        await put(db, Plain(), after_s=60)  # not due: nobody is woken
        await put(db, Plain())
        await soon(heard.get())
        await listener.ping()
        assert heard.empty()
    finally:
        await listener.close()


async def test_notifications_can_be_switched_off(db: Database) -> None:
    heard: asyncio.Queue[int] = asyncio.Queue()
    listener = await db.listen("mindhit_jobs", lambda: heard.put_nowait(1))
    try:
        work.install(Wires(notify=False))
        await put(db, Plain())
        await listener.ping()
        assert heard.empty()
    finally:
        await listener.close()
