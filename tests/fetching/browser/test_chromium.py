"""A real headless Chromium: it runs a page's scripts, reaches the network through the proxy only, and
leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop
from aiohttp import web

from mindhit.fetching.browser.chromium import Chromium, find_chromium
from mindhit.fetching.guard import Guard
from mindhit.fetching.model import AddressForbidden, Page, Permanent, Transient
from mindhit.fetching.page_reader import PageReader, make_pool
from tools import browser as browsers

# One after the other: the folders that they leave behind are looked for.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("chromium")]
LOOPBACK = Guard(["127.0.0.0/8"])

APP = """<html><body><div id="root"></div><script>
fetch('/text.json').then(a => a.json()).then(found => {
  document.getElementById('root').innerHTML = '<main><article><h1>App</h1>'
    + found.paragraphs.map(p => '<p>' + p + '</p>').join('') + '</article></main>' })
</script></body></html>"""
PARAGRAPHS = [
    f"Paragraph {n} of a page that is empty until its scripts have run, long enough to be text."
    for n in range(5)
]
INWARD = """<html><body><p>before</p><script>
fetch('http://127.0.0.1:%d/secret').then(a => a.text()).then(found => { document.body.innerText = found })
  .catch(() => { document.body.innerText = 'refused' })
</script></body></html>"""


@pytest.fixture(scope="module")
def program() -> Path:
    found = find_chromium(browsers.find() or "auto")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("There is no Chromium.")
        pytest.skip("There is no Chromium.")
    return found


@asynccontextmanager
async def farm(host: str = "127.0.0.1", inward_port: int = 0) -> AsyncIterator[int]:
    pages = {
        "/app": APP,
        "/inward": INWARD % inward_port,
        "/large": "<p>" + "x" * 200_000,
        "/spin": "<script>while (true) {}</script>",
    }

    async def answer(request: web.Request) -> web.Response:
        if request.path == "/text.json":
            return web.json_response({"paragraphs": PARAGRAPHS})
        return web.Response(text=pages.get(request.path, ""), content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, host, 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def chromium(program: Path, guard: Guard = LOOPBACK, **more: float) -> Chromium:
    return Chromium(program, guard, "MindHit test", **more)  # type: ignore[arg-type]


async def test_a_page_made_by_scripts_is_read_and_nothing_is_left(program: Path) -> None:
    before = _folders()
    reader = PageReader(make_pool(), chromium(program))
    async with farm() as port:
        page = Page(f"http://127.0.0.1:{port}/app", 200, "text/html", "utf-8", APP.encode(), APP)
        try:
            found = await reader.read(page)
        finally:
            await reader.close()
    for paragraph in PARAGRAPHS:
        assert paragraph in found.text
    assert _folders() == before


async def test_scripts_reach_only_what_the_guard_permits(program: Path) -> None:
    """The page's own host is allowed, the one its script asks for is not: both on loopback, told apart
    by the address, and nothing else could see the request."""
    asked: list[str] = []

    async def secret(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append("connected")
        writer.close()

    server = await asyncio.start_server(secret, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        async with farm("127.0.0.2", inward_port=port) as farm_port:
            html = await chromium(program, Guard(["127.0.0.2/32"])).render(
                f"http://127.0.0.2:{farm_port}/inward"
            )
    finally:
        server.close()
    assert "refused" in html
    assert asked == []


def test_it_runs_under_the_workers_event_loop(program: Path) -> None:
    async def render() -> str:
        async with farm() as port:
            return await chromium(program).render(f"http://127.0.0.1:{port}/app")

    assert PARAGRAPHS[0] in uvloop.run(render())


async def test_a_page_that_can_not_be_loaded_is_no_page(program: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        with pytest.raises(Transient):
            await chromium(program).render(f"http://127.0.0.1:{taken.getsockname()[1]}/")


async def test_a_browser_that_can_not_be_started_leaves_the_text_there_was() -> None:
    reader = PageReader(make_pool(), Chromium(Path("/nowhere/chromium"), LOOPBACK, "x"))
    html = "<p>Little.</p><script></script>"
    try:
        found = await reader.read(
            Page("http://127.0.0.1/", 200, "text/html", "utf-8", html.encode(), html)
        )
    finally:
        await reader.close()
    assert found.text == "Little."


async def test_a_forbidden_page_is_not_even_tried(program: Path) -> None:
    with pytest.raises(AddressForbidden):
        await chromium(program, Guard()).render("http://127.0.0.1:9/")


async def test_a_page_that_never_comes_to_an_end_is_stopped(program: Path) -> None:
    async with farm() as port:
        with pytest.raises(Transient, match="did not answer"):
            await chromium(program, timeout_s=4.0).render(f"http://127.0.0.1:{port}/spin")


async def test_a_page_that_grows_too_large_is_refused(program: Path) -> None:
    async with farm() as port:
        with pytest.raises(Permanent):
            await chromium(program, largest=100_000).render(f"http://127.0.0.1:{port}/large")


async def test_a_program_that_is_no_browser_fails_as_a_page_would(tmp_path: Path) -> None:
    with pytest.raises(Transient):
        await Chromium(Path("/bin/true"), LOOPBACK, "x").render("http://127.0.0.1:9999/")


def test_the_setting_chooses_the_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium() == program
    assert find_chromium(str(program)) == program
    assert find_chromium("off") is None
    assert find_chromium(str(tmp_path / "other")) is None


def _folders() -> set[str]:
    return {each.name for each in Path(tempfile.gettempdir()).glob("mindhit-browser-*")}
