"""What has come of a log, against a model that keeps every number by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.tracking.timeline import holes
from mindhit.tracking.timeline.holes import Log, Range


@dataclass
class Model:
    """Every number that came or was given up, and when each hole was first seen."""

    came: set[int] = field(default_factory=set)
    passed: int = 0  # everything up to here is folded or given up
    noticed: dict[int, float] = field(default_factory=dict)  # missing number → since when

    def add(self, seqs: list[int], now_s: float) -> None:
        self.came.update(seqs)
        for seq in range(self.passed + 1, max(self.came, default=0)):
            if seq not in self.came:
                self.noticed.setdefault(seq, now_s)
        self.go_on()

    def go_on(self) -> None:
        while self.passed + 1 in self.came:
            self.passed += 1

    def give_up_before(self, noticed_s: float) -> None:
        """Over each hole that is old enough. None is older than one before it."""
        while (ahead := [seq for seq in self.came if seq > self.passed]) and (
            self.noticed[self.passed + 1] <= noticed_s
        ):
            self.passed = min(ahead)
            self.go_on()

    def missing(self, last_seq: int) -> list[Range]:
        end = max([*self.came, last_seq], default=0)
        return _ranges(seq for seq in range(1, end + 1) if seq not in self.came)


def _ranges(seqs: Iterable[int]) -> list[Range]:
    found: list[Range] = []
    for seq in seqs:
        if found and seq == found[-1][1] + 1:
            found[-1] = (found[-1][0], seq)
        else:
            found.append((seq, seq))
    return found


BATCHES = st.lists(
    st.tuples(st.sets(st.integers(1, 30), max_size=8), st.integers(0, 60)), max_size=12
)


@given(BATCHES, st.integers(0, 30))
def test_a_log_knows_what_a_list_of_every_number_knows(
    batches: list[tuple[set[int], int]], last_seq: int
) -> None:
    log, model, now_s = Log(), Model(), 0.0
    for seqs, later_s in batches:
        now_s += later_s
        fresh = sorted(seq for seq in seqs if not log.has(seq))
        assert fresh == sorted(seqs - model.came)
        before = log.next_seq
        run = log.add(fresh, now_s)
        model.add(fresh, now_s)
        assert log.next_seq == model.passed + 1
        assert run == (None if before == log.next_seq else (before, log.next_seq - 1))
        before = log.next_seq
        run = log.give_up_before(now_s - 100)
        model.give_up_before(now_s - 100)
        assert log.next_seq == model.passed + 1
        assert run == (None if before == log.next_seq else (before, log.next_seq - 1))
        assert log.max_seq == max(model.came, default=0)
        assert log.acked == model.passed
        assert log.missing(last_seq) == model.missing(last_seq)
        for seq in range(1, 32):
            assert log.has(seq) == (seq in model.came)
            assert log.is_given_up(seq) == (seq not in model.came and seq <= model.passed)
        waited_for = [seq for seq in range(model.passed + 1, log.max_seq) if seq not in model.came]
        assert log.hole_since == (model.noticed[waited_for[0]] if waited_for else None)
        restored = Log(log.next_seq, list(log.parked), list(log.holes))
        assert restored == log


@given(st.permutations(range(1, 16)), st.integers(1, 5))
def test_whatever_the_order_everything_is_passed_once_and_in_order(
    order: list[int], size: int
) -> None:
    log = Log()
    passed: list[int] = []
    for at in range(0, len(order), size):
        run = log.add(sorted(order[at : at + size]), float(at))
        if run is not None:
            passed += range(run[0], run[1] + 1)
    assert passed == list(range(1, 16))
    assert (log.parked, log.holes, log.hole_since) == ([], [], None)


def test_what_comes_in_the_midst_of_a_hole_makes_it_no_younger() -> None:
    log = Log()
    log.add([1, 9], 0.0)
    log.add([5], 250.0)
    assert log.hole_since == 0.0
    assert log.give_up_before(0.0) == (2, 9)
    assert log.holes == [(2, 4), (6, 8)]


def test_giving_up_everything_leaves_the_holes_as_facts() -> None:
    log = Log()
    log.add([1, 4, 7], 0.0)
    assert log.give_up() == (2, 7)
    assert log.holes == [(2, 3), (5, 6)]
    assert log.missing(9) == [(2, 3), (5, 6), (8, 9)]
    assert log.give_up() is None
    log.add([3, 5, 6], 1.0)
    assert log.holes == [(2, 2)]
    assert (log.acked, log.max_seq) == (7, 7)


@given(st.integers(1, 20))
def test_behind_too_many_holes_the_oldest_are_given_up(more: int) -> None:
    log = Log()
    odd = list(range(3, 2 * (holes.MAX_HOLES + more) + 2, 2))
    run = log.add(odd, 0.0)
    assert len(log.parked) == holes.MAX_HOLES
    assert run == (1, 2 * more + 1)
    assert len(log.holes) == more
    assert log.missing() == [(1, 2), *((seq - 1, seq - 1) for seq in odd[1:])]


@given(BATCHES)
def test_however_many_holes_are_given_up_a_few_are_kept_and_none_is_forgotten(
    batches: list[tuple[set[int], int]],
) -> None:
    log, came = Log(), set[int]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(holes, "MAX_GIVEN_UP", 3)
        for seqs, at in batches:
            log.add(sorted(seq for seq in seqs if not log.has(seq)), float(at))
            log.give_up()
            came |= seqs
            assert len(log.holes) <= 3
            assert all(a[1] + 1 < b[0] for a, b in pairwise(log.holes))
            for seq in set(range(1, log.next_seq)) - came:
                assert log.is_given_up(seq)
            assert log.next_seq == max(came, default=0) + 1


def test_the_closest_holes_become_one() -> None:
    log = Log(holes=[(2, 3), (10, 11), (13, 13), (20, 30)], next_seq=40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(holes, "MAX_GIVEN_UP", 3)
        log.add([42], 0.0)
    assert log.holes == [(2, 3), (10, 13), (20, 30)]
    assert log.missing() == [(2, 3), (10, 13), (20, 30), (40, 41)]
