"""The embedded server of a data directory: who owns it, how it starts and stops, how to join it.

    take the lock ─▶ find programs, account, folders ─▶ clean up after a crash ─▶ create the
    cluster if there is none ─▶ check space and version ─▶ start ─▶ publish connection.json

One process owns the server (the supervisor, or a command on its own); any number of others of the
same user join through connection.json. The server ends with its owner, however that ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from mindhit.db.embedded import binaries, cluster, files, layout, stale_server, tools, user
from mindhit.db.embedded.model import (
    Access,
    Account,
    DataDirectoryBusy,
    Installation,
    Progress,
    WrongPassword,
    silent,
)
from mindhit.db.embedded.postmaster import READY_S, Postmaster
from mindhit.db.embedded.start_lock import StartLock
from mindhit.errors import Broken


class Server:
    """Start and stop it from the main thread. May be started again after `stop`."""

    def __init__(
        self,
        data_dir: Path,
        *,
        progress: Progress = silent,
        min_free_bytes: int = cluster.MIN_FREE_BYTES,
        ready_s: float = READY_S,
        installation: Installation | None = None,
        elsewhere: Path = layout.ELSEWHERE,
        free_bytes: cluster.FreeBytes = files.free_bytes,
    ) -> None:
        self.data_dir = data_dir
        self.layout: layout.Layout | None = None
        self._progress = progress
        self._min_free_bytes = min_free_bytes
        self._ready_s = ready_s
        self._installation = installation
        self._elsewhere = elsewhere
        self._free_bytes = free_bytes
        self._locks: list[StartLock] = []
        self._postmaster: Postmaster | None = None
        self._access: Access | None = None

    def start(self) -> Access:
        """0.3 s, or 3 s the first time. Raises DataDirectoryBusy when another process owns it."""
        if self._locks:
            raise Broken("The server was started twice.")
        try:
            with files.writing(self.data_dir):
                self._own()
                return self._launch()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> Access:
        """After the server process ended by itself; nobody else can step in between."""
        self._halt()
        return self._launch()

    def stop(self) -> None:
        """A clean shutdown. Does nothing when it does not run."""
        self._halt()
        while self._locks:
            self._locks.pop().release()

    @property
    def access(self) -> Access:
        if self._access is None:
            raise Broken("The server is not running.")
        return self._access

    @property
    def url(self) -> str:
        return self.access.url

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        """The server process itself, for a supervisor to watch."""
        return None if self._postmaster is None else self._postmaster.process

    def poll(self) -> int | None:
        """None while the server runs."""
        return None if self.process is None else self.process.poll()

    def wait(self, timeout_s: float | None = None) -> int | None:
        return None if self.process is None else self.process.wait(timeout_s)

    def announce(self, url: str) -> None:
        """Write MindHit's address into the lock, for a second start to show."""
        for lock in self._locks:
            lock.describe(url)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _own(self) -> None:
        self.data_dir = layout.prepare(self.data_dir)
        self._take(self.data_dir)

    def _take(self, folder: Path) -> None:
        lock = StartLock(layout.lock_of(folder))
        lock.take()
        self._locks.append(lock)

    def _launch(self) -> Access:
        placed, account = place(self.data_dir, self._elsewhere)
        self.layout = placed
        if placed.home != self.data_dir and len(self._locks) == 1:
            # A copied data directory points to the same cluster: two locks, one owner.
            self._take(placed.home)
        owner = last_owner(self.data_dir)
        stale_server.settle(placed.cluster, placed.socket_dir, self._progress, owner)
        layout.connection_of(self.data_dir).unlink(missing_ok=True)
        cluster.remove_unfinished(placed.home)
        cluster.check_space(placed.home, self._min_free_bytes, self._free_bytes)
        found = self._installation or binaries.find()
        runs = binaries.usable_by(account, found, placed.home)
        passwords = self._ready_cluster(placed, account, runs)
        self._postmaster = Postmaster(runs, placed.cluster, account, placed.log)
        self._postmaster.start(self._progress, self._ready_s)
        access = Access(url_of(placed.socket_dir, passwords), runs, owned=True)
        check_password(access, placed)
        publish(self.data_dir, access, self._postmaster)
        self._access = access
        return access

    def _ready_cluster(
        self, placed: layout.Layout, account: Account, runs: Installation
    ) -> cluster.Passwords:
        path = placed.cluster
        if path.exists():
            cluster.check_major(path, runs)
            cluster.adopt(path, account)
        passwords = cluster.ensure_passwords(placed.passwords, path, runs, account)
        if not path.exists():
            cluster.create(runs, account, path, passwords, self._progress)
        layout.remember(placed)
        with files.writing(placed.home):
            cluster.configure(path, account, placed.socket_dir)
            cluster.note_origin(path, account, runs, self._progress)
        return passwords

    def _halt(self) -> None:
        if self._access is not None:
            layout.connection_of(self.data_dir).unlink(missing_ok=True)
            self._access = None
        if self._postmaster is not None:
            self._postmaster.stop()
            self._postmaster = None


