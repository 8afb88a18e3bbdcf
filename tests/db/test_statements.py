"""Statements by name: as the server gets them, with their plans."""

from __future__ import annotations

import asyncpg
import pytest

from mindhit.db import Query
from mindhit.db.statements import (
    Explained,
    StatementNotFound,
    explain,
    find,
    listed,
    pasteable,
    statements,
)
from mindhit.work import store


@pytest.mark.parametrize(
    "name", ["mindhit.work.store.CLAIM", "work.CLAIM", "work.claim", "CLAIM_WITH_DOMAINS"]
)
def test_a_statement_is_found_by_its_full_name_its_short_one_and_its_constant(name: str) -> None:
    wanted = store.CLAIM_WITH_DOMAINS if "DOMAINS" in name else store.CLAIM
    assert find(name)[1] is wanted


@pytest.mark.parametrize("name", ["work.CLAIMS", "CLAM", "work.clam"])
def test_an_unknown_name_suggests_close_ones(name: str) -> None:
    with pytest.raises(StatementNotFound) as error:
        find(name)
    assert "work.CLAIM" in (error.value.way_out or "")


def test_a_name_like_no_other_leads_to_the_list() -> None:
    with pytest.raises(StatementNotFound, match="zzz") as error:
        find("zzz")
    assert "mindhit db statement" in (error.value.way_out or "")


def test_a_constant_of_several_slices_is_not_guessed() -> None:
    constants = [name.rpartition(".")[2] for name, _ in statements()]
    [twice, *_] = [name for name in constants if constants.count(name) > 1]
    with pytest.raises(StatementNotFound) as error:
        find(twice)
    assert f".{twice}" in (error.value.way_out or "")


async def test_what_is_printed_can_be_pasted_and_has_the_types_and_the_plan(
    database_url: str,
) -> None:
    explained = await explain(database_url, "mindhit.work.store.CLAIM", store.CLAIM)
    assert explained.parameters == [
        "text[]", "text[]", "float8[]", "float8[]", "text[]", "int4", "uuid", "text", "float8",
    ]  # fmt: skip
    assert "-- parameters: $1 queues text[], $2 lanes text[], " in pasteable(explained)
    assert any("jobs_ready" in line for line in explained.plan)
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute(pasteable(explained))
        prepared = await connection.fetchrow(
            "select statement, parameter_types::text[] as types from pg_prepared_statements"
            " where name = 'work_claim'"
        )
    finally:
        await connection.close()
    assert prepared is not None
    assert store.CLAIM.sql.strip() in prepared["statement"]
    assert len(prepared["types"]) == len(explained.parameters)


async def test_a_statement_without_parameters_is_printed_too(database_url: str) -> None:
    explained = await explain(database_url, "mindhit.work.store.X", Query(int, "select 1 as n"))
    assert explained == Explained(
        "mindhit.work.store.X", "select 1 as n", [], ["Result  (cost=0.00..0.01 rows=1 width=4)"]
    )
    assert "prepare work_x as\nselect 1 as n;" in pasteable(explained)


def prepared_name(full_name: str) -> str:
    parts = full_name.split(".")
    return f"{parts[1]}_{parts[-1]}".lower()


async def test_every_statement_can_be_pasted(database_url: str) -> None:
    """Each as a person would paste it: comments, quotes and all."""
    connection = await asyncpg.connect(database_url)
    try:
        for name, statement in statements():
            prepared = await connection.prepare(statement.sql)
            parameters = [each.name for each in prepared.get_parameters()]
            await connection.execute(pasteable(Explained(name, statement.sql, parameters, [])))
            await connection.execute(f"deallocate {prepared_name(name)}")
    finally:
        await connection.close()


def test_every_name_that_is_listed_is_found_and_stands_for_one_statement() -> None:
    everything = dict(statements())
    names = listed(everything)
    assert len(set(names)) == len(everything)
    assert {id(find(name)[1]) for name in names} == {id(each) for each in everything.values()}
