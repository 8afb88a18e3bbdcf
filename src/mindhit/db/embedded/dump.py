"""Backup and restore of one database, ours or any other that a URL names.

A backup is one file in pg_dump's custom format; under its name it is complete or absent. A restore
fills a new database and swaps the names in one transaction at the end; until then, and if anything
fails, the old one is untouched.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import subprocess
import time
from pathlib import Path

from mindhit.db.embedded import files, tools
from mindhit.db.embedded.model import (
    Access,
    BackupFailed,
    FileExists,
    Progress,
    RestoreFailed,
    ServerNewer,
    silent,
)
from mindhit.errors import MindHitError

SWAP_S = 60.0
_OTHER_FILE = "write the file elsewhere"
# pg_restore 17 and newer set it without asking, and servers before 17 do not know it.
_UNKNOWN_BEFORE_17 = "transaction_timeout"


def backup(
    access: Access, file: Path, *, overwrite: bool = False, progress: Progress = silent
) -> None:
    """Raises FileExists before any work, unless told to overwrite."""
    file = file.expanduser().absolute()
    if file.exists() and not overwrite:
        raise _taken(file)
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    progress("Writing the backup.")
    try:
        dump(access, fresh)
        with files.writing(file.parent, _OTHER_FILE):
            _put(fresh, file, overwrite=overwrite)
    finally:
        fresh.unlink(missing_ok=True)


def restore(access: Access, file: Path, *, progress: Progress = silent) -> None:
    """Connections to the database are cut when the restored one takes its place."""
    file = file.expanduser().absolute()
    check(access, file)
    name = tools.database_of(access.url)
    beside = f"{name}_restoring"
    fresh = Access(tools.with_database(access.url, beside), access.installation)
    maintenance = Access(tools.with_database(access.url, "postgres"), access.installation)
    progress("Restoring into a new database.")
    _make_database(maintenance, beside)
    try:
        load(fresh, file, keep_owners=False)
        tools.query(fresh, "ANALYZE;")
        progress("Putting the restored database in place.")
        _swap(maintenance, name, beside)
    except tools.SqlFailed as error:
        raise _not_restored(error.message) from error
    finally:
        _drop(maintenance, beside)


def dump(access: Access, file: Path) -> None:
    """pg_dump into `file`, which only its owner may read; on disk when this returns."""
    with files.writing(file.parent, _OTHER_FILE):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    done = tools.client(access, "pg_dump", "--format=custom", f"--file={file}")
    if done.returncode:
        raise _dump_failure(done.stderr, access, file)
    with open(file, "rb") as written:
        os.fsync(written.fileno())


def check(access: Access, file: Path) -> None:
    """Whether this is a backup that these programs can read, at least its table of contents."""
    if not file.is_file():
        raise RestoreFailed(
            f"There is no file {file}.", way_out="Check the name. Nothing was changed."
        )
    done = tools.run([str(access.installation.program("pg_restore")), "--list", str(file)])
    if done.returncode == 0:
        return
    if "unsupported version" in done.stderr:
        raise ServerNewer(
            f"{file} was made by a newer PostgreSQL than {access.installation.version}.",
            way_out="Update MindHit (or PostgreSQL on this machine) first.",
        )
    raise RestoreFailed(
        f"{file} is not a readable backup: {_reason(done.stderr)}",
        way_out="Use a complete file written by `mindhit db backup`. Nothing was changed.",
    )


def load(access: Access, file: Path, *, keep_owners: bool) -> None:
    """pg_restore into the access' database, which must be empty. Any error is an error."""
    owners = () if keep_owners else ("--no-owner", "--no-privileges")
    tolerant = access.installation.major >= 17 and _server_major(access) < 17
    strict = () if tolerant else ("--exit-on-error",)
    done = tools.client(access, "pg_restore", *owners, *strict, str(file))
    if done.returncode and not (tolerant and _is_harmless(done.stderr)):
        raise _not_restored(_reason(done.stderr), done.stderr)


def _is_harmless(said: str) -> bool:
    """Whether the one setting that the old server does not know was all that went wrong."""
    errors = re.findall(r"^pg_restore: error: .*", said, re.MULTILINE)
    return bool(errors) and all(_UNKNOWN_BEFORE_17 in error for error in errors)


def _server_major(access: Access) -> int:
    return int(tools.query(access, "SHOW server_version_num;")[0][0]) // 10000


