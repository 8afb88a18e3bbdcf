"""The engine against a small model of itself: whatever happens, in whatever order.

A state machine enqueues, claims, renews, settles, crashes, lets time pass, rescues, cancels and
retries on a real database, and predicts every job's row. Workers here are names with claims;
a crashed one forgets its claims, and its old claims come back as zombies that must change nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from mindhit.db import Database, Nothing, Write
from mindhit.work import JobBusy, JobId, State, cancel, enqueue, retry
from mindhit.work.claiming.claimer import Claimer
from mindhit.work.leases import rescuer
from mindhit.work.leases.rescuer import MAX_RESCUES
from mindhit.work.model import Claimed
from mindhit.work.settlement import HANDED_BACK, SUCCEEDED, Settlement
from mindhit.work.testing import pass_time
from tests.work.kit import HostedKeyed, Keyed, Plain, claimer, execute, renew, rescue, rows, settle

LEASE_S = 30
DOMAIN_LIMIT = 2
LIVE = {"queued", "running"}
MAX_ATTEMPTS = {Plain: 3, Keyed: 2, HostedKeyed: 2}
RETRIED = Settlement(State.QUEUED, 60, "flaky")
KILLED = Settlement(State.DEAD, error="no")
ENDS = [
    SUCCEEDED,
    HANDED_BACK,
    RETRIED,
    Settlement(State.QUEUED, 60, "throttled", refund=True),
    Settlement(State.QUEUED, 0, "moved", refund=True, domain="y.example"),
    Settlement(State.QUEUED, 0, "moved", refund=True, domain="x.example"),
    KILLED,
    Settlement(State.CANCELED),
]
LOOK = """
select id, key, domain, coalesce(args->>'value', args->>'n')::int as value, status, again, attempts,
       rescues, lease_id, num_nonnulls(locked_at, locked_by, lease_id, lease_until) as lease_parts,
       finished_at is not null as finished,
       (select array_agg(s.domain order by s.domain) from job_slots s
         where s.job_id = jobs.id and s.slot between 1 and 2) as slots,
       (select count(*) from job_slots) as all_slots
  from jobs"""
EMPTY = Write(Nothing, "truncate jobs, job_slots, job_renewals restart identity cascade")


DOMAINS = st.sampled_from(["x.example", "x.example", "x.example", "y.example", None])
WORKERS = ("ann", "bob", "cleo")
SAMPLES = (
    st.builds(Plain, st.integers(0, 99))
    | st.builds(Keyed, st.sampled_from("ab"), st.integers(0, 99))
    | st.builds(HostedKeyed, st.sampled_from("abcd"), DOMAINS, st.integers(0, 99))
)
HAPPENINGS = (
    *("enqueue", "claim", "settle") * 3,
    *("enqueue_what_runs", "pass_time", "rescue") * 2,
    *("renew", "crash", "freeze", "wake_zombies", "cancel", "retry_by_hand", "think_better_of_it"),
)
Draw = Callable[[Any], Any]


@dataclass
class Expected:
    """What the model believes of one job."""

    kind: type[Any]
    key: str | None
    domain: str | None
    value: int
    status: str = "queued"
    again: bool = False
    attempts: int = 0
    rescues: int = 0
    due_at: float = 0.0
    wanted_at: float = 0.0  # while it runs: when it is to run again
    most: int = 0
    has_error: bool = False
    slot: str | None = None
    # Slots of handlers it was taken from, and until when they keep them.
    left: list[tuple[str, float]] = field(default_factory=list)
    leased_until: float = 0.0
    claim: Claimed | None = None
    past_claims: list[Claimed] = field(default_factory=list)

    def unlock(self, status: str, now: float, after_s: float | None = 0.0) -> None:
        self.status, self.again, self.slot = status, False, None
        if after_s is not None:
            self.due_at = now + after_s
        if self.claim is not None:
            self.past_claims.append(self.claim)
            self.claim = None

    def take_away(self, now: float) -> None:
        """Its handler goes on until it is stopped, at the end of its lease at the latest."""
        if self.slot is not None:
            self.left.append((self.slot, self.leased_until))
        self.unlock("canceled", now)

    @property
    def places(self) -> list[str]:
        return sorted([domain for domain, _ in self.left] + ([self.slot] if self.slot else []))

    def start_afresh(self, at: float) -> None:
        self.unlock("queued", at)
        self.attempts = self.rescues = 0


class Engine(RuleBasedStateMachine):
    """`runner` and `db` are given by the test.

    One rule draws what happens next: with a rule for each, hypothesis switches most of them off in
    most runs, and hardly ever is anything enqueued, claimed, asked for again and settled.
    """

    runner: asyncio.Runner
    db: Database

    def __init__(self) -> None:
        super().__init__()
        self.jobs: dict[JobId, Expected] = {}
        self.held: dict[str, list[Claimed]] = {name: [] for name in WORKERS}
        self.claimers: dict[str, Claimer] = {}
        self.now = 0.0

    def run(self, coroutine: Any) -> Any:
        return self.runner.run(coroutine)

    @initialize()
    def begin(self) -> None:
        self.run(execute(self.db, EMPTY.sql))
        self.claimers = {name: self.new_claimer(name) for name in WORKERS}

    def new_claimer(self, name: str) -> Claimer:
        return claimer(self.db, name=name, domain_limit=DOMAIN_LIMIT)

    @rule(data=st.data(), what=st.sampled_from(HAPPENINGS))
    def something_happens(self, data: st.DataObject, what: str) -> None:
        getattr(self, what)(data.draw)

    # enqueueing

    def enqueue(self, draw: Draw) -> None:
        for job in draw(st.lists(SAMPLES, min_size=1, max_size=4)):
            self.enqueue_one(job, draw(st.sampled_from([0, 0, 0, 45])))

    def enqueue_what_runs(self, draw: Draw) -> None:
        running = [each for each in self.jobs.values() if each.claim and each.key]
        if running:
            job = draw(st.sampled_from(running))
            value = draw(st.integers(0, 99))
            again = Keyed if job.kind is Keyed else lambda k, v: HostedKeyed(k, draw(DOMAINS), v)
            self.enqueue_one(again(job.key, value), draw(st.sampled_from([0, 30])))

    def enqueue_one(self, job: Any, after_s: float) -> None:
        kind, key = type(job), getattr(job, "name", None)

        async def act() -> JobId:
            async with self.db.transaction() as tx:
                return await enqueue(tx, job, after_s=after_s)

        id_ = self.run(act())
        value = job.n if kind is Plain else job.value
        live = self.living(kind, key)
        domain, most = getattr(job, "domain", None), MAX_ATTEMPTS[kind]
        if live is None:
            assert id_ not in self.jobs
            self.jobs[id_] = Expected(
                kind, key, domain, value, due_at=self.now + after_s, most=most
            )
            return
        assert id_ == live
        known = self.jobs[id_]
        known.value, known.domain = value, domain
        known.most = max(most, known.attempts + 1)
        if known.status == "running":
            wanted_at = self.now + after_s
            known.wanted_at = min(known.wanted_at, wanted_at) if known.again else wanted_at
            known.again = True
        elif known.attempts == 0 and not known.has_error:
            known.due_at = min(known.due_at, self.now + after_s)

    def living(self, kind: type[Any], key: str | None) -> JobId | None:
        """The job of this kind and key that is queued or runs."""
        for id_, each in self.jobs.items():
            if key is not None and (each.kind, each.key) == (kind, key) and each.status in LIVE:
                return id_
        return None

    # what workers do

    def claim(self, draw: Draw) -> None:
        worker, n = draw(st.sampled_from(WORKERS)), draw(st.integers(1, 8))
        ready = {
            id_: each
            for id_, each in self.jobs.items()
            if each.status == "queued" and each.due_at <= self.now
        }
        running = self.running_by_domain()
        by_domain = Counter(each.domain for each in ready.values())
        possible = by_domain.pop(None, 0) + sum(
            min(count, DOMAIN_LIMIT - running[domain])
            for domain, count in by_domain.items()
            if domain is not None
        )
        claims = self.run(self.claimers[worker].claim(n))
        assert len(claims) == min(n, possible)
        assert {claim.id for claim in claims} <= ready.keys()
        for claim in claims:
            job = self.jobs[claim.id]
            job.status, job.slot = "running", job.domain
            job.attempts += 1
            job.leased_until = self.now + LEASE_S
            job.claim = claim
            assert (claim.attempts, claim.max_attempts) == (job.attempts, job.most)
        # As a worker's held_claims do: a job that is taken again is held under its new lease alone.
        taken = {claim.id for claim in claims}
        self.held[worker] = [old for old in self.held[worker] if old.id not in taken] + claims

    def running_by_domain(self) -> Counter[str]:
        return Counter(domain for each in self.jobs.values() for domain in each.places)

    def someone_with_claims(self, draw: Draw) -> str | None:
        busy = [name for name, claims in self.held.items() if claims]
        return draw(st.sampled_from(busy)) if busy else None

    def still_ours(self, claims: list[Claimed]) -> set[int]:
        return {claim.id for claim in claims if self.jobs[claim.id].claim == claim}

    def renew(self, draw: Draw) -> None:
        if worker := self.someone_with_claims(draw):
            claims = self.held[worker]
            ours = self.still_ours(claims)
            assert self.run(renew(self.db, claims, LEASE_S)) == ours
            for id_ in ours:
                self.jobs[JobId(id_)].leased_until = self.now + LEASE_S

    def settle(self, draw: Draw) -> None:
        if worker := self.someone_with_claims(draw):
            claims = self.held[worker]
            n = draw(st.integers(1, len(claims)))
            batch, self.held[worker] = claims[:n], claims[n:]
            ends: dict[Settlement, list[Claimed]] = {}
            for claim in batch:
                how = draw(st.sampled_from(ENDS))
                if how == RETRIED and claim.attempts >= claim.max_attempts:
                    how = (
                        KILLED  # as settlement.settle decides: a retry at the last attempt is dead
                    )
                ends.setdefault(how, []).append(claim)
            for how, several in ends.items():
                self.settle_as(several, how)

    def settle_as(self, claims: list[Claimed], how: Settlement) -> None:
        ours = self.still_ours(claims)
        assert self.run(settle(self.db, claims, how)) == ours
        for id_ in ours:
            job = self.jobs[JobId(id_)]
            job.has_error |= how.error is not None
            if job.again and how.status is not State.QUEUED:
                job.start_afresh(job.wanted_at)
                job.has_error = False
            else:
                is_due = job.again and how.after_s is None
                if how.domain is not None and not job.again:
                    job.domain = how.domain
                job.unlock(how.status.value, self.now, 0.0 if is_due else how.after_s)
                job.attempts -= how.refund

    def crash(self, draw: Draw) -> None:
        if worker := self.someone_with_claims(draw):
            self.held[worker] = []
            self.claimers[worker] = self.new_claimer(worker)

    def wake_zombies(self, draw: Draw) -> None:
        zombies = [claim for job in self.jobs.values() for claim in job.past_claims]
        if zombies:
            some = st.lists(st.sampled_from(zombies), min_size=1, max_size=4, unique_by=id_of)
            claims, how = draw(some), draw(st.sampled_from(ENDS))
            assert self.run(renew(self.db, claims)) == set()
            assert self.run(settle(self.db, claims, how)) == set()

    # time, and what it brings

    def pass_time(self, draw: Draw) -> None:
        # In tens: the database's clock also runs by itself, seconds in a whole example.
        seconds = draw(st.sampled_from([10, 20, 40, 60]))
        self.run(pass_time(self.db, seconds))
        self.now += seconds

    def rescue(self, _draw: Draw) -> None:
        stale = [
            each for each in self.jobs.values() if each.claim and each.leased_until <= self.now
        ]
        with patch.object(rescuer, "SPREAD_S", 0.0):  # when jobs come back is random
            assert self.run(rescue(self.db)) == len(stale)
        for job in stale:
            job.has_error = True
            if job.again:
                job.start_afresh(self.now)
            else:
                job.unlock("dead" if job.rescues >= MAX_RESCUES else "queued", self.now)
                job.rescues += 1
                job.attempts -= 1
        for job in self.jobs.values():
            job.left = [(domain, until) for domain, until in job.left if until > self.now]

    def freeze(self, draw: Draw) -> None:
        """Every worker sleeps longer than its leases, and wakes up with claims of the past."""
        for _ in range(draw(st.integers(1, 3))):
            self.claim(draw)
            self.run(pass_time(self.db, LEASE_S + 10))
            self.now += LEASE_S + 10
            self.rescue(draw)

    # what an operator does

    def cancel(self, draw: Draw) -> None:
        self.operate(draw, cancel, lambda job: job.status in LIVE, State.CANCELED)

    def retry_by_hand(self, draw: Draw) -> None:
        self.operate(
            draw,
            retry,
            lambda job: (
                job.status in {"dead", "canceled"} and self.living(job.kind, job.key) is None
            ),
            State.QUEUED,
        )

    def think_better_of_it(self, draw: Draw) -> None:
        """Cancel what runs and retry it at once, before its handler is stopped."""
        running = [id_ for id_, each in self.jobs.items() if each.claim]
        if running:
            id_ = draw(st.sampled_from(running))
            self.cancel(drawn(id_))
            self.retry_by_hand(drawn(id_))

    def operate(
        self, draw: Draw, verb: Any, is_possible: Callable[[Expected], bool], becomes: State
    ) -> None:
        if not self.jobs:
            return
        id_ = draw(st.sampled_from(sorted(self.jobs)))
        job = self.jobs[id_]

        async def act() -> None:
            async with self.db.transaction() as tx:
                await verb(tx, id_)

        if not is_possible(job):
            with pytest.raises(JobBusy):
                self.run(act())
        else:
            self.run(act())
            if becomes is State.QUEUED:
                job.start_afresh(self.now)
            else:
                job.take_away(self.now)

    # what must hold after every step

    @invariant()
    def the_tables_are_as_predicted(self) -> None:
        stored = {each.pop("id"): each for each in self.run(rows(self.db, LOOK))}
        assert stored == {
            id_: {
                "key": job.key,
                "domain": job.domain,
                "value": job.value,
                "status": job.status,
                "again": job.again,
                "attempts": job.attempts,
                "rescues": job.rescues,
                "lease_id": job.claim and str(job.claim.lease_id),
                "lease_parts": 4 if job.claim else 0,
                "finished": job.status not in LIVE,
                "slots": job.places or None,
                "all_slots": sum(self.running_by_domain().values()),
            }
            for id_, job in self.jobs.items()
        }

    @invariant()
    def no_domain_is_over_its_limit(self) -> None:
        assert all(count <= DOMAIN_LIMIT for count in self.running_by_domain().values())

    @invariant()
    def live_keys_are_unique(self) -> None:
        live = [(each.kind, each.key) for each in self.jobs.values() if each.status in LIVE]
        assert all(count == 1 for (_, key), count in Counter(live).items() if key is not None)


def id_of(claim: Claimed) -> int:
    return claim.id


def drawn(*values: object) -> Draw:
    """Draws that are known beforehand."""
    left = iter(values)
    return lambda _strategy: next(left)


@contextmanager
def machines(database_url: str) -> Iterator[type[Engine]]:
    with asyncio.Runner() as runner:
        db = runner.run(Database.open(database_url, size=3))
        try:
            yield type("Engine", (Engine,), {"runner": runner, "db": db})
        finally:
            runner.run(db.close())


def test_the_engine_does_what_its_model_predicts(database_url: str) -> None:
    with machines(database_url) as machine:
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=40,
                stateful_step_count=50,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


def test_a_handler_whose_job_was_canceled_keeps_its_slot_though_the_job_runs_again_and_ends(
    database_url: str,
) -> None:
    with machines(database_url) as machine:
        engine = machine()
        engine.begin()
        engine.enqueue_one(HostedKeyed("a", "x.example"), 0)
        [id_] = engine.jobs
        engine.claim(drawn("ann", 1))
        engine.cancel(drawn(id_))
        engine.crash(drawn("ann"))
        engine.retry_by_hand(drawn(id_))
        engine.claim(drawn("bob", 1))
        engine.the_tables_are_as_predicted()
        assert engine.jobs[id_].places == ["x.example", "x.example"]
        engine.settle(drawn("bob", 1, SUCCEEDED))
        engine.the_tables_are_as_predicted()
        assert engine.jobs[id_].places == ["x.example"]
        engine.pass_time(drawn(40))
        engine.rescue(drawn())
        engine.the_tables_are_as_predicted()
        assert engine.jobs[id_].places == []
