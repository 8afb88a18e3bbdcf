"""What `pip install .` brings: the wheel alone is enough from `mindhit up` to the first recording."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

from mindhit.db import embedded
from tests import servers
from tests.e2e.conftest import FLAGS, PATIENCE_MS
from tests.e2e.extension_kit import (
    EMAIL,
    PASSWORD,
    extension_id,
    flags,
    prepare_profile,
    program,
    wait_until,
)
from tests.e2e.extension_pages import Pages, local_pages

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"
CERTIFICATES = {"UV_SYSTEM_CERTS": "1"}

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the project as it is."""
    source = tmp_path_factory.mktemp("source") / "mindhit"
    shutil.copytree(
        ROOT,
        source,
        ignore=shutil.ignore_patterns(
            ".git", ".venv", "node_modules", "__pycache__", ".peers", ".*cache"
        ),
    )
    subprocess.run(
        [UV, "build", "--quiet", "--wheel", "--out-dir", source.parent, source],
        check=True,
        env=os.environ | CERTIFICATES,
    )
    [built] = source.parent.glob("*.whl")
    return built


def test_the_wheel_holds_the_web_app_the_extension_the_migrations_and_the_types(
    wheel: Path,
) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "mindhit/api/static/index.html" in names
    assert any(re.fullmatch(r"mindhit/api/static/assets/.*\.js", name) for name in names)
    for browser in ("chrome", "firefox"):
        assert f"mindhit/extension/files/{browser}/manifest.json" in names
        assert f"mindhit/extension/files/{browser}/background.js" in names
    assert any(name.startswith("mindhit/db/migrations/0001_") for name in names)
    assert "mindhit/py.typed" in names


@dataclass(frozen=True)
class Installed:
    """A home in which nothing is but MindHit."""

    home: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def terminal(self) -> Path:
        return self.home / "terminal"

    def environment(self) -> dict[str, str]:
        return {
            "PATH": str(self.home / "venv" / "bin"),
            "HOME": str(self.home),
            "MINDHIT_PORT": str(self.port),
            "MINDHIT_PASSWORD_MEMORY": "8",
            "MINDHIT_PASSWORD_ROUNDS": "1",
        }

    def said(self) -> str:
        return self.terminal.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Iterator[Installed]:
    # Not tmp_path: its parents are 0700, and then root's database goes to /var/lib.
    home = Path(tempfile.mkdtemp(prefix="mindhit-wheel-"))
    home.chmod(0o755)
    python = home / "venv" / "bin" / "python"
    environment = os.environ | CERTIFICATES
    try:
        subprocess.run(
            [UV, "venv", "-q", "--python", sys.executable, home / "venv"],
            check=True,
            env=environment,
        )
        constraints = ROOT / "constraints.txt"
        subprocess.run(
            [UV, "pip", "install", "-q", "--python", python, "-c", constraints, wheel],
            check=True,
            env=environment,
        )
        yield Installed(home, servers.free_port())
    finally:
        cluster = embedded.status(home / ".local" / "share" / "mindhit").cluster
        for leftover in {home, cluster.parent if cluster else home}:
            shutil.rmtree(leftover, ignore_errors=True)


@pytest.fixture
def running(installed: Installed) -> Iterator[Installed]:
    """`mindhit up` without Node, git or the repository, and without a terminal."""
    environment = installed.environment()
    for absent in ("node", "npm", "git"):
        assert shutil.which(absent, path=environment["PATH"]) is None
    with installed.terminal.open("wb") as terminal:
        process = subprocess.Popen(
            [installed.home / "venv" / "bin" / "mindhit", "up"],
            env=environment,
            cwd=installed.home,
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )

    def is_ready() -> bool:
        assert process.poll() is None, installed.said()
        return "is in this folder" in installed.said()

    try:
        wait_until(is_ready, within_s=90, what="the box")
        yield installed
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 0
    finally:
        servers.end(process)


def become_owner(page: Page, link: str) -> None:
    page.goto(link)
    page.reload()
    page.get_by_label("Email address").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("heading", name="First steps")).to_be_visible()


def downloaded(page: Page, to: Path) -> Path:
    """The extension by the link on the page, unpacked as a person would."""
    page.get_by_role("button", name="Chrome").click()
    with page.expect_download() as started:
        page.get_by_role("link", name=re.compile("Download the extension")).click()
    with zipfile.ZipFile(started.value.path()) as archive:
        archive.extractall(to)
    return to


def with_extension(playwright: Playwright, built: Path, profile: Path) -> BrowserContext:
    profile.mkdir()
    prepare_profile(profile, is_active=False, built=built)
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=program(),
        headless=False,
        args=flags(built),
        locale="en-US",
        viewport={"width": 900, "height": 900},
    )
    context.set_default_timeout(PATIENCE_MS)
    return context


def connect(context: BrowserContext, url: str) -> None:
    web = context.new_page()
    web.goto(f"{url}/sign-in")
    web.get_by_label("Email address").fill(EMAIL)
    web.get_by_label("Password", exact=True).fill(PASSWORD)
    web.get_by_role("button", name="Sign in", exact=True).click()
    expect(web.get_by_role("heading", name="First steps")).to_be_visible()
    setup = context.new_page()
    setup.goto(f"chrome-extension://{extension_id()}/setup.html")
    expect(setup.get_by_label("Server address")).to_have_value(url)
    with context.expect_page() as opened:
        setup.get_by_role("button", name="Connect").click()
    opened.value.get_by_role("button", name="Approve").click()
    expect(setup.get_by_text(f"Connected to {url} as")).to_be_visible()
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    expect(web.get_by_text("Waiting for the first recording…")).to_be_visible()


def record(context: BrowserContext, pages: Pages) -> None:
    popup = context.new_page()
    popup.goto(f"chrome-extension://{extension_id()}/popup.html")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading = context.new_page()
    reading.goto(f"{pages.url}/first")
    reading.goto(f"{pages.url}/second")
    popup.get_by_role("button", name="Stop").click()
    expect(popup.get_by_role("link", name="Open session")).to_be_visible()


def test_the_wheel_alone_leads_to_the_first_recording(running: Installed, tmp_path: Path) -> None:
    said = running.said()
    link = re.search(rf"^  ({re.escape(running.url)}/welcome#\S+)$", said, re.MULTILINE)
    assert link is not None, said
    folder = running.home / "MindHit-extension" / "chrome"
    assert f"\n  {folder}\n" in said
    with sync_playwright() as playwright, local_pages() as pages:
        browser = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        page = browser.new_page(locale="en-US")
        page.set_default_timeout(PATIENCE_MS)
        become_owner(page, link[1])
        expect(page.get_by_label("Extension folder")).to_have_value(str(folder))
        built = downloaded(page, tmp_path / "extension")
        browser.close()
        for copy in (built, folder):
            assert running.url in (copy / "server.json").read_text()
        context = with_extension(playwright, built, tmp_path / "profile")
        try:
            connect(context, running.url)
            record(context, pages)
            web = context.new_page()
            web.goto(running.url)
            expect(web.get_by_role("link", name="Connect your browser")).to_have_count(0)
            web.locator("li[data-status] a").first.click()
            for title in ("Page first", "Page second"):
                expect(web.get_by_role("link", name=re.compile(title)).first).to_be_visible()
        finally:
            context.close()
    assert running.said() == said, "nothing is logged while all is well"
