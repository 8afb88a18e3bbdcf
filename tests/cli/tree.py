"""A `mindhit up` under test: the whole process tree, watched and killed from outside."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests import servers


class Tree:
    def __init__(self, data_dir: Path, **settings: object) -> None:
        self.port = servers.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data_dir.parent / f"up-{self.port}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._settings = {"data_dir": data_dir, "port": self.port, "log_format": "json", **settings}

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def start(self) -> None:
        self._process = servers.start(self.log, "up", **self._settings)

    def ready(self) -> None:
        self.wait_until(lambda: servers.get(f"{self.url}/readyz")[0] == 200)
        self.wait_until(lambda: "is running at" in self.said())

    def wait_until(self, condition: Callable[..., object], within_s: float = 90) -> None:
        deadline = time.monotonic() + within_s
        while not condition():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.05)

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def members(self) -> list[psutil.Process]:
        """The root and everything below it; those in sessions of their own are still its children."""
        if self._process is None:
            return []
        with contextlib.suppress(psutil.NoSuchProcess):
            root = psutil.Process(self.process.pid)
            return [root, *root.children(recursive=True)]
        return []

    def postmaster(self) -> psutil.Process:
        """Among the root's own children, which stay; those of PostgreSQL come and go."""
        children = psutil.Process(self.process.pid).children()
        [found] = [child for child in children if child.name() == "postgres"]
        return found

    def pid_of(self, name: str) -> int:
        found = re.findall(rf'"process": "{name}", "pid": (\d+), "event": "started"', self.said())
        return int(found[-1])

    def interrupt(self) -> int:
        """Ctrl-C as a terminal sends it, to the whole foreground group; the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(60)

    def kill_all(self) -> None:
        """A power cut for processes: everything at once, the root first."""
        members = self.members()
        for member in members:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()
        if self._process is not None:
            self._process.wait(30)
        psutil.wait_procs(members, timeout=30)
