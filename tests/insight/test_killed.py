"""Killed with kill -9 at every step and resumed: nothing is paid twice, and there is one mail."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from email import policy
from email.parser import BytesParser
from pathlib import Path

import pytest

from mindhit.db import Database
from mindhit.work.testing import pass_time
from tests.accounts.kit import add, rows
from tests.insight.killed import PAGES
from tests.insight.kit import many, recorder
from tests.language.wire import Say, Seen, model_server
from tests.mail.smtp_servers import mail_server
from tests.servers import environment

ROOT = Path(__file__).parents[2]
STEPS = ("stock", "summary", "topics", "answers", "map", "finish", "report", "mail", "sent")
CALLS = PAGES + 2  # a summary each, topics, a title
LEASE_S = 120  # longer than any lease, and any wait after one was lost


def answer(seen: Seen) -> Say:
    """What a model would say, by the form it is asked for."""
    asked = json.dumps(seen.body)
    if '"topics"' in asked:
        topic = {"label": "Bread", "pages": list(range(1, PAGES + 1)), "keywords": ["bread"]}
        return Say(json.dumps({"topics": [topic]}))
    if '"sentences"' in asked:
        return Say(json.dumps({"sentences": ["Bread rises."], "keywords": ["bread"]}))
    return Say(json.dumps({"title": "Sourdough bread"}))


@pytest.mark.parametrize("step", STEPS)
async def test_killed_at_a_step_and_resumed(db: Database, database_url: str, step: str) -> None:
    ada = await add(db)
    async with model_server() as server:
        server.otherwise = answer
        with mail_server() as post:
            told = {
                **server.settings("openai"),
                "smtp_host": "localhost",
                "smtp_port": post.port,
                "smtp_tls": "none",
            }
            async with recorder(db, ada, **told) as it:
                id_ = await it.record(many(PAGES))
                words = {**told, "language_providers": "openai", "base_url": "http://mindhit.test"}
                child = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tests.insight.killed", step, database_url),
                    cwd=ROOT,
                    env=environment(**words),
                )
                assert await child.wait() == -signal.SIGKILL
                asked = len(server.seen)
                await pass_time(db, LEASE_S)
                await rows_rescued(db)
                await it.work()
                session = await it.session(id_)
            ids = {
                BytesParser(policy=policy.default).parsebytes(each.content or b"")["Message-ID"]  # type: ignore[arg-type]
                for each in post.taken
            }
    assert session["status"] == "completed"
    assert session["title"] == "Sourdough bread"
    assert len(server.seen) == CALLS, f"{asked} before it was killed"
    [used] = await rows(
        db,
        "select count(*) as n, sum(tokens_used)::int as sum from token_usage where state = 'used'",
    )
    assert (used["n"], used["sum"]) == (CALLS, server.tokens)
    assert len(ids) == 1
    assert len(post.taken) == (2 if step == "sent" else 1)
    [report] = await rows(db, "select state from session_reports")
    assert report["state"] == "sent"


async def rows_rescued(db: Database) -> None:
    """The dead worker's jobs are in the queue again, as the rescuer puts them there."""
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update jobs set status = 'queued', lease_id = null, lease_until = null, locked_at = null,"
            " locked_by = null, run_after = now() where status = 'running'"
        )
