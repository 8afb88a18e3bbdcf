"""The launcher's types (installation, account, access) and errors.

    Refused
    ├─ finding it      NoBinaries, NoAccount
    ├─ the folder      NotWritable, NoSpace, Unreachable, WrongOwner, SocketDirectoryTaken
    ├─ the cluster     DataDirectoryBusy, WrongMajor, ClusterMissing, WrongPassword
    ├─ the server      ServerFailed
    └─ backups         BackupFailed, FileExists, RestoreFailed, ServerNewer, UpgradeFailed

Each has a `way_out`: a sentence that says what to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mindhit.errors import Refused

Progress = Callable[[str], None]


def silent(_message: str) -> None:
    """Ignores progress."""


@dataclass(frozen=True, slots=True)
class Installation:
    """One set of PostgreSQL programs."""

    bin: Path
    major: int
    version: str
    origin: str

    def program(self, name: str) -> Path:
        return self.bin / name


@dataclass(frozen=True, slots=True)
class Account:
    """The operating system account the server runs as."""

    uid: int
    gid: int
    name: str

    @property
    def is_self(self) -> bool:
        return self.uid == os.geteuid()


@dataclass(frozen=True, slots=True)
class Access:
    """A server that answers: its URL, and the programs that fit it.

    `owned` says whether this process started it (and will stop it).
    """

    url: str
    installation: Installation
    owned: bool = False


class NoBinaries(Refused):
    """No PostgreSQL programs that MindHit can use were found."""


class NoAccount(Refused):
    """PostgreSQL can't run as root, and there is no other account to run it as."""


class NotWritable(Refused):
    """MindHit can't write to its data directory."""


class NoSpace(Refused):
    """The disk is full."""


class Unreachable(Refused):
    """The account that runs PostgreSQL can't enter the database's folder."""


class WrongOwner(Refused):
    """The database belongs to another account."""


class SocketDirectoryTaken(Refused):
    """The folder for the database's socket belongs to somebody else."""


class DataDirectoryBusy(Refused):
    """MindHit is already running on this data directory."""

    def __init__(self, data_dir: Path, pid: int | None = None, url: str | None = None) -> None:
        known = [part for part in (f"process {pid}" if pid else "", url or "") if part]
        super().__init__(
            f"MindHit is already running on {data_dir}"
            + (f" ({', '.join(known)})." if known else "."),
            way_out="Use it, or stop it first"
            + (f" (kill {pid})" if pid else "")
            + ", or choose another folder with MINDHIT_DATA_DIR.",
            data_dir=str(data_dir),
            pid=pid,
            url=url,
        )
        self.pid = pid
        self.url = url


class WrongMajor(Refused):
    """The database was created by another major version of PostgreSQL."""


class ClusterMissing(Refused):
    """The database that this data directory points to is missing."""


class WrongPassword(Refused):
    """The database does not accept the password in the data directory."""


class ServerFailed(Refused):
    """PostgreSQL did not start."""


class BackupFailed(Refused):
    """The backup failed."""


class FileExists(Refused):
    """The file already exists."""


class RestoreFailed(Refused):
    """The backup could not be restored; your data is unchanged."""


class ServerNewer(Refused):
    """The server is newer than the PostgreSQL programs on this machine."""


class UpgradeFailed(Refused):
    """The database was not upgraded; the old one is in place and complete."""
