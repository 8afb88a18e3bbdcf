"""Run a program as another user, ending with its parent.

    python -I -S run_as.py PARENT_PID UID GID PROGRAM ARGUMENT…

Run as a script and never imported: between fork and exec of a threaded program hardly anything is
safe, but a new interpreter may do all of this. Everything is imported before the user changes,
because the new one may be unable to read the standard library (an interpreter in a 0700 home).

The order matters: the kernel clears the parent-death signal on every change of credentials, so it
is set after them; a parent that died before that is noticed by its pid.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, uid, gid = (int(word) for word in sys.argv[1:4])
    command = sys.argv[4:]
    prctl = _prctl()
    if uid != os.geteuid():
        os.setgroups([])
        os.setresgid(gid, gid, gid) if hasattr(os, "setresgid") else os.setgid(gid)
        os.setresuid(uid, uid, uid) if hasattr(os, "setresuid") else os.setuid(uid)
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, int(signal.SIGINT), 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the process that started this server is gone")
    try:
        os.execv(command[0], command)
    except OSError as error:
        sys.exit(f"can't run {command[0]}: {error.strerror}")


def _prctl() -> Callable[..., int] | None:
    """Linux only; elsewhere (or without ctypes) the next start finds and ends the orphan."""
    if not sys.platform.startswith("linux"):
        return None
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes  # noqa: PLC0415 - some Pythons are built without it

        prctl: Callable[..., int] = ctypes.CDLL(None).prctl
        return prctl
    return None


if __name__ == "__main__":
    main()
