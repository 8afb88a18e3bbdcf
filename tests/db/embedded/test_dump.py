"""A backup brings back identical data, and a failing restore leaves the data as it was."""

from __future__ import annotations

import asyncio
import json
import secrets
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from mindhit.db.embedded import (
    Access,
    BackupFailed,
    FileExists,
    NotWritable,
    RestoreFailed,
    Server,
    backup,
    restore,
    tools,
)

pytestmark = pytest.mark.xdist_group("dump")
CONTENTS = """
CREATE EXTENSION pg_trgm;
CREATE TABLE people (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL,
    seen_at timestamptz, more jsonb, picture bytea, tags text[]);
CREATE INDEX ON people USING gin (name gin_trgm_ops);
INSERT INTO people (name, seen_at, more, picture, tags)
    SELECT '이름 ' || n, 'epoch'::timestamptz + n * interval '1.000001 s',
        jsonb_build_object('n', n), sha256(n::text::bytea), ARRAY['a', NULL, n::text]
    FROM generate_series(1, 500) n;
CREATE TABLE visits (person bigint REFERENCES people ON DELETE CASCADE, score float8);
INSERT INTO visits SELECT n, n / 3.0 FROM generate_series(1, 500) n;
CREATE VIEW busy AS SELECT person, count(*) FROM visits GROUP BY person;
CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
"""


@pytest.fixture(scope="module")
def server(module_place: Path) -> Iterator[Server]:
    with Server(module_place / "data") as running:
        yield running


@pytest.fixture
def access(server: Server) -> Iterator[Access]:
    """A database of its own on the module's server."""
    name = f"t_{secrets.token_hex(4)}"
    tools.query(server.access, f"CREATE DATABASE {name};")
    fresh = Access(tools.with_database(server.url, name), server.access.installation)
    tools.query(fresh, CONTENTS)
    yield fresh
    tools.query(server.access, f"DROP DATABASE {name} WITH (FORCE);")


def as_text(access: Access) -> list[str]:
    """Everything in the database, down to the sequences; without pg_dump's random keys."""
    said = tools.client(access, "pg_dump")
    assert said.returncode == 0, said.stderr
    return [line for line in said.stdout.splitlines() if "restrict " not in line]


def databases(access: Access) -> set[str]:
    return {row[0] for row in tools.query(access, "SELECT datname FROM pg_database;")}


def test_a_restore_brings_back_exactly_what_was_backed_up(access: Access, place: Path) -> None:
    before, beside = as_text(access), databases(access)
    backup(access, place / "mindhit.dump")
    tools.query(access, "DELETE FROM people WHERE id % 2 = 0; DROP VIEW busy;")
    tools.query(access, "CREATE TABLE later (n int); ALTER TABLE visits ADD COLUMN x int;")
    assert as_text(access) != before
    restore(access, place / "mindhit.dump")
    assert as_text(access) == before
    assert databases(access) == beside
    assert len(before) > 1000


def test_a_restored_database_can_be_restored_again(access: Access, place: Path) -> None:
    before = as_text(access)
    backup(access, place / "one")
    restore(access, place / "one")
    backup(access, place / "two")
    restore(access, place / "two")
    assert as_text(access) == before


def test_a_restore_takes_the_place_of_a_database_in_use(access: Access, place: Path) -> None:
    backup(access, place / "mindhit.dump")
    tools.query(access, "DELETE FROM visits;")
    done = threading.Event()

    async def come_back_at_once() -> None:
        while not done.is_set():
            try:
                connection = await asyncpg.connect(access.url)
                await connection.execute("SELECT pg_sleep(60)")
            except (asyncpg.PostgresError, OSError):
                continue

    def client() -> None:
        asyncio.run(asyncio.wait_for(come_back_at_once(), 60))

    clients = [threading.Thread(target=client) for _ in range(3)]
    for each in clients:
        each.start()
    while len(tools.query(access, "SELECT 1 FROM pg_stat_activity WHERE query ~ 'sleep.60';")) < 3:
        pass
    try:
        restore(access, place / "mindhit.dump")
        assert tools.query(access, "SELECT count(*) FROM visits;") == [["500"]]
    finally:
        done.set()
        tools.query(
            access,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'pg_sleep.60' "
            "AND pid <> pg_backend_pid();",
        )
        for each in clients:
            each.join(70)


@pytest.mark.parametrize("keep", [0.5, 0.97], ids=["half a file", "the end missing"])
def test_a_truncated_backup_leaves_the_data_as_it_was(
    access: Access, place: Path, keep: float
) -> None:
    file = place / "mindhit.dump"
    backup(access, file)
    whole = file.read_bytes()
    tools.query(access, "INSERT INTO people (name) VALUES ('since then');")
    before, beside = as_text(access), databases(access)
    file.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(RestoreFailed) as refused:
        restore(access, file)
    assert refused.value.way_out
    assert as_text(access) == before
    assert databases(access) == beside


def test_what_is_no_backup_is_refused(access: Access, place: Path) -> None:
    (place / "letter").write_text("Dear reader")
    for name in ("letter", "missing"):
        with pytest.raises(RestoreFailed) as refused:
            restore(access, place / name)
        assert str(place / name) in str(refused.value)


def test_a_backup_does_not_overwrite_unless_it_is_told_to(access: Access, place: Path) -> None:
    file = place / "mindhit.dump"
    file.write_text("precious")
    with pytest.raises(FileExists):
        backup(access, file)
    assert file.read_text() == "precious"
    backup(access, file, overwrite=True)
    assert file.read_bytes().startswith(b"PGDMP")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_failing_backup_leaves_no_file(access: Access, place: Path) -> None:
    gone = Access(tools.with_database(access.url, "gone"), access.installation)
    with pytest.raises(BackupFailed) as refused:
        backup(gone, place / "mindhit.dump")
    assert '"gone" does not exist' in str(refused.value)
    assert list(place.iterdir()) == []


def test_a_missing_folder_is_reported(access: Access, place: Path) -> None:
    with pytest.raises(NotWritable, match="no such file or directory") as refused:
        backup(access, place / "missing" / "mindhit.dump")
    assert str(place / "missing") in str(refused.value)
    assert "elsewhere" in (refused.value.way_out or "")


def test_what_an_interrupted_restore_left_is_removed_by_the_next(
    access: Access, place: Path
) -> None:
    backup(access, place / "mindhit.dump")
    name = tools.database_of(access.url)
    tools.query(access, f"CREATE DATABASE {name}_restoring;")
    restore(access, place / "mindhit.dump")
    assert f"{name}_restoring" not in databases(access)


def test_a_role_that_may_not_make_databases_is_told_so(
    access: Access, server: Server, place: Path
) -> None:
    backup(access, place / "mindhit.dump")
    admin = as_superuser(server)
    tools.query(admin, "CREATE ROLE guest LOGIN PASSWORD 'p%40ss';")
    name = tools.database_of(access.url)
    socket = server.url.partition("?")[2]
    guest = Access(f"postgresql://guest:p%2540ss@/{name}?{socket}", access.installation)
    with pytest.raises(RestoreFailed) as refused:
        restore(guest, place / "mindhit.dump")
    assert "CREATEDB" in (refused.value.way_out or "")


def as_superuser(server: Server) -> Access:
    """The superuser's way in, from the password file."""
    word = json.loads((server.data_dir / "database-passwords.json").read_text())["postgres"]
    socket = server.url.partition("?")[2]
    return Access(f"postgresql://postgres:{word}@/postgres?{socket}", server.access.installation)
