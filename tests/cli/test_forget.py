"""`mindhit forget` as an operator types it."""

from __future__ import annotations

import json
import subprocess

from mindhit.db import Database
from tests import servers
from tests.accounts.kit import run_jobs
from tests.tracking.kit import activate, alive, event, nav, visits
from tests.tracking.readers import Reader, reader

KEPT, SECRET = "https://example.org/a", "https://shop.secret.example/b"


async def a_session(ada: Reader) -> str:
    mark = event(3, "HIGHLIGHT", 2_000, tabId=1, url=SECRET, payload={"text": "marked"})
    log = (activate(1, 0, KEPT), nav(2, 1_000, SECRET, title="Secret"), mark, alive(4, 4_000))
    session = await ada.record("A session", *log)
    await run_jobs(ada.records.db)
    return session


def run(database_url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = servers.mindhit("forget", *arguments, database_url=database_url)
    assert "Traceback" not in done.stderr
    return done


async def test_a_site_is_forgotten_after_asking(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        asked = run(database_url, "--site", "secret.example")
        assert asked.returncode == 1
        assert "1 visit to 1 page in 1 session, with 1 highlight." in asked.stdout
        assert len(await visits(db, session)) == 2
        done = run(database_url, "--site", "secret.example", "--yes")
        assert done.returncode == 0, done.stderr
        assert "Forgotten." in done.stdout
        assert [each["url"] for each in await visits(db, session)] == [KEPT]
        again = run(database_url, "--site", "secret.example", "--yes")
        assert "Nothing recorded matches this." in again.stdout


async def test_a_visit_a_page_and_a_day_are_forgotten(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        told = json.loads(
            run(database_url, "--visit", f"{str(session)[:8]}:2", "--yes", "--json").stdout
        )
        assert told["is_done"] is True
        assert told["forgotten"] == {"sessions": 1, "visits": 1, "pages": 1, "highlights": 1}
        assert [each["url"] for each in await visits(db, session)] == [KEPT]
        assert run(database_url, "--last-hour", "--yes").returncode == 0
        assert run(database_url, "--page", SECRET, "--yes").returncode == 0
        assert len(await visits(db, session)) == 1
        day = run(database_url, "--day", "2025-06-16", "--user", ada.records.person.email, "--yes")
        assert day.returncode == 0, day.stderr
        assert await visits(db, session) == []


async def test_what_cannot_be_forgotten_is_said(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        for arguments, words in (
            ((), "Say what to forget"),
            (("--last-hour", "--site", "a.example"), "Say what to forget"),
            (("--site", "a.example", "--json"), "--json can't ask for confirmation"),
            (("--site", "not a site", "--yes"), "not a domain"),
            (("--page", "about:blank", "--yes"), "not the address of a page"),
            (("--visit", f"{session}:77", "--yes"), "no such visit"),
            (("--visit", "7", "--yes"), "no such visit"),
            (("--visit", "not-an-id:7", "--yes"), "is not an id"),
        ):
            done = run(database_url, *arguments)
            assert done.returncode == 1, arguments
            assert words in done.stderr, (arguments, done.stderr)
