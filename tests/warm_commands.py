"""Commands in processes of their own that need not import everything first.

Importing the product takes over a second of processor time, and tests run hundreds of commands. A
process that has imported it and nothing else waits here; for each command it forks, and the child
has the command's environment, folder and output files, and ends as `mindhit` does.

    python -m tests.warm_commands     one request per line: {arguments, environment, folder, out, error}
                                      two lines back: the child's pid, then its exit code
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


class Warm:
    """The waiting process, started when first needed. It ends with the one that started it."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def run(
        self, arguments: Sequence[str], environment: dict[str, str], limit_s: float
    ) -> subprocess.CompletedProcess[str] | None:
        """None where it is at work for somebody else."""
        if not self._busy.acquire(blocking=False):
            return None
        try:
            with tempfile.TemporaryDirectory() as folder:
                out, error = Path(folder, "out"), Path(folder, "error")
                code = self._ask(arguments, environment, limit_s, out, error)
                return subprocess.CompletedProcess(
                    list(arguments), code, out.read_text(), error.read_text()
                )
        finally:
            self._busy.release()

    def _ask(
        self,
        arguments: Sequence[str],
        environment: dict[str, str],
        limit_s: float,
        out: Path,
        error: Path,
    ) -> int:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        request = {
            "arguments": list(arguments),
            "environment": environment,
            "folder": str(Path.cwd()),
            "out": str(out),
            "error": str(error),
        }
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        pid = int(process.stdout.readline())
        late = threading.Timer(limit_s, os.kill, (pid, 9))
        late.start()
        try:
            return int(process.stdout.readline())
        finally:
            late.cancel()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.warm_commands"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            atexit.register(self._stop)
        return self._process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.communicate()


def serve() -> None:
    import mindhit.cli.app

    gc.freeze()
    while line := sys.stdin.readline():
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            become(request)
            mindhit.cli.main()
        say(pid)
        _, status = os.waitpid(pid, 0)
        say(os.waitstatus_to_exitcode(status))


def say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def become(request: dict[str, Any]) -> None:
    """What a program started for this command would be given."""
    for fd, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, request["out"], os.O_WRONLY | os.O_CREAT),
        (2, request["error"], os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, fd)
        os.close(opened)
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    sys.argv[1:] = request["arguments"]


if __name__ == "__main__":
    serve()
