"""Cleaning up after a server whose owner was killed. Only with the start lock held.

    postmaster.pid says …                     then
    nothing, or not a number                  truncated by a power cut: remove the file
    a postmaster of this cluster, alive       its owner was killed: shut it down, wait for it
      … and still its owner's child           somebody removed the lock file: busy after all
    another program, alive                    the pid was reused: remove the file
    a process that has ended                  leave it: PostgreSQL then looks in the file for the
                                              shared memory that old backends may still hold

A postmaster is recognised by its command line, not by /proc/PID/exe: root in a container without
CAP_SYS_PTRACE may not read the latter for another account's process.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from mindhit.db.embedded import tools
from mindhit.db.embedded.model import DataDirectoryBusy, Progress, ServerFailed

FAST_STOP_S = 30.0
HARD_STOP_S = 15.0
_NAMES = {"postgres", "postmaster"}


@dataclass(frozen=True, slots=True)
class PidFile:
    pid: int
    status: str


def read_pid_file(cluster: Path) -> PidFile | None:
    """None if it is missing or unreadable (being written, or truncated)."""
    try:
        lines = (cluster / "postmaster.pid").read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return None
    if not lines or not lines[0].strip().isdigit():
        return None
    return PidFile(int(lines[0]), lines[7].strip() if len(lines) > 7 else "")


def settle(cluster: Path, socket_dir: Path, progress: Progress, owner: int | None = None) -> None:
    """Afterwards no postmaster of this cluster runs, and none of its files blocks a new one.

    `owner` is the process that last said it runs the server.
    """
    path = cluster / "postmaster.pid"
    if path.exists():
        found = read_pid_file(cluster)
        if found is not None and is_postmaster_of(found.pid, cluster):
            if owner is not None and owner == _parent(found.pid):
                raise DataDirectoryBusy(cluster.parent, owner)
            progress(f"Shutting down an orphaned PostgreSQL (process {found.pid}).")
            end(found.pid, cluster)
        elif found is None or _is_alive(found.pid):
            path.unlink(missing_ok=True)
    for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
        (socket_dir / name).unlink(missing_ok=True)


def end(pid: int, cluster: Path) -> None:
    """A fast shutdown of a postmaster that is not our child; an immediate one if that hangs."""
    for number, patience_s in ((signal.SIGINT, FAST_STOP_S), (signal.SIGQUIT, HARD_STOP_S)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        except PermissionError:
            raise DataDirectoryBusy(cluster.parent, pid) from None
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            if not is_postmaster_of(pid, cluster):
                return
            time.sleep(0.05)
    raise ServerFailed(
        f"A previous PostgreSQL (process {pid}) of {cluster} does not stop.",
        way_out=f"Find out what it is waiting for (a stalled disk?), then end it: kill -QUIT {pid}.",
        pid=pid,
    )


def end_backends(cluster: Path) -> None:
    """Asks backends that outlived their postmaster to end: a busy one notices nothing by itself.

    They are known by their title and their working directory, the cluster. Where it may not be read
    (another account's process, without CAP_SYS_PTRACE) they are left to finish.
    """
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        pid = int(entry.parent.name)
        try:
            here = os.readlink(entry) == os.path.realpath(cluster)
            if here and "".join(_command_line(pid)[:1]).startswith("postgres: "):
                os.kill(pid, signal.SIGTERM)
        except OSError:
            continue


def is_postmaster_of(pid: int, cluster: Path) -> bool:
    words = _command_line(pid)
    if not words or os.path.basename(words[0]) not in _NAMES or "-D" not in words[:-1]:
        return False
    return os.path.realpath(words[words.index("-D") + 1]) == os.path.realpath(cluster)


def _command_line(pid: int) -> list[str]:
    try:
        if os.path.isdir("/proc/self"):
            # A zombie's is empty: it has ended, and holds nothing.
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).split("\0")[:-1]
    except OSError:
        return []
    # No /proc (macOS): one space parts the words, so a folder with one in its name is put together.
    said = tools.run(["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)]).stdout.strip()
    program, found, folder = said.partition(" -D ")
    return [program, "-D", folder] if found else said.split()


def _parent(pid: int) -> int | None:
    """An orphan's is init, or whoever collects orphans here: never the process that started it."""
    try:
        if os.path.isdir("/proc/self"):
            # The name in brackets may hold blanks and brackets; the state and the parent follow.
            return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
    said = tools.run(["/bin/ps", "-o", "ppid=", "-p", str(pid)]).stdout.strip()
    return int(said) if said.isdigit() else None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
