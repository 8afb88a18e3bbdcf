"""The API's event loop says how long it was held, and a process whose loop is held for good ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from contextlib import suppress

from prometheus_client import REGISTRY

from mindhit.api.loop_watch import LoopWatch
from mindhit.work.running.watchdog import EXIT_CODE

HELD_FOR_GOOD = """
import asyncio
from mindhit import log
from mindhit.api import loop_watch

async def hold():
    loop_watch.ENDED_AFTER_S = 0.5
    loop_watch.ApiWatchdog().start()
    await asyncio.sleep(0.2)
    while True:
        pass

log.configure("json")
asyncio.run(hold())
"""


async def test_the_longest_hold_is_measured() -> None:
    watch = LoopWatch()
    watching = asyncio.create_task(watch.run(set()))
    await asyncio.sleep(0)
    time.sleep(0.6)  # noqa: ASYNC251  what a request must never do
    async with asyncio.timeout(60):
        while watch.longest_s == 0.0:
            await asyncio.sleep(0.01)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    assert watch.longest_s >= 0.3
    shown = REGISTRY.get_sample_value("mindhit_api_loop_longest_hold_seconds")
    assert shown is not None
    assert shown >= 0.3


def test_a_loop_that_is_held_for_good_ends_the_process_and_says_where() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELD_FOR_GOOD],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == EXIT_CODE
    assert "the API's event loop is held" in done.stderr + done.stdout
    assert "in hold" in done.stderr + done.stdout
