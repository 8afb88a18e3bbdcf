"""The commands as an operator types them, each in a process of its own."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from mindhit import wiring
from mindhit.cli import doctor
from mindhit.db import Database
from mindhit.work import Discard, JobId, Work, enqueue_many, job
from mindhit.work.testing import drain
from tests import servers
from tests.accounts import kit


@job("test:cli", domain="domain")
@dataclass(frozen=True, slots=True)
class Visit:
    domain: str


async def refuse(work: Work[Visit]) -> Discard:
    return Discard("403 from [the shop]")


@pytest.fixture
async def dead(db: Database) -> list[JobId]:
    async with db.transaction() as tx:
        ids = await enqueue_many(tx, [Visit("a.example"), Visit("b.example")])
    await drain(db, {Visit: refuse})
    return ids


def run(*arguments: str, **settings: object) -> str:
    done = servers.mindhit(*arguments, **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_jobs_are_listed_shown_retried_canceled_and_discarded(
    database_url: str, dead: list[JobId]
) -> None:
    first, second = dead

    def ask(*arguments: str) -> str:
        return run(*arguments, database_url=database_url)

    listed = json.loads(ask("jobs", "list", "--status", "dead", "--json"))
    assert [each["id"] for each in listed] == [second, first]
    assert "403 from [the shop]" in ask("jobs", "list")
    assert json.loads(ask("jobs", "show", str(first), "--json"))["status"] == "dead"
    assert "test:cli" in ask("jobs", "show", str(first))
    assert "queued again" in ask("jobs", "retry", str(first))
    assert "canceled" in ask("jobs", "cancel", str(first))
    for unclear in ((), ("--all", "--kind", "test:cli")):
        assert (
            servers.mindhit("jobs", "retry-dead", *unclear, database_url=database_url).returncode
            == 2
        )
    assert "0 jobs were queued" in ask("jobs", "retry-dead", "--error", "404 from")
    assert "1 job was queued" in ask(
        "jobs", "retry-dead", "--error", "403 from", "--kind", "test:cli"
    )
    assert "canceled" in ask("jobs", "cancel", str(second))
    assert "deleted" in ask("jobs", "discard", str(second))
    stats = json.loads(ask("jobs", "stats", "--json"))
    assert stats["depths"] == []
    assert "queue" in ask("jobs", "stats")


async def test_what_cannot_be_done_is_one_sentence_and_a_failure(
    database_url: str, dead: list[JobId]
) -> None:
    for arguments, said in [
        (("jobs", "show", "99999"), "no job with that number"),
        (("jobs", "cancel", str(dead[0])), "only a queued or running one can be canceled"),
    ]:
        done = servers.mindhit(*arguments, database_url=database_url)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_a_wrong_setting_is_one_sentence_and_a_failure(data_dir: Path) -> None:
    done = servers.mindhit("jobs", "stats", data_dir=data_dir, port="many")
    assert done.returncode == 2
    assert "MINDHIT_PORT" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_there_is_one_sentence_and_a_failure(data_dir: Path) -> None:
    nobody = "postgresql://mindhit:secret@127.0.0.1:1/mindhit"
    for command in (("jobs", "stats"), ("api",), ("worker",), ("db", "migrate"), ("db", "status")):
        done = servers.mindhit(*command, database_url=nobody, data_dir=data_dir)
        assert done.returncode == 1
        assert "does not answer" in done.stderr
        assert "Traceback" not in done.stderr
        assert "secret" not in done.stderr


def test_a_database_that_lets_nobody_in_is_one_sentence(server_url: str, data_dir: Path) -> None:
    password = server_url.split(":")[2].split("@", maxsplit=1)[0]
    for url in (
        server_url.replace(password, "wrong"),
        server_url.replace("@/mindhit?", "@/no_such_database?"),
    ):
        done = servers.mindhit("jobs", "stats", database_url=url, data_dir=data_dir)
        assert done.returncode == 1
        assert "refused the connection" in done.stderr
        assert "Traceback" not in done.stderr
        assert password not in done.stderr


def test_nonsense_arguments_are_refused_in_words(data_dir: Path) -> None:
    for arguments in (
        ("up", "--port", "70000"),
        ("jobs", "show", "99999999999999999999999"),
        ("jobs", "list", "--limit", "99999999999999999999"),
        ("worker", "--queues", ","),
        ("api", "--host", "nonsense.invalid"),
    ):
        done = servers.mindhit(*arguments, data_dir=data_dir)
        assert done.returncode in {1, 2}
        assert "Traceback" not in done.stderr


def test_the_doctor_sees_what_a_start_would_refuse(data_dir: Path) -> None:
    run("db", "migrate", data_dir=data_dir)
    port = servers.free_port()
    version = data_dir / "postgres" / "PG_VERSION"
    for written, said in (("17\n", "PostgreSQL 17"), ("", "does not say which")):
        version.write_text(written)
        done = servers.mindhit("doctor", data_dir=data_dir, port=port)
        assert done.returncode == 1
        assert said in done.stdout
        assert "Traceback" not in done.stderr


def test_a_program_refuses_a_schema_that_is_not_its_own(server_url: str, data_dir: Path) -> None:
    async def empty() -> None:
        connection = await asyncpg.connect(server_url)
        await connection.execute("create database unmigrated")
        await connection.close()

    asyncio.run(empty())
    url = server_url.replace("@/mindhit?", "@/unmigrated?")
    for command in ("api", "worker", "scheduler"):
        done = servers.mindhit(command, database_url=url, data_dir=data_dir)
        assert done.returncode == 1
        assert "mindhit db migrate" in done.stderr
    assert "applied" in run("db", "migrate", database_url=url)
    assert "up to date" in run("db", "migrate", database_url=url)


def test_a_backup_brings_back_what_was_there(data_dir: Path) -> None:
    file = data_dir.parent / "mindhit.backup"
    settings = {"data_dir": data_dir}
    assert "applied" in run("db", "migrate", **settings)
    run("db", "backup", str(file), **settings)
    assert file.stat().st_mode & 0o077 == 0
    refused = servers.mindhit("db", "backup", str(file), **settings)
    assert (refused.returncode, "already exists" in refused.stderr) == (1, True)
    assert "Restored" in run("db", "restore", str(file), "--yes", **settings)
    file.write_bytes(file.read_bytes()[:500])
    broken = servers.mindhit("db", "restore", str(file), "--yes", **settings)
    assert broken.returncode == 1
    assert "Traceback" not in broken.stderr
    status = json.loads(run("db", "status", "--json", **settings))
    assert status["major"] >= 15
    assert status["running"] is False


def test_the_doctor_finds_what_is_wrong_and_says_how_to_fix_it(
    data_dir: Path, database_url: str
) -> None:
    port = servers.free_port()
    healthy = servers.mindhit("doctor", data_dir=data_dir, port=port, database_url=database_url)
    assert healthy.returncode == 0, healthy.stdout
    ill = servers.mindhit(
        "doctor",
        "--json",
        data_dir=data_dir,
        prot=1,
        port=port,
        database_min_free=10**9,
        job_policies='{"work:pruen": {"attempts": 1}}',
    )
    assert ill.returncode == 1
    findings = {each["detail"]: each for each in json.loads(ill.stdout)}
    assert findings["unknown variable MINDHIT_PROT"]["verdict"] == "bad"
    assert any("MB free" in detail for detail in findings)
    assert "job_policies: there is no job type work:pruen" in findings
    assert all(each["way_out"] for each in findings.values() if each["verdict"] == "bad")
    away = servers.mindhit(
        "doctor", data_dir=data_dir, port=port, database_url="postgresql://u:p@127.0.0.1:1/x"
    )
    assert away.returncode == 1
    assert "does not answer" in away.stdout


def test_every_command_explains_itself() -> None:
    for command in ((), ("up",), ("api",), ("worker",), ("scheduler",), ("doctor",)):
        assert "Usage" in run(*command, "--help")
    for group in ("db", "jobs"):
        assert "Usage" in run(group, "--help")
    assert "MindHit 0." in run("--version")


def test_people_are_created_listed_exported_and_erased(database_url: str, tmp_path: Path) -> None:
    def ask(*arguments: str, **more: object) -> str:
        return run(*arguments, database_url=database_url, **more)

    link = json.loads(ask("user", "create", "ada@example.org", "--owner", "--json"))["link"]
    assert "/reset#mh_link_" in link
    assert ask("user", "create", "eve@example.org").startswith("http")
    listed = json.loads(ask("user", "list", "--json"))
    assert [(each["email"], each["role"]) for each in listed] == [
        ("ada@example.org", "owner"),
        ("eve@example.org", "user"),
    ]
    assert "ada@example.org" in ask("user", "list")
    assert ask("user", "token", "ada@example.org", "--scope", "admin").startswith("mh_api_")
    file = tmp_path / "eve.zip"
    ask("user", "export", "EVE@example.org", str(file))
    with zipfile.ZipFile(file) as archive:
        assert json.loads(archive.read("account.json"))[0]["email"] == "eve@example.org"
    assert [each.name for each in tmp_path.iterdir()] == ["eve.zip"]
    assert file.stat().st_mode & 0o077 == 0
    ask("user", "erase", "eve@example.org", "--yes")
    assert [each["email"] for each in json.loads(ask("user", "list", "--json"))] == [
        "ada@example.org"
    ]


def test_what_cannot_be_done_to_people_is_said(database_url: str, tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        done = servers.mindhit(*arguments, database_url=database_url)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        return done.stderr

    run("user", "create", "ada@example.org", "--owner", database_url=database_url)
    run("user", "create", "eve@example.org", database_url=database_url)
    assert "already" in refused("user", "create", "ADA@example.org")
    assert "already has an owner" in refused("user", "create", "x@example.org", "--owner")
    assert "not an email address" in refused("user", "create", "nonsense")
    assert "no account" in refused("user", "token", "who@example.org")
    assert "Only the owner" in refused("user", "token", "eve@example.org", "--scope", "admin")
    assert "can't be deleted" in refused("user", "erase", "ada@example.org", "--yes")
    assert "not linked" in refused("user", "unlink", "eve@example.org")
    there = tmp_path / "there.zip"
    there.write_text("mine")
    assert "already exists" in refused("user", "export", "ada@example.org", str(there))
    assert there.read_text() == "mine"
    refused("user", "export", "ada@example.org", "/")
    assert "one line" in refused("user", "token", "ada@example.org", "--name", "a\nb")
    away = str(tmp_path / "no" / "such" / "folder.zip")
    assert "Can't write" in refused("user", "export", "ada@example.org", away)


def test_a_password_is_read_from_standard_input(database_url: str) -> None:
    cheap = {"database_url": database_url, "password_memory": 8, "password_rounds": 1}
    done = subprocess.run(
        [sys.executable, "-m", "mindhit.cli", "user", "create", "ada@example.org", "--password"],
        env=servers.environment(**cheap),
        input="correct horse battery\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert asyncio.run(sign_in(database_url, "correct horse battery")) == 200
    assert asyncio.run(sign_in(database_url, "correct horse battery!")) == 401


async def sign_in(url: str, password: str) -> int:
    db = await Database.open(url, size=2)
    try:
        async with kit.client_of(db) as client:
            body = {"email": "ada@example.org", "password": password}
            return (await client.post("/v1/auth/sign-in", json=body)).status_code
    finally:
        await db.close()


def test_a_statement_is_printed_for_psql_with_its_plan(database_url: str) -> None:
    printed = run("db", "statement", "work.CLAIM", database_url=database_url)
    assert "prepare work_claim (text[], text[]," in printed
    assert "returning id, queue, kind" in printed
    assert "-- " in printed.splitlines()[-1]
    asked = run("db", "statement", "mindhit.work.store.CLAIM", "--json", database_url=database_url)
    found = json.loads(asked)
    assert found["parameters"][6] == "uuid"
    assert any("jobs_ready" in line for line in found["plan"])


def test_statements_are_listed_and_close_names_suggested(data_dir: Path) -> None:
    assert "work.CLAIM_WITH_DOMAINS" in run("db", "statement", data_dir=data_dir).splitlines()
    assert "work.CLAIM" in json.loads(run("db", "statement", "--json", data_dir=data_dir))
    done = servers.mindhit("db", "statement", "work.CLAMI", data_dir=data_dir)
    assert done.returncode == 1
    assert "Did you mean work.CLAIM" in done.stderr


PASSWORDS_OFF = {
    "password_sign_in": "false",
    "oidc_issuer": "https://auth.example.org",
    "oidc_client_id": "mindhit",
}


def test_who_forgot_the_password_gets_a_link(database_url: str) -> None:
    run("user", "create", "ada@example.org", "--owner", database_url=database_url)
    said = run("user", "link", "ADA@example.org", database_url=database_url)
    link, sentence = said.split("\n", 1)
    assert "/reset#mh_link_" in link
    assert "expires on" in sentence
    made = json.loads(run("user", "link", "ada@example.org", "--json", database_url=database_url))
    assert asyncio.run(choose_password(database_url, made["link"])) == 204
    assert asyncio.run(sign_in(database_url, "another horse entirely")) == 200
    for arguments, words in (
        (("user", "link", "who@example.org"), "no account"),
        (("user", "link", "ada@example.org"), "turned off"),
    ):
        off = PASSWORDS_OFF if words == "turned off" else {}
        done = servers.mindhit(*arguments, database_url=database_url, **off)
        assert (done.returncode, words in done.stderr) == (1, True), done.stderr


async def choose_password(url: str, link: str) -> int:
    db = await Database.open(url, size=2)
    try:
        async with kit.client_of(db) as client:
            body = {"token": link.partition("#")[2], "password": "another horse entirely"}
            return (await client.post("/v1/auth/reset/confirm", json=body)).status_code
    finally:
        await db.close()


def test_erasing_checks_before_it_asks(database_url: str) -> None:
    run("user", "create", "ada@example.org", "--owner", database_url=database_url)
    run("user", "create", "eve@example.org", database_url=database_url)
    for email, words in (
        ("who@example.org", "no account"),
        ("ada@example.org", "can't be deleted"),
    ):
        done = servers.mindhit("user", "erase", email, database_url=database_url)
        assert done.returncode == 1
        assert words in done.stderr
        assert "Permanently delete" not in done.stdout + done.stderr
    asked = servers.mindhit("user", "erase", "EVE@example.org", database_url=database_url)
    assert asked.returncode == 1
    assert "Permanently delete eve@example.org" in asked.stdout + asked.stderr
    assert "eve@example.org" in run("user", "list", database_url=database_url)


def test_empty_lists_say_so(database_url: str) -> None:
    assert "No users yet" in run("user", "list", database_url=database_url)
    assert run("jobs", "list", database_url=database_url) == "No jobs.\n"
    assert "No jobs are queued" in run("jobs", "stats", database_url=database_url)
    assert json.loads(run("jobs", "list", "--json", database_url=database_url)) == []


async def test_times_are_local_and_say_so(
    database_url: str, dead: list[JobId], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Seoul")
    shown = run("jobs", "show", str(dead[0]), database_url=database_url)
    [created] = [line for line in shown.splitlines() if line.startswith("created_at")]
    assert created.rstrip().endswith("KST")


def test_the_status_of_the_database_is_in_words(data_dir: Path, database_url: str) -> None:
    run("db", "migrate", data_dir=data_dir)
    for settings in ({"data_dir": data_dir}, {"database_url": database_url}):
        said = run("db", "status", **settings)
        for raw in ("()", "True", "False", "None", "_"):
            assert raw not in said.replace(str(data_dir), "")
    assert re.search(r"^running +no", run("db", "status", data_dir=data_dir), re.MULTILINE)
    assert re.search(r"^pending migrations +0", said, re.MULTILINE)


def test_answers_have_no_log_among_them(data_dir: Path) -> None:
    """The embedded database is started for each command, and nothing is logged about it."""
    done = servers.mindhit("jobs", "list", "--json", data_dir=data_dir)
    assert done.returncode == 1  # not migrated yet
    done = servers.mindhit("db", "migrate", data_dir=data_dir)
    assert done.returncode == 0
    done = servers.mindhit("jobs", "list", "--json", data_dir=data_dir)
    assert (json.loads(done.stdout), done.stderr) == ([], "")
    asked = servers.mindhit("jobs", "list", data_dir=data_dir, log_level="debug")
    assert asked.stdout == "No jobs.\n"


def test_the_doctor_tells_an_unwritable_directory_from_a_full_disk(tmp_path: Path) -> None:
    def data(folder: Path, **settings: object) -> str:
        port = servers.free_port()
        done = servers.mindhit("doctor", "--json", data_dir=folder, port=port, **settings)
        [found] = [each for each in json.loads(done.stdout) if each["what"] == "data"]
        return str(found["detail"])

    assert "is not writable" in data(Path("/proc/mindhit"))
    (tmp_path / "file").write_text("")
    assert "it is a file" in data(tmp_path / "file" / "data")
    full = data(tmp_path / "data", database_min_free=10**9)
    assert "MB free" in full
    assert "writable" not in full


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EDQUOT])
def test_the_doctor_sees_a_disk_without_room_for_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    """Of files, or for this user: there may be many bytes free."""

    def fail(**_: object) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(tempfile, "TemporaryFile", fail)
    found = doctor._data_directory(wiring.load_settings().model_copy(update={"data_dir": tmp_path}))
    assert found.verdict == "bad"
    assert "is full" in found.detail
    assert "writable" not in found.detail


def test_help_speaks_of_users() -> None:
    for command in (("user",), ("session",), ("user", "erase"), ("session", "list")):
        said = run(*command, "--help").lower()
        assert "person" not in said
        assert "people" not in said
