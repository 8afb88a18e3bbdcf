"""Metering: what is recorded is what the provider counted, whatever is killed; limits hold exactly."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest

from mindhit import billing, delivery
from mindhit.billing import InTheWay, Reservation, Tokens
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.language import Reader
from tests.accounts.kit import add, rows, run_jobs
from tests.billing.kit import PLANS, open_shop, with_plans
from tests.billing.metering_worker import AT_ONCE
from tests.billing.test_ledger import a_call, reserve, reserved, totals
from tests.language.kit import PAGE, config, speaking
from tests.language.wire import GOOD, model_server
from tests.servers import environment

ROOT = Path(__file__).parents[2]
CALLS = 10_000
DEATHS = ("reserved", "answered", "recording")
KILLED_AFTER = 40  # batches


async def start(
    url: str, book: Path, batches: int, people: Sequence[UUID], dies: str = "never"
) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.billing.metering_worker"),
        *(url, str(book), str(batches), dies, *map(str, people)),
        cwd=ROOT,
        env=environment(),
    )


async def test_ten_thousand_calls_with_killed_processes_add_up(
    db: Database, database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    people = [(await add(db, f"reader-{number}@example.org")).id for number in range(4)]
    folder = tmp_path_factory.mktemp("books")
    killed = [
        await start(database_url, folder / dies, KILLED_AFTER, people, dies) for dies in DEATHS
    ]
    assert [await each.wait() for each in killed] == [-signal.SIGKILL] * len(DEATHS)
    share = (CALLS // AT_ONCE - len(DEATHS) * KILLED_AFTER) // 2 + 1
    # Each with people of its own: they would only wait for each other's rows.
    ended = [
        await start(database_url, folder / f"of-{first}", share, people[first : first + 2])
        for first in (0, 2)
    ]
    assert [await each.wait() for each in ended] == [0, 0]
    assert await billing.expire(db) == len(DEATHS) * AT_ONCE

    books = [*folder.iterdir()]
    lines = [line.split() for book in books for line in book.read_text().splitlines()]
    said = {id_: (UUID(person), int(i), int(o)) for id_, person, i, o in lines}
    assert len(said) >= CALLS
    found = await rows(db, "select * from token_usage")
    used = {
        row["request_id"]: (row["user_id"], row["input_tokens"], row["output_tokens"])
        for row in found
        if row["state"] == "used"
    }
    unknown = [row for row in found if row["state"] == "unknown"]
    # Every call that was recorded is exactly what the provider said, and the others are at their bound.
    assert used == {id_: said[id_] for id_ in used}
    assert len(said) - len(used) == 2 * AT_ONCE  # answered, and never recorded
    assert len(unknown) == len(DEATHS) * AT_ONCE
    assert {row["tokens_used"] for row in unknown} == {1000}
    for person in people:
        [(in_total, held)] = await totals(db, person)
        expected = sum(i + o for who, i, o in used.values() if who == person)
        expected += sum(1000 for row in unknown if row["user_id"] == person)
        assert (in_total, held) == (expected, 0)


async def test_fifty_jobs_at_the_edge_of_a_plan_overshoot_by_nothing(db: Database) -> None:
    """Each reserves, is answered, and records less than it reserved; the plan's limit holds all along."""
    ada = await add(db)
    await open_shop(db)
    first = await reserved_in_plan(db, ada.id, 49_000)
    async with db.transaction() as tx:
        await billing.record(tx, first, Tokens(48_900, 100), "r-0")

    async def job(number: int) -> int:
        """Waits while only others are in the way, as the port does."""
        while True:
            async with db.transaction() as tx:
                got = await billing.reserve(tx, a_call(ada.id, 150), utc_now())
                if got is InTheWay.USED_UP:
                    return 0
            if isinstance(got, Reservation):
                break
            await asyncio.sleep(0)
        async with db.transaction() as tx:
            await billing.record(tx, got, Tokens(60, 40), f"r-{number}")
        return 100

    taken = await asyncio.gather(*(job(number) for number in range(1, 51)))
    [(used, held)] = await totals(db, ada.id)
    assert (used, held) == (49_000 + sum(taken), 0)
    # As many as fit: the last one would have gone over the limit at its bound.
    assert used == 49_900


async def reserved_in_plan(db: Database, user_id: UUID, at_most: int) -> Reservation:
    async with db.transaction() as tx:
        got = await billing.reserve(tx, a_call(user_id, at_most), utc_now())
    assert isinstance(got, Reservation)
    return got


