"""A PostgreSQL of our own: found, started, watched, stopped, backed up and upgraded.

`Server` owns one (the supervisor); `running` gives a command a server, the running one or its own;
`external` wraps MINDHIT_DATABASE_URL. `backup`, `restore` and `upgrade` work on what these give.

What it promises
- One owner per data directory, under a lock that dies with its process.
- What was committed survives the kill of any process; a half-made cluster is never used.
- Everyone needs a password; the server listens on a socket that only its account and root reach.
- It never runs as root, never changes the permissions of folders it did not make, and never swaps
  an existing database for an empty one.
- Whatever goes wrong is a sentence with a way out (`way_out`).

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
