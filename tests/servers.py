"""Real processes for tests: `mindhit …` started, waited for, and ended by their own id."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.warm_commands import Warm

COMMAND_S = 120
ANSWER_S = 30  # of a server that is there: a busy machine may take seconds
warm = Warm()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(**settings: object) -> dict[str, str]:
    """This process's environment without MindHit's settings, and with these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MINDHIT_")}
    return kept | {f"MINDHIT_{name.upper()}": str(value) for name, value in settings.items()}


def mindhit(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a process of its own."""
    done = warm.run(arguments, environment(**settings), COMMAND_S)
    if done is not None:
        return done
    return subprocess.run(
        [sys.executable, "-m", "mindhit.cli", *arguments],
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
        check=False,
    )


def start(log: Path, *arguments: str, **settings: object) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, its words in a file. Pages that tests make up have
    addresses of real sites: such a process fetches nothing unless a test asks for it."""
    with log.open("ab") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "mindhit.cli", *arguments],
            env=environment(**{"fetching": "false", **settings}),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def get(url: str, headers: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    """Status and body; 0 where nothing answers."""
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=dict(headers or {})), timeout=ANSWER_S
        ) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()
    except OSError:
        return 0, b""


class ProcessEnded(Exception):
    """The process ended while we waited for it."""


def wait_for(
    url: str,
    status: int = 200,
    *,
    within_s: float = 60,
    of: subprocess.Popen[bytes] | None = None,
) -> float:
    """Seconds until the address answers so; raises when it does not in time."""
    began = time.monotonic()
    while (got := get(url)[0]) != status:
        if of is not None and of.poll() is not None:
            raise ProcessEnded(f"ended with {of.returncode}")
        if time.monotonic() - began > within_s:
            raise TimeoutError(f"{url} answers {got} and not {status} after {within_s} s")
        time.sleep(0.05)
    return time.monotonic() - began


@contextmanager
def api(log: Path, database_url: str, **settings: object) -> Iterator[str]:
    """A running `mindhit api` on a port of its own; gives its address."""
    settings = {"database_url": database_url, "data_dir": log.parent / "data", **settings}
    process, url = _start_api(log, settings)
    try:
        yield url
    finally:
        end(process)


def _start_api(log: Path, settings: dict[str, object]) -> tuple[subprocess.Popen[bytes], str]:
    """Between the choice of a port and its use somebody else may take it: then another."""
    for _ in range(5):
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        process = start(log, "api", port=port, **settings)
        try:
            wait_for(f"{url}/healthz", of=process)
        except ProcessEnded:
            continue
        except BaseException:
            end(process)
            raise
        return process, url
    raise ProcessEnded(log.read_text()[-2_000:])


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