def place(data_dir: Path, elsewhere: Path = layout.ELSEWHERE) -> tuple[layout.Layout, Account]:
    """Where the cluster is or will be, and whom its server runs as. Under the start lock."""
    home = layout.locate(data_dir, elsewhere)
    owner = None if home is None else (home / layout.CLUSTER).stat().st_uid
    account = user.resolve(owner)
    return layout.plan(data_dir, account, elsewhere), account


def url_of(
    socket_dir: Path,
    passwords: cluster.Passwords,
    role: str = cluster.ROLE,
    database: str = cluster.DATABASE,
) -> str:
    return f"postgresql://{role}:{passwords[role]}@/{database}?host={quote(str(socket_dir))}"


def check_password(access: Access, placed: layout.Layout) -> None:
    try:
        tools.query(access, "SELECT 1;")
    except tools.SqlFailed as error:
        if "password authentication failed" not in error.message:
            raise
        raise WrongPassword(
            f"The database does not accept the password in {placed.passwords}.",
            way_out=f"Remove {placed.passwords}; the next start sets a new one.",
        ) from None


def publish(data_dir: Path, access: Access, postmaster: Postmaster) -> None:
    installation = access.installation
    known = {
        "url": access.url,
        "owner": os.getpid(),
        "pid": None if postmaster.process is None else postmaster.process.pid,
        "cluster": str(postmaster.cluster),
        "bin": str(installation.bin),
        "major": installation.major,
        "version": installation.version,
        "origin": installation.origin,
    }
    with files.writing(data_dir):
        files.write(layout.connection_of(data_dir), json.dumps(known, indent=2) + "\n")


def last_owner(data_dir: Path) -> int | None:
    """The process that published the connection; it may be long gone."""
    try:
        owner = json.loads(layout.connection_of(data_dir).read_text("utf-8"))["owner"]
    except (OSError, ValueError, KeyError):
        return None
    return owner if isinstance(owner, int) else None


def attach(data_dir: Path) -> Access | None:
    """The server another process runs on this data directory, if it answers."""
    try:
        known = json.loads(layout.connection_of(data_dir.expanduser()).read_text("utf-8"))
        found = Installation(Path(known["bin"]), known["major"], known["version"], known["origin"])
        access = Access(known["url"], found)
        tools.query(access, "SELECT 1;")
    except (OSError, ValueError, KeyError, tools.SqlFailed):
        return None
    return access


def external(url: str) -> Access:
    """A server that somebody else runs (MINDHIT_DATABASE_URL), with the programs we have."""
    return Access(url, binaries.find())


@contextmanager
def running(data_dir: Path, *, join_s: float = 30.0, **options: object) -> Iterator[Access]:
    """For commands: the running server if there is one, else one of our own while the block runs.

    `options` are Server's. An owner that is just starting or stopping is waited for.
    """
    server = Server(data_dir, **options)  # type: ignore[arg-type]  # Server's own keywords
    access = _join_or_start(server, time.monotonic() + join_s)
    try:
        yield access
    finally:
        if access.owned:
            server.stop()


def _join_or_start(server: Server, deadline: float) -> Access:
    while True:
        try:
            return server.start()
        except DataDirectoryBusy:
            if access := attach(server.data_dir):
                return access
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