async def test_over_the_limit_the_built_in_engine_serves_and_says_so(db: Database) -> None:
    ada = await add(db)
    plans = {**PLANS, "free": {**PLANS["free"], "token_limit": 5_000}}
    async with model_server() as server:
        chosen = config(**server.settings("openai"), billing=True, plans=plans)
        await open_shop(db, chosen)
        async with speaking(db, chosen, allowances=billing.allowance) as language:
            made = await language.summarise(PAGE, Reader(ada.id))
            assert (made.engine.name, made.engine.limitation) == ("openai", None)
            async with db.transaction() as tx:
                await tx._connection.execute("update usage_totals set used = 4900")
            seen = len(server.seen)
            other = await language.extract_keywords(PAGE, Reader(ada.id))
    assert (other.engine.name, other.engine.limitation) == ("builtin", "tokens-used-up")
    assert len(server.seen) == seen
    assert other.keywords
    assert made.sentences == tuple(GOOD["sentences"])


async def test_a_plan_without_models_reads_with_the_built_in_engine(db: Database) -> None:
    ada = await add(db)
    plans = {**PLANS, "free": {**PLANS["free"], "features": ()}}
    async with model_server() as server:
        chosen = config(**server.settings("openai"), billing=True, plans=plans)
        await open_shop(db, chosen)
        async with speaking(db, chosen, allowances=billing.allowance) as language:
            made = await language.summarise(PAGE, Reader(ada.id))
        assert server.seen == []
    assert (made.engine.name, made.engine.limitation) == ("builtin", "not-in-plan")


async def told(db: Database, user_id: UUID) -> list[str]:
    async with db.read() as tx:
        found = await delivery.list_notices(tx, user_id, unread=False, behind=None, limit=50)
    return sorted(each.title for each in found)


async def test_people_are_told_at_80_and_at_100_percent_once_a_period(db: Database) -> None:
    ada, grace = await add(db), await add(db, "grace@example.org")
    shop = await open_shop(db)
    expected: list[str] = []
    for number, (tokens, title) in enumerate(
        (
            (39_999, None),
            (1, "80% of your AI tokens used"),
            (5_000, None),
            (5_000, "Your AI tokens are used up"),
        )
    ):
        reservation = await reserved(db, a_call(ada.id, tokens), billing.allowance)
        for _ in range(2):
            async with db.transaction() as tx:
                await billing.record(tx, reservation, Tokens(tokens, 0), f"r-{number}")
        await run_jobs(db, shop)
        expected += [title] if title else []
        assert await told(db, ada.id) == sorted(expected)
    assert await reserve(db, a_call(ada.id, 1), billing.allowance) is InTheWay.USED_UP
    await run_jobs(db, shop)
    assert await told(db, ada.id) == sorted(expected)
    assert await told(db, grace.id) == []
    notices = await rows(db, "select percent from usage_notices order by percent")
    assert [each["percent"] for each in notices] == [80, 100]


async def test_tokens_are_used_up_when_no_call_fits_any_more_and_not_before(db: Database) -> None:
    ada = await add(db)
    shop = await open_shop(db)
    nearly, all_ = "80% of your AI tokens used", "Your AI tokens are used up"
    for used, too_much, said, expected in (
        (0, 60_000, InTheWay.TOO_LARGE, []),
        (48_000, 3_000, InTheWay.TOO_LARGE, [nearly]),
        (1, 2_000, InTheWay.USED_UP, [nearly, all_]),
    ):
        reservation = await reserved(db, a_call(ada.id, used), billing.allowance)
        async with db.transaction() as tx:
            await billing.record(tx, reservation, Tokens(used, 0), f"r-{used}")
        assert await reserve(db, a_call(ada.id, too_much), billing.allowance) is said
        await run_jobs(db, shop)
        assert await told(db, ada.id) == expected
        async with db.read() as tx:
            shown, _ = await billing.show_usage(tx, ada.id, utc_now())
        assert shown.is_used_up is (all_ in expected)


async def test_what_a_dead_process_held_is_told_of_too(db: Database) -> None:
    ada = await add(db)
    shop = await open_shop(db)
    await reserved(db, a_call(ada.id, 45_000, lasts_s=-1), billing.allowance)
    assert await billing.expire(db) == 1
    await run_jobs(db, shop)
    assert await told(db, ada.id) == ["80% of your AI tokens used"]


async def test_a_korean_is_told_in_korean(db: Database) -> None:
    ada = await add(db)
    shop = await open_shop(db)
    async with db.transaction() as tx:
        await tx._connection.execute("update user_settings set language = 'ko'")
    reservation = await reserved(db, a_call(ada.id, 50_000), billing.allowance)
    async with db.transaction() as tx:
        await billing.record(tx, reservation, Tokens(50_000, 0), "r-1")
    await run_jobs(db, shop)
    assert await told(db, ada.id) == ["AI 토큰을 80% 사용했어요", "AI 토큰을 모두 사용했어요"]


async def test_no_limit_tells_nothing(db: Database) -> None:
    ada = await add(db)
    plans = {**PLANS, "free": {"name": "Free"}}
    shop = await open_shop(db, with_plans(plans=plans))
    reservation = await reserved(db, a_call(ada.id, 10**6), billing.allowance)
    async with db.transaction() as tx:
        await billing.record(tx, reservation, Tokens(10**6, 0), "r-1")
    await run_jobs(db, shop)
    assert await told(db, ada.id) == []
