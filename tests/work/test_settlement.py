"""What becomes of a job: every answer, every count of attempts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.work import Cancelled, Discard, Done, Policy, Retry, Snooze, State
from mindhit.work.retry_policy import JITTER, LONGEST_WAIT_S, backoff
from mindhit.work.settlement import HANDED_BACK, NO_REASON, SUCCEEDED, clean, settle

anything = st.text(st.characters(), max_size=200) | st.text(
    st.characters(categories=["Cs", "Cc"]), max_size=20
)
seconds = st.floats(0, 86_400)
any_number = st.floats() | st.integers(-(10**400), 10**400)
policies = st.builds(Policy, st.integers(1, 50), st.lists(seconds, max_size=5).map(tuple))
chances = st.floats(0, 1, exclude_max=True)
outcomes = (
    st.just(Done())
    | st.builds(Retry, anything, st.none() | any_number)
    | st.builds(Snooze, any_number, anything, st.none() | st.just("b.example"))
    | st.builds(Discard, anything)
    | st.builds(Cancelled, anything)
)


@given(anything, st.integers(1, 50), st.integers(0, 50), policies, chances)
def test_a_retry_waits_for_its_backoff_and_at_most_a_tenth_longer(
    reason: str, attempts: int, more: int, policy: Policy, chance: float
) -> None:
    decided = settle(
        Retry(reason),
        attempts=attempts,
        max_attempts=attempts + more + 1,
        policy=policy,
        chance=chance,
    )
    least = backoff(policy, attempts)
    assert decided.status is State.QUEUED
    assert not decided.refund
    assert decided.after_s is not None
    assert least <= decided.after_s <= least * (1 + JITTER)


def test_retries_of_one_outage_do_not_come_back_as_one_crowd() -> None:
    def wait(chance: float) -> float | None:
        policy = Policy(backoff_s=(60,))
        return settle(
            Retry("cut"), attempts=1, max_attempts=3, policy=policy, chance=chance
        ).after_s

    assert [wait(0), wait(0.5)] == [60, pytest.approx(63)]


@given(anything, st.integers(1, 50), st.integers(0, 50), policies, chances)
def test_a_retry_at_the_last_attempt_is_death(
    reason: str, max_attempts: int, over: int, policy: Policy, chance: float
) -> None:
    decided = settle(
        Retry(reason, after_s=1),
        attempts=max_attempts + over,
        max_attempts=max_attempts,
        policy=policy,
        chance=chance,
    )
    assert decided.status is State.DEAD
    assert decided.error == (clean(reason) or NO_REASON)


@given(outcomes, st.integers(1, 5), st.integers(1, 5), policies, chances)
def test_whatever_a_handler_answers_can_be_stored(
    outcome: object, attempts: int, max_attempts: int, policy: Policy, chance: float
) -> None:
    decided = settle(
        outcome,  # type: ignore[arg-type]
        attempts=attempts,
        max_attempts=max_attempts,
        policy=policy,
        chance=chance,
    )
    assert decided.after_s is not None
    assert 0 <= decided.after_s <= LONGEST_WAIT_S * (1 + JITTER)
    assert math.isfinite(decided.after_s)
    if decided.error is not None:
        assert "\0" not in decided.error
        assert len(decided.error) <= 4000
        decided.error.encode("utf-8")


@given(outcomes, st.integers(1, 5), st.integers(1, 5), policies, chances)
def test_only_a_snooze_takes_its_attempt_back(
    outcome: object, attempts: int, max_attempts: int, policy: Policy, chance: float
) -> None:
    decided = settle(
        outcome,  # type: ignore[arg-type]
        attempts=attempts,
        max_attempts=max_attempts,
        policy=policy,
        chance=chance,
    )
    assert decided.refund == isinstance(outcome, Snooze)
    assert HANDED_BACK.refund
    assert not SUCCEEDED.refund


@given(st.lists(seconds, min_size=1, max_size=6), st.integers(1, 20))
def test_backoff_takes_its_steps_in_order_and_repeats_the_last(
    steps: list[float], attempts: int
) -> None:
    policy = Policy(backoff_s=tuple(steps))
    assert backoff(policy, attempts) == steps[min(attempts, len(steps)) - 1]


def test_no_backoff_means_at_once() -> None:
    assert backoff(Policy(backoff_s=()), 3) == 0


@given(st.floats(0, 10_000))
def test_a_snooze_lasts_as_long_as_it_says(for_s: float) -> None:
    decided = settle(Snooze(for_s), attempts=9, max_attempts=1, policy=Policy(), chance=0.9)
    assert (decided.status, decided.after_s, decided.error) == (State.QUEUED, for_s, "snoozed")


@given(outcomes, st.integers(1, 5), policies, chances)
def test_only_a_snooze_moves_a_job_to_another_domain(
    outcome: object, attempts: int, policy: Policy, chance: float
) -> None:
    decided = settle(
        outcome,  # type: ignore[arg-type]
        attempts=attempts,
        max_attempts=3,
        policy=policy,
        chance=chance,
    )
    assert decided.domain == (outcome.domain if isinstance(outcome, Snooze) else None)


def test_each_final_answer_has_its_state() -> None:
    def state(outcome: Done | Discard | Cancelled) -> State:
        return settle(outcome, attempts=1, max_attempts=3, policy=Policy(), chance=0).status

    assert state(Done()) is State.SUCCEEDED
    assert state(Discard("404")) is State.DEAD
    assert state(Cancelled()) is State.CANCELED


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4000))
def test_an_error_that_can_be_stored_is_kept_as_it_is(reason: str) -> None:
    assert clean(reason) == reason
