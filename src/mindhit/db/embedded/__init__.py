"""A PostgreSQL of our own: found, started, watched, stopped, backed up and upgraded.

`Server` owns one (the supervisor); `running` gives a command the running server or its own;
`external` wraps MINDHIT_DATABASE_URL. `backup`, `restore` and `upgrade` work on what these give.

What it promises
- One owner per data directory, by a lock that ends with its process (`start_lock.py`).
- Committed data survives the kill of any process; an incomplete cluster is never used.
- Every connection needs a password; the server listens on a socket that only its account and root
  can reach.
- It never runs as root, never changes the permissions of folders it did not make, and never swaps
  an existing database for an empty one.
- Every error is a sentence with a hint (`way_out`).

Synchronous, standard library only; call it from the main thread.
"""

from mindhit.db.embedded.binaries import find, find_major
from mindhit.db.embedded.dump import backup, restore
from mindhit.db.embedded.model import (
    Access,
    BackupFailed,
    ClusterMissing,
    DataDirectoryBusy,
    FileExists,
    Installation,
    NoAccount,
    NoBinaries,
    NoSpace,
    NotWritable,
    RestoreFailed,
    ServerFailed,
    ServerNewer,
    SocketDirectoryTaken,
    Unreachable,
    UpgradeFailed,
    WrongMajor,
    WrongOwner,
    WrongPassword,
)
from mindhit.db.embedded.server import Server, attach, external, running
from mindhit.db.embedded.status import Status, check, status
from mindhit.db.embedded.upgrade import Upgraded, upgrade

__all__ = [
    "Access",
    "BackupFailed",
    "ClusterMissing",
    "DataDirectoryBusy",
    "FileExists",
    "Installation",
    "NoAccount",
    "NoBinaries",
    "NoSpace",
    "NotWritable",
    "RestoreFailed",
    "Server",
    "ServerFailed",
    "ServerNewer",
    "SocketDirectoryTaken",
    "Status",
    "Unreachable",
    "UpgradeFailed",
    "Upgraded",
    "WrongMajor",
    "WrongOwner",
    "WrongPassword",
    "attach",
    "backup",
    "check",
    "external",
    "find",
    "find_major",
    "restore",
    "running",
    "status",
    "upgrade",
]
