"""Keeps the processes of `mindhit up` running, restarts them, and stops them in order.

Everything happens in the main thread: PostgreSQL's parent-death signal is tied to the thread that
started it. Processes are polled five times a second, which costs nothing and needs no signals.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Final

from mindhit import log
from mindhit.db.embedded import Server
from mindhit.errors import MindHitError

_log = log.get(__name__)
POLL_S: Final = 0.2
START_S: Final = 60.0  # until the product answers
STOP_S: Final = 30.0  # until a child is killed
# A process that dies is restarted after 0.5 s, 1 s, 2 s, … up to 30 s.
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
STEADY_S: Final = 60.0  # after living this long, pauses start from the first again
MOST_EARLY_DEATHS: Final = 5  # in a row, before the product was ready: the start is given up


class Child:
    """One supervised process of ours."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self.deaths = 0
        self._command = [sys.executable, "-m", "mindhit.cli", *command]
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._not_before = 0.0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        # A process group of its own: Ctrl-C goes to the supervisor, which stops the others in order.
        self._process = subprocess.Popen(
            self._command, env=self._environment, stdin=subprocess.DEVNULL, start_new_session=True
        )
        self._began = time.monotonic()
        _log.info("started", process=self.name, pid=self._process.pid)

    def check(self) -> None:
        """Log a death with its reason, and restart after the pause."""
        now = time.monotonic()
        if self._process is not None and (code := self._process.poll()) is not None:
            self.deaths = 1 if now - self._began > STEADY_S else self.deaths + 1
            pause = min(FIRST_PAUSE_S * 2 ** (self.deaths - 1), LONGEST_PAUSE_S)
            self._not_before = now + pause
            self._process = None
            _log.error(
                "process died; restarting",
                process=self.name,
                reason=reason(code),
                deaths=self.deaths,
                pause_s=pause,
            )
        if self._process is None and now >= self._not_before:
            self.start()

    def ask_to_stop(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def await_end(self, deadline: float) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            _log.error("process did not stop in time; killing it", process=self.name)
            self._process.kill()
            self._process.wait()
        self._process = None


def reason(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


class Supervisor:
    def __init__(self, database: Server | None) -> None:
        self._database = database
        self._children: list[Child] = []
        self._asked: signal.Signals | None = None
        self._pause_until = 0.0
        self._database_deaths = 0
        self.gave_up: str | None = None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    @property
    def is_asked_to_stop(self) -> bool:
        return self._asked is not None

    def start_database(self) -> str:
        assert self._database is not None
        return self._database.start().url

    def add(self, child: Child) -> None:
        child.start()
        self._children.append(child)

    def started(self, url: str) -> bool:
        """Wait until the product answers; False if it was stopped or failed to start."""
        deadline = time.monotonic() + START_S
        while not self._asked and time.monotonic() < deadline:
            self._check()
            if any(child.deaths >= MOST_EARLY_DEATHS for child in self._children):
                break
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(url, timeout=1).close()  # noqa: S310  our own address
                return True
            time.sleep(POLL_S)
        if not self._asked:
            self.gave_up = "MindHit did not start; see the log above."
        return False

    def watch(self) -> None:
        """Keep everything running until a signal arrives."""
        while not self._asked and not self.gave_up:
            self._check()
            time.sleep(POLL_S)
        if self._asked:
            _log.info("stopping", signal=self._asked.name)

    def stop(self) -> None:
        """The children first, all at once; then the database, which they need to shut down."""
        for child in self._children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_S
        for child in self._children:
            child.await_end(deadline)
        if self._database is not None:
            self._database.stop()

    def _check(self) -> None:
        self._check_database()
        for child in self._children:
            child.check()

    def _check_database(self) -> None:
        database, now = self._database, time.monotonic()
        if database is None or now < self._pause_until:
            return
        code = database.poll()
        if code is None and database.process is not None:
            return
        self._database_deaths += 1
        _log.error("database died; restarting", reason=reason(code or 0))
        try:
            database.restart()
        except MindHitError as error:
            _log.error("database failed to start", reason=str(error), way_out=error.way_out)
            self._pause_until = now + min(2.0**self._database_deaths, LONGEST_PAUSE_S)
        else:
            self._database_deaths = 0

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        self._asked = signal.Signals(number)
