"""The tests' side of crasher.py."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

ROOT = Path(__file__).resolve().parents[2]


class Crasher:
    """Runs workers that are killed; see crasher.py."""

    def __init__(self, dsn: str, process: subprocess.Popen[str]) -> None:
        self._dsn = dsn
        self._orders = cast("IO[str]", process.stdin)
        self._answers = cast("IO[str]", process.stdout)

    async def run(self, **order: Any) -> dict[str, Any]:
        return await asyncio.to_thread(self._run, {"dsn": self._dsn, **order})

    def _run(self, order: dict[str, Any]) -> dict[str, Any]:
        print(json.dumps(order), file=self._orders, flush=True)
        answer: dict[str, Any] = json.loads(self._answers.readline())
        return answer


@contextmanager
def crasher(dsn: str) -> Iterator[Crasher]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.crawl.crasher"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    try:
        yield Crasher(dsn, process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
