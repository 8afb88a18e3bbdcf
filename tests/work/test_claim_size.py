"""What a worker claims: a load, and one claim ahead of it only while loads go by quickly."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from mindhit.work import store
from mindhit.work.claiming.claim_size import LARGEST_CLAIM, QUICK_S, ClaimSizer, Pace

sizers = st.builds(
    ClaimSizer, st.integers(1, 500), st.integers(1, 100), flush_at=st.integers(100, 500)
)
paces = st.floats(0, 1e6)


@given(sizers, st.integers(0, 2000), st.integers(0, 3000), st.booleans(), paces)
def test_no_claim_is_larger_than_asked_for_or_takes_more_than_a_load_and_one_claim_ahead(
    sizer: ClaimSizer, unended: int, settling: int, is_one_free: bool, pace: float
) -> None:
    room = sizer.next_size(
        unended=unended, settling=settling, is_one_free=is_one_free, pace_per_s=pace
    )
    assert 0 <= room <= sizer.claim_size
    if room:
        assert unended + room <= sizer.load + sizer.claim_size


@given(sizers, st.integers(0, 2000), st.booleans(), st.floats(0, 0.99))
def test_slow_handlers_have_no_more_than_a_load(
    sizer: ClaimSizer, unended: int, is_one_free: bool, share: float
) -> None:
    slow = share * sizer.load / QUICK_S
    room = sizer.next_size(unended=unended, settling=0, is_one_free=is_one_free, pace_per_s=slow)
    assert room == 0 or unended + room <= sizer.load


def test_quick_handlers_have_the_next_claim_taken_ahead_and_it_is_a_whole_one() -> None:
    sizer = ClaimSizer(100, 10, flush_at=100)
    rooms = [
        sizer.next_size(unended=unended, settling=0, is_one_free=False, pace_per_s=20_000)
        for unended in (200, 101, 100, 50)
    ]
    assert rooms == [0, 0, 100, 100]


def test_a_free_runner_is_worth_a_small_claim() -> None:
    sizer = ClaimSizer(10, 10, flush_at=100)
    assert sizer.next_size(unended=9, settling=0, is_one_free=True, pace_per_s=1) == 1


@given(sizers, paces, st.booleans())
def test_a_database_that_takes_no_settlements_is_asked_for_no_more_jobs(
    sizer: ClaimSizer, pace: float, is_one_free: bool
) -> None:
    most = 2 * sizer.flush_at + sizer.load + sizer.claim_size
    room = sizer.next_size(unended=0, settling=most, is_one_free=is_one_free, pace_per_s=pace)
    assert room == 0


def test_the_pace_is_that_of_the_last_two_claims_and_falls_while_nothing_ends() -> None:
    pace = Pace()
    assert pace.per_s(0.0, 0) == inf  # nothing is known yet
    pace.claim(1.0, 0)
    pace.claim(2.0, 100)
    assert pace.per_s(2.0, 100) == 100  # nothing of the newest claim can have ended yet
    pace.claim(3.0, 300)
    assert pace.per_s(3.0, 300) == 200
    assert pace.per_s(202.0, 300) == 1


def test_the_statements_limit_a_claim_to_the_largest_that_may_be_configured() -> None:
    for statement in (store.CLAIM, store.CLAIM_WITH_DOMAINS):
        assert f"limit {LARGEST_CLAIM} for update skip locked" in statement.sql
