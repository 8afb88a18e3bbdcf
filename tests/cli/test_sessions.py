"""`mindhit session` as an operator types it."""

from __future__ import annotations

import csv
import io
import json
import uuid
from pathlib import Path

from mindhit import tracking
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.tracking import SessionId
from tests import servers
from tests.accounts.kit import add, run_jobs
from tests.insight.kit import many, recorder
from tests.tracking.kit import activate, alive, event, nav, visits
from tests.tracking.readers import Reader, reader

A, B = "https://example.org/a", "https://docs.example.com/b"


async def a_session(ada: Reader, title: str = "[bold]경치") -> str:
    mark = event(3, "HIGHLIGHT", 2_000, tabId=1, url=B, payload={"text": "[red]marked"})
    locked = event(4, "IDLE_STATE_CHANGED", 3_500, payload={"state": "locked"})
    log = (activate(1, 0, A), nav(2, 1_234, B, title="[link]B"), mark, locked, alive(5, 4_000))
    session = await ada.record(title, *log)
    await run_jobs(ada.records.db)
    return session


def ask(database_url: str, *arguments: str) -> str:
    done = servers.mindhit("session", *arguments, database_url=database_url)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(database_url: str, *arguments: str) -> str:
    done = servers.mindhit("session", *arguments, database_url=database_url)
    assert done.returncode in {1, 2}
    assert "Traceback" not in done.stderr
    return done.stderr


