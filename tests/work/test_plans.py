"""The plans behind the statements: few rows read, whatever the history and the statistics.

Plans are looked at as they ran (EXPLAIN ANALYZE of a prepared statement, custom and generic),
with statistics that were taken while nothing was queued or running: the worst the planner meets.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, TypeAlias

import asyncpg
import pytest

from mindhit.db import Database, Nothing, Query, Statement, Write
from mindhit.work import store
from mindhit.work.claiming.claimer import SHORT_WALK
from tests.work.kit import claimer

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
MODES = ("force_custom_plan", "force_generic_plan")

HISTORY = """
insert into jobs (queue, kind, lane, args, max_attempts, status, finished_at)
select 'default', 'test:plain', 'default', '{}', 3,
       case when n % 1000 = 0 then 'dead' when n % 10 = 0 then 'canceled' else 'succeeded' end,
       now()
  from generate_series(1, 200000) n"""
QUEUED = """
insert into jobs (queue, kind, lane, domain, args, max_attempts)
select 'default', 'test:plain', 'default', case when n % 2 = 0 then 'd' || n % 50 end, '{}', 3
  from generate_series(1, 5000) n"""
BLOCKED = """
insert into jobs (queue, kind, lane, domain, args, max_attempts)
select 'default', 'test:plain', 'low', 'blocked', '{}', 3 from generate_series(1, 20000)"""
BACKLOG = """
insert into jobs (queue, kind, lane, args, max_attempts, run_after)
select 'default', 'test:plain', 'default', '{}', 3, now() - make_interval(secs => random() * 1e6)
  from generate_series(1, 100000) n"""
RUNNING = """
insert into jobs (queue, kind, lane, args, max_attempts, attempts, status,
                  locked_at, locked_by, lease_id, lease_until)
