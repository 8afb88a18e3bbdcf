"""Data directories of their own for every test, and processes that may be killed.

pytest's tmp_path is 0700, which the server's account cannot enter when the tests run as root (that
case has tests of its own), so places are made here: readable, short, and removed afterwards.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

import mindhit.errors
from mindhit.db.embedded import Server
from mindhit.db.embedded.stale_server import is_postmaster_of, read_pid_file

SOURCE = Path(mindhit.errors.__file__).absolute().parent.parent
Sql = Callable[..., list[tuple[Any, ...]]]


class Owner:
    """A process that runs `owner_process.py`; ended at the latest with its test."""

    def __init__(self, data_dir: Path, *words: str, **popen: Any) -> None:
        program = popen.pop("program", Path(__file__).parent) / "owner_process.py"
        python = popen.pop("python", sys.executable)
        folders = [*popen.pop("path", [SOURCE]), os.environ.get("PYTHONPATH", "")]
        path = os.pathsep.join(str(folder) for folder in folders if folder)
        before = popen.pop("before", [])
        self.process = subprocess.Popen(
            [*before, str(python), str(program), str(data_dir), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            **popen,
        )

    def says(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return dict(json.loads(line)) if line else {}

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def close(self) -> int:
        """Lets it stop its server and end."""
        self.process.communicate("", timeout=60)
        return self.process.returncode


@pytest.fixture
def place() -> Iterator[Path]:
    yield from _place()


@pytest.fixture(scope="module")
def module_place() -> Iterator[Path]:
    yield from _place()


def _place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="mh-", dir=_roomy()))
    folder.chmod(0o755)
    yield folder
    end_servers_below(folder)
    shutil.rmtree(folder)


def _roomy() -> str:
    """Memory where there is plenty: copying a cluster takes 0.1 s there, 0.8 s on a slow disk."""
    try:
        about = os.statvfs("/dev/shm")
    except OSError:
        return "/tmp"
    plenty = about.f_bavail * about.f_frsize > 2 * 2**30
    return "/dev/shm" if plenty and not about.f_flag & os.ST_NOEXEC else "/tmp"


def end_servers_below(folder: Path) -> None:
    """Only servers of clusters in this folder: those the test itself started."""
    for pid_file in folder.rglob("postmaster.pid"):
        found = read_pid_file(pid_file.parent)
        if found is not None and is_postmaster_of(found.pid, pid_file.parent):
            process = psutil.Process(found.pid)
            process.terminate() if process.status() != psutil.STATUS_STOPPED else process.kill()
            psutil.wait_procs([process], 20)


@pytest.fixture(scope="session")
def made() -> Iterator[Path]:
    """A data directory made by a first start, to be copied: a copy costs 0.1 s, initdb 2 s."""
    for folder in _place():
        with Server(folder / "data"):
            pass
        yield folder / "data"


@pytest.fixture
def data_dir(made: Path, place: Path) -> Path:
    subprocess.run(["cp", "-a", str(made), str(place / "data")], check=True)
    return place / "data"


@pytest.fixture
def own() -> Iterator[Callable[..., Owner]]:
    owners: list[Owner] = []

    def begin(data_dir: Path, *words: str, **popen: Any) -> Owner:
        owners.append(Owner(data_dir, *words, **popen))
        return owners[-1]

    yield begin
    for owner in owners:
        if owner.process.poll() is None:
            owner.close()
        for stream in (owner.process.stdin, owner.process.stdout):
            if stream is not None:
                stream.close()


@pytest.fixture(scope="session")
def sql() -> Sql:
    """One statement over a connection of its own, the way the product connects."""

    async def ask(url: str, statement: str) -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(url, timeout=10)
        try:
            return [tuple(row) for row in await connection.fetch(statement)]
        finally:
            await connection.close()

    return lambda url, statement: asyncio.run(ask(url, statement))


@pytest.fixture(scope="session")
def missing() -> Callable[[str], None]:
    """Skips with a reason; where everything must be there (CI=true) it fails."""

    def say(reason: str) -> None:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)

    return say
