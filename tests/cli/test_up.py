"""`mindhit up` as a person meets it: it starts, mends itself, stops, and finds its data again."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import httpx2
import psutil
import pytest

from mindhit.db import embedded
from tests import servers
from tests.cli.tree import Tree

# Of the whole tree, each of which costs four seconds of two processors; `make storm` does twenty.
KILLS = int(os.environ.get("MINDHIT_TEST_KILLS", "6"))


@pytest.fixture
def tree(data_dir: Path) -> Iterator[Tree]:
    tree = Tree(data_dir)
    yield tree
    tree.kill_all()


async def insert(url: str, value: int) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("create table if not exists kept (n int)")
        await connection.execute("insert into kept values ($1)", value)
    finally:
        await connection.close()


async def kept(url: str) -> list[int]:
    connection = await asyncpg.connect(url)
    try:
        return [row["n"] for row in await connection.fetch("select n from kept order by n")]
    finally:
        await connection.close()


def database_url(data_dir: Path) -> str:
    access = embedded.attach(data_dir)
    assert access is not None
    return access.url


def test_it_serves_stops_on_ctrl_c_and_finds_its_data_again(tree: Tree, data_dir: Path) -> None:
    tree.start()
    tree.ready()
    assert servers.get(f"{tree.url}/v1/about")[0] == 200
    assert servers.get(tree.url)[0] == 200
    link = re.search(rf"{re.escape(tree.url)}/welcome#(\S+)", tree.said())
    assert link is not None
    assert servers.get(f"{tree.url}/v1/queues")[0] == 401
    owner = {"token": link[1], "email": "owner@example.org", "password": "correct horse battery"}
    with httpx2.Client(base_url=tree.url, headers={"Origin": tree.url}) as browser:
        assert browser.post("/v1/auth/owner", json=owner).status_code == 201
        assert browser.get("/v1/queues").status_code == 200
    asyncio.run(insert(database_url(data_dir), 1))
    members = tree.members()
    assert len(members) > 5
    assert tree.interrupt() == 0
    assert [member for member in members if member.is_running()] == []
    assert servers.get(tree.url)[0] == 0
    tree.start()
    tree.ready()
    assert asyncio.run(kept(database_url(data_dir))) == [1]
    tree.wait_until(lambda: tree.said().count("is running at") == 2)
    assert tree.said().count("has no owner yet") == 1
    assert tree.interrupt() == 0


@pytest.mark.parametrize("moment_s", [0.0, 0.6, 1.2, 2.0])
def test_ctrl_c_during_the_first_start_is_no_accident(
    tree: Tree, data_dir: Path, moment_s: float
) -> None:
    tree.start()
    tree.wait_until(data_dir.exists)  # before it is made, the interpreter itself may be starting
    time.sleep(moment_s)
    members = tree.members()
    assert tree.interrupt() in {0, 130}
    assert "Traceback" not in tree.said()
    assert "✗" not in tree.said()
    _, alive = psutil.wait_procs(members, timeout=10)
    assert alive == []
    tree.start()
    tree.ready()
    assert tree.interrupt() == 0


def test_a_child_that_dies_is_started_again_and_the_reason_is_logged(tree: Tree) -> None:
    tree.start()
    tree.ready()
    for name in ("api", "worker", "scheduler"):
        before = tree.pid_of(name)
        os.kill(before, signal.SIGKILL)
        tree.wait_until(lambda name=name, before=before: tree.pid_of(name) != before)
    assert "killed by SIGKILL" in tree.said()
    servers.wait_for(f"{tree.url}/readyz")
    assert tree.interrupt() == 0


def test_a_database_that_dies_is_started_again(tree: Tree, data_dir: Path) -> None:
    tree.start()
    tree.ready()
    asyncio.run(insert(database_url(data_dir), 7))
    tree.postmaster().kill()
    tree.wait_until(lambda: "database died" in tree.said())
    # The killed server's children answer for a moment longer; the new one has told where it is.
    tree.wait_until(lambda: embedded.attach(data_dir) is not None)
    servers.wait_for(f"{tree.url}/readyz")
    assert asyncio.run(kept(database_url(data_dir))) == [7]
    assert tree.interrupt() == 0


def test_when_the_root_is_killed_nothing_stays_behind(tree: Tree) -> None:
    tree.start()
    tree.ready()
    root, *others = tree.members()
    root.kill()
    tree.process.wait(30)
    _, alive = psutil.wait_procs(others, timeout=30)
    assert alive == []


def test_a_second_start_says_so_and_leaves_the_first_alone(tree: Tree, data_dir: Path) -> None:
    tree.start()
    tree.ready()
    for port in (tree.port, servers.free_port()):
        second = servers.mindhit("up", data_dir=data_dir, port=port)
        assert second.returncode == 1
        assert "already running" in second.stderr
        assert "Traceback" not in second.stderr
    assert servers.get(f"{tree.url}/readyz")[0] == 200
    assert tree.interrupt() == 0


def test_two_starts_at_the_same_moment_make_one(data_dir: Path) -> None:
    trees = [Tree(data_dir), Tree(data_dir)]
    for tree in trees:
        tree.start()
    try:
        deadline = time.monotonic() + 60
        while all(tree.process.poll() is None for tree in trees):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        [loser] = [tree for tree in trees if tree.process.poll() is not None]
        [winner] = [tree for tree in trees if tree is not loser]
        assert loser.process.returncode == 1
        assert "already running" in loser.said()
        winner.ready()
        assert winner.interrupt() == 0
    finally:
        for tree in trees:
            tree.kill_all()


def test_a_port_in_use_is_said_before_anything_is_started(data_dir: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = servers.mindhit("up", data_dir=data_dir, port=port)
    assert done.returncode == 1
    assert f"can't listen on 127.0.0.1:{port}" in done.stderr
    assert "MINDHIT_PORT" in done.stderr
    assert not data_dir.exists()


def test_a_database_of_another_major_version_is_not_touched(tree: Tree, data_dir: Path) -> None:
    tree.start()
    tree.ready()
    assert tree.interrupt() == 0
    version = data_dir / "postgres" / "PG_VERSION"
    version.write_text("14\n")
    done = servers.mindhit("up", data_dir=data_dir, port=tree.port)
    assert done.returncode == 1
    assert "PostgreSQL 14" in done.stderr
    assert "mindhit db upgrade" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_said_with_the_way_out(data_dir: Path) -> None:
    free_mb = shutil.disk_usage("/tmp").free // 2**20
    done = servers.mindhit(
        "up", data_dir=data_dir, port=servers.free_port(), database_min_free=free_mb * 2
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "free" in done.stderr.lower()


def test_an_external_database_is_used_as_it_is(tmp_path: Path, database_url: str) -> None:
    tree = Tree(tmp_path / "data", database_url=database_url)
    tree.start()
    try:
        tree.ready()
        assert not (tmp_path / "data" / "postgres").exists()
        assert tree.interrupt() == 0
    finally:
        tree.kill_all()


def in_a_terminal(rows: int, columns: int, data_dir: Path) -> str:
    """What `mindhit up` writes to a terminal of this size, from its start to Ctrl-C."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "mindhit.cli", "up"],
        env=servers.environment(data_dir=data_dir, port=servers.free_port()),
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
    )
    os.close(inside)
    said = b""
    try:
        with contextlib.suppress(OSError):  # the end of a terminal
            while chunk := os.read(terminal, 65536):
                is_first = b"/welcome#" not in said
                said += chunk
                if is_first and b"/welcome#" in said:
                    os.killpg(process.pid, signal.SIGINT)
    finally:
        os.close(terminal)
        servers.end(process)
    return said.decode()


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (24, 80)])
def test_a_terminal_shows_a_line_per_step_and_no_log(
    data_dir: Path, rows: int, columns: int
) -> None:
    said = in_a_terminal(rows, columns, data_dir)
    assert len(said) < 4_000
    before_the_box = re.sub(r"\x1b\[[\d;]*m", "", said).split("╭")[0].splitlines()
    assert [line.strip().split(" ")[0] for line in before_the_box] == [
        *("Starting", "Creating", "Applied", "Starting")
    ]
    assert "is running at" in said
    assert "MindHit has stopped." in said
    assert "[info" not in said


