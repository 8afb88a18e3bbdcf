"""The API's event loop says how long it was held, and a process whose loop is held for good ends."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import time
from contextlib import suppress

import httpx2
import pytest
from fastapi import FastAPI
from prometheus_client import REGISTRY
from pydantic import TypeAdapter
from structlog.testing import capture_logs

from mindhit import wiring
from mindhit.api.app import api_routes, build_routes, create_app
from mindhit.api.loop_watch import LONG_S, LoopWatch
from mindhit.api.server import keep_what_is_loaded
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


async def test_a_long_hold_is_logged_with_the_place_that_held_it() -> None:
    watch = LoopWatch()
    with capture_logs() as logged:
        watching = asyncio.create_task(watch.run(set()))
        await asyncio.sleep(0)
        _compute_for(2 * LONG_S)
        async with asyncio.timeout(60):
            while not logged:
                await asyncio.sleep(0.01)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    assert logged[0]["event"] == "the event loop was held"
    assert "_compute_for" in logged[0]["stack"]


def _compute_for(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_what_is_loaded_is_not_collected_again() -> None:
    app = create_app(wiring.product(wiring.make_settings()))
    build_routes(app)
    try:
        keep_what_is_loaded()
        assert gc.get_freeze_count() > 50_000
        assert not any(each is app for each in gc.get_objects())
    finally:
        gc.unfreeze()


async def test_no_request_builds_a_route_once_they_are_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    api_routes.cache_clear()  # of applications that other tests made
    app = create_app(wiring.product(wiring.make_settings()))
    build_routes(app)
    assert await _built_by_requests(monkeypatch, app) == []


async def test_applications_share_the_routes_that_are_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build_routes(create_app(wiring.product(wiring.make_settings())))
    app = create_app(wiring.product(wiring.make_settings()))
    assert await _built_by_requests(monkeypatch, app) == []


async def _built_by_requests(monkeypatch: pytest.MonkeyPatch, app: FastAPI) -> list[object]:
    built: list[object] = []
    original = TypeAdapter.__init__

    def counted(self: TypeAdapter[object], *args: object, **kwargs: object) -> None:
        built.append(args)
        original(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(TypeAdapter, "__init__", counted)
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://mindhit.test") as client:
        await client.get("/v1/about")
        await client.get("/nowhere")
        await client.put("/v1/about")
    return built


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
