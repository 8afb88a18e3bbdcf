"""Writing small files and folders so that neither a power cut nor another user can corrupt them.

A file appears under its name complete or not at all. As root, what we make in a folder belongs to
that folder's owner, so that one `sudo` does not lock an ordinary user out of their own data; and
because a folder may belong to a less trusted account, nothing is ever written through a link that
is found there: a new file is made exclusively and renamed over the old name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mindhit.db.embedded.model import Account, NoSpace, NotWritable
from mindhit.errors import MindHitError

ELSEWHERE = "choose another folder with MINDHIT_DATA_DIR"
_UNWRITABLE = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}
_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def writing(folder: Path, elsewhere: str = ELSEWHERE) -> Iterator[None]:
    """Translate errors about a folder into a sentence with a hint."""
    try:
        yield
    except OSError as error:
        translated = in_our_words(error, folder, elsewhere)
        if translated is None:
            raise
        raise translated from error


def in_our_words(error: OSError, folder: Path, elsewhere: str = ELSEWHERE) -> MindHitError | None:
    if error.errno in _FULL:
        return no_space(folder, elsewhere=elsewhere)
    if error.errno in _UNWRITABLE:
        return NotWritable(
            f"MindHit can't write to {folder}: {os.strerror(error.errno or 0).lower()}.",
            way_out=f"Make it writable for the account that runs MindHit, or {elsewhere}.",
            path=str(folder),
        )
    return None


def no_space(
    folder: Path,
    free_bytes: int | None = None,
    needed: int | None = None,
    elsewhere: str = ELSEWHERE,
) -> NoSpace:
    numbers = ""
    if free_bytes is not None and needed is not None:
        numbers = f": {free_bytes // 2**20} MB free, {-(-needed // 2**20)} MB needed"
    return NoSpace(
        f"Not enough disk space for {folder}{numbers}.",
        way_out=f"Free some space there, or {elsewhere}. No data was lost.",
        path=str(folder),
        free_bytes=free_bytes,
        needed_bytes=needed,
    )


def write(path: Path, text: str, *, owner: Account | None = None, mode: int = 0o600) -> None:
    """Complete or not at all, on disk when this returns. Belongs to `owner`, else the folder's."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    try:
        with open(fd, "w", encoding="utf-8") as file:
            give(file.fileno(), path.parent, owner)
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def give(fd: int, folder: Path, owner: Account | None = None) -> None:
    """As root, hands an open file to `owner` or to the owner of its folder."""
    if os.geteuid() != 0:
        return
    if owner is not None:
        os.fchown(fd, owner.uid, owner.gid)
    else:
        about = folder.stat()
        os.fchown(fd, about.st_uid, about.st_gid)


def make_folder(path: Path, *, mode: int, owner: Account | None = None) -> bool:
    """True if it was made now; an existing folder keeps its mode and owner."""
    if path.is_dir():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        if path.is_dir():
            return False
        raise
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(fd, mode)
        if owner is not None:
            give(fd, path.parent, owner)
    finally:
        os.close(fd)
    return True


def give_tree(root: Path, owner: Account) -> None:
    """Hands a whole tree over, links themselves and not what they point to."""
    for _folder, _folders, names, fd in os.fwalk(root):
        os.fchown(fd, owner.uid, owner.gid)
        for name in names:
            os.chown(name, owner.uid, owner.gid, dir_fd=fd, follow_symlinks=False)


def remove_tree(root: Path) -> None:
    """As far as it goes: what is still being written by a dying process goes next time."""
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(root, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Makes a rename survive a power cut; file systems that cannot do it say EINVAL."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def free_bytes(folder: Path) -> int:
    """What an ordinary user may still write on the disk of this folder."""
    return shutil.disk_usage(folder).free