select 'default', 'test:plain', 'default', '{}', 3, 1, 'running', now(), 'w',
       gen_random_uuid(), now() + make_interval(secs => case when n % 100 = 0 then -1 else 30 end)
  from generate_series(1, 5000) n"""


@pytest.fixture(scope="module")
def history_url(module_database_url: str) -> str:
    """200,000 finished jobs, analyzed; nobody may take better statistics afterwards."""

    async def build() -> None:
        connection = await asyncpg.connect(module_database_url)
        await connection.execute("alter table jobs set (autovacuum_enabled = off)")
        await connection.execute(HISTORY)
        await connection.execute("analyze jobs, job_slots")
        await connection.close()

    asyncio.run(build())
    return module_database_url


@pytest.fixture
async def history(history_url: str) -> AsyncIterator[Connection]:
    """The same for every test: what one adds is rolled back."""
    connection = await asyncpg.connect(history_url)
    transaction = connection.transaction()
    await transaction.start()
    yield connection
    await transaction.rollback()
    await connection.close()


def literal(value: object) -> str:
    if isinstance(value, list):
        return "'{" + ",".join(str(each) for each in value) + "}'"
    return "null" if value is None else f"'{value}'"


async def plan_of(
    connection: Connection, mode: str, statement: Statement[Any], *values: object
) -> dict[str, Any]:
    """The plan as it ran; what it changed is rolled back."""
    await connection.execute(f"set plan_cache_mode = {mode}; set jit = off")
    await connection.execute(f"prepare looked_at as {statement.sql}")
    transaction = connection.transaction()
    await transaction.start()
    try:
        found = await connection.fetchval(
            "explain (analyze, format json, timing off) execute looked_at"
            + (f"({', '.join(map(literal, values))})" if values else "")
        )
    finally:
        await transaction.rollback()
        await connection.execute("deallocate looked_at")
    whole: dict[str, Any] = json.loads(found)[0]["Plan"]
    return whole


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def indexes(plan: dict[str, Any]) -> set[str]:
    return {node["Index Name"] for node in nodes(plan) if "Index Name" in node}


def rows_read(plan: dict[str, Any]) -> float:
    """Rows of `jobs` that scans returned or filtered out, over all loops."""
    read: float = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
        for node in nodes(plan)
        if node.get("Relation Name") == "jobs" and "Scan" in node["Node Type"]
    )
    return read


def read_whole(plan: dict[str, Any]) -> list[str]:
    """Tables read from end to end."""
    return [
        node["Relation Name"]
        for node in nodes(plan)
        if node["Node Type"] == "Seq Scan" and node["Actual Loops"]
    ]


def places(n: int) -> Sequence[object]:
    """What a claimer of the queue `default` passes."""
    lanes = ["critical", "default", "low"]
    kinds = ["test:plain", "test:hosted"]
    return (["default"] * 3, lanes, [0.0] * 3, [6.0, 3.0, 1.0], kinds, n, uuid.uuid4(), "w", 30.0)


async def claims(connection: Connection, n: int) -> tuple[list[int], list[uuid.UUID]]:
    held = await connection.fetch(
        """select id, lease_id from (select id, lease_id from jobs where status = 'running'
                                      order by random() limit $1) held order by id""",
        n,
    )
    return [row["id"] for row in held], [row["lease_id"] for row in held]


PLANNED = Query(int, "select coalesce(sum(custom_plans), 0)::int as n from pg_prepared_statements")


async def test_the_engines_statements_are_not_planned_again_for_each_execution(
    db: Database,
) -> None:
    """Left to itself the server does that after the table has grown and was analyzed."""
    session = db.session()
    take = claimer(session)
    for _ in range(6):
        assert await take.claim(10) == []
    async with db.transaction() as tx:
        await tx.run(Write(Nothing, QUEUED))
        await tx.run(Write(Nothing, BLOCKED))
    await db.alone(Write(Nothing, "analyze jobs"))
    for _ in range(10):
        assert await take.claim(1) != []
    assert await session.alone(PLANNED) == [0]
    await session.close()


@pytest.mark.parametrize("mode", MODES)
async def test_claims_read_few_rows_behind_a_long_history(history: Connection, mode: str) -> None:
    idle = await plan_of(history, mode, store.CLAIM, *places(100))
    assert "jobs_ready" in indexes(idle)
    assert (rows_read(idle), read_whole(idle)) == (0, [])

    await history.execute(QUEUED)
    plain = await plan_of(history, mode, store.CLAIM, *places(100))
    assert "jobs_ready" in indexes(plain)
    assert "jobs" not in read_whole(plain)
    assert 100 <= rows_read(plain) <= 300  # to choose, and to change

    behind = ['""'] * 3
    mixed = await plan_of(
        history, mode, store.CLAIM_WITH_DOMAINS, *places(100), behind, 2, SHORT_WALK
    )
    assert {"jobs_ready", "jobs_ready_by_domain"} <= indexes(mixed)
    assert "jobs" not in read_whole(mixed)
    assert 100 <= rows_read(mixed) <= 1000  # and one probe for each domain


@pytest.mark.parametrize("mode", MODES)
async def test_a_claim_from_a_long_backlog_never_sorts_it(history: Connection, mode: str) -> None:
    """Due times in no order, and statistics that know it: still the first by index, not by sort."""
    await history.execute(BACKLOG)
    await history.execute("analyze jobs")
    plan = await plan_of(history, mode, store.CLAIM, *places(100))
    assert "jobs_ready" in indexes(plan)
    assert "jobs" not in read_whole(plan)
    assert 199 <= rows_read(plan) <= 300
    behind = ['""'] * 3
    mixed = await plan_of(
        history, mode, store.CLAIM_WITH_DOMAINS, *places(100), behind, 2, SHORT_WALK
    )
    assert "jobs" not in read_whole(mixed)
    assert 199 <= rows_read(mixed) <= 300


@pytest.mark.parametrize("statement", [store.CLAIM, store.CLAIM_WITH_DOMAINS])
async def test_a_claim_is_planned_once_and_not_every_time(
    history: Connection, statement: Statement[Any]
) -> None:
    await history.execute(BACKLOG)
    prepared = await history.prepare(statement.sql)
    domains: Sequence[object] = ([""] * 3, 2, SHORT_WALK)
    more = domains if statement is store.CLAIM_WITH_DOMAINS else ()
    for n in (1, 10, 500, 1, 10, 100, 1, 7):
        await prepared.fetch(*places(n), *more)
    plans = await history.fetchrow(
        "select generic_plans, custom_plans from pg_prepared_statements where name = $1",
        prepared.get_name(),
    )
    assert plans is not None
    assert tuple(plans) == (3, 5)  # PostgreSQL tries five of its own before it trusts one for all


@pytest.mark.parametrize("mode", MODES)
async def test_a_blocked_domain_costs_nothing_however_many_of_its_jobs_wait(
    history: Connection, mode: str
) -> None:
    await history.execute(QUEUED.replace("'d' || n % 50", "'a.example'"))
    await history.execute("insert into job_slots values ('a.example', 1, 1), ('a.example', 2, 2)")
    await history.execute(
        """insert into jobs (queue, kind, lane, domain, args, max_attempts)
           values ('default', 'test:plain', 'default', 'z.example', '{}', 3)"""
    )
    plan = await plan_of(
        history, mode, store.CLAIM_WITH_DOMAINS, *places(10), ['""'] * 3, 2, SHORT_WALK
    )
    assert rows_read(plan) < 100


@pytest.mark.parametrize("mode", MODES)
async def test_settling_five_hundred_of_five_thousand_is_by_primary_key_and_linear(
    history: Connection, mode: str
) -> None:
    await history.execute(RUNNING)
    ids, leases = await claims(history, 500)
    otherwise = (
        ["queued"] * 500,
        [60.0] * 500,
        ["flaky"] * 500,
        [0] * 500,
        [0] * 500,
        ["null"] * 500,
    )
    plans = [
        await plan_of(history, mode, store.SUCCEED, ids, leases),
        await plan_of(history, mode, store.SETTLE, ids, leases, *otherwise),
        await plan_of(history, mode, store.RENEW, ids, leases, 30.0),
    ]
    for plan in plans:
        assert "jobs_pkey" in indexes(plan)
        assert "jobs" not in read_whole(plan)
        assert not [node for node in nodes(plan) if node["Node Type"] == "Nested Loop"]
        assert rows_read(plan) <= 3 * 500


@pytest.mark.parametrize("mode", MODES)
async def test_a_rescue_looks_at_running_jobs_alone(history: Connection, mode: str) -> None:
    await history.execute(RUNNING)
    plan = await plan_of(history, mode, store.RESCUE, 100, 5, 10.0)
    assert "jobs_running" in indexes(plan)
    assert "jobs" not in read_whole(plan)
    assert rows_read(plan) <= 5000 + 2 * 100


@pytest.mark.parametrize("mode", MODES)
async def test_dead_jobs_are_listed_without_reading_the_history(
    history: Connection, mode: str
) -> None:
    plan = await plan_of(history, mode, store.LIST_DEAD, None, None, 2**63 - 1, 50)
    assert indexes(plan) == {"jobs_dead"}
    assert rows_read(plan) == 50


@pytest.mark.parametrize("mode", MODES)
async def test_depths_are_counted_without_reading_the_history(
    history: Connection, mode: str
) -> None:
    await history.execute(QUEUED)
    await history.execute(RUNNING)
    plan = await plan_of(history, mode, store.DEPTHS)
    assert read_whole(plan) == []
    assert rows_read(plan) <= 5000 + 5000 + 200
