"""One owner per data directory, and how the others join it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindhit.db.embedded import DataDirectoryBusy, Server, attach, running, start_lock
from mindhit.db.embedded.start_lock import StartLock

Sql = Callable[..., list[tuple[Any, ...]]]


def test_of_two_starters_at_once_exactly_one_owns_the_server(place: Path, own: Any) -> None:
    owners = [own(place / "data"), own(place / "data")]
    said = [owner.says() for owner in owners]
    winner = 0 if "url" in said[0] else 1
    loser = said[1 - winner]
    assert "url" in said[winner]
    assert loser["error"] == "DataDirectoryBusy"
    assert f"process {owners[winner].process.pid}" in loser["message"]
    assert owners[1 - winner].process.wait(10) == 3


def test_who_finds_it_busy_learns_where_mindhit_answers(data_dir: Path) -> None:
    with Server(data_dir) as server:
        server.announce("http://127.0.0.1:8800")
        with pytest.raises(DataDirectoryBusy) as busy:
            Server(data_dir).start()
        assert server.poll() is None
    assert busy.value.pid == os.getpid()
    assert busy.value.url == "http://127.0.0.1:8800"
    assert f"kill {os.getpid()}" in (busy.value.way_out or "")


def test_a_lock_on_a_file_that_was_removed_meanwhile_is_no_lock(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening the file and locking it somebody removes it: the next one would lock a new
    file of that name, and both would own the server."""
    path = place / "start.lock"
    flock = fcntl.flock
    removed: list[int] = []

    def remove_first(fd: int, how: int) -> None:
        if not removed:
            removed.append(fd)
            path.unlink()
        flock(fd, how)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    first, second = StartLock(path), StartLock(path)
    first.take()
    assert removed
    with pytest.raises(DataDirectoryBusy):
        second.take()
    first.release()


def test_a_command_joins_the_running_server_and_leaves_it_running(
    data_dir: Path, own: Any, sql: Sql
) -> None:
    ready = own(data_dir).says()
    with running(data_dir) as access:
        assert not access.owned
        assert access.url == ready["url"]
    assert sql(ready["url"], "SELECT 1") == [(1,)]


def test_a_command_waits_for_an_owner_that_is_still_starting(place: Path, own: Any) -> None:
    owner = own(place / "data")
    while not list(place.glob("data/postgres.building-*")):
        assert owner.process.poll() is None
    with running(place / "data") as access:
        assert not access.owned


def test_a_command_alone_starts_a_server_and_stops_it(data_dir: Path, sql: Sql) -> None:
    with running(data_dir) as access:
        assert access.owned
        assert sql(access.url, "SELECT 1") == [(1,)]
    assert attach(data_dir) is None
    assert not (data_dir / "postgres/postmaster.pid").exists()


def test_a_connection_file_left_by_a_crash_is_not_believed(data_dir: Path, own: Any) -> None:
    owner = own(data_dir)
    pid = owner.says()["pid"]
    os.kill(pid, 9)
    owner.kill()
    assert (data_dir / "connection.json").exists()
    assert attach(data_dir) is None
    with running(data_dir) as access:
        assert access.owned


def test_a_removed_lock_file_does_not_make_two_owners(data_dir: Path, own: Any, sql: Sql) -> None:
    owner = own(data_dir)
    ready = owner.says()
    (data_dir / "lock").unlink()
    with pytest.raises(DataDirectoryBusy) as busy:
        Server(data_dir).start()
    assert busy.value.pid == owner.process.pid
    assert sql(ready["url"], "SELECT 1") == [(1,)]
    assert attach(data_dir) is not None


def test_a_released_lock_can_be_taken_again(place: Path) -> None:
    for _ in range(2):
        lock = StartLock(place / "lock")
        lock.take()
        lock.release()


HOLD_AND_DIE = """
import os, sys
from pathlib import Path
from mindhit.db.embedded.start_lock import StartLock
lock = StartLock(Path(sys.argv[1]))
lock.take()
if os.fork() == 0:  # as a child is until its program runs: it shares the lock
    os.read(0, 1)
    os._exit(0)
os.kill(os.getpid(), 9)
"""


def test_the_lock_of_a_dead_holder_is_waited_for_until_its_child_lets_go(place: Path) -> None:
    taking = threading.Event()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_AND_DIE, str(place / "lock")], stdin=subprocess.PIPE
    ) as dead:
        dead.wait(30)
        lock = StartLock(place / "lock")
        tried = lock._try

        def trying() -> int | None:
            taking.set()
            return tried()

        lock._try = trying  # type: ignore[method-assign]
        waiting = threading.Thread(target=lock.take)
        waiting.start()
        taking.wait(30)
        assert dead.stdin is not None
        dead.stdin.write(b"x")
        dead.stdin.close()
        waiting.join(30)
    assert lock._fd is not None
    lock.release()


def test_a_lock_that_the_child_of_a_dead_holder_keeps_is_busy(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_lock, "AFTER_DEATH_S", 0.1)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_AND_DIE, str(place / "lock")], stdin=subprocess.PIPE
    ) as dead:
        dead.wait(30)
        with pytest.raises(DataDirectoryBusy) as busy:
            StartLock(place / "lock").take()
        assert busy.value.pid == dead.pid
