"""A process that is killed right after the answer: every token is accounted for."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from mindhit import billing
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.language import Reader
from tests.accounts.kit import add
from tests.language.kit import PAGE, config, ledger, speaking, used
from tests.language.wire import GOOD, ModelServer, model_server
from tests.servers import environment

ROOT = Path(__file__).parents[2]


async def run_and_kill(when: str, url: str, person: Person, server: ModelServer) -> None:
    told = {**server.settings("claude"), "language_providers": "claude", "language_timeout": 30}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.language.killed", when, url, str(person.id)),
        cwd=ROOT,
        env=environment(**told),
    )
    assert await child.wait() == -signal.SIGKILL


async def pass_deadlines(db: Database) -> None:
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update token_usage set held_until = now() - interval '1 s' where held_until is not null"
        )


async def test_killed_before_it_is_recorded_counts_as_unknown(
    db: Database, database_url: str
) -> None:
    ada = await add(db)
    async with model_server() as server:
        await run_and_kill("before", database_url, ada, server)
        [(state, bound)] = await ledger(db)
        assert (state, server.tokens) == ("reserved", 118)
        assert await used(db, ada.id) == (0, bound)
        await pass_deadlines(db)
        assert await billing.expire(db) == 1
        assert await used(db, ada.id) == (bound, 0)
        async with speaking(db, config(**server.settings("claude"))) as language:
            made = await language.summarise(PAGE, Reader(ada.id))
    assert made.sentences == tuple(GOOD["sentences"])
    assert await ledger(db) == [("unknown", bound), ("used", 118)]
    assert await used(db, ada.id) == (bound + 118, 0)


async def test_killed_after_it_is_recorded_pays_nothing_again(
    db: Database, database_url: str
) -> None:
    ada = await add(db)
    async with model_server() as server:
        await run_and_kill("after", database_url, ada, server)
        assert await ledger(db) == [("used", 118)]
        async with speaking(db, config(**server.settings("claude"))) as language:
            made = await language.summarise(PAGE, Reader(ada.id))
        assert len(server.seen) == 1
    assert made.sentences == tuple(GOOD["sentences"])
    assert await used(db, ada.id) == (118, 0)
    await pass_deadlines(db)
    assert await billing.expire(db) == 0
