"""Keeps a handful of processes running, and ends them in order.

Everything happens in the main thread: the database's death signal is tied to the thread that
started it. The watch looks five times a second, which costs nothing and needs no signals.
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

from mindhit import log
from mindhit.db.embedded import Server
from mindhit.errors import MindHitError

_log = log.get(__name__)
LOOK_S = 0.2
STOP_S = 30.0
START_S = 60.0
STEADY_S = 60.0  # a child that lived this long starts with a clean record
LONGEST_PAUSE_S = 30.0
HOPELESS = 5  # deaths in a row before anything was ever ready


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
        # A group of its own: Ctrl-C is for the supervisor, which then ends the others in order.
        self._process = subprocess.Popen(
            self._command, env=self._environment, stdin=subprocess.DEVNULL, start_new_session=True
        )
        self._began = time.monotonic()
        _log.info("started", process=self.name, pid=self._process.pid)

    def look(self) -> None:
        """Notice a death, tell its reason, and start again when its pause is over."""
        now = time.monotonic()
        if self._process is not None and (code := self._process.poll()) is not None:
            self.deaths = 1 if now - self._began > STEADY_S else self.deaths + 1
            pause = min(0.5 * 2 ** (self.deaths - 1), LONGEST_PAUSE_S)
            self._not_before = now + pause
            self._process = None
            _log.error(
                "process died; it is started again",
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
            _log.error("did not stop in time and is killed", process=self.name)
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
        """Wait until the product answers; False when it was stopped or gave up first."""
        deadline = time.monotonic() + START_S
        while not self._asked and time.monotonic() < deadline:
            self._look()
            if any(child.deaths >= HOPELESS for child in self._children):
                break
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(url, timeout=1).close()  # noqa: S310  our own address
                return True
            time.sleep(LOOK_S)
        if not self._asked:
            self.gave_up = "MindHit did not become ready; the log above says why."
        return False

    def watch(self) -> None:
        """Keep everything running until a signal asks for the end."""
        while not self._asked and not self.gave_up:
            self._look()
            time.sleep(LOOK_S)
        if self._asked:
            _log.info("stopping", signal=self._asked.name)

    def stop(self) -> None:
        """The children first, all at once; then the database, which they need to say goodbye."""
        for child in self._children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_S
        for child in self._children:
            child.await_end(deadline)
        if self._database is not None:
            self._database.stop()

    def _look(self) -> None:
        self._look_after_database()
        for child in self._children:
            child.look()

    def _look_after_database(self) -> None:
        database, now = self._database, time.monotonic()
        if database is None or now < self._pause_until:
            return
        code = database.poll()
        if code is None and database.process is not None:
            return
        self._database_deaths += 1
        _log.error("database died; it is started again", reason=reason(code or 0))
        try:
            database.restart()
        except MindHitError as error:
            _log.error("database does not start", reason=str(error), way_out=error.way_out)
            self._pause_until = now + min(2.0**self._database_deaths, LONGEST_PAUSE_S)
        else:
            self._database_deaths = 0

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        self._asked = signal.Signals(number)
