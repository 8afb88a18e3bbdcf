"""The start lock: one process at a time owns the server of a data directory.

This is how a second `mindhit up` notices the first (see also `cli/already_running.py`). It is a
flock: the kernel releases it when its holder ends, so it can't go stale and nobody ever has to
remove a file. The content of the file says who holds it. Child processes must be exec'ed
(subprocess does): one that is merely forked shares the lock and may keep it after its parent. A
holder killed while it starts a program leaves the lock with that child for the moment until the
program runs, so a lock whose holder is dead is waited for.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from pathlib import Path

from mindhit.db.embedded import files
from mindhit.db.embedded.model import DataDirectoryBusy, NotWritable

AFTER_DEATH_S = 5.0  # how long a dead holder's lock is waited for; it is free within milliseconds


class StartLock:
    """Held from `take` until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def take(self) -> None:
        """Raises DataDirectoryBusy, naming the holder, when another process has it."""
        with files.writing(self.path.parent):
            give_up_at = time.monotonic() + AFTER_DEATH_S
            while self._fd is None:
                try:
                    self._fd = self._try()
                except DataDirectoryBusy as busy:
                    if _is_running(busy.pid) or time.monotonic() > give_up_at:
                        raise
                    time.sleep(0.02)
        self.describe()

    def describe(self, url: str = "") -> None:
        """Write what others are told: our pid and MindHit's address."""
        if self._fd is not None:
            text = f"{os.getpid()}\n{url}\n".encode()
            os.ftruncate(self._fd, 0)
            # Fails on a full disk; the lock holds without it.
            with contextlib.suppress(OSError):
                os.pwrite(self._fd, text, 0)

    def release(self) -> None:
        if self._fd is not None:
            os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = None

    def _try(self) -> int | None:
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            files.give(fd, self.path.parent)
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if self._is_named(fd):
                return fd
        except BlockingIOError:
            pid, url = holder(fd)
            os.close(fd)
            raise DataDirectoryBusy(self.path.parent, pid, url) from None
        except OSError as error:
            os.close(fd)
            raise self._no_locks(error) from error
        # The file was removed between opening and locking it: try again with the new one.
        os.close(fd)
        return None

    def _is_named(self, fd: int) -> bool:
        try:
            named = self.path.stat()
        except FileNotFoundError:
            return False
        held = os.fstat(fd)
        return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)

    def _no_locks(self, error: OSError) -> OSError | NotWritable:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):
            return error
        return NotWritable(
            f"The file system of {self.path.parent} does not support locks, which a database needs.",
            way_out="Choose a folder on a local disk with MINDHIT_DATA_DIR.",
        )


def _is_running(pid: int | None) -> bool:
    """Without a pid the holder has just taken the lock, or is about to release it."""
    if pid is None:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's, and alive
    return True


def holder(fd: int) -> tuple[int | None, str | None]:
    """Pid and address of the holder, if it has written them yet."""
    words = os.pread(fd, 4096, 0).decode("utf-8", "replace").split("\n")
    pid = int(words[0]) if words[0].isdigit() else None
    return pid, words[1] if len(words) > 1 and words[1] else None
