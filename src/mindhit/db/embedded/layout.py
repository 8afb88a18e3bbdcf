"""Where the parts of the embedded database are.

    DATA_DIR/
      lock                    the start lock; names the process that holds it
      connection.json         how to reach the running server; only while it runs
      database-passwords.json of the roles postgres and mindhit
      logs/postgres.log
      database-location.json  only when the cluster is elsewhere
    HOME/                     DATA_DIR, or /var/lib/mindhit/<hash of DATA_DIR>
      postgres/               the cluster
      postgres-bin-VERSION/   programs, when the server's account cannot read the wheel
      run/                    the socket, when its path is short and plain enough

HOME is elsewhere only if root's server account can't enter DATA_DIR (a 0700 home). An existing
cluster is always looked for before a new one is created, and a recorded one that is gone is an
error: an empty database must never silently replace a full one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from mindhit.db.embedded import files, tools
from mindhit.db.embedded.model import (
    Account,
    ClusterMissing,
    SocketDirectoryTaken,
    Unreachable,
)

ELSEWHERE = Path("/var/lib/mindhit")
CLUSTER = "postgres"
# An upgraded cluster, complete and counted, about to take the place of the old one.
READY = "postgres-ready"
# sockaddr_un holds 104 bytes on macOS and BSD, 108 on Linux, with the closing zero.
LONGEST_SOCKET = 103
_SOCKET = "/.s.PGSQL.5432"
# Commas separate socket folders in PostgreSQL's settings and hosts in a URL, and the rest would
# need quoting in one of three languages; the folder in /tmp is plain.
_PLAIN = re.compile(r"[A-Za-z0-9._/+-]+")


@dataclass(frozen=True, slots=True)
class Layout:
    data_dir: Path
    home: Path
    socket_dir: Path

    @property
    def cluster(self) -> Path:
        return self.home / CLUSTER

    @property
    def passwords(self) -> Path:
        return self.data_dir / "database-passwords.json"

    @property
    def log(self) -> Path:
        return self.data_dir / "logs" / "postgres.log"

    @property
    def record(self) -> Path:
        return record_of(self.data_dir)


def lock_of(folder: Path) -> Path:
    return folder / "lock"


def connection_of(data_dir: Path) -> Path:
    return data_dir / "connection.json"


def record_of(data_dir: Path) -> Path:
    return data_dir / "database-location.json"


def prepare(data_dir: Path) -> Path:
    """Makes the data directory; returns its real path. As root others may pass through it."""
    data_dir = data_dir.expanduser().absolute()
    with files.writing(data_dir):
        files.make_folder(data_dir, mode=0o711 if os.geteuid() == 0 else 0o700)
        files.make_folder(data_dir / "logs", mode=0o700)
    return data_dir.resolve()


def locate(data_dir: Path, elsewhere: Path = ELSEWHERE) -> Path | None:
    """The home of the cluster that belongs to this data directory, if there is one.

    Under the start lock: it finishes an upgrade that was interrupted between its two renames.
    """
    record = record_of(data_dir)
    if record.exists():
        home = _recorded(record)
        _finish_swap(home)
        if not is_cluster(home / CLUSTER):
            raise ClusterMissing(
                f"The database of {data_dir} was in {home}, which no longer has one.",
                way_out=f"Restore {home} (is a disk or a container volume not mounted?). "
                f"To start with an empty database, remove {record}.",
                home=str(home),
            )
        return home
    for home in (data_dir, _elsewhere(data_dir, elsewhere)):
        _finish_swap(home)
        if is_cluster(home / CLUSTER):
            return home
    return None


def _recorded(record: Path) -> Path:
    try:
        return Path(json.loads(record.read_text("utf-8"))["home"])
    except (ValueError, KeyError, TypeError):
        raise ClusterMissing(
            f"{record} is damaged. It should say where the database is.",
            way_out=f"It is one of the folders in {ELSEWHERE}; write "
            f'{{"home": "{ELSEWHERE}/…"}} with its name into the file.',
        ) from None


def is_cluster(folder: Path) -> bool:
    return (folder / "PG_VERSION").exists()


def _finish_swap(home: Path) -> None:
    if not (home / CLUSTER).exists() and is_cluster(home / READY):
        with files.writing(home):
            (home / READY).rename(home / CLUSTER)
            files.sync_folder(home)


def plan(data_dir: Path, account: Account, elsewhere: Path = ELSEWHERE) -> Layout:
    """Where everything is, or will be. Makes the folders around the cluster, not the cluster."""
    home = locate(data_dir, elsewhere)
    if home is None:
        home = data_dir if _can_enter(account, data_dir) else _elsewhere(data_dir, elsewhere)
    with files.writing(home):
        files.make_folder(elsewhere if home.parent == elsewhere else home, mode=0o755)
        files.make_folder(home, mode=0o711)
    if not _can_enter(account, home):
        raise Unreachable(
            f"The account {account.name}, which runs PostgreSQL, can't enter {home}.",
            way_out="Let it enter that folder and its parents (chmod o+x), or choose "
            "another folder with MINDHIT_DATA_DIR.",
        )
    return Layout(data_dir, home, socket_folder(home, account))


def remember(layout: Layout) -> None:
    """Writes down a home that is elsewhere. After the cluster is complete, so that a record
    without a cluster means a loss and not an interrupted beginning."""
    if layout.home != layout.data_dir and not layout.record.exists():
        with files.writing(layout.data_dir):
            files.write(layout.record, json.dumps({"home": str(layout.home)}) + "\n")


def socket_folder(home: Path, account: Account, name: str = "run") -> Path:
    """A folder for the socket that only the server's account (and root) may enter."""
    inside = home / name
    plain = _PLAIN.fullmatch(str(inside)) is not None
    if plain and len(os.fsencode(inside)) + len(_SOCKET) <= LONGEST_SOCKET:
        folder = inside
    else:
        folder = Path("/tmp") / f"mindhit-{os.geteuid()}-{_digest(inside)}"
    with files.writing(folder):
        files.make_folder(folder, mode=0o700, owner=account)
        _check_owner(folder, account)
    return folder


def _check_owner(folder: Path, account: Account) -> None:
    """Anybody can write to /tmp: a folder created by somebody else would give them our socket."""
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid not in (os.geteuid(), account.uid):
        raise SocketDirectoryTaken(
            f"{folder} does not belong to {account.name}: somebody else created it.",
            way_out=f"Find out who created it, then remove it (rm -r {folder}).",
        )
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        files.give(fd, folder, account)
        os.fchmod(fd, 0o700)
    finally:
        os.close(fd)


def _can_enter(account: Account, folder: Path) -> bool:
    return account.is_self or tools.can_enter(account, folder)


def _elsewhere(data_dir: Path, elsewhere: Path) -> Path:
    return elsewhere / _digest(data_dir)


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
