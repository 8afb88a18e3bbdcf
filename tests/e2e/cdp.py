"""Drives Chromium by the DevTools protocol, through its debugging pipe.

Playwright makes every page believe that it is focused and visible. The extension records which page
really is, so here targets are created and activated as in an ordinary browser.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Final

TIMEOUT_S: Final = 20.0


class Failed(Exception):
    """The browser rejected a command, or a script threw an error."""


class Chromium:
    """One run of the browser on a profile; `kill` ends its processes as a power cut would."""

    def __init__(self, program: str, profile: Path, flags: Sequence[str]) -> None:
        to_read, self._write_end = os.pipe()
        self._read_end, to_write = os.pipe()
        # The browser reads commands from descriptor 3 and writes to 4.
        command = [program, f"--user-data-dir={profile}", "--remote-debugging-pipe", *flags]
        with (profile.parent / "chromium.log").open("ab") as log:
            self.process = subprocess.Popen(
                ["/bin/bash", "-c", f"exec {shlex.join(command)} 3<&{to_read} 4>&{to_write}"],
                pass_fds=(to_read, to_write),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        os.close(to_read)
        os.close(to_write)
        self._answers: Queue[dict[str, Any]] = Queue()
        self.created: list[dict[str, Any]] = []  # targets, after `Target.setDiscoverTargets`
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._last = 0
        self._lock = threading.Lock()

    def _read(self) -> None:
        waiting = b""
        with os.fdopen(self._read_end, "rb", buffering=0) as pipe:
            while chunk := pipe.read(65536):
                *messages, waiting = (waiting + chunk).split(b"\0")
                for message in messages:
                    read = json.loads(message)
                    if "id" in read:
                        self._answers.put(read)
                    elif read["method"] == "Target.targetCreated":
                        self.created.append(read["params"]["targetInfo"])

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        with self._lock:
            self._last += 1
            message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
            if session is not None:
                message["sessionId"] = session
            os.write(self._write_end, json.dumps(message).encode() + b"\0")
            while True:
                try:
                    answer = self._answers.get(timeout=TIMEOUT_S)
                except Empty:
                    raise Failed(f"{method}: no answer") from None
                if answer["id"] == self._last:
                    break
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def targets(self, kind: str) -> list[dict[str, Any]]:
        found = self.send("Target.getTargets")["targetInfos"]
        return [each for each in found if each["type"] == kind]

    def attach(self, target: str) -> str:
        session: str = self.send("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        return session

    def evaluate(self, session: str, script: str) -> Any:
        done = self.send(
            "Runtime.evaluate",
            session,
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in done:
            error = done["exceptionDetails"]
            raise Failed(error.get("exception", {}).get("description") or error["text"])
        return done["result"].get("value")

    def close(self) -> None:
        """Close it as a person would."""
        try:
            self.send("Browser.close")
            self.process.wait(TIMEOUT_S)
        except (Failed, OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its own group: it and its children
        self.process.wait()
        self._reader.join(TIMEOUT_S)
        with suppress(OSError):
            os.close(self._write_end)