def test_without_a_terminal_it_says_the_same_and_logs_no_requests(data_dir: Path) -> None:
    tree = Tree(data_dir)
    del tree._settings["log_format"]
    tree.start()
    try:
        tree.ready()
        assert servers.get(f"{tree.url}/v1/about")[0] == 200
        assert servers.get(f"{tree.url}/v1/nothing")[0] == 404
        assert tree.interrupt() == 0
    finally:
        tree.kill_all()
    assert tree.said().splitlines()[0] == "  Starting PostgreSQL."
    assert "/v1/" not in tree.said()
    assert '"event"' not in tree.said()


class Writer(threading.Thread):
    """Writes one number after the other, and remembers which the database acknowledged."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(daemon=True)
        self.acknowledged: list[int] = []
        self.finished = threading.Event()
        self._data_dir = data_dir
        self._next = 0

    def run(self) -> None:
        asyncio.run(self._write())

    async def _write(self) -> None:
        while not self.finished.is_set():
            try:
                await self._write_while_it_lasts()
            except (
                OSError,
                asyncpg.PostgresError,
                asyncpg.InterfaceError,
                asyncpg.InternalClientError,
            ):
                await asyncio.sleep(0.02)

    async def _write_while_it_lasts(self) -> None:
        access = await asyncio.to_thread(embedded.attach, self._data_dir)
        if access is None:
            await asyncio.sleep(0.05)
            return
        connection = await asyncpg.connect(access.url, timeout=5)
        try:
            await connection.execute("create table if not exists kept (n int)")
            while not self.finished.is_set():
                self._next += 1
                await connection.execute("insert into kept values ($1)", self._next, timeout=5)
                self.acknowledged.append(self._next)
        finally:
            connection.terminate()


def test_kills_of_the_whole_tree_lose_nothing_acknowledged(data_dir: Path) -> None:
    moments = random.Random(20)
    writer = Writer(data_dir)
    writer.start()
    tree = Tree(data_dir)
    written = []
    try:
        for _ in range(KILLS):
            tree.start()
            before = len(writer.acknowledged)
            tree.wait_until(lambda before=before: len(writer.acknowledged) > before)
            time.sleep(moments.uniform(0, 1.5))
            tree.kill_all()
            written.append(len(writer.acknowledged) - before)
        tree.start()
        tree.ready()
        writer.finished.set()
        writer.join(30)
        stored = asyncio.run(kept(database_url(data_dir)))
        assert tree.interrupt() == 0
    finally:
        writer.finished.set()
        tree.kill_all()
    assert min(written) > 0
    assert set(writer.acknowledged) - set(stored) == set()
    assert len(stored) == len(set(stored))