def _put(fresh: Path, file: Path, *, overwrite: bool) -> None:
    if overwrite:
        os.replace(fresh, file)
    else:
        try:
            # Unlike a rename, a link does not replace a file that appeared in the meantime.
            os.link(fresh, file)
        except FileExistsError:
            raise _taken(file) from None
        except OSError:
            os.rename(fresh, file)
    files.sync_folder(file.parent)


def _make_database(maintenance: Access, name: str) -> None:
    quoted = tools.identifier(name)
    try:
        # Drops what an interrupted restore left; fails if another restore is filling it now.
        tools.query(maintenance, f"DROP DATABASE IF EXISTS {quoted};")
        tools.query(maintenance, f"CREATE DATABASE {quoted} TEMPLATE template0 ENCODING 'UTF8';")
    except tools.SqlFailed as error:
        if "being accessed by other users" in error.message:
            raise RestoreFailed(
                "Another restore is running.", way_out="Wait until it has finished."
            ) from error
        if "permission denied to create database" in error.message:
            raise RestoreFailed(
                "The role in the database URL may not create databases, which a restore needs.",
                way_out="Allow it temporarily: ALTER ROLE … CREATEDB, as the server's superuser.",
            ) from error
        raise _not_restored(error.message) from error


def _swap(maintenance: Access, name: str, beside: str) -> None:
    """Both renames or none. Afterwards `beside` is the old database.

    The rename first locks the name against new connections, then waits 5 s for the present ones to
    go. So they are ended while it waits: ended before, a pool would be back in between.
    """
    live, new, old = (tools.identifier(each) for each in (name, beside, f"{name}_replaced"))
    exchange = (
        f"BEGIN; ALTER DATABASE {live} RENAME TO {old}; ALTER DATABASE {new} RENAME TO {live}; "
        f"ALTER DATABASE {old} RENAME TO {new}; COMMIT;"
    )
    end_others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "  # noqa: S608 - a quoted literal
        f"WHERE datname = {tools.literal(name)} AND backend_type = 'client backend';"
    )
    deadline = time.monotonic() + SWAP_S
    while True:
        renaming = _begin(maintenance, exchange)
        while renaming.poll() is None:
            tools.query(maintenance, end_others)
            with contextlib.suppress(subprocess.TimeoutExpired):
                renaming.wait(0.1)
        said = renaming.stderr.read() if renaming.stderr else ""
        if renaming.stderr:
            renaming.stderr.close()
        if renaming.returncode == 0:
            return
        if "being accessed by other users" not in said or time.monotonic() > deadline:
            raise tools.SqlFailed(said.strip())


def _begin(access: Access, sql: str) -> subprocess.Popen[str]:
    shown, secret = tools.without_password(access.url)
    program = str(access.installation.program("psql"))
    return subprocess.Popen(
        [program, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, f"--dbname={shown}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        env=tools.environment({"PGCLIENTENCODING": "UTF8", **secret}),
        start_new_session=True,
    )


def _drop(maintenance: Access, name: str) -> None:
    with contextlib.suppress(tools.SqlFailed):
        tools.query(maintenance, f"DROP DATABASE IF EXISTS {tools.identifier(name)} WITH (FORCE);")


def _reason(said: str) -> str:
    lines = [line for line in said.splitlines() if "error" in line.lower()] or said.splitlines()
    return lines[0].strip() if lines else "no reason was given"


def _taken(file: Path) -> FileExists:
    return FileExists(
        f"{file} already exists.",
        way_out="Choose another name, or pass --overwrite.",
    )


def _not_restored(reason: str, said: str = "") -> MindHitError:
    full = "No space left on device" in said or "No space left on device" in reason
    return RestoreFailed(
        f"The backup could not be restored: {reason}",
        way_out="Your data is unchanged. "
        + ("Free some disk space and try again." if full else "See the reason above."),
    )


def _dump_failure(said: str, access: Access, file: Path) -> MindHitError:
    if "server version mismatch" in said:
        versions = re.search(r"server version: (\S+?);", said)
        return ServerNewer(
            f"The server is PostgreSQL {versions[1] if versions else 'of a newer major'}, and the "
            f"programs here are {access.installation.version}, which can't read it.",
            way_out="Install PostgreSQL's client programs of the server's major version or newer.",
        )
    if "No space left on device" in said:
        return files.no_space(file.parent, elsewhere=_OTHER_FILE)
    return BackupFailed(
        f"The backup failed: {_reason(said)}",
        way_out="See the reason above; no file was written.",
    )
