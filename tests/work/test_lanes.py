"""Lanes share 6 : 3 : 1 over time, whatever the size of the claims and whoever sleeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from mindhit.work import Lane
from mindhit.work.lanes import SHARES, FairShare

ENDLESS = 10**9
sizes = st.lists(st.integers(1, 120), min_size=1, max_size=60)


def claim(share: FairShare, waiting: dict[Lane, int], n: int) -> list[Lane]:
    """What the claim's statement does: the n jobs that come first by virtual time."""
    ordered = sorted(
        (base + nth / share.shares[lane], lane)
        for lane, base in share.bases.items()
        for nth in range(1, min(waiting.get(lane, 0), n) + 1)
    )
    given = [lane for _, lane in ordered[:n]]
    share.granted(given)
    for lane in given:
        waiting[lane] -= 1
    return given


def run(share: FairShare, waiting: dict[Lane, int], sizes: Iterable[int]) -> Counter[Lane]:
    given: Counter[Lane] = Counter()
    for n in sizes:
        given.update(claim(share, waiting, n))
    return given


def everyone_busy() -> dict[Lane, int]:
    return dict.fromkeys(Lane, ENDLESS)


def assert_fair(given: Counter[Lane], lanes: Iterable[Lane] = Lane, *, within: float = 2) -> None:
    lanes = list(lanes)
    together = sum(SHARES[lane] for lane in lanes)
    for lane in lanes:
        due = given.total() * SHARES[lane] / together
        assert abs(given[lane] - due) <= within, (lane, given, due)


@given(sizes)
def test_busy_lanes_share_six_to_three_to_one_whatever_the_claims(sizes: list[int]) -> None:
    assert_fair(run(FairShare(), everyone_busy(), sizes))


def test_busy_lanes_share_when_slots_free_up_one_at_a_time() -> None:
    given = run(FairShare(), everyone_busy(), [1] * 10_000)
    assert given == {Lane.CRITICAL: 6000, Lane.DEFAULT: 3000, Lane.LOW: 1000}


@given(
    st.lists(
        st.tuples(st.integers(1, 10), st.integers(0, 12), st.integers(0, 12)),
        min_size=30,
        max_size=60,
    )
)
def test_a_waiting_job_of_the_low_lane_is_never_passed_over_for_long(
    rounds: list[tuple[int, int, int]],
) -> None:
    share, waiting = FairShare(), {Lane.CRITICAL: 0, Lane.DEFAULT: 0, Lane.LOW: ENDLESS}
    passed_over = 0
    for n, critical, default in rounds:
        waiting[Lane.CRITICAL] += critical
        waiting[Lane.DEFAULT] += default
        for lane in claim(share, waiting, n):
            passed_over = 0 if lane is Lane.LOW else passed_over + 1
            assert passed_over <= 30


@given(
    st.sampled_from(list(Lane)),
    st.lists(st.tuples(st.integers(1, 100), st.integers(0, 2)), min_size=1, max_size=40),
    st.integers(1, 50),
)
def test_a_lane_that_had_little_to_do_neither_saves_anything_up_nor_loses_any(
    sleeper: Lane, past: list[tuple[int, int]], n: int
) -> None:
    share, waiting = FairShare(), everyone_busy()
    waiting[sleeper] = 0
    for size, trickle in past:
        waiting[sleeper] = trickle
        claim(share, waiting, size)
    waiting[sleeper] = ENDLESS
    # A sleeper can be ahead or behind by one job of the slowest lane, which is ten jobs in all.
    assert_fair(run(share, waiting, [n] * (400 // n + 1)), within=10)


def test_a_lane_that_wakes_up_resumes_at_the_slowest_busy_lane() -> None:
    """At the fastest, it would be passed over once more for jobs of the others."""
    share = FairShare()
    share.granted([Lane.CRITICAL] * 5 + [Lane.LOW])
    assert share.bases == {Lane.CRITICAL: 5 / 6, Lane.DEFAULT: 5 / 6, Lane.LOW: 1.0}
    waiting = {Lane.DEFAULT: ENDLESS, Lane.LOW: ENDLESS}
    assert claim(share, waiting, 3) == [Lane.DEFAULT] * 3  # before the next job of the low lane


@given(st.sampled_from(list(Lane)), sizes)
def test_a_lane_alone_gets_everything(lane: Lane, sizes: list[int]) -> None:
    assert run(FairShare(), {lane: ENDLESS}, sizes) == {lane: sum(sizes)}


@given(st.sets(st.sampled_from(list(Lane)), min_size=2, max_size=2), sizes)
def test_two_busy_lanes_share_what_the_third_leaves(lanes: set[Lane], sizes: list[int]) -> None:
    given = run(FairShare(), dict.fromkeys(lanes, ENDLESS), sizes)
    assert_fair(given, lanes, within=3)
