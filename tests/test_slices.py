"""Slices: names that collide stop the program at start, with a sentence that says which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from mindhit import mail, wiring
from mindhit.slices import NameTaken, Product, Slice, UnknownEvent
from mindhit.work import Schedule, Work, job


@job("mail:planted")
@dataclass(frozen=True, slots=True)
class Planted:
    name: str = "all"


@job("mail:planted")
@dataclass(frozen=True, slots=True)
class PlantedAgain:
    name: str = "all"


class TimelineClosed:
    """Has the name of an event that tracking publishes."""


async def handle(work: Work[Planted]) -> None:
    raise NotImplementedError


def product(*planted: Slice) -> Product:
    return Product(wiring.make_settings(), (*wiring.SLICES, *planted))


def test_the_slices_of_the_product_fit_together() -> None:
    assert [each.name for each in product().slices] == [each.name for each in wiring.SLICES]
    assert "sessions" in product().exports


@pytest.mark.parametrize(
    ("planted", "message"),
    [
        (lambda: [Slice("mail")], "slice 'mail' is declared by mail and by mail"),
        (
            lambda: [Slice("a", exports={"sessions": mail.SLICE.exports["kept_mails"]})],
            "export file 'sessions' is declared by tracking and by a",
        ),
        (
            lambda: [
                Slice("a", jobs=lambda _: {Planted: handle}),
                Slice("b", jobs=lambda _: {PlantedAgain: handle}),
            ],
            "job 'mail:planted' is declared by a and by b",
        ),
        (
            lambda: [
                Slice("a", schedules=lambda _: [Schedule("work:prune", Planted(), every_s=1)])
            ],
            "schedule 'work:prune' is declared by work and by a|by a and by work",
        ),
        (
            lambda: [Slice("a", events=(TimelineClosed,))],
            "event 'TimelineClosed' is declared by tracking and by a",
        ),
    ],
)
def test_two_slices_with_one_name_fail_at_start(
    planted: Callable[[], list[Slice]], message: str
) -> None:
    with pytest.raises(NameTaken, match=message):
        product(*planted())


def test_a_subscription_to_an_event_that_nobody_publishes_fails_at_start() -> None:
    with pytest.raises(UnknownEvent, match="Nobody publishes PlantedAgain"):
        Product(wiring.make_settings(), wiring.SLICES, {PlantedAgain: [Planted]})
