"""The cluster on disk: creating it, and the checks before a server may run on it.

A cluster appears under its name complete, with its roles, database and pg_hba.conf, or not at all:
it is built in a folder with a new random name and renamed. If that is killed, the next start removes
the folder; the name is new each time, because an orphaned initdb may still be writing to the old one.

There is never a moment without passwords: initdb is told to reject everyone, the passwords are set
in single-user mode before the server listens, and then pg_hba.conf requires them.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from mindhit.db.embedded import files, memory, program_copies, tools
from mindhit.db.embedded.model import (
    Account,
    Installation,
    Progress,
    ServerFailed,
    WrongMajor,
    silent,
)

ADMIN = "postgres"
ROLE = "mindhit"
DATABASE = "mindhit"
MIN_FREE_BYTES = 200 * 2**20
_BUILDING = "postgres.building-"
_HBA = """\
# Written by MindHit. A password for everyone, over the socket and over the network.
local all all scram-sha-256
host  all all 127.0.0.1/32 scram-sha-256
host  all all ::1/128 scram-sha-256
"""
_SETTINGS = """\
# Written by MindHit at every start. Your own settings go into postgresql.conf below the line that
# includes this file.
listen_addresses = ''
port = 5432
unix_socket_directories = '{socket_dir}'
unix_socket_permissions = 0700
password_encryption = 'scram-sha-256'
max_connections = 100
shared_buffers = {shared_buffers}MB
work_mem = 8MB
maintenance_work_mem = 64MB
wal_compression = on
random_page_cost = 1.1
jit = off
fsync = on
full_page_writes = on
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
log_destination = 'stderr'
logging_collector = off
log_line_prefix = '%m [%p] '
log_checkpoints = off
"""
_log = logging.getLogger(__name__)

Passwords = dict[str, str]
FreeBytes = Callable[[Path], int]


def check_space(folder: Path, needed: int, free_bytes: FreeBytes = files.free_bytes) -> None:
    free = free_bytes(folder)
    if free < needed:
        raise files.no_space(folder, free, needed)


def major_of(cluster: Path) -> int:
    try:
        return int((cluster / "PG_VERSION").read_text("utf-8").strip())
    except ValueError:
        raise ServerFailed(
            f"{cluster / 'PG_VERSION'} does not say which PostgreSQL made this database.",
            way_out="The folder is damaged: restore it from a copy, or move it away and restore "
            "a backup (`mindhit db restore FILE`).",
        ) from None


def check_major(cluster: Path, installation: Installation) -> None:
    made_by = major_of(cluster)
    if made_by == installation.major:
        return
    newer = made_by > installation.major
    raise WrongMajor(
        f"The database was made by PostgreSQL {made_by}, and this is PostgreSQL "
        f"{installation.major} ({installation.origin}).",
        way_out=f"Install PostgreSQL {made_by} or newer again: a database can't be downgraded."
        if newer
        else "Run `mindhit db upgrade`: it copies the data over and keeps the old database.",
        made_by=made_by,
        installed=installation.major,
    )


def create(
    installation: Installation,
    account: Account,
    target: Path,
    passwords: Passwords,
    progress: Progress = silent,
) -> None:
    """Takes about 3 s, most of it initdb; `target` must not exist."""
    progress("Creating the database. This happens once and takes a few seconds.")
    home = target.parent
    with files.writing(home):
        fresh = home / (_BUILDING + secrets.token_hex(4))
        files.make_folder(fresh, mode=0o700, owner=account)
        try:
            _initdb(installation, account, fresh)
            _write_rules(installation, account, fresh)
            _make_roles(installation, account, fresh, passwords)
            fresh.rename(target)
            files.sync_folder(home)
        finally:
            files.remove_tree(fresh)


def remove_unfinished(home: Path) -> None:
    """Remove incomplete clusters and copies of the programs. Under the start lock."""
    for leftover in (*home.glob(_BUILDING + "*"), *program_copies.unfinished(home)):
        files.remove_tree(leftover)


def configure(cluster: Path, account: Account, socket_dir: Path) -> None:
    settings = _SETTINGS.format(
        socket_dir=socket_dir, shared_buffers=memory.shared_buffers() // memory.MB
    )
    files.write(cluster / "mindhit.conf", settings, owner=account)


def origin_of(cluster: Path) -> dict[str, object]:
    try:
        known = json.loads((cluster / "origin.json").read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def note_origin(
    cluster: Path, account: Account, installation: Installation, progress: Progress
) -> None:
    """Record which programs run it, and warn if they come from another source."""
    known = origin_of(cluster)
    last = str(known.get("last_run_by", ""))
    if last == installation.origin:
        return
    if last.partition(" ")[0] not in ("", installation.origin.partition(" ")[0]):
        said = f"The database was last run by {last}; now it is {installation.origin}."
        _log.warning(said)
        progress(said)
    known |= {"last_run_by": installation.origin, "version": installation.version}
    files.write(cluster / "origin.json", json.dumps(known, indent=2) + "\n", owner=account)


def ensure_passwords(
    path: Path, cluster: Path, installation: Installation, account: Account
) -> Passwords:
    """The stored ones. If the file is lost, new ones are set."""
    try:
        known = json.loads(path.read_text("utf-8"))
        return {role: str(known[role]) for role in (ADMIN, ROLE)}
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        pass
    passwords = {role: secrets.token_urlsafe(24) for role in (ADMIN, ROLE)}
    if cluster.exists():
        _log.warning("%s was missing or damaged; new passwords were set.", path)
        changes = [f"ALTER ROLE {role} PASSWORD '{word}'" for role, word in passwords.items()]
        _single_user(installation, account, cluster, changes)
    with files.writing(path.parent):
        files.write(path, json.dumps(passwords) + "\n")
    return passwords


def _initdb(installation: Installation, account: Account, fresh: Path) -> None:
    said = ""
    for locale in _locales(installation.major):
        done = tools.run(
            tools.as_account(
                account,
                installation.program("initdb"),
                *("-D", str(fresh), "-U", ADMIN, "-A", "reject", "-E", "UTF8", *locale),
                *("--data-checksums", "--no-instructions"),
            )
        )
        if done.returncode == 0:
            return
        said = done.stderr
        if "locale" not in said:
            break
    if "No space left on device" in said:
        raise files.no_space(fresh.parent)
    raise ServerFailed(
        f"Creating the database failed: {said.strip()}",
        way_out="See the reason above; nothing was created.",
    )


def _locales(major: int) -> list[list[str]]:
    """C.UTF-8 sorts by code point, the same everywhere, and classifies letters correctly.

    The builtin provider's order cannot change with the C library. The C library's own C.UTF-8 is
    asked for as well (pg_trgm reads letters through it), and is missing on some systems.
    """
    if major >= 17:
        builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        return [[*builtin, f"--locale={name}"] for name in ("C.UTF-8", "C")]
    return [["--locale=C.UTF-8"], ["--locale=C"]]


def _write_rules(installation: Installation, account: Account, fresh: Path) -> None:
    files.write(fresh / "pg_hba.conf", _HBA, owner=account)
    config = (fresh / "postgresql.conf").read_text("utf-8")
    config += "\ninclude_if_exists = 'mindhit.conf'\n"
    files.write(fresh / "postgresql.conf", config, owner=account)
    origin = {
        "origin": installation.origin,
        "major": installation.major,
        "version": installation.version,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "last_run_by": installation.origin,
    }
    files.write(fresh / "origin.json", json.dumps(origin, indent=2) + "\n", owner=account)


def _make_roles(
    installation: Installation, account: Account, fresh: Path, passwords: Passwords
) -> None:
    """MindHit's role is not a superuser: it owns its database and may create others."""
    statements = [
        f"ALTER ROLE {ADMIN} PASSWORD '{passwords[ADMIN]}'",
        f"CREATE ROLE {ROLE} LOGIN CREATEDB PASSWORD '{passwords[ROLE]}'",
        f"GRANT pg_monitor TO {ROLE}",
        f"CREATE DATABASE {DATABASE} OWNER {ROLE}",
    ]
    _single_user(installation, account, fresh, statements)


def _single_user(
    installation: Installation, account: Account, cluster: Path, statements: list[str]
) -> None:
    """Statements from stdin, so that passwords don't show up in the process list."""
    command = ("--single", "-D", str(cluster), "-c", "log_checkpoints=off", ADMIN)
    done = tools.run(
        tools.as_account(account, installation.program("postgres"), *command),
        stdin="".join(f"{statement}\n" for statement in statements),
    )
    failed = [line for line in done.stderr.splitlines() if _is_error(line)]
    if done.returncode or failed:
        said = "\n".join(failed) or done.stderr.strip()
        if "No space left on device" in said:
            raise files.no_space(cluster.parent)
        raise ServerFailed(
            f"Setting up the database failed: {said}",
            way_out="See the reason above; nothing was changed.",
        )


def _is_error(line: str) -> bool:
    return any(f"{level}:  " in line for level in ("ERROR", "FATAL", "PANIC"))


def adopt(cluster: Path, account: Account) -> None:
    """A cluster that root copied belongs to root, which PostgreSQL refuses: change its owner."""
    if os.geteuid() == 0 and cluster.stat().st_uid == 0:
        files.give_tree(cluster, account)
