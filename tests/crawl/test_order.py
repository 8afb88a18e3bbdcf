"""The pure rules: order of raws, what changes are told, scores of agents, amounts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindhit.crawl.executing.agent_health import Health, Reception, after, breaks
from mindhit.crawl.executing.results import follows
from mindhit.crawl.extraction.documents import tolerant_json
from mindhit.crawl.extraction.money import amount_of_data, money_of
from mindhit.crawl.model import AlertRules, Stage, TargetKind
from mindhit.crawl.products.alerts import AlertKind, alerts_of
from mindhit.crawl.products.merging import OptionState, merge_option, summary_of
from mindhit.crawl.products.order import Applied, Turn, in_order, turn_of
from mindhit.crawl.sites.api import Target, Variant

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ALL = (Stage.DETAIL, Stage.OPTION)


@dataclass(frozen=True)
class Raw:
    type: str
    follows: str | None
    run_at: datetime
    created_at: datetime


def run_of(start: datetime) -> list[Raw]:
    return [
        Raw("MINI_SHOP", None, start, start + timedelta(seconds=1)),
        Raw("DETAIL", "MINI_SHOP", start, start + timedelta(seconds=2)),
        Raw("OPTION", "DETAIL", start, start + timedelta(seconds=3)),
    ]


def arrive(raws: list[Raw]) -> tuple[list[Raw], list[Raw]]:
    """What is applied as raws arrive one by one, each time looking at all that wait."""
    applied, waiting, done = Applied(), list[Raw](), list[Raw]()
    for raw in raws:
        waiting.append(raw)
        for each in in_order(waiting):
            turn = turn_of(each, applied)
            if turn == Turn.WAITS:
                continue
            waiting.remove(each)
            if turn == Turn.NOW:
                applied.apply(each)
                done.append(each)
    return done, waiting


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_whatever_the_order_of_arrival_raws_are_applied_in_order(order: tuple[int, ...]) -> None:
    raws = run_of(NOW)
    done, waiting = arrive([raws[each] for each in order])
    assert [each.type for each in done] == ["MINI_SHOP", "DETAIL", "OPTION"]
    assert waiting == []


def test_those_that_wait_together_are_applied_at_one_look() -> None:
    """Nothing more arrives that would run it again."""
    late_first = [
        Raw("OPTION", "DETAIL", NOW, NOW + timedelta(seconds=1)),
        Raw("DETAIL", "MINI_SHOP", NOW, NOW + timedelta(seconds=2)),
        Raw("MINI_SHOP", None, NOW, NOW + timedelta(seconds=3)),
    ]
    applied = Applied()
    for each in in_order(late_first):
        assert turn_of(each, applied) == Turn.NOW
        applied.apply(each)


@given(st.integers(0, 2**32))
def test_two_runs_mixed_end_with_the_newest_of_each(seed: int) -> None:
    first, second = run_of(NOW), run_of(NOW + timedelta(minutes=1))
    mixed = [*first, *second]
    Random(seed).shuffle(mixed)
    done, waiting = arrive(mixed)
    assert waiting == []
    newest = {each.type: each for each in done}
    assert list(newest.values()) == sorted(newest.values(), key=done.index)
    assert all(each.run_at == second[0].run_at for each in newest.values())


def test_a_detail_of_this_run_does_not_follow_a_listing_of_the_last() -> None:
    old = run_of(NOW)[0]
    detail = run_of(NOW + timedelta(minutes=1))[1]
    assert arrive([old, detail]) == ([old], [detail])


def test_what_follows_what_depends_on_what_a_site_has() -> None:
    listing = Target(TargetKind.LISTING, "1", ALL)
    assert follows(Stage.DETAIL, listing) == Stage.MINI_SHOP
    assert follows(Stage.OPTION, listing) == Stage.DETAIL
    assert follows(Stage.MINI_SHOP, listing) is None
    product = Target(TargetKind.PRODUCT, "x", ALL)
    assert follows(Stage.DETAIL, product) is None
    assert follows(Stage.OPTION, product) == Stage.DETAIL
    assert (
        follows(Stage.OPTION, Target(TargetKind.LISTING, "1", (Stage.OPTION,))) == Stage.MINI_SHOP
    )


def option(
    price: str, baseline: str = "100", currency: str = "EUR", stock: str = "InStock"
) -> OptionState:
    return OptionState(
        "", None, {}, None, Decimal(price), currency, stock, None, Decimal(baseline), None
    )


@pytest.mark.parametrize(
    ("price", "rules", "kinds"),
    [
        ("95", AlertRules(), [AlertKind.PRICE_DOWN]),
        ("95.01", AlertRules(), []),
        ("95", AlertRules(price_down=None), []),
        ("110", AlertRules(price_up=10), [AlertKind.PRICE_UP]),
        ("110", AlertRules(), []),
    ],
)
def test_a_change_is_told_from_the_percentage_that_was_chosen(
    price: str, rules: AlertRules, kinds: list[AlertKind]
) -> None:
    found = alerts_of({"": option("100")}, [option(price)], rules)
    assert [each.kind for each in found] == kinds


def test_another_currency_and_a_first_price_are_no_change() -> None:
    dollars = merge_option(option("100"), Variant("", price=Decimal(1), currency="USD"), None)
    assert dollars.baseline == Decimal(1)
    assert alerts_of({"": option("100")}, [dollars], AlertRules()) == []
    with_old_baseline = option("1", currency="USD")
    assert alerts_of({"": option("100")}, [with_old_baseline], AlertRules()) == []
    assert alerts_of({}, [option("1")], AlertRules()) == []


def test_a_product_in_two_currencies_has_the_range_of_the_more_frequent() -> None:
    found = summary_of([option("3"), option("5"), option("1", currency="USD")], None)
    assert (found.price_min, found.price_max, found.currency) == (Decimal(3), Decimal(5), "EUR")


def test_an_agent_that_is_turned_away_rests_and_returns() -> None:
    health = Health(100)
    for _ in range(3):
        health = after(health, Reception.UNWELCOME, NOW)
    assert health.suspended_until is not None
    later = health.suspended_until
    assert after(health, Reception.WELCOME, later).suspended_until is None
    assert after(health, Reception.WELCOME, later).score > health.score
    assert breaks(0, 1)
    assert breaks(1, 6)
    assert not breaks(1, 5)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("€ 1.299,00", "1299", "EUR"),
        ("$1,299.50", "1299.5", "USD"),
        ("1 299 kr", "1299", "SEK"),
        ("25,- €", "25", "EUR"),
        ("34.000 ₫", "34000", "VND"),
        ("0.999", "0.999", None),
        ("12,900원", "12900", "KRW"),
        ("881,00 169,00 Kn", "881", None),
        ("CHF 19.50", "19.5", "CHF"),
        ("R$ 689,99", "689.99", "BRL"),
    ],
)
def test_amounts_are_read_as_shops_write_them(text: str, amount: str, currency: str | None) -> None:
    found = money_of(text)
    assert found is not None
    assert found.amount == Decimal(amount)
    assert currency is None or found.currency == currency


def test_a_point_in_data_is_a_decimal_point() -> None:
    assert amount_of_data("34.000") == Decimal(34)
    assert amount_of_data("2879.2") == amount_of_data("2879.20")
    assert amount_of_data(19.9) == Decimal("19.9")  # as it is written, not as a float has it
    assert amount_of_data(True) is None
    assert amount_of_data("free") is None


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading_of_amounts_or_of_broken_json(text: str) -> None:
    money_of(text)
    tolerant_json(text)


@pytest.mark.parametrize(
    "text",
    [
        '/* c */ {"a": 1}',
        '{"a": 1,}',
        '{"a": "x\ny"}',
        '<![CDATA[ {"a": 1} ]]>',
        '{"a": 1} trailing',
        '{"a": "b"\n "c": 1}',
    ],
)
def test_broken_json_is_read_all_the_same(text: str) -> None:
    assert "a" in tolerant_json(text)