async def test_sessions_are_listed_and_shown(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        listed = json.loads(ask(database_url, "list", "--json"))
        assert [(each["id"], each["title"]) for each in listed] == [(session, "[bold]경치")]
        assert "completed" in ask(database_url, "list", "--user", ada.records.person.email)
        assert json.loads(ask(database_url, "list", "--json", "--search", "nothing")) == []
        assert json.loads(ask(database_url, "show", session, "--json")) == await ada.show(session)
    shown = ask(database_url, "show", session)
    for words in ("[bold]경치", "[link]B", B, "0:01.234", "2025-06-16 00:06:40", "[red]marked"):
        assert words in shown
    assert "away" in shown
    assert "idle" not in shown


async def test_a_refold_says_what_it_changed(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        other = await a_session(ada, "another")
    before = await visits(db, session)
    assert "nothing changed" in ask(database_url, "refold", session)
    async with db.transaction() as tx:
        await tx._connection.execute(
            "delete from page_visits where session_id = $1 and visit_order = 1", uuid.UUID(session)
        )
        await tx._connection.execute(
            "update page_visits set title = 'wrong' where session_id = $1", uuid.UUID(session)
        )
    [change] = json.loads(ask(database_url, "refold", session, "--json"))
    assert (change["added"], change["removed"], change["changed"]) == (1, 0, 1)
    assert await visits(db, session) == before
    async with db.transaction() as tx:
        await tx._connection.execute(
            "delete from raw_events where session_id = $1", uuid.UUID(other)
        )
    said = ask(database_url, "refold", "--all")
    assert "2 sessions: 0 changed, 1 without a log." in said
    assert "no longer kept" in ask(database_url, "refold", other)


async def test_a_session_is_written_to_a_file(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        assert ask(database_url, "export", session).startswith(r"# \[bold\]경치")
        exported = json.loads(ask(database_url, "export", session, "--format", "json"))
        assert exported == await ada.show(session)
    file = tmp_path / "session.csv"
    ask(database_url, "export", session, "--format", "csv", "--file", str(file))
    lines = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"))))
    assert [line["url"] for line in lines] == [A, B]
    assert "already exists" in refused(database_url, "export", session, "--file", str(file))
    away = str(tmp_path / "no" / "such.md")
    assert "Can't write" in refused(database_url, "export", session, "--file", away)


async def test_what_is_not_there_is_one_sentence(db: Database, database_url: str) -> None:
    nobody = str(uuid.uuid4())
    assert "no accounts yet" in refused(database_url, "list")
    for arguments in (("show", nobody), ("refold", nobody), ("export", nobody)):
        assert "There is no such session." in refused(database_url, *arguments)
    async with reader(db), reader(db, "eve@example.org"):
        assert "several users" in refused(database_url, "list")
    assert "no account" in refused(database_url, "list", "--user", "who@example.org")
    assert "which session" in refused(database_url, "refold")
    assert "which session" in refused(database_url, "refold", nobody, "--all")
    refused(database_url, "show", "nonsense")
    refused(database_url, "export", nobody, "--format", "xlsx")


async def test_the_beginning_of_an_id_is_enough(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        for typed in (session[:8], session[:4].upper(), session.replace("-", "")[:20]):
            assert session in ask(database_url, "show", typed)
        assert ask(database_url, "export", session[:10]).startswith("#")
        assert "nothing changed" in ask(database_url, "refold", session[:10])
    unknown = "0" * 8 if session[:8] != "0" * 8 else "1" * 8
    assert f"no session whose id begins with {unknown}" in refused(database_url, "show", unknown)
    assert "is not an id" in refused(database_url, "show", "nonsense")


async def test_a_beginning_that_several_ids_have_says_which(
    db: Database, database_url: str
) -> None:
    now = utc_now()
    async with reader(db) as ada, db.transaction() as tx:
        for number in range(2):
            id_ = SessionId(uuid.UUID(f"abcd1234-0000-4000-8000-00000000000{number}"))
            await tracking.start(tx, ada.records.person.id, id_, now, now)
    said = refused(database_url, "show", "abcd1234")
    assert "Several sessions" in said
    assert "abcd1234-0000-4000-8000-000000000001" in said


async def test_lists_are_read_in_pages_and_say_that_there_is_more(
    db: Database, database_url: str
) -> None:
    async with reader(db) as ada:
        assert "No sessions." in ask(database_url, "list")
        ids = [await ada.record(f"number {n}", activate(1, 0, A)) for n in range(3)]
    done = servers.mindhit("session", "list", "--limit", "2", database_url=database_url)
    assert done.stdout.count("number") == 2
    assert "--all" in done.stderr
    every = json.loads(ask(database_url, "list", "--all", "--json"))
    assert {each["id"] for each in every} == set(ids)
    exactly = servers.mindhit("session", "list", "--limit", "3", database_url=database_url)
    assert "--all" not in exactly.stderr


async def test_times_are_the_readers_and_say_so(db: Database, database_url: str) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
    assert "started (Asia/Seoul)" in ask(database_url, "list")
    assert "from (Asia/Seoul)" in ask(database_url, "show", session)


async def test_a_map_is_exported_in_every_format(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    async with recorder(db, await add(db)) as ada:
        session = str(await ada.record(many(3)))
        assert "no mind map yet" in refused(database_url, "map", session)
        await ada.work()
    assert ask(database_url, "map", session[:8]).startswith("# ")
    made = json.loads(ask(database_url, "map", session, "--format", "json"))
    assert [node["type"] for node in made["nodes"]].count("root") == 1
    begins = {"svg": b"<svg", "png": b"\x89PNG", "opml": b"<?xml", "mm": b"<map"}
    for format_, beginning in begins.items():
        file = tmp_path / f"map.{format_}"
        ask(database_url, "map", session, "--format", format_, "--file", str(file))
        assert file.read_bytes().startswith(beginning), format_
    assert "There is no such session." in refused(database_url, "map", str(uuid.uuid4()))
    refused(database_url, "map", session, "--format", "docx")


async def test_a_session_is_processed_again_from_the_command_line(
    db: Database, database_url: str
) -> None:
    async with reader(db) as ada:
        session = await a_session(ada)
        said = ask(database_url, "reprocess", session[:8], "--again", "map")
        assert f"{session} is being processed." in said
        assert (await ada.show(session))["session"]["status"] == "processing"
        await run_jobs(db)
        assert (await ada.show(session))["session"]["status"] == "completed"
        live = await ada.records.start(str(uuid.uuid4()))
    assert "still being recorded" in refused(database_url, "reprocess", live)
    refused(database_url, "reprocess", session, "--again", "everything")
