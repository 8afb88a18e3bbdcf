"""Metrics say what the database says: each claim is counted once, when it is known how it ended."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from prometheus_client import Histogram
from structlog.testing import capture_logs

from mindhit.db import Database, DatabaseUnavailable
from mindhit.log import reports
from mindhit.work import (
    Cancelled,
    Discard,
    Registry,
    Retry,
    Snooze,
    Work,
    cancel,
    metrics,
)
from mindhit.work.leases.renewer import Renewer
from mindhit.work.leases.rescuer import MAX_RESCUES, Rescuer
from mindhit.work.running import outcome_counts
from mindhit.work.running.completer import Completer
from mindhit.work.running.executor import Executor
from mindhit.work.running.held_claims import HeldClaims
from mindhit.work.running.outcome_counts import OutcomeCounts, RescuedTooOften, log_summaries
from mindhit.work.settlement import SUCCEEDED
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Bundle,
    Hosted,
    Keyed,
    Low,
    Plain,
    Tally,
    answering,
    claimer,
    execute,
    fail,
    job_row,
    put,
    rescue,
    soon,
    statuses,
    working,
)


class Counted:
    """What the metrics have grown by."""

    def __init__(self) -> None:
        self._before = self._now()

    def since(self) -> dict[str, float]:
        return dict(self._now() - self._before)

    @staticmethod
    def _now() -> Counter[str]:
        now: Counter[str] = Counter()
        for metric in (metrics.SETTLED, metrics.LOST):
            for sample in next(iter(metric.collect())).samples:
                if sample.name.endswith("_total"):
                    now[sample.labels.get("outcome", "leases lost")] += int(sample.value)
        return now


@pytest.fixture
def counted() -> Counted:
    return Counted()


def completer_of(db: Database, held_claims: HeldClaims) -> Completer:
    return Completer(db, held_claims)


async def test_every_end_is_counted_by_its_name(db: Database, counted: Counted) -> None:
    answers = [None, Retry("flaky"), Snooze(60), Discard("no")]

    async def answer(work: Work[Plain]) -> Any:
        return answers[work.args.n]

    await put(db, *(Plain(n) for n in range(len(answers))))
    await drain(db, {Plain: answer})
    assert counted.since() == {"succeeded": 1, "retried": 1, "snoozed": 1, "dead": 1}


@pytest.mark.parametrize("answer", [Discard("no"), Cancelled("no")])
async def test_a_job_that_was_asked_for_again_did_not_end(
    db: Database, counted: Counted, answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    crumbs: list[str] = []
    monkeypatch.setattr(reports, "breadcrumb", lambda said, **_: crumbs.append(said))

    async def handle(work: Work[Keyed]) -> Any:
        if work.args.value == 1:
            await put(db, Keyed("a", 2))
        return answer

    await put(db, Keyed("a", 1))
    assert await drain(db, {Keyed: handle}) == 2
    is_death = isinstance(answer, Discard)
    assert counted.since() == {"started afresh": 1, "dead" if is_death else "canceled": 1}
    assert crumbs == ["job is dead"] * is_death  # once: the first time it was not


async def test_a_job_that_is_rescued_to_death_is_counted_and_reported(
    db: Database, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    crumbs: list[str] = []
    failures: list[BaseException] = []
    monkeypatch.setattr(reports, "breadcrumb", lambda said, **_: crumbs.append(said))
    monkeypatch.setattr(reports, "failure", lambda error, **_: failures.append(error))
    [id_] = await put(db, Plain())
    await execute(db, "update jobs set rescues = $1", MAX_RESCUES)
    await claimer(db).claim(1)
    await pass_time(db, 40)
    counts = OutcomeCounts()
    assert await Rescuer(db, counts=counts).run_once() == 1
    assert await statuses(db) == {id_: "dead"}
    assert (counted.since(), counts.by_outcome) == ({"dead": 1}, {"dead": 1})
    assert crumbs == ["job is dead"]
    assert [type(error) for error in failures] == [RescuedTooOften]


async def test_a_success_that_could_not_be_written_is_none(db: Database, counted: Counted) -> None:
    await put(db, Plain())
    [claim] = await claimer(db).claim(1)
    held_claims = HeldClaims()
    held_claims.add([claim], 0)
    assert await Executor(db, Registry({Plain: Tally(1)})).run(claim) is SUCCEEDED
    await pass_time(db, 40)
    await rescue(db)
    assert await completer_of(db, held_claims).write([(claim, SUCCEEDED)]) == []
    assert counted.since() == {"lost": 1, "leases lost": 1}


async def test_a_lease_that_a_handler_finds_lost_is_counted_once(
    db: Database, counted: Counted
) -> None:
    async def be_too_late(work: Work[Plain]) -> None:
        await pass_time(db, 40)
        await rescue(db)
        await execute(db, "update jobs set run_after = now() + interval '1 hour'")
        async with work.settling():
            pass

    await put(db, Plain())
    assert await drain(db, {Plain: be_too_late}) == 1
    assert counted.since() == {"lost": 1, "leases lost": 1}


async def test_a_lease_that_a_renewal_finds_lost_is_counted_once(
    db: Database, counted: Counted
) -> None:
    [id_] = await put(db, Plain())
    claims = await claimer(db).claim(1)
    held_claims = HeldClaims()
    held_claims.add(claims, -FAR_AWAY_S)
    async with db.transaction() as tx:
        await cancel(tx, id_)
    assert await Renewer(db, held_claims, lease_s=30).run_once() == 1
    assert await Renewer(db, held_claims, lease_s=30).run_once() == 0
    await completer_of(db, held_claims).write([(claims[0], SUCCEEDED)])
    assert counted.since() == {"lost": 1, "leases lost": 1}


async def test_a_handler_that_settled_and_was_cut_off_afterwards_has_succeeded(
    db: Database, counted: Counted
) -> None:
    settled = asyncio.Event()

    async def settle_and_linger(work: Work[Plain]) -> None:
        async with work.settling():
            pass
        settled.set()
        await asyncio.Event().wait()

    [id_] = await put(db, Plain())
    async with working(db, {Plain: settle_and_linger}, grace_s=0.05):
        await soon(settled.wait())
    assert (await job_row(db, id_))["status"] == "succeeded"
    assert counted.since() == {"succeeded": 1}


async def test_a_job_that_is_settled_and_taken_again_has_succeeded_each_time(
    db: Database, counted: Counted
) -> None:
    async def settle_twice(work: Work[Keyed]) -> None:
        async with work.settling():
            pass
        async with work.settling():  # finds its lease gone, which was its own doing
            pass

    await put(db, Keyed("a"))
    await drain(db, {Keyed: settle_twice})
    assert counted.since() == {"succeeded": 1}


async def test_a_batch_that_lost_a_lease_counts_each_job_as_it_ended(
    db: Database, counted: Counted
) -> None:
    ids = await put(db, Bundle(0), Bundle(1), Bundle(2))
    settled, again = asyncio.Event(), asyncio.Event()

    async def handle(works: Sequence[Work[Bundle]]) -> list[Discard]:
        if settled.is_set():
            again.set()
            return [Discard("no")] * len(works)
        async with works[0].settling():
            pass
        async with db.transaction() as tx:
            await cancel(tx, works[1].id)
        settled.set()
        async with works[1].settling():
            pass
        return []

    async with working(db, {Bundle: handle}, concurrency=1):
        await soon(again.wait())
    assert await statuses(db) == dict(zip(ids, ["succeeded", "canceled", "dead"], strict=True))
    assert counted.since() == {
        "succeeded": 1,
        "lost": 1,
        "leases lost": 1,
        "snoozed": 1,
        "dead": 1,
    }


async def test_a_setback_is_called_one(db: Database, counted: Counted) -> None:
    await put(db, Plain())
    await drain(db, {Plain: answering(lambda: fail(DatabaseUnavailable()))})
    assert counted.since() == {"set back": 1}


async def test_arguments_nobody_can_read_are_a_warning_and_a_snooze_is_none(db: Database) -> None:
    await put(db, Plain())
    await execute(db, """update jobs set args = '{"n": "many"}'""")
    with capture_logs() as unreadable:
        await drain(db, {Plain: Tally(1)})
    await execute(db, "update jobs set args = '{}'")
    await pass_time(db, 60)
    with capture_logs() as snoozed:
        await drain(db, {Plain: answering(lambda: Snooze(60))})
    assert [(each["log_level"], each["reason"]) for each in unreadable + snoozed] == [
        (
            "warning",
            "the arguments cannot be decoded: Expected `int`, got `str` - at `$.n`",
        ),
        ("info", "snoozed"),
    ]


async def test_domains_are_counted_by_their_failures_and_by_nothing_else(db: Database) -> None:
    answers = [None, Retry("503"), Snooze(60), Discard("404"), Cancelled()]

    async def answer(work: Work[Hosted]) -> Any:
        return answers[work.args.n]

    await put(db, Plain(1))
    await put(db, *(Hosted(f"{n}.example", n) for n in range(len(answers))))
    executor = Executor(db, Registry({Hosted: answer, Plain: answer}))
    for claim in await claimer(db).claim(10):
        await executor.run(claim)
    assert executor.failing_domains == {"1.example": 1, "3.example": 1}


async def test_a_summary_names_the_outcomes_and_the_failing_domains_since_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
    monkeypatch.setattr(outcome_counts, "SUMMARY_EVERY_S", 0)
    monkeypatch.setattr(
        outcome_counts._log,
        "info",
        lambda event, **facts: lines.put_nowait((event, facts)),
        raising=False,
    )
    counts, failing = OutcomeCounts(), Counter({"a.example": 3, "b.example": 1})
    counts.by_outcome.update(succeeded=5, dead=2)
    logging = asyncio.create_task(log_summaries(counts, failing, [1, 2, 3, 4]))
    event, facts = await soon(lines.get())
    logging.cancel()
    assert event == "worker summary"
    assert facts == {
        "succeeded": 5,
        "dead": 2,
        "success_count": 5,
        "fail_count": 0,
        "dead_count": 2,
        "held": 4,
        "top_failure_domains": [("a.example", 3), ("b.example", 1)],
    }
    assert (counts.by_outcome, failing) == (Counter(), Counter())
    assert lines.empty()  # nothing has ended since


async def test_how_long_jobs_waited_is_noted_by_lane(db: Database) -> None:
    before = waits()
    await put(db, Plain(), Low(), Bundle())
    await pass_time(db, 100)
    await drain(db, {Plain: Tally(1), Low: Tally(1), Bundle: answering(lambda: None)})
    grown = waits() - before
    assert (grown["default_count"], grown["low_count"]) == (2, 1)
    assert 200 <= grown["default_sum"] < 400
    assert 100 <= grown["low_sum"] < 200


async def test_durations_are_in_milliseconds(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 12.5, 20.0, 20.25])
    monkeypatch.setattr("mindhit.work.running.executor.perf_counter", lambda: next(clock))

    async def pass_by(_: object) -> None:
        pass

    before = durations()
    await put(db, Plain())
    await drain(db, {Plain: pass_by})
    await put(db, Bundle())
    await drain(db, {Bundle: pass_by})
    grown = durations() - before
    assert (grown["test:plain_sum"], grown["test:bundle_sum"]) == (2500, 250)


def durations() -> Counter[str]:
    return noted(metrics.DURATION, "kind")


def waits() -> Counter[str]:
    return noted(metrics.PICKUP, "lane")


def noted(histogram: Histogram, label: str) -> Counter[str]:
    [family] = histogram.collect()
    return Counter(
        {
            sample.labels[label] + sample.name.removeprefix(family.name)
            + sample.labels.get("le", ""): sample.value
            for sample in family.samples
            if not sample.name.endswith("_created")
        }
    )  # fmt: skip
