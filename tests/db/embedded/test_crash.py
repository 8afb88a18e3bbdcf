"""What was committed survives the kill of any process, and nothing stale bars the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from mindhit.db.embedded import Server
from mindhit.db.embedded.stale_server import is_postmaster_of, read_pid_file

Sql = Callable[..., list[tuple[Any, ...]]]
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a Linux promise")


def as_owner_of(path: Path) -> dict[str, Any]:
    """How to run a process as the account that owns the cluster."""
    about = path.stat()
    if about.st_uid == os.geteuid():
        return {}
    return {"user": about.st_uid, "group": about.st_gid, "extra_groups": []}


def test_rows_survive_the_kill_of_the_server(data_dir: Path, sql: Sql) -> None:
    with Server(data_dir) as server:
        sql(server.url, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
        assert server.process is not None
        server.process.kill()
        assert server.wait(10) == -signal.SIGKILL
        assert server.poll() is not None
        server.restart()
        assert sql(server.url, "SELECT count(*) FROM kept") == [(1000,)]


@on_linux
def test_a_backend_that_is_busy_does_not_bar_the_next_start(data_dir: Path, sql: Sql) -> None:
    """It holds the old shared memory, and computes on without noticing that its server is gone."""
    with Server(data_dir) as server:
        assert server.process is not None
        psql = [str(server.access.installation.program("psql")), server.url]
        forever = "SELECT count(*) FROM generate_series(1, 1e12)"
        busy = subprocess.Popen([*psql, "-c", forever], stderr=subprocess.DEVNULL)
        active = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%1e12)' AND state = 'active'"
        while not (backend := sql(server.url, active)):
            assert busy.poll() is None
        server.process.kill()
        server.wait(10)
        assert psutil.pid_exists(backend[0][0])
        server.restart()
        assert sql(server.url, "SELECT 1") == [(1,)]
        assert busy.wait(10) != 0


@on_linux
def test_the_server_ends_by_itself_when_its_owner_is_killed(
    data_dir: Path, own: Any, sql: Sql
) -> None:
    owner = own(data_dir)
    ready = owner.says()
    sql(ready["url"], "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
    server = psutil.Process(ready["pid"])
    owner.kill()
    assert psutil.wait_procs([server], 10)[1] == []
    assert "shut down" in (data_dir / "logs/postgres.log").read_text().splitlines()[-1]
    with Server(data_dir) as again:
        assert sql(again.url, "SELECT count(*) FROM kept") == [(1000,)]


def test_rows_survive_the_kill_of_the_server_and_its_owner_at_once(
    data_dir: Path, own: Any, sql: Sql
) -> None:
    owner = own(data_dir)
    ready = owner.says()
    sql(ready["url"], "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
    os.kill(ready["pid"], signal.SIGKILL)
    owner.kill()
    assert (data_dir / "connection.json").exists()
    with Server(data_dir) as again:
        assert sql(again.url, "SELECT count(*) FROM kept") == [(1000,)]


def test_a_server_that_lost_its_owner_is_shut_down_cleanly_first(data_dir: Path, sql: Sql) -> None:
    with Server(data_dir) as server:
        programs = server.access.installation
        sql(server.url, "CREATE TABLE kept AS SELECT 1 AS n")
    cluster = data_dir / "postgres"
    orphan = subprocess.Popen(
        [programs.program("postgres"), "-D", str(cluster)],
        cwd="/",
        stderr=subprocess.DEVNULL,
        **as_owner_of(cluster),
    )
    while (found := read_pid_file(cluster)) is None or found.status != "ready":
        assert orphan.poll() is None
    told: list[str] = []
    with Server(data_dir, progress=told.append) as server:
        assert orphan.wait(5) == 0
        assert sql(server.url, "SELECT n FROM kept") == [(1,)]
    assert any(str(orphan.pid) in line for line in told)


def test_a_pid_file_that_names_another_program_is_stale(data_dir: Path, sql: Sql) -> None:
    cluster = data_dir / "postgres"
    stranger = subprocess.Popen(["sleep", "60"], cwd="/", **as_owner_of(cluster))
    try:
        leave_pid_file(cluster, f"{stranger.pid}\n{cluster}\n1700000000\n5432\n\n\n\nready\n")
        with Server(data_dir) as server:
            assert sql(server.url, "SELECT 1") == [(1,)]
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.parametrize("torn", ["", "\0\0\0\0", "no number\n"])
def test_a_pid_file_torn_by_a_power_cut_is_removed(data_dir: Path, torn: str) -> None:
    leave_pid_file(data_dir / "postgres", torn)
    with Server(data_dir) as server:
        assert server.poll() is None


def leave_pid_file(cluster: Path, text: str) -> None:
    path = cluster / "postmaster.pid"
    path.write_text(text)
    path.chmod(0o600)
    os.chown(path, cluster.stat().st_uid, cluster.stat().st_gid)


def test_only_a_postmaster_of_the_same_cluster_is_recognised(data_dir: Path, place: Path) -> None:
    with Server(data_dir) as server:
        assert server.process is not None
        assert is_postmaster_of(server.process.pid, data_dir / "postgres")
        assert not is_postmaster_of(server.process.pid, place / "other" / "postgres")
    assert not is_postmaster_of(os.getpid(), data_dir / "postgres")
    assert not is_postmaster_of(2**22 + 1, data_dir / "postgres")


def test_a_kill_while_the_cluster_is_made_leaves_no_half_cluster(
    place: Path, own: Any, sql: Sql
) -> None:
    owner = own(place / "data")
    while not list(place.glob("data/postgres.building-*/base")):
        assert owner.process.poll() is None
    below = psutil.Process(owner.process.pid).children(recursive=True)
    owner.kill()
    _, alive = psutil.wait_procs(below, 20)  # they end with it, and may take a moment
    assert not alive
    assert not (place / "data/postgres").exists()
    # initdb tidies up when it is asked to end; after a power cut there is more.
    (place / "data/postgres.building-dead/base/1").mkdir(parents=True)
    with Server(place / "data") as server:
        assert sql(server.url, "SELECT current_database()") == [("mindhit",)]
    assert not list(place.glob("data/postgres.building-*"))
