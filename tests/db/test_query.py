"""Statements whose parameters are the fields of a dataclass."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass

import pytest

from mindhit.db import Database, Nothing, Query, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    name: str
    range: Inner
    step: int


SPAN = Query(
    str,
    "select $name::text || ':' || ($high::int - $low::int) / $step::int || ':' || $name as span",
    params=Outer,
)


def test_names_become_numbers_in_the_order_of_the_fields() -> None:
    assert SPAN.sql == (
        "select $1::text || ':' || ($3::int - $2::int) / $4::int || ':' || $1 as span"
    )


def test_casts_times_and_numbered_parameters_are_left_alone() -> None:
    sql = "select $low::text, to_char(now(), 'HH24:MI:SS'), '{}'::text[], $high"
    assert Query(str, sql, params=Inner).sql == sql.replace("$low", "$1").replace("$high", "$2")
    plain = "select $1::text || $2"
    assert Query(str, plain).sql == plain


async def test_fields_are_passed_by_name_through_every_handle(db: Database) -> None:
    given = Outer(step=2, name="a", range=Inner(high=9, low=1))
    async with db.read() as tx:
        assert await tx.one(SPAN, given) == "a:4:a"
        assert await tx.maybe(SPAN, given) == "a:4:a"
        assert await tx.all(SPAN, given) == ["a:4:a"]
        assert [each async for each in tx.stream(SPAN, given)] == ["a:4:a"]
    assert await db.alone(SPAN, given) == ["a:4:a"]
    session = db.session()
    try:
        assert await session.alone(SPAN, given) == ["a:4:a"]
    finally:
        await session.close()
    async with db.transaction() as tx:
        assert await tx.run(Write(Nothing, SPAN_WRITE, params=Inner), Inner(low=1, high=3)) == 3


SPAN_WRITE = "select generate_series($low::int, $high::int)"


@pytest.mark.parametrize("values", [(), (1, 2), (Inner(low=1, high=2), 3), ("a",), (Outer,)])
def test_anything_but_its_dataclass_is_refused(values: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="takes one Inner"):
        Query(str, "select $low, $high", params=Inner).arguments(values)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("select $low", "high is not used"),
        ("select $low, $high, $hihg", "hihg is no field"),
    ],
)
def test_a_statement_that_does_not_fit_its_dataclass_is_never_made(sql: str, fault: str) -> None:
    with pytest.raises(TypeError, match=fault):
        Query(str, sql, params=Inner)


def test_a_name_that_stands_for_two_fields_is_refused() -> None:
    twice = make_dataclass("Twice", [("low", int), ("range", Inner)])
    with pytest.raises(TypeError, match="low is there twice"):
        Query(str, "select $low, $high", params=twice)
