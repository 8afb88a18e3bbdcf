"""One PostgreSQL server process on one cluster, from exec to exit.

The process is a direct child (`run_as.py` execs it), so the supervisor can watch it, and on Linux it
shuts down cleanly by itself when the thread that started it ends: hence only from the main thread.
Its output goes to a log file opened here, so that the server's account needs no access to it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from mindhit.db.embedded import files, stale_server, tools
from mindhit.db.embedded.model import Account, Installation, Progress, ServerFailed, silent
from mindhit.errors import Broken, MindHitError

READY_S = 600.0  # crash recovery replays at most about max_wal_size (1 GB): minutes on a slow disk
BACKENDS_GONE_S = 30.0
LOG_BYTES = 10 * 2**20
LOG_KEPT = 3
_STILL_IN_USE = "is still in use"


class Postmaster:
    def __init__(
        self, installation: Installation, cluster: Path, account: Account, log: Path
    ) -> None:
        self.installation = installation
        self.cluster = cluster
        self.account = account
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self._log_from = 0

    def start(self, progress: Progress = silent, ready_s: float = READY_S) -> None:
        """Returns when the server takes connections; raises with the log's last lines if not."""
        if threading.current_thread() is not threading.main_thread():
            raise Broken(
                "PostgreSQL must be started from the main thread.",
                way_out="The server ends with the thread that started it.",
            )
        rotate(self.log)
        deadline = time.monotonic() + BACKENDS_GONE_S
        while True:
            self._spawn()
            try:
                self._await_ready(progress, ready_s)
            except ServerFailed:
                # The postmaster was killed and a backend is still finishing its statement.
                if _STILL_IN_USE not in self._said() or time.monotonic() > deadline:
                    raise
                progress("Waiting for connections of the previous PostgreSQL to end.")
                stale_server.end_backends(self.cluster)
                time.sleep(0.5)
            except BaseException:
                self.stop()
                raise
            else:
                return

    def poll(self) -> int | None:
        """None while it runs."""
        return None if self.process is None else self.process.poll()

    def stop(self) -> None:
        """Open transactions are rolled back, everything committed is on disk."""
        if self.process is None:
            return
        steps: tuple[tuple[Callable[[], None], float], ...] = (
            (lambda: self._signal(signal.SIGINT), stale_server.FAST_STOP_S),
            (lambda: self._signal(signal.SIGQUIT), stale_server.HARD_STOP_S),
            (lambda: self._signal(signal.SIGKILL), stale_server.HARD_STOP_S),
        )
        for act, patience_s in steps:
            act()
            try:
                self.process.wait(patience_s)
            except subprocess.TimeoutExpired:
                continue
            break
        self.process = None

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def _spawn(self) -> None:
        with files.writing(self.log.parent):
            output = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            files.give(output, self.log.parent)
            self._log_from = os.fstat(output).st_size
            postgres = self.installation.program("postgres")
            self.process = subprocess.Popen(
                tools.as_account(self.account, postgres, "-D", str(self.cluster)),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                env=tools.environment(),
                # Ctrl-C in a terminal is for MindHit, which stops the database last.
                start_new_session=True,
            )
        finally:
            os.close(output)

    def _await_ready(self, progress: Progress, ready_s: float) -> None:
        assert self.process is not None
        began = time.monotonic()
        told = began
        while True:
            found = stale_server.read_pid_file(self.cluster)
            if found is not None and found.pid == self.process.pid and found.status == "ready":
                return
            if self.process.poll() is not None:
                raise self._failure()
            now = time.monotonic()
            if now - began > ready_s:
                raise self._too_slow(ready_s)
            if now - told > 3:
                told = now
                progress(f"PostgreSQL is recovering its data ({now - began:.0f} s so far).")
            time.sleep(0.02 if now - began < 3 else 0.2)

    def _said(self) -> str:
        with open(self.log, "rb") as log:
            log.seek(self._log_from)
            return log.read(200_000).decode("utf-8", "replace")

    def _too_slow(self, ready_s: float) -> MindHitError:
        return ServerFailed(
            f"PostgreSQL was not ready after {ready_s:.0f} s.",
            way_out=f"See {self.log}; start again to continue the recovery.",
            log=str(self.log),
        )

    def _failure(self) -> MindHitError:
        said = self._said()
        if "No space left on device" in said:
            return files.no_space(self.cluster)
        last = "\n".join(said.strip().splitlines()[-12:])
        return ServerFailed(
            f"PostgreSQL did not start. The last lines of {self.log}:\n{last}",
            way_out=_advice(said, self.log),
            log=str(self.log),
        )


def rotate(log: Path) -> None:
    """At start, so that a log never grows over more than one run past its limit."""
    with files.writing(log.parent):
        if not log.exists() or log.stat().st_size < LOG_BYTES:
            return
        for number in range(LOG_KEPT, 0, -1):
            older = log.with_name(f"{log.name}.{number}")
            newer = log if number == 1 else log.with_name(f"{log.name}.{number - 1}")
            if newer.exists():
                newer.replace(older)


def _advice(said: str, log: Path) -> str:
    if _STILL_IN_USE in said:
        return (
            "A connection of the previous PostgreSQL is still active. Wait a minute and try again."
        )
    if "shared memory" in said or "could not map" in said or "Cannot allocate memory" in said:
        return "There is not enough memory. Stop other programs, or give the machine more."
    if "could not locate a valid checkpoint" in said or "invalid checkpoint" in said:
        return "The data is damaged. Restore your last backup (`mindhit db restore FILE`)."
    if "incompatible with server" in said:
        return (
            "Use the PostgreSQL that created it (see origin.json in the cluster). If this is that one, "
            "the data is damaged: restore your last backup."
        )
    if "Permission denied" in said:
        return "Give the folder named above to the account that runs PostgreSQL (chown)."
    return (
        f"See {log}. If the data is damaged, restore your last backup (`mindhit db restore FILE`)."
    )
